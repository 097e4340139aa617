"""What does the structure of a DOI or an Anthology id say about venue, year and track?

Many registrants build the meeting and the year into the suffix: `10.1109/CVPR52688.2022.00123`,
`10.1609/aaai.v35i2.16110` (volume 35 is 2021), `10.18653/v1/2021.acl-long.3`. What is read here
is a statement of the identifier alone; whether it is registered is another question.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from hallmark.text import knowledge
from hallmark.text.venue_facts import registrants, venues
from hallmark.text.venue_tracks import Track, joined


class DoiParts(Struct, frozen=True):
    """What a DOI says by itself.

    `publisher` is None where the prefix is not among the known registrants. `venue_id` is None
    where the suffix names no venue that we know. `exact_year` is false where the year inside is
    that of acceptance or of online publication, which may precede the printed year by some years.
    """

    prefix: str
    publisher: str | None
    venue_id: str | None = None
    year: int | None = None
    exact_year: bool = False


class _Inside(Struct, frozen=True):
    """Venue and year as found in a suffix."""

    venue_id: str | None = None
    year: int | None = None
    exact_year: bool = False


_Reader = Callable[[str], _Inside | None]

_IEEE_MEETING = re.compile(r"([a-z][a-z0-9/-]*?)\d{0,5}\.((?:19|20)\d\d)\.")
_IEEE_JOURNAL = re.compile(r"([a-z][a-z-]*?|\d{1,4})\.((?:19|20)\d\d)\.")
_DOTTED_YEAR = re.compile(r"([a-z][a-z0-9_-]*?)\.((?:19|20)\d\d)[./-]")
_VOLUMED = re.compile(r"([a-z]+)\.v(\d{1,3})i")
_SPRINGER_JOURNAL = re.compile(r"(s\d{5})-0(\d{2})-")
_LEADING_CODE = re.compile(r"([a-z][a-z-]*|s\d{5})")

_ANTHOLOGY_NEW = re.compile(r"((?:19|20)\d\d)\.([a-z0-9_]+(?:-[a-z0-9]+)*?)-([a-z0-9]+)\.(\d+)")
_ANTHOLOGY_OLD = re.compile(r"(?<![a-z0-9])([a-z])(\d\d)-(\d)(\d{3})(?!\d)")
_SPLIT_CENTURY = 60
_FIRST_WORKSHOP_VOLUME = 5
_FIRST_EMNLP_WORKSHOPS = 2019
_VOLUME_TRACKS = {
    "demo": Track.DEMO, "demos": Track.DEMO, "srw": Track.STUDENT, "industry": Track.INDUSTRY,
    "tutorials": Track.TUTORIALS, "tutorial": Track.TUTORIALS,
}  # fmt: skip

_CVF = re.compile(r"thecvf\.com/content[_/](cvpr|iccv|wacv|accv|eccv)_?(?:\d{4})?_?(w)?")


@knowledge.derived
@lru_cache(maxsize=65536)
def doi_parts(doi: str) -> DoiParts:
    """Return what the normalised DOI `doi` says; the venue and the year are often None."""
    prefix, _, suffix = doi.lower().partition("/")
    registrant = registrants().get(prefix)
    reader = _READERS.get(prefix)
    inside = (reader(suffix) if reader else None) or _Inside()
    return DoiParts(prefix, registrant, inside.venue_id, inside.year, inside.exact_year)


def anthology_venue(identifier: str) -> tuple[str, int] | None:
    """Return the identity and the year that an ACL Anthology id, URL or DOI names, or None.

    Ids of workshops are named only where the workshop is known by its code.
    """
    text = identifier.lower()
    new = _ANTHOLOGY_NEW.search(text)
    if new:
        return _new_style(int(new[1]), new[2], new[3])
    old = _ANTHOLOGY_OLD.search(text)
    return _old_style(old[1], int(old[2]), int(old[3])) if old else None


def anthology_number(identifier: str) -> tuple[str, int] | None:
    """Return the volume and the paper's number that an ACL Anthology id, URL or DOI names.

    Papers of a volume are numbered from 1 without gaps: ("2021.acl-long", 571), ("P18-1", 12).
    None for anything else, and for a volume's front matter (number 0).
    """
    text = identifier.strip().rstrip("/").lower()
    new = _NUMBERED_NEW.search(text)
    if new:
        return (new[1], int(new[2])) if int(new[2]) else None
    old = _NUMBERED_OLD.search(text)
    if not old:
        return None
    event, number = old[1], old[2]
    year = 2000 + int(event[1:]) if int(event[1:]) < _SPLIT_CENTURY else 1900 + int(event[1:])
    workshops = event.startswith("d") and year >= _FIRST_EMNLP_WORKSHOPS and number[0] in "56"
    digits = 2 if event.startswith("w") or workshops or event in _TWO_DIGITS else 1
    place = int(number[digits:])
    return (f"{event}-{number[:digits]}", place) if place else None


_NUMBERED_NEW = re.compile(r"(?:^|/)(\d{4}\.[a-z0-9_]+-[a-z0-9]+)\.(\d{1,5})$", re.ASCII)
_NUMBERED_OLD = re.compile(r"(?:^|/)([a-z]\d\d)-(\d{4})$", re.ASCII)
_TWO_DIGITS = frozenset(["c69"])
"""Events besides workshops whose volumes have numbers of two digits."""


def url_venue(url: str) -> str | None:
    """Return the identity that a publisher's URL names, where it tells more than a name does."""
    text = url.lower()
    if "aclanthology." in text or "aclweb.org/anthology" in text:
        found = anthology_venue(text.rpartition("anthology")[2])
        return found[0] if found else None
    if "neurips.cc" in text and ("datasets_and_benchmarks" in text or "//datasets-bench" in text):
        return "neurips-datasets"
    if "thecvf.com" in text:
        cvf = _CVF.search(text)
        return f"{cvf[1]}-workshops" if cvf and cvf[2] else None
    return None


