"""Which identifiers does a printed reference name, and what is left of it without them?"""

import re

from msgspec import Struct

from hallmark.text import identifiers

_DOI = re.compile(
    r"[\[(]?(?:\b(?:https?://)?(?:dx\.)?doi\.org/|\bdoi\s*[:.]?\s*)?"
    r"(?P<doi>\b10\.\d{4,9}(?:\.\d+)*/[^\s\"“”]+)",
    re.IGNORECASE,
)
_ARCHIVE = (
    r"(?:astro-ph|cond-mat|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math-ph|nlin|nucl-ex|nucl-th|"
    r"quant-ph|physics|math|cs|q-bio|stat)(?:\.[A-Z]{2})?"
)
_ARXIV = re.compile(
    r"(?:https?://)?(?:www\.)?(?:(?:CoRR,?\s*)?\babs/|\barxiv\.org/(?:abs|pdf|html)/|"
    r"(?:\barxiv\s+(?:e-?prints?|preprints?)[,:]?\s*)?\barxiv\s*[:.]?\s*|"
    rf"\b(?={_ARCHIVE}/\d{{7}}))"
    rf"(?P<id>\d{{4}}\.\d{{4,5}}|{_ARCHIVE}/\d{{7}})(?P<version>v\d{{1,3}})?(?:\.pdf)?"
    r"(?:\s*\[[\w.-]{2,20}\])?",
    re.IGNORECASE,
)
_BARE_ARXIV = re.compile(r"\barxiv(?:\s+(?:e-?prints?|preprints?))?\b", re.IGNORECASE)
_PMID = re.compile(r"\bPMID[:\s]*(?P<pmid>\d{1,9})\b[.;]?|\bPMCID[:\s]*PMC\d+[.;]?", re.IGNORECASE)
_ISBN = re.compile(r"\bISBN(?:-1[03])?[:\s]*(?P<isbn>[\dXx][\dXx\- ]{8,16})", re.IGNORECASE)
_URL = re.compile(
    r"(?:\b(?:retrieved(?: on)?(?: [^.]{0,40}?)? from|available(?: online)?(?: at| from)?|"
    r"accessed(?: at| from)?|URL)\s*:?\s*)?<?(?P<url>\bhttps?://[^\s<>]+|\bwww\.[^\s<>]+)>?",
    re.IGNORECASE,
)
_ACCESSED = re.compile(
    r"[\[(]?\b(?:last )?(?:accessed|retrieved|visited)\b(?: on)?:?\s[^.;\])]{0,40}"
    r"(?<=\d)[\])]?\.?",
    re.IGNORECASE,
)
_EMPTY = re.compile(r"[\[(]\s*[,.;]*\s*[\])]|(?<=[;,])\s*[,;](?=\s|$)")
_SPACE = re.compile(r"\s+")


class Marks(Struct, frozen=True):
    """What identifies the work, as BibTeX fields, and the text without it."""

    fields: dict[str, str]
    rest: str


def marks(text: str) -> Marks:
    """Take identifiers, links and dates of access out of a reference on one line."""
    fields: dict[str, str] = {}

    def doi(found: re.Match[str]) -> str:
        value = identifiers.doi(found["doi"])
        if value:
            fields.setdefault("doi", value)
        return " " if value else found[0]

    def arxiv(found: re.Match[str]) -> str:
        known = identifiers.arxiv(found["id"] + (found["version"] or ""))
        if known is None:
            return found[0]
        fields.setdefault("archiveprefix", "arXiv")
        fields.setdefault("eprint", found["id"] + (found["version"] or ""))
        return " "

    def named(name: str, found: re.Match[str]) -> str:
        if found[name]:
            fields.setdefault(name, found[name].rstrip(".,;)"))
        return " "

    text = _DOI.sub(doi, text)
    text = _ARXIV.sub(arxiv, text)
    text = _PMID.sub(lambda found: named("pmid", found), text)
    text = _ISBN.sub(lambda found: named("isbn", found), text)
    text = _URL.sub(lambda found: named("url", found), text)
    text = _ACCESSED.sub(" ", text)
    if _BARE_ARXIV.search(text) and fields.keys() & {"eprint"}:
        text = _BARE_ARXIV.sub(" ", text)
    return Marks(fields, _tidy(text))


def _tidy(text: str) -> str:
    """Take off empty brackets and doubled marks that are left where something was taken out."""
    for _ in range(2):
        text = _SPACE.sub(" ", _EMPTY.sub(" ", text))
    return re.sub(r"\s+([.,;:])(?=\s|$)", r"\1", text).strip(" ,;")
