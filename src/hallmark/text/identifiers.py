"""Which identifier does a text name?

DOI, arXiv id, PubMed id and ISBN, out of any of the ways in which they are written, each in one
normal form. The forms follow the DOI Handbook (prefix `10.` and registrant, slash, suffix, case
insensitive) and arXiv's scheme (YYMM.NNNN from 2007-04, YYMM.NNNNN from 2015-01, before that
archive/YYMMNNN).
"""

import html
import re
from functools import lru_cache
from urllib.parse import unquote

from msgspec import Struct

from hallmark.text import knowledge

_DOI = re.compile(
    r"10\.\d{4,9}(?:\.\d+)*/(?:<\d[^\s<>\x00-\x1f]*>|[^\s\"<>{}|\\^`\x00-\x1f])+", re.IGNORECASE
)
"""A DOI; old Wiley and BioOne ones hold `<first page::code>`, any other bracket ends it."""
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
_NEW_STYLE = r"\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}"
_OLD_STYLE = r"[a-z]{2,}(?:-[a-z]{2,})?(?:\.[A-Za-z]{2})?/\d{2}(?:0[1-9]|1[0-2])\d{3}"
_ARXIV = re.compile(
    rf"(?<![\w./])(?P<id>{_NEW_STYLE}|{_OLD_STYLE})(?:v(?P<version>\d{{1,3}}))?(?![\d/]|\.\d|\w)",
    re.IGNORECASE,
)
_ARXIV_MARKED = re.compile(
    rf"(?:arxiv[:.\s/]*|arxiv\.org/(?:abs|pdf|html|format)/|abs/|corr[:\s,]+abs/)"
    rf"(?P<id>{_NEW_STYLE}|{_OLD_STYLE})(?:v(?P<version>\d{{1,3}}))?(?![\d/]|\.\d)",
    re.IGNORECASE,
)
_LATEX_ESCAPE = re.compile(r"\\([_%#&{}$~])|\{\\textunderscore\}|\\textunderscore\s?|\\-")
_TRAILING = ".,;:'\"!?*]}"
_FIRST_NEW_STYLE = 704
_FIRST_FIVE_DIGITS = 1501


class ArxivId(Struct, frozen=True):
    """An arXiv identifier without its version ("2101.00001", "hep-th/9901001")."""

    id: str
    version: int | None = None

    @property
    def year(self) -> int:
        """The year of the first submission, read from the id."""
        digits = self.id.rpartition("/")[2]
        short = int(digits[:2])
        return 1900 + short if short > _LAST_SHORT_YEAR else 2000 + short


_LAST_SHORT_YEAR = 90


def doi(text: str) -> str | None:
    """Return the first DOI that `text` names, in lower case, or None.

    URL forms, "doi:" in front, percent and LaTeX escapes, HTML entities, blanks inside the prefix
    and punctuation behind are taken off; the version of an arXiv DOI is dropped, since only the
    DOI without it is registered.
    """
    if "10." not in text:
        return None
    text = _LATEX_ESCAPE.sub(_unescaped, text[:_LONGEST])
    if "%" in text:
        text = unquote(text)
    if "&" in text:
        text = html.unescape(text)
    text = text.replace("{", "").replace("}", "").replace("\u200b", "").replace("\u2010", "-")
    found = _DOI.search(text)
    if found is None:
        return None
    value = _trim(found.group()).lower()
    if _DOI.fullmatch(value) is None:
        return None
    arxiv_doi = _ARXIV_DOI.fullmatch(value)
    if arxiv_doi:
        inner = _ARXIV.fullmatch(arxiv_doi.group(1))
        if inner:
            return f"10.48550/arxiv.{inner['id'].lower()}"
    return value


