"""Which identifiers does an entry claim, in whichever of its fields they stand?

A DOI is looked for in `doi`, then in links, then in notes that call it one. An arXiv id is looked
for in `eprint` and its kin, then wherever it is marked as one, such as
`journal = {arXiv preprint arXiv:1412.6980}` or `journal = {CoRR}, volume = {abs/1706.03762}`.
"""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from hallmark.records.reference import ParseNote
from hallmark.text import identifiers
from hallmark.text.identifiers import ArxivId

LINK_FIELDS = (
    "url",
    "ee",
    "link",
    "howpublished",
    "bdsk-url-1",
    "adsurl",
    "pdf",
    "links",
    "eprint",
)
_NOTE_FIELDS = ("note", "annote", "annotation", "addendum", "number", "pages", "series")
_ARXIV_FIELDS = ("arxiv", "arxivid", "arxiv_id", "arxiv-id", "arxivnumber")
_MARKED_FIELDS = (
    "journal", "journaltitle", "url", "volume", "note", "howpublished", "booktitle", "number",
    "pages", "doi", "publisher", "series", "institution", "type", "school", "organization", "link",
    "ee", "eid", "pdf", "addendum", "annote", "annotation", "bdsk-url-1", "key", "date", "version",
)  # fmt: skip
_SAYING = frozenset((*_MARKED_FIELDS, *_ARXIV_FIELDS, "eprint"))
_ARXIV_SIGN = re.compile(r"arxiv|corr\b|abs/|[a-z]/\d{7}", re.IGNORECASE)
_PREPRINT_HOME = re.compile(r"\b(?:arxiv|corr)\b", re.IGNORECASE)
_QUERY = re.compile(r"[?#].*", re.DOTALL)
_PAGE_OF_PUBLISHER = re.compile(
    r"(?:/(?:full|pdf|abstract|meta|html|epdf|epub|summary|references|fulltext|pdfdirect|"
    r"full/html|full-text)|\.(?:full|pdf|html|abstract)){1,3}/?$",
    re.IGNORECASE,
)
_RESOLVER = re.compile(r"(?:dx\.)?doi\.org/", re.IGNORECASE)
_CALLED_DOI = re.compile(r"\bdoi\b", re.IGNORECASE)
_CALLED_PMID = re.compile(r"\bpmid[:\s]*(\d{1,9})\b", re.IGNORECASE)
_PUBMED_LINK = re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/(\d{1,9})")
_LONGEST = 5000


class Identifiers(Struct, frozen=True):
    """What an entry claims to be known under; see `Reference` for the forms."""

    doi: str | None = None
    claimed_doi: str = ""
    arxiv: str | None = None
    arxiv_version: int | None = None
    pmid: str | None = None
    isbn: str | None = None
    notes: tuple[ParseNote, ...] = ()


def identifiers_of(fields: Mapping[str, str]) -> Identifiers:
    """Return the identifiers that the fields of an entry (lower-case names) hold."""
    claimed = " ".join(fields.get("doi", "")[:_LONGEST].split())
    doi = identifiers.doi(claimed) if claimed else None
    isbn = identifiers.isbn(fields["isbn"]) if fields.get("isbn") else None
    notes: tuple[ParseNote, ...] = ()
    if claimed and doi is None:
        isbn = isbn or identifiers.isbn(claimed)
        notes = (_malformed(claimed),)
    if doi is None:
        doi = _doi_elsewhere(fields)
    arxiv = _arxiv_of(fields, doi)
    return Identifiers(
        doi=doi,
        claimed_doi=claimed,
        arxiv=arxiv.id if arxiv else None,
        arxiv_version=arxiv.version if arxiv else None,
        pmid=_pmid_of(fields),
        isbn=isbn,
        notes=notes,
    )


def doi_of_link(link: str) -> str | None:
    """Return the DOI inside a link, without what publishers' pages append to it."""
    if "10." not in link:
        return None
    found = identifiers.doi(_QUERY.sub("", link))
    if found is None or _RESOLVER.search(link):
        return found
    return identifiers.doi(_PAGE_OF_PUBLISHER.sub("", found))


