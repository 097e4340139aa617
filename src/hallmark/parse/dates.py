"""On which date does a reference say that its work appeared?

Years are written in many ways beside four digits ("1997a", "[1997]", "c1997", "1996/1997",
"1997-11-15T10:00:00Z"); what holds no year ("n.d.", "in press") gives none.
"""

import re
import unicodedata
from collections.abc import Mapping

from msgspec import Struct

from hallmark.text.latex import to_unicode

_YEAR = re.compile(r"(?<![\d.])(1\d{3}|2[01]\d{2})(?!\d)")
_TOO_LATE = re.compile(r"[{\s]*((?:2[2-9]|[3-9]\d)\d{2,16})[}\s]*")
_ISO = re.compile(r"(?<!\d)(?:1\d{3}|2[01]\d{2})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?!\d)")
_DAY_FIRST = re.compile(r"(?<!\d)(\d{1,2})[./](\d{1,2})[./](?:1\d{3}|2[01]\d{2})(?!\d)")
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"(?<!\d)(\d{1,2})(?!\d)")
_LAST_MONTH, _LAST_DAY = 12, 31
_THAI = re.compile("[\u0e00-\u0e7f]")
_BUDDHIST_YEARS, _BEFORE_CHRIST = range(2400, 2700), 543

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janvier enero janeiro gennaio januari jänner",
            "feb february februar février febrero fevereiro febbraio februari",
            "mar march märz mars marzo março maart",
            "apr april avril abril aprile",
            "may mai mayo maio maggio mei",
            "jun june juni juin junio junho giugno",
            "jul july juli juillet julio julho luglio",
            "aug august août agosto augustus",
            "sep september sept septembre septiembre setembro settembre",
            "oct october oktober octobre octubre outubro ottobre okt",
            "nov november novembre noviembre novembro",
            "dec december dezember décembre diciembre dezembro dicembre dez",
        ),
        start=1,
    )
    for name in names.split()
}


class PartialDate(Struct, frozen=True):
    """A date as far as it is known; `text` is what the year was read from, in Unicode."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    text: str = ""


def read_year(text: str) -> int | None:
    """Return the first year (1000 to 2199) that a text names, or None.

    A text that is one number and later than any such year is that year, so that the judge may say
    that it lies in the future; digits that begin like a year ("20171115", "20170") are none.
    """
    text = text if text.isascii() else unicodedata.normalize("NFKC", text)
    found = _YEAR.search(text) or _TOO_LATE.fullmatch(text)
    return int(found.group(1)) if found else None


def read_month(text: str) -> int | None:
    """Return the first month (1 to 12) that a text names, by name or by number, or None."""
    for word in _WORD.findall(text.lower()[:200]):
        number = _MONTHS.get(word)
        if number is not None:
            return number
    found = _NUMBER.fullmatch(text.strip())
    return _within(found.group(1), _LAST_MONTH) if found else None


def date_of(fields: Mapping[str, str]) -> PartialDate:
    """Return the date of an entry from its `year`, `date`, `month` and `day` fields.

    `year` comes before `date`, as in BibTeX; a field that names no year leaves it to the other.
    Beside a title or authors in Thai a year is one of the Buddhist era where it can be.
    """
    year_text = _text(fields, "year")
    date_text = _text(fields, "date") or _text(fields, "issued") or _text(fields, "pubdate")
    year = read_year(year_text)
    if year is None:
        year = read_year(date_text)
    month, day = _month_and_day(date_text or year_text)
    month_text = _text(fields, "month")
    if month_text:
        month = read_month(month_text) or month
        day = _day_in_month(month_text) or day
    day_text = _text(fields, "day")
    day = _within(day_text, _LAST_DAY) or day
    if year is not None and year in _BUDDHIST_YEARS and _is_thai(fields):
        year -= _BEFORE_CHRIST
    return PartialDate(year, month, day, year_text or date_text)


def _is_thai(fields: Mapping[str, str]) -> bool:
    return any(_THAI.search(fields.get(name, "")[:1000]) for name in ("title", "author"))


def _month_and_day(text: str) -> tuple[int | None, int | None]:
    """Read month and day out of a whole date ("1997-11-15", "15.11.1997", "Nov 15, 1997")."""
    iso = _ISO.search(text)
    if iso:
        month = _within(iso.group(1), _LAST_MONTH)
        return month, _within(iso.group(2) or "", _LAST_DAY) if month else None
    european = _DAY_FIRST.search(text)
    if european:
        month = _within(european.group(2), _LAST_MONTH)
        return month, _within(european.group(1), _LAST_DAY) if month else None
    if not any(map(str.isalpha, text)):
        return None, None
    month = read_month(text)
    return month, _day_in_month(text) if month else None


def _day_in_month(text: str) -> int | None:
    """Return the day beside the name of a month ("March 15", "15--17 Mar")."""
    if not any(map(str.isalpha, text)):
        return None
    found = _NUMBER.search(text)
    return _within(found.group(1), _LAST_DAY) if found else None


def _within(digits: str, last: int) -> int | None:
    """Return a number from 1 to `last`, or None."""
    if not digits.isdecimal():
        return None
    number = int(digits[:4])
    return number if 1 <= number <= last else None


def _text(fields: Mapping[str, str], name: str) -> str:
    value = fields.get(name, "")
    return " ".join(to_unicode(value[:1000]).split()) if value else ""
