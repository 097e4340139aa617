"""What sort of thing does an entry cite?

The entry's type decides, where it is definite; `@misc`, `@techreport` and types nobody knows are
decided by the fields. biblatex's types are those of its manual, section 2.1.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from hallmark.records.reference import Kind

_DEFINITE: dict[str, Kind] = {
    name: kind
    for kind, names in {
        Kind.BOOK: "book mvbook booklet collection mvcollection reference mvreference proceedings "
        "mvproceedings commentary",
        Kind.CHAPTER: "inbook suppbook suppcollection bookinbook inreference chapter",
        Kind.THESIS: "phdthesis mastersthesis masterthesis bachelorthesis thesis dissertation "
        "phd mscthesis habilitation",
        Kind.STANDARD: "standard norm",
        Kind.PATENT: "patent",
        Kind.LEGAL: "jurisdiction legislation legal legmaterial legadminmaterial case statute bill",
        Kind.SOFTWARE: "software softwareversion softwaremodule codefragment program",
        Kind.DATASET: "dataset data",
        Kind.NEWS: "newspaper news newsarticle magazinearticle",
        Kind.PERIODICAL: "periodical suppperiodical",
        Kind.OTHER: "artwork audio video movie music image letter performance review set xdata "
        "personal interview film",
    }.items()
    for name in names.split()
}
_PAPERS = frozenset("article inproceedings conference paper".split())
_PAGES = frozenset("online www electronic webpage web website internet url".split())
_REPORTS = frozenset("techreport report technicalreport".split())

_PREPRINT_SERVER = re.compile(
    r"\b(?:arxiv|biorxiv|medrxiv|chemrxiv|psyarxiv|socarxiv|corr|ssrn|preprints?|eprint|"
    r"research square|openreview preprint|techrxiv|hal)\b",
    re.IGNORECASE,
)
_PROCEEDINGS = re.compile(
    r"\b(?:proceedings|proc\b|conference|workshop|symposium|meeting|congress|advances in neural|"
    r"lecture notes|NIPS|NeurIPS|ICML|ICLR|CVPR|ICCV|ECCV|AAAI|IJCAI|ACL|EMNLP|NAACL|KDD|SIGIR|"
    r"COLING|INTERSPEECH|ICASSP|UAI|AISTATS|CHI|WWW|tagung|actes|atti)\b",
    re.IGNORECASE,
)
_STANDARD = re.compile(
    r"^\W*(?:RFC\W*\d{2,5}|(?:ISO|IEC|IEEE|ANSI|DIN|EN|ASTM|ETSI|3GPP|ITU|NIST|FIPS|BS)\b"
    r"(?:[\s/:-]*(?:IEC|IEEE|ISO|EN|Std|SP|PUB|TS|TR|[-\w]))*[\s/:-]*\d)|\brequest for comments\b",
    re.IGNORECASE,
)
_PATENT = re.compile(r"\b(?:patent|US\s?\d{1,2},?\d{3},?\d{3}\s?[AB]\d?)\b", re.IGNORECASE)
_CODE_HOST = re.compile(
    r"(?:github\.com|gitlab\.|bitbucket\.org|sourceforge\.net|pypi\.org|cran\.r-project|"
    r"\bcomputer software\b|\bsoftware version\b|\bR package\b|\bpython package\b|\bGitHub rep)",
    re.IGNORECASE,
)
_DATA_HOST = re.compile(
    r"(?:kaggle\.com|huggingface\.co/datasets|archive\.ics\.uci\.edu|dataverse|figshare\.com|"
    r"\bdata ?set\b|\bdata file\b)",
    re.IGNORECASE,
)
_NEWSPAPER = re.compile(
    r"\b(?:new york times|washington post|wall street journal|guardian|financial times|"
    r"le monde|der spiegel|die zeit|reuters|associated press|bbc news|los angeles times|"
    r"usa today|newspaper)\b",
    re.IGNORECASE,
)
_THESIS = re.compile(r"\b(?:thesis|dissertation|diplomarbeit|habilitation\w*)\b", re.IGNORECASE)


def kind_of(entry_type: str, fields: Mapping[str, str], *, arxiv: bool = False) -> Kind:
    """Return the kind of work that an entry cites.

    Args:
        entry_type: the entry's type in lower case, without "@".
        fields: its fields under lower-case names.
        arxiv: whether the entry names an arXiv id.
    """
    definite = _DEFINITE.get(entry_type)
    if definite is not None:
        return definite
    container = _container(fields)
    if entry_type == "incollection":
        return Kind.PAPER if _read_container(container).proceedings else Kind.CHAPTER
    if entry_type in _PAPERS:
        return _paper(container, fields, arxiv=arxiv)
    if entry_type in _REPORTS:
        return _report(container, fields, arxiv=arxiv)
    if entry_type == "manual":
        return _by_number(fields) or Kind.SOFTWARE
    return _by_fields(entry_type, container, fields, arxiv=arxiv)


def _container(fields: Mapping[str, str]) -> str:
    names = ("booktitle", "journal", "journaltitle", "maintitle", "series")
    return next((fields[name][:300] for name in names if fields.get(name)), "")


class _Signs(Struct, frozen=True):
    """What the name of a journal or book sounds like."""

    newspaper: bool
    preprint: bool
    proceedings: bool


@lru_cache(maxsize=16384)
def _read_container(name: str) -> _Signs:
    return _Signs(
        newspaper=_NEWSPAPER.search(name) is not None,
        preprint=_PREPRINT_SERVER.search(name) is not None,
        proceedings=_PROCEEDINGS.search(name) is not None,
    )


def _paper(container: str, fields: Mapping[str, str], *, arxiv: bool) -> Kind:
    subtype = fields.get("entrysubtype", "").lower()
    signs = _read_container(container)
    if subtype in {"newspaper", "magazine"} or signs.newspaper:
        return Kind.NEWS
    if signs.preprint and not signs.proceedings:
        return Kind.PREPRINT
    return Kind.PREPRINT if arxiv and not container else Kind.PAPER


def _report(container: str, fields: Mapping[str, str], *, arxiv: bool) -> Kind:
    house = fields.get("institution", "") + " " + fields.get("type", "")
    if arxiv or _PREPRINT_SERVER.search(f"{container} {house[:300]}"):
        return Kind.PREPRINT
    return _by_number(fields) or Kind.REPORT


def _by_number(fields: Mapping[str, str]) -> Kind | None:
    """Recognise standards and patents by their number, wherever it stands."""
    for name in ("number", "type", "howpublished", "note", "series", "title", "institution"):
        value = fields.get(name, "")[:200]
        if not value:
            continue
        if _STANDARD.search(value):
            return Kind.STANDARD
        if name != "title" and _PATENT.search(value):
            return Kind.PATENT
    return None


def _by_fields(entry_type: str, container: str, fields: Mapping[str, str], *, arxiv: bool) -> Kind:
    """Decide for `@misc`, `@online`, `@unpublished` and types of people's own making."""
    if container and not _PREPRINT_SERVER.search(container):
        return Kind.PAPER
    where = " ".join(fields.get(name, "")[:300] for name in ("url", "howpublished", "note", "type"))
    if arxiv or container or _PREPRINT_SERVER.search(where):
        return Kind.PREPRINT
    numbered = _by_number(fields)
    if numbered is not None:
        return numbered
    if _DATA_HOST.search(where):
        return Kind.DATASET
    if _CODE_HOST.search(where):
        return Kind.SOFTWARE
    if _THESIS.search(where) or fields.get("school"):
        return Kind.THESIS
    return _page_or_other(entry_type, where, fields)


def _page_or_other(entry_type: str, where: str, fields: Mapping[str, str]) -> Kind:
    if _NEWSPAPER.search(where + " " + fields.get("publisher", "")[:200]):
        return Kind.NEWS
    if entry_type in _PAGES:
        return Kind.WEB
    names_paper = any(fields.get(name) for name in ("doi", "pages", "volume"))
    if entry_type == "misc" and not names_paper and ("http" in where or "www." in where):
        return Kind.PAPER if _PAPER_HOST.search(where) else Kind.WEB
    return Kind.OTHER


_PAPER_HOST = re.compile(
    r"(?:openreview\.net|aclanthology\.org|aclweb\.org/anthology|proceedings\.|jmlr\.org|"
    r"papers\.nips\.cc|openaccess\.thecvf|dl\.acm\.org|ieeexplore|springer\.com|doi\.org|"
    r"semanticscholar\.org|sciencedirect\.com|nature\.com|dblp\.)",
    re.IGNORECASE,
)
