"""Where and when did a work appear, by the end of a printed reference?

Volume, number, pages and year are found by their marks; what stands before the first of them is
the journal, the proceedings or the publisher.
"""

import re
from functools import lru_cache

from hallmark.text.venue_facts import VenueType, type_of
from hallmark.text.venues import VenueTable

_YEAR = r"(?:1[5-9]|20|21)\d{2}"
_DASH = r"\s*[-‐-―−]+\s*"
_MONTH = (
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|January|February|March|April|June|July|"
    r"August|September|October|November|December|Spring|Summer|Fall|Autumn|Winter)\.?"
)
_VANCOUVER = re.compile(
    rf"[.,]?\s*(?P<year>{_YEAR})(?:\s{_MONTH}(?:\s?\d{{1,2}})?)?\s*;\s*(?P<volume>\w+)?"
    rf"\s*(?:\((?P<number>[^()]{{1,20}})\))?\s*(?::\s*(?P<pages>\w+(?:{_DASH}\w+)?))?"
)
_CHINESE = re.compile(
    rf",\s*(?P<year>{_YEAR}),\s*(?P<volume>\d+)\s*(?:\((?P<number>[^()]{{1,12}})\))?"
    rf"\s*:\s*(?P<pages>\w+(?:{_DASH}\w+)?)"
)
_MARKED_VOLUME = re.compile(
    r"[,.;\s(]*\b(?:vol(?:ume)?|Bd|Band)\b\.?\s*(?P<volume>[\w-]{1,12})", re.IGNORECASE
)
_MARKED_NUMBER = re.compile(
    r"[,.;\s]*\b(?:no|nr|number|issue|iss)\b\.?\s*(?P<number>\d[\w/–-]{0,12})", re.IGNORECASE
)
_MARKED_PAGES = re.compile(
    rf"[,.;:\s(]*\b(?:pp?|pages?|S|pgs?|art(?:icle)?)\b\.?\s*(?:no\.?\s*)?"
    rf"(?P<pages>[A-Za-z]{{0,3}}\d[\w.]{{0,8}}(?:{_DASH}\w{{1,8}})?)\)?",
    re.IGNORECASE,
)
_VOLUME = re.compile(
    rf"[,\s]\s*(?P<volume>[A-Z]?\d{{1,4}})\s*(?:\(\s*(?!{_YEAR}\))(?P<number>[^()]{{1,20}})\)|"
    rf"\.(?P<issue>\d{{1,3}})\b)?(?=\s*[,:(]|\s*$)"
)
_RANGE = re.compile(
    rf"[,.:;\s]\s*(?P<pages>[A-Za-z]{{0,2}}\d{{1,7}}{_DASH}[A-Za-z]{{0,2}}\d{{1,7}})(?![\d.]\d)"
)
_ONE_PAGE = re.compile(r"[,:]\s*(?P<pages>e?\d{1,7})(?=\s*[.,(]|\s*$)")
_PAGE_BEHIND_YEAR = re.compile(r"(?<=\)) (?P<pages>[A-Za-z]?\d{1,7})(?=\s*[.,;]|\s*$)")
_YEAR_IN_BRACKETS = re.compile(rf"[,.\s]*\((?:{_MONTH}\s*)?(?P<year>{_YEAR})[a-z]?\)")
_BARE_YEAR = re.compile(
    rf"[,.;\s]*(?:\b\d{{1,2}}\s)?(?:{_MONTH}(?:\s?\d{{1,2}},?)?\s*)?(?<![\d/–-])\b(?P<year>{_YEAR})[a-z]?\b(?![-–/]\d)"
)
_IN = re.compile(r"^[\s.,]*(?:in|en|em)\b:?\s+", re.IGNORECASE)
_EDITORS = re.compile(
    r"^(?P<editors>[^()]{3,400}?),?\s*\(?\b(?:Eds?|editors?|Hrsg)\b\.?\)?[,.:]?\s+(?=\S)"
)
_MEETING = re.compile(
    r"\b(?:proceedings|proc\b|conference|conf\b|workshop|symposium|symp\b|advances in neural|"
    r"congress|meeting of the)",
    re.IGNORECASE,
)
_PUBLISHER = re.compile(
    r"\b(?:press|publish(?:er|ers|ing)|verlag|springer|wiley|elsevier|routledge|books|sage|"
    r"macmillan|mcgraw|pearson|o'reilly|editions?|university)\b",
    re.IGNORECASE,
)
_THESIS = re.compile(
    r"\b(?P<kind>(?:(?:Ph\.?\s?D\.?|doctoral|master'?s?|M\.?Sc\.?|bachelor'?s?)\s+)"
    r"(?:thesis|dissertation)|thesis|dissertation|\w*diplomarbeit|habilitation\w*)\b",
    re.IGNORECASE,
)
_STANDARD = re.compile(
    r"\b(?P<number>RFC\s?\d{2,5}|(?:3GPP\s+)?T[SR]\s\d{2}\.\d{3}|(?:ISO|IEC|IEEE|ITU-[TR]|ETSI|NIST|ANSI)"
    r"(?:[/\s]\w+)?\s(?:(?:Std|Recommendation|Rec)\.?\s)?[A-Z]{0,3}\.?\d[\d.-]*)"
)
_NEWS = re.compile(rf"^[^\d]{{2,60}},?\s*\d{{1,2}}\s{_MONTH}\s{_YEAR},?\s*(?:p\.|pp\.|section|$)")
_PREPRINT = re.compile(r"\b(?:arxiv|biorxiv|medrxiv|preprint|corr)\b", re.IGNORECASE)
_LEFT = " \t.,;:()[]“”\"'"
_TOO_LONG = 250
"""Characters of a venue's name; what is longer is no name."""


