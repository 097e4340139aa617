"""How is the XML dump of DBLP read?

`dblp.xml.gz` as described in "DBLP: some lessons learned" (Ley, 2009) and its DTD. The file is
read twice: papers refer to proceedings and persons to their other names, and both may stand
behind. Conference papers of a volume that the dump holds come out of its table of contents, which
DBLP enters as a whole.
"""

from collections.abc import Iterator

from lxml import etree
from msgspec import Struct

from hallmark.index.loaders import tidy, xml
from hallmark.index.loaders.interface import Loaded, Loader, Opened, Skipped
from hallmark.records.work import Version
from hallmark.text import identifiers

PAPERS = frozenset(
    {"article", "inproceedings", "incollection", "book", "phdthesis", "mastersthesis", "data"}
)
_VOLUMES = frozenset({"proceedings"})
_PERSONS = frozenset({"www"})
_EVERYTHING = PAPERS | _VOLUMES | _PERSONS
_MARKUP = frozenset({"sub", "sup"})
_HOMEPAGE = "homepages/"
_SITE = "https://dblp.org/rec/"
_PREPRINT_STREAM = "journals/corr/"
_WITHDRAWN = "withdrawn"


class Background(Struct, frozen=True):
    """What papers refer to: titles of volumes by key, other names of persons by name."""

    volumes: dict[str, str]
    aliases: dict[str, tuple[str, ...]]


def load(opened: Opened) -> Iterator[Loaded]:
    """Yield one version for each publication."""
    background = _background(opened)
    for element in xml.records(opened.stream, _EVERYTHING, opened.label):
        if element.tag in PAPERS:
            yield _version(element, background, opened)
        elif element.tag in _VOLUMES:
            yield Skipped("volume of proceedings, of which its papers tell")
        else:
            yield Skipped("page of a person")


def _background(opened: Opened) -> Background:
    found = Background({}, {})
    if opened.reopen is None:
        return found
    with opened.reopen() as stream:
        for element in xml.records(stream, _EVERYTHING, opened.label):
            key = element.get("key", "")
            if element.tag in _VOLUMES:
                found.volumes[key] = _title(element)
            elif element.tag in _PERSONS and key.startswith(_HOMEPAGE):
                _note_aliases(element, found)
    return found


def _note_aliases(page: etree._Element, found: Background) -> None:
    """Note the names of a person who has several."""
    names = [tidy.field(xml.text(one)) for one in page.findall("author")]
    if len(names) > 1:
        for name in names:
            others = (tidy.without_homonym_number(one) for one in names if one != name)
            found.aliases[name] = tuple(dict.fromkeys(others))


def _version(element: etree._Element, background: Background, opened: Opened) -> Version:
    names = [tidy.field(xml.text(one)) for one in element.findall("author")]
    authors, cut = tidy.people([tidy.without_homonym_number(name) for name in names])
    key = element.get("key", "")
    links = [tidy.field(xml.text(one)) for one in element.findall("ee")]
    volume = background.volumes.get(_child(element, "crossref"), "")
    venue = _child(element, "booktitle") or _child(element, "journal")
    school = _child(element, "school") or _child(element, "publisher")
    return Version(
        collection=opened.collection,
        title=_title(element),
        authors=authors,
        author_aliases=_aliases(names, background),
        origin=opened.label,
        authors_truncated=cut,
        editors=tidy.people([xml.text(one) for one in element.findall("editor")])[0],
        venue=venue,
        venue_raw=volume or venue or school,
        preprint=key.startswith(_PREPRINT_STREAM),
        year=tidy.year(_child(element, "year")),
        doi=next((doi for link in links if (doi := identifiers.doi(link))), None),
        arxiv=_arxiv(element, links),
        dblp=key or None,
        url=links[0] if links else f"{_SITE}{key}",
        kind=str(element.tag),
        retracted=element.get("publtype") == _WITHDRAWN,
    )


def _title(element: etree._Element) -> str:
    """Return the title as one line; DBLP ends each with a full stop, which is taken off."""
    title = element.find("title")
    if title is None:
        return ""
    line = tidy.line(xml.marked_up(title, _MARKUP))
    return line[:-1] if line.endswith(".") and not line.endswith("..") else line


def _child(element: etree._Element, name: str) -> str:
    child = element.find(name)
    return "" if child is None else tidy.field(xml.text(child))


def _aliases(names: list[str], background: Background) -> tuple[tuple[str, str], ...]:
    return tuple(
        (tidy.without_homonym_number(name), other)
        for name in names
        for other in background.aliases.get(name, ())
        if other != tidy.without_homonym_number(name)
    )


def _arxiv(element: etree._Element, links: list[str]) -> str | None:
    """Return the arXiv id of a record of the preprint stream: in its links or its volume."""
    if not element.get("key", "").startswith(_PREPRINT_STREAM):
        return None
    for text in (*links, _child(element, "volume")):
        if found := identifiers.arxiv(text, marked=True):
            return found.id
    return None


def from_contents(version: Version) -> bool:
    """Whether a record stands in the table of contents of a conference's volume."""
    return version.kind == "inproceedings" and version.venue_raw != version.venue


def sniff(head: bytes, name: str) -> bool:
    """Whether the root element is DBLP's."""
    del name
    return b"<dblp" in head[:4096] or b"<!DOCTYPE dblp" in head[:4096]


LOADER = Loader(
    name="dblp",
    description="DBLP XML dump (dblp.xml.gz)",
    load=load,
    sniff=sniff,
    toc=from_contents,
    collection="dblp",
)
