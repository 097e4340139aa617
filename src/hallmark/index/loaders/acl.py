"""How are the XML files of the ACL Anthology read?

One `<collection>` a file, as in the Anthology's repository (data/xml): volumes with their
`<meta>`, papers with `<title>` (markup: fixed-case, b, i, tex-math, url), `<author>` of `<first>`
and `<last>`. A volume's papers are its table of contents.
"""

from collections.abc import Iterator

from lxml import etree

from hallmark.index.loaders import tidy, xml
from hallmark.index.loaders.interface import Loaded, Loader, Opened, Skipped
from hallmark.records.work import Version
from hallmark.text import identifiers
from hallmark.text.latex import to_unicode

SITE = "https://aclanthology.org/"
_VOLUME = frozenset({"volume"})
_OLD_DIGITS = 4
"""Digits of volume and paper together in ids before 2020 ("P19-1001", "W19-5301")."""


def load(opened: Opened) -> Iterator[Loaded]:
    """Yield one version for each paper, volume by volume."""
    for volume in xml.records(opened.stream, _VOLUME, opened.label):
        collection = volume.getparent()
        prefix = "" if collection is None else collection.get("id", "")
        yield from _volume(volume, prefix, opened)


def _volume(volume: etree._Element, prefix: str, opened: Opened) -> Iterator[Loaded]:
    meta = volume.find("meta")
    if meta is None:
        yield Skipped("volume without a description")
        return
    name = _child(meta, "journal-title") or _child(meta, "booktitle")
    venues = [tidy.field(xml.text(one)).upper() for one in meta.findall("venue")]
    year = tidy.year(_child(meta, "year"))
    for paper in volume.findall("paper"):
        anthology_id = _child(paper, "url") or _made_id(prefix, volume, paper)
        yield _version(paper, name, venues[0] if venues else "", year, anthology_id, opened)


def _version(
    paper: etree._Element,
    name: str,
    venue: str,
    year: int | None,
    anthology_id: str,
    opened: Opened,
) -> Version:
    authors, cut = tidy.people([_person(one) for one in paper.findall("author")])
    url = anthology_id if anthology_id.startswith("http") else SITE + anthology_id
    return Version(
        collection=opened.collection,
        title=_title(paper),
        authors=authors,
        origin=opened.label,
        authors_truncated=cut,
        editors=tidy.people([_person(one) for one in paper.findall("editor")])[0],
        venue=venue or name,
        venue_raw=name,
        year=year,
        doi=identifiers.doi(_child(paper, "doi")),
        url=url,
        kind="inproceedings",
        retracted=paper.find("retracted") is not None,
    )


def _title(paper: etree._Element) -> str:
    title = paper.find("title")
    if title is None:
        return ""
    line = tidy.line(xml.text(title))
    return to_unicode(line) if title.find(".//tex-math") is not None else line


def _person(element: etree._Element) -> str:
    """Return "first last"; the variants in other scripts are left out."""
    parts = (_child(element, "first"), _child(element, "last"))
    return " ".join(part for part in parts if part) or tidy.field(element.text or "")


def _made_id(prefix: str, volume: etree._Element, paper: etree._Element) -> str:
    """Return the id that the Anthology gives to a paper without an address."""
    number, place = paper.get("id", ""), volume.get("id", "")
    if prefix[:1].isalpha() and number.isdigit():
        return f"{prefix}-{place}{number.zfill(_OLD_DIGITS - len(place))}"
    return f"{prefix}-{place}.{number}"


def _child(element: etree._Element, name: str) -> str:
    child = element.find(name)
    return "" if child is None else tidy.field(xml.text(child))


def from_contents(version: Version) -> bool:
    """Say that a record stands in a volume's table of contents: all of them do."""
    return bool(version.title)


def sniff(head: bytes, name: str) -> bool:
    """Whether the root element is a collection of the Anthology."""
    del name
    return b"<collection id=" in head[:4096]


LOADER = Loader(
    name="acl",
    description="ACL Anthology XML",
    load=load,
    sniff=sniff,
    toc=from_contents,
    collection="acl",
)