def arxiv(text: str, *, marked: bool = False) -> ArxivId | None:
    """Return the first arXiv id that `text` names, or None.

    With `marked`, only an id that is said to be one counts ("arXiv:2101.00001", an arxiv.org
    link, "abs/..."); else the bare id does too. The digits inside a DOI, a page range or a longer
    number are no arXiv id, and neither is one whose month is none.
    """
    text = text[:_LONGEST]
    found = _ARXIV_MARKED.search(text)
    if found is None and not marked and _DOI.search(text) is None:
        found = _ARXIV.search(text)
    if found is None:
        return None
    value = _without_class(found["id"].lower())
    if not _plausible_arxiv(value):
        return None
    version = found["version"]
    return ArxivId(id=value, version=int(version) if version else None)


def arxiv_of_doi(value: str) -> str | None:
    """Return the arXiv id inside a normalised arXiv DOI, or None for any other DOI."""
    found = _ARXIV_DOI.fullmatch(value)
    return found.group(1) if found else None


def example_doi(value: str) -> str:
    """Return where a normalised DOI stands as an example ("Crossref's test record"), else "".

    Templates, handbooks and invented sequences of digits: no work is registered there.
    """
    prefix = value.partition("/")[0] + "/"
    return _examples().get(value) or _examples().get(prefix, "")


@knowledge.derived
@lru_cache(maxsize=1)
def _examples() -> dict[str, str]:
    return {doi: why or "an example" for doi, why in knowledge.rows("example_dois")}


def pmid(text: str) -> str | None:
    """Return the PubMed id that `text` names (1 to 9 digits), or None."""
    found = re.search(r"(?<!\d)(\d{1,9})(?!\d)", text)
    return found.group(1).lstrip("0") or None if found else None


def isbn(text: str) -> str | None:
    """Return the ISBN that `text` names as 13 digits, or None; the check digit must be right."""
    for found in re.finditer(r"[\dXx][\dXx\- ]{8,20}", text[:_LONGEST]):
        digits = re.sub(r"[\- ]", "", found.group()).upper()
        if len(digits) == _ISBN13 and digits.isdigit() and _check13(digits[:12]) == digits[12]:
            return digits
        if len(digits) == _ISBN10 and _valid10(digits):
            body = "978" + digits[:9]
            return body + _check13(body)
    return None


_ISBN13, _ISBN10 = 13, 10
_LONGEST = 20_000


def _unescaped(found: re.Match[str]) -> str:
    if found.group(1):
        return str(found.group(1))
    return "" if found.group() == r"\-" else "_"


def _trim(value: str) -> str:
    """Take off punctuation that belongs to the sentence around a DOI, not to the DOI."""
    while value:
        if value[-1] in _TRAILING or (value[-1] == ")" and value.count("(") < value.count(")")):
            value = value[:-1]
        else:
            break
    return value


def _without_class(value: str) -> str:
    """Drop the subject class of an old id: arXiv itself names "math.GT/0309136" "math/0309136"."""
    archive, slash, digits = value.rpartition("/")
    return f"{archive.partition('.')[0]}/{digits}" if slash else value


@knowledge.derived
@lru_cache(maxsize=1)
def _old_archives() -> frozenset[str]:
    return frozenset(archive for (archive,) in knowledge.rows("arxiv_archives"))


def _plausible_arxiv(value: str) -> bool:
    archive, slash, digits = value.rpartition("/")
    if slash:
        return archive in _old_archives()
    month = int(digits[:4])
    length = len(digits.partition(".")[2])
    if month < _FIRST_NEW_STYLE or month > _LAST_SHORT_YEAR * 100:
        return False
    return length == (_FIVE if month >= _FIRST_FIVE_DIGITS else _FIVE - 1)


_FIVE = 5


def _check13(body: str) -> str:
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(body))
    return str(-total % 10)


def _valid10(digits: str) -> bool:
    if not digits[:9].isdigit() or not (digits[9].isdigit() or digits[9] == "X"):
        return False
    values = [10 if digit == "X" else int(digit) for digit in digits]
    return sum(value * (10 - place) for place, value in enumerate(values)) % 11 == 0