def place_of(
    tail: str, *, title: str = "", preprint: bool = False
) -> tuple[str, dict[str, str], str]:
    """Return the BibTeX type, the fields, and what could not be read.

    Args:
        tail: what stands behind the title.
        title: the title, which may say what sort of work it is.
        preprint: whether the reference names an arXiv number.
    """
    whole = tail.strip()
    fields: dict[str, str] = {}
    special = _special(whole, title, fields)
    if special:
        return special, fields, ""
    inside = _IN.match(whole)
    rest = whole[inside.end() :] if inside else whole
    editors = _EDITORS.match(rest) if inside else None
    if editors:
        fields["editor"] = editors["editors"]
        rest = rest[editors.end() :]
    first, last = _numbers(rest, fields)
    venue = _venue(rest[:first])
    left = rest[last:].strip(_LEFT)
    return _typed(venue, left, fields, inside=inside is not None, preprint=preprint)


def _special(tail: str, title: str, fields: dict[str, str]) -> str:
    """Recognise theses, standards and newspapers, which have no venue; return their type."""
    both = f"{title}. {tail}"
    year = _last_year(tail)
    if year:
        fields["year"] = year
    standard = _STANDARD.search(both)
    if standard and len(tail) < _TOO_LONG:
        fields["number"] = standard["number"]
        return "standard"
    thesis = _THESIS.search(tail)
    if thesis:
        fields["type"] = thesis["kind"]
        school = tail[thesis.end() :].partition(str(fields.get("year", "\0")))[0].strip(_LEFT)
        if school:
            fields["school"] = school
        return "thesis"
    if _NEWS.match(tail):
        fields["journal"] = tail.partition(",")[0].strip(_LEFT)
        return "newspaper"
    fields.clear()
    return ""


def _numbers(rest: str, fields: dict[str, str]) -> tuple[int, int]:
    """Fill in volume, number, pages and year; return the stretch of text that they take."""
    spans: list[tuple[int, int]] = []
    for whole in (_VANCOUVER, _CHINESE):
        found = whole.search(rest)
        if found and (found["volume"] or found["pages"]):
            _take(found, fields, spans)
            return spans[0]
    for pattern in (
        _MARKED_PAGES,
        _MARKED_VOLUME,
        _MARKED_NUMBER,
        _YEAR_IN_BRACKETS,
        _VOLUME,
        _RANGE,
    ):
        found = pattern.search(rest)
        if found and not _overlaps(found, spans) and not _is_year_of_volume(found):
            _take(found, fields, spans)
    page = _page_alone(rest, fields)
    if "volume" in fields and "pages" not in fields and page and _is_page(page["pages"], fields):
        _take(page, fields, spans)
    _year(rest, fields, spans)
    if not spans:
        return len(rest), len(rest)
    return min(start for start, _ in spans), max(end for _, end in spans)


