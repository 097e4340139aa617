"""How is the ACL Anthology asked, and how are its entries read?

Every paper has a page of BibTeX under its Anthology id, which its DOI holds (10.18653/v1/ID). There
is no search; who checks many references takes the Anthology's XML into the index.
"""

import re
from collections.abc import Sequence
from urllib.parse import quote

import bibtexparser
from bibtexparser.model import Entry

from hallmark.records.answer import Answer, Unavailable
from hallmark.records.reference import Kind
from hallmark.records.source import Question
from hallmark.records.work import Version
from hallmark.sources import asking, decode, identify
from hallmark.sources.asking import Held
from hallmark.sources.interface import Ask, Rate, Request, SourceSpec, Way
from hallmark.text import clean, identifiers
from hallmark.text.latex import to_unicode
from hallmark.text.names import split_authors

SPEC = SourceSpec(
    name="acl",
    title="ACL Anthology",
    base="https://aclanthology.org",
    rate=Rate(2, connections=2),
    ways=(Way.DOI,),
    batch={"doi": 1},
    kinds=frozenset({Kind.PAPER, Kind.CHAPTER}),
    fields=("computer science",),
    registry_of=(),
    sends="Anthology ids, taken from DOIs",
    homepage="https://aclanthology.org/faq/",
    covers="papers of the ACL's meetings and journals; only those with a DOI of the ACL are asked",
    quirks=(
        "Ids of before 2020 are in capitals, DOIs are not: `p19-1001` is asked for as `P19-1001`.",
        "Names and titles are corrected there later than in the publisher's deposit.",
        "BibTeX with LaTeX; one request for each paper.",
    ),
    facts_as_of="2026-12",
)

_DOI = re.compile(r"10\.18653/v1/(?P<id>[a-z]\d\d-\d{4}|\d{4}\.[a-z0-9_]+-[a-z0-9]+\.\d+)")
_OLD = re.compile(r"[a-z]\d\d-\d{4}")


class AclAnthology:
    """The ACL Anthology, asked by DOI, one paper at a time."""

    def __init__(self, spec: SourceSpec = SPEC) -> None:
        self.spec = spec

    async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        """Answer every question, in order."""
        if way is not Way.DOI:
            return asking.not_asked(questions)
        return await asking.by_identifier(
            questions, _id, lambda ids: self._entry(ids[0], ask), way="doi", size=1
        )

    async def _entry(self, anthology_id: str, ask: Ask) -> Held | Unavailable:
        url = f"{self.spec.base}/{quote(anthology_id, safe='')}.bib"
        reply = await ask(Request(self.spec.name, url, accept="application/x-bibtex"))
        if decode.is_missing(reply):
            return Held()
        refusal = decode.refused(reply)
        if refusal is not None or isinstance(reply, Unavailable):
            return refusal or Unavailable("It did not answer.")
        entry = _parsed(reply.body)
        return entry if isinstance(entry, Unavailable) else Held({anthology_id: [version(entry)]})


def _id(question: Question) -> str | None:
    found = _DOI.fullmatch(identify.doi(question) or "")
    if found is None:
        return None
    return found["id"].upper() if _OLD.fullmatch(found["id"]) else found["id"]


def _parsed(body: bytes) -> Entry | Unavailable:
    """Return the one entry of a page of BibTeX."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return Unavailable("It answered with something that is no UTF-8.")
    library = bibtexparser.parse_string(text)
    entries = library.entries
    if len(entries) != 1 or library.failed_blocks or "title" not in entries[0]:
        return Unavailable("It answered with something that is no whole BibTeX entry.")
    return entries[0]


def version(entry: Entry) -> Version:
    """Return the version that an entry describes."""
    fields = {name.lower(): str(field.value) for name, field in entry.fields_dict.items()}
    names, cut = split_authors(fields.get("author", ""))
    venue = to_unicode(clean.line(fields.get("booktitle") or fields.get("journal", "")))
    editors = split_authors(fields.get("editor", ""))[0]
    return Version(
        collection=SPEC.name,
        title=to_unicode(clean.line(fields["title"])[: clean.MAX_TITLE]),
        authors=clean.people([name.display for name in names])[0],
        origin=clean.field(entry.key),
        authors_truncated=cut,
        editors=clean.people([name.display for name in editors])[0],
        venue=venue[: clean.MAX_FIELD],
        venue_raw=venue[: clean.MAX_FIELD],
        year=clean.year(fields.get("year", "")),
        doi=identifiers.doi(fields.get("doi", "")),
        url=clean.field(fields.get("url", "")),
        kind=clean.field(entry.entry_type),
    )