def _malformed(claimed: str) -> ParseNote:
    return ParseNote("malformed-doi", f"The field doi holds “{claimed[:100]}”, which is no DOI.")


def _doi_elsewhere(fields: Mapping[str, str]) -> str | None:
    for name in LINK_FIELDS:
        value = fields.get(name)
        if value and "10." in value and (found := doi_of_link(value[:_LONGEST])):
            return found
    for name in _NOTE_FIELDS:
        value = fields.get(name)
        if value and "10." in value and _CALLED_DOI.search(value[:_LONGEST]):
            return identifiers.doi(value)
    return None


def _arxiv_of(fields: Mapping[str, str], doi: str | None) -> ArxivId | None:
    if not _may_name_arxiv(fields):
        return None
    found: ArxivId | None = None
    for candidate in _arxiv_candidates(fields):
        if found is None or (candidate.id == found.id and found.version is None):
            found = candidate
    inside = identifiers.arxiv_of_doi(doi) if doi else None
    if found is None and inside:
        found = identifiers.arxiv(inside)
    return found


def _may_name_arxiv(fields: Mapping[str, str]) -> bool:
    """Whether it is worth while to look for an arXiv id; most entries have none."""
    for name, value in fields.items():
        if name in _SAYING and (
            name == "eprint" or name.startswith("arxiv") or _ARXIV_SIGN.search(value[:_LONGEST])
        ):
            return True
    return False


def _arxiv_candidates(fields: Mapping[str, str]) -> Iterator[ArxivId]:
    """Yield the arXiv ids of an entry, the most explicit one first."""
    eprint = _eprint(fields)
    if eprint:
        yield eprint
    for name in _ARXIV_FIELDS:
        value = fields.get(name)
        if value and (found := identifiers.arxiv(value)):
            yield found
    at_home = any(
        _PREPRINT_HOME.search(fields[name][:200])
        for name in ("journal", "journaltitle", "booktitle", "howpublished", "publisher")
        if name in fields
    )
    for name in _MARKED_FIELDS:
        value = fields.get(name)
        if value and (found := _marked(value, name, at_home=at_home)):
            yield found


def _marked(value: str, name: str, *, at_home: bool) -> ArxivId | None:
    """Return an id that the text calls one, or a bare one where the journal is arXiv itself."""
    if not any(map(str.isdigit, value[:_LONGEST])):
        return None
    found = identifiers.arxiv(value, marked=True)
    if (
        found is None
        and at_home
        and name in {"volume", "number", "pages", "eid", "note", "journal"}
    ):
        found = identifiers.arxiv(value)
    if found is None and "/" in value and name in {"note", "howpublished", "journal", "volume"}:
        bare = identifiers.arxiv(value)
        found = bare if bare and "/" in bare.id else None
    return found


def _eprint(fields: Mapping[str, str]) -> ArxivId | None:
    """Read `eprint` by the repository that `eprinttype` or `archiveprefix` names."""
    value = fields.get("eprint", "")
    if not value:
        return None
    archive = (fields.get("eprinttype") or fields.get("archiveprefix") or "").strip("{} ").lower()
    section = (fields.get("primaryclass") or fields.get("eprintclass") or "").strip("{} ").lower()
    if not archive or archive.startswith(("arxiv", "corr")):
        found = identifiers.arxiv(value)
        return found or (identifiers.arxiv(f"{section}/{value.strip()}") if section else None)
    return identifiers.arxiv(value if "/" in value else f"{archive}/{value.strip()}", marked=False)


def _pmid_of(fields: Mapping[str, str]) -> str | None:
    if fields.get("pmid"):
        return identifiers.pmid(fields["pmid"])
    if fields.get("eprinttype", "").lower() in {"pubmed", "pmid"}:
        return identifiers.pmid(fields.get("eprint", ""))
    for name, pattern in (("url", _PUBMED_LINK), ("note", _CALLED_PMID), ("annote", _CALLED_PMID)):
        found = pattern.search(fields.get(name, "")[:_LONGEST])
        if found:
            return found.group(1)
    return None