def _page_alone(rest: str, fields: dict[str, str]) -> re.Match[str] | None:
    """Find a page that stands alone behind the volume, or behind the year in brackets."""
    volume = fields.get("volume", "")
    after = rest.find(volume) + len(volume) if volume else 0
    return _ONE_PAGE.search(rest, after) or _PAGE_BEHIND_YEAR.search(rest, after)


def _is_page(text: str, fields: dict[str, str]) -> bool:
    """Whether a number is a page: not a year, unless the year stands elsewhere."""
    return "year" in fields or not _is_year(text)


def _take(found: re.Match[str], fields: dict[str, str], spans: list[tuple[int, int]]) -> None:
    names = {"issue": "number"}
    for name, value in found.groupdict().items():
        if value:
            fields.setdefault(
                names.get(name, name), re.sub(_DASH, "--", value) if name == "pages" else value
            )
    spans.append(found.span())


def _overlaps(found: re.Match[str], spans: list[tuple[int, int]]) -> bool:
    start, end = found.span(found.lastgroup or 0)
    return any(start < other_end and other_start < end for other_start, other_end in spans)


def _is_year_of_volume(found: re.Match[str]) -> bool:
    return found.re is _VOLUME and found["number"] is None and _is_year(found["volume"])


def _is_year(text: str) -> bool:
    return re.fullmatch(_YEAR, text) is not None


def _year(rest: str, fields: dict[str, str], spans: list[tuple[int, int]]) -> None:
    """Take the last bare year that is no part of anything else."""
    if "year" in fields:
        return
    years = [found for found in _BARE_YEAR.finditer(rest) if not _overlaps(found, spans)]
    if not years:
        return
    found = years[-1]
    fields["year"] = found["year"]
    head = rest[: found.start()].strip(_LEFT)
    begins_phrase = found[0][:1] in {",", ".", ";"} or (spans and found.start() > spans[0][0])
    if begins_phrase and head:
        spans.append(found.span())


def _last_year(text: str) -> str:
    years = [found["year"] for found in _BARE_YEAR.finditer(text)]
    return years[-1] if years else ""


def _venue(text: str) -> str:
    """Return a name of a venue; what follows it as a sentence (publisher, town) is cut off."""
    text = text.strip(_LEFT.replace(")", "").replace("(", "")).strip("*_ ")
    if text.count("(") > text.count(")"):
        text = text[: text.rindex("(")].strip(_LEFT)
    head, mark, behind = text.partition(". ")
    if mark and len(head.split()) > 2 and (_PUBLISHER.search(behind) or _MEETING.search(head)):  # noqa: PLR2004
        return head
    return text[:_TOO_LONG] if len(text) <= _TOO_LONG else ""


def _typed(
    venue: str, left: str, fields: dict[str, str], *, inside: bool, preprint: bool
) -> tuple[str, dict[str, str], str]:
    """Return type, fields and what is left, once the venue is known."""
    if not venue:
        return "misc", fields, left
    if _PREPRINT.search(venue) or (preprint and "volume" in fields):
        return "article", {"journal": venue, **fields}, left
    kind = _kind_of_venue(venue)
    if inside or kind is VenueType.CONFERENCE or (kind is None and _MEETING.search(venue)):
        book = "editor" in fields and not _MEETING.search(venue)
        return (
            "incollection" if book else "inproceedings",
            {"booktitle": venue, **fields, **_publisher(left)},
            "",
        )
    if kind is VenueType.JOURNAL or fields.keys() & {"volume", "pages", "number"}:
        return "article", {"journal": venue, **fields}, left
    if _PUBLISHER.search(venue):
        return "book", {"publisher": venue, **fields}, left
    return "misc", {"howpublished": venue, **fields}, left


@lru_cache(maxsize=4096)
def _kind_of_venue(venue: str) -> VenueType | None:
    ids = VenueTable.curated().resolve(venue).ids
    return type_of(ids[0]) if ids else None


def _publisher(left: str) -> dict[str, str]:
    return {"publisher": left} if left and len(left) < _TOO_LONG else {}
