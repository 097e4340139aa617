"""Is a perturbed entry false?

A perturbation that changed nothing, and one that happens to state another truth, are rejected and
counted. The check is by identity of what is claimed, not by the verifier's rules: an entry is true
only if some record of some work says the same in every field.
"""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from random import Random

from msgspec import Struct

from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import people, venue_of
from hallmark.bench.perturb.interface import (
    AS_THE_PAPER,
    Inapplicable,
    Knobs,
    Outcome,
    Perturbation,
    Perturbed,
    Pool,
)
from hallmark.records.work import Version
from hallmark.text import identifiers, titles
from hallmark.text.name_folding import compact
from hallmark.text.names import parse_name
from hallmark.text.venues import normal


class Fate(StrEnum):
    """What came of one attempt."""

    MADE = "made"
    INAPPLICABLE = "inapplicable"
    NO_OP = "no-op"
    TRUE = "accidentally true"


class Attempt(Struct, frozen=True):
    """One attempt: what came of it, the false entry where one was made, else why not."""

    fate: Fate
    perturbed: Perturbed | None = None
    reason: str = ""


def attempt(
    perturbation: Perturbation, entry: Entry, pool: Pool, rng: Random, knobs: Knobs = AS_THE_PAPER
) -> Attempt:
    """Perturb an entry and check that the result is false."""
    return screen(entry, perturbation.apply(entry, pool, rng, knobs), pool)


def screen(original: Entry, outcome: Outcome, pool: Pool) -> Attempt:
    """Return the outcome as an attempt: rejected where it changed nothing or is true."""
    match outcome:
        case Inapplicable(reason):
            return Attempt(Fate.INAPPLICABLE, reason=reason)
        case Perturbed(entry):
            if not outcome.changed_fields or _same_claim(original, entry, pool):
                return Attempt(Fate.NO_OP, reason="nothing of substance changed")
            truth = true_record(entry, pool)
            if truth is None:
                return Attempt(Fate.MADE, outcome)
            return Attempt(Fate.TRUE, reason=f"a record of {truth.collection} says the same")


def true_record(entry: Entry, pool: Pool) -> Version | None:
    """Return a record that states all that the entry states, or None."""
    title = entry.fields.get("title", "")
    return next((one for one in pool.titled(title) if states(one, entry, pool)), None)


def states(version: Version, entry: Entry, pool: Pool) -> bool:
    """Whether a record says what the entry says, in every field that the entry has.

    Titles must have the same words, hyphens included; authors the same family names and initials
    in the same order; the venue the same name or identity; the year must be one of the record's;
    a DOI the record's own. What the entry leaves out is not claimed.
    """
    fields = entry.fields
    return (
        _says_title(version, fields.get("title", ""))
        and _says_people(version, people(entry), _is_cut(fields.get("author", "")))
        and _says_venue(version, venue_of(entry), pool)
        and _says_year(version, fields.get("year", ""))
        and ("doi" not in fields or identifiers.doi(fields["doi"]) == version.doi)
    )


def tally(attempts: Iterable[Attempt]) -> dict[str, int]:
    """Return how many attempts ended how, by fate and, where they failed, reason."""
    names = (one.fate if not one.reason else f"{one.fate}: {one.reason}" for one in attempts)
    return dict(Counter(str(name) for name in names))


def _says_title(version: Version, title: str) -> bool:
    claimed = titles.hyphenated(title)
    return any(titles.hyphenated(one) == claimed for one in (version.title, *version.title_others))


def _says_people(version: Version, names: list[str], cut: bool) -> bool:
    claimed, held = ([_person(name) for name in list_] for list_ in (names, version.authors))
    return claimed == (held[: len(claimed)] if cut else held)


def _person(name: str) -> tuple[str, str]:
    parsed = parse_name(name)
    return compact(parsed.literal or parsed.family), compact(parsed.given)[:1]


def _is_cut(author: str) -> bool:
    return author.lower().endswith(" and others")


def _says_venue(version: Version, venue: str, pool: Pool) -> bool:
    if not venue:
        return True
    if normal(venue) in {normal(version.venue), normal(version.venue_raw)} - {""}:
        return True
    return version.venue_id in pool.venues.resolve(venue).ids


def _says_year(version: Version, year: str) -> bool:
    return not year or (year.isdecimal() and int(year) in version.all_years)


def _same_claim(original: Entry, entry: Entry, pool: Pool) -> bool:
    """Whether two entries claim the same, whatever their spelling."""
    held = Version(
        collection="",
        title=original.fields.get("title", ""),
        authors=tuple(people(original)),
        venue=venue_of(original),
        year=int(original.fields["year"]) if original.fields.get("year", "").isdecimal() else None,
        doi=identifiers.doi(original.fields.get("doi", "")),
    )
    same = states(held, entry, pool) and not (original.fields.keys() - entry.fields.keys())
    return same and _is_cut(original.fields.get("author", "")) == _is_cut(
        entry.fields.get("author", "")
    )