def _new_style(year: int, code: str, volume: str) -> tuple[str, int] | None:
    if code == "findings":
        base = _by_code().get(f"findings-{volume}")
        return (base or "acl-findings", year)
    base = _by_code().get(code)
    if base is None or venues()[base].type == "container":
        return None
    return (joined(base, _VOLUME_TRACKS.get(volume, Track.MAIN)), year)


def _old_style(letter: str, short_year: int, volume: int) -> tuple[str, int] | None:
    year = (1900 if short_year > _SPLIT_CENTURY else 2000) + short_year
    base = _letters().get(letter)
    if base is None:
        return None
    if letter == "d" and year >= _FIRST_EMNLP_WORKSHOPS and volume >= _FIRST_WORKSHOP_VOLUME:
        return ("emnlp-workshops", year)
    return (base, year)


@knowledge.derived
@lru_cache(maxsize=1)
def _letters() -> dict[str, str]:
    return {row[0]: row[1] for row in knowledge.rows("anthology_letters")}


@knowledge.derived
@lru_cache(maxsize=1)
def _volumes() -> dict[str, int]:
    """Return the year of a series' volume 0 by the code of the series."""
    return {code: int(zero) for code, zero in knowledge.rows("doi_volumes")}


@knowledge.derived
@lru_cache(maxsize=1)
def _by_code() -> dict[str, str]:
    """Return identities by the code that stands inside DOIs and Anthology ids."""
    found: dict[str, str] = {}
    for fact in venues().values():
        for code in fact.codes:
            found.setdefault(code, fact.id)
    return found


def _acl(suffix: str) -> _Inside | None:
    found = anthology_venue(suffix.removeprefix("v1/"))
    return _Inside(found[0], found[1], exact_year=True) if found else None


def _ieee(suffix: str) -> _Inside | None:
    journal = _IEEE_JOURNAL.match(suffix)
    if journal:
        known = _by_code().get(journal[1])
        fact = venues().get(known) if known else None
        meeting = fact is not None and fact.type == "conference"
        return _Inside(known, int(journal[2]), exact_year=meeting)
    meeting_found = _IEEE_MEETING.match(suffix)
    if meeting_found is None:
        return None
    code = meeting_found[1]
    known = _by_code().get(code)
    if known is None and code.endswith("w"):
        base = _by_code().get(code[:-1])
        known = joined(base, Track.WORKSHOPS) if base else None
    return _Inside(known, int(meeting_found[2]), exact_year=True)


def _aaai(suffix: str) -> _Inside | None:
    found = _VOLUMED.match(suffix)
    if found is None:
        return None
    since = _volumes().get(found[1])
    return _Inside(_by_code().get(found[1]), since + int(found[2]) if since else None, True)


def _dotted(suffix: str) -> _Inside | None:
    found = _DOTTED_YEAR.match(suffix)
    if found is None:
        return _coded(suffix)
    return _Inside(_by_code().get(found[1]), int(found[2]), exact_year=True)


def _elsevier(suffix: str) -> _Inside | None:
    found = _DOTTED_YEAR.match(suffix.removeprefix("j."))
    return _Inside(_by_code().get(found[1]), int(found[2])) if found else None


def _springer(suffix: str) -> _Inside | None:
    found = _SPRINGER_JOURNAL.match(suffix)
    if found:
        return _Inside(_by_code().get(found[1]), 2000 + int(found[2]))
    return _coded(suffix)


def _bmvc(suffix: str) -> _Inside | None:
    found = re.match(r"c\.(\d{1,2})\.", suffix)
    return _Inside("bmvc", _volumes()["bmvc"] + int(found[1]), exact_year=True) if found else None


def _coded(suffix: str) -> _Inside | None:
    """Read a suffix that begins with the journal's code ("pone.0012345", "s41586-021-...")."""
    found = _LEADING_CODE.match(suffix.removeprefix("journal."))
    known = _by_code().get(found[1]) if found else None
    return _Inside(known) if known else None


def _only(venue_id: str) -> _Reader:
    return lambda _suffix: _Inside(venue_id)


_READERS: dict[str, _Reader] = {
    "10.18653": _acl, "10.3115": _acl, "10.1109": _ieee, "10.1609": _aaai, "10.24963": _dotted,
    "10.21437": _dotted, "10.14722": _dotted, "10.1016": _elsevier, "10.1007": _springer,
    "10.1038": _springer, "10.1186": _springer, "10.5244": _bmvc, "10.1162": _coded,
    "10.1613": _coded, "10.1371": _coded, "10.1073": _coded, "10.1126": _coded, "10.7554": _coded,
    "10.1103": _coded, "10.1523": _coded, "10.14778": _only("pvldb"), "10.48550": _only("arxiv"),
    "10.2139": _only("ssrn"),
}  # fmt: skip
