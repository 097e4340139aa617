"""Which works of an index may stand in a benchmark as valid entries?

A record is taken as it stands where enough collections hold one that agrees with it on title,
authors, venue and year. Collections may have copied from each other; that many hold a record is
evidence that it was not mangled on its way, not that it was observed twice.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from hallmark.bench.build.plan import Plan
from hallmark.bench.perturb.drafts import entry_type, is_sound
from hallmark.errors import InputError
from hallmark.records.work import Quality, Version
from hallmark.text import titles
from hallmark.text.names import parse_name
from hallmark.text.venues import VenueTable, normal

ARTICLES = frozenset({"article", "inproceedings", "misc"})
"""Entry types that curated collections hold plenty of; all others are books and the like."""
PERSONAL_WITNESSES = 2
"""Collections that must agree where the record is out of a person's own bibliography."""
FEWEST_WORDS = 3
"""Words of a title: shorter ones ("Introduction") are borne by many works."""


class Rules(Struct, frozen=True):
    """What a record must be like; `venues` are identities, empty for all."""

    attested: int
    years: tuple[int, int]
    kinds: frozenset[str]
    venues: frozenset[str] = frozenset()


class Drawn(Struct, frozen=True):
    """A work that was drawn: its record, the other records of the title, and who attests it."""

    record: Version
    others: tuple[Version, ...]
    attested_by: tuple[str, ...]

    @property
    def key(self) -> str:
        """The title key of the work."""
        return titles.key(self.record.title)


class Refused(Struct, frozen=True):
    """A work that was passed over; `reason` says why, in few words, countable."""

    reason: str


def rules_of(plan: Plan, table: VenueTable) -> dict[str, Rules]:
    """Return what a plan demands of the records of each split.

    Raises:
        InputError: a venue of the plan is not known.
    """
    named = {name for split in plan.splits for name in plan.venues_of(split)}
    ids = {name: table.resolve(name).ids for name in sorted(named)}
    unknown = [name for name, found in ids.items() if not found]
    if unknown:
        raise InputError(f"The plan names venues that the index does not know: {unknown}.")
    return {
        split: Rules(
            plan.attested,
            plan.years_of(split),
            frozenset(plan.kinds_of(split)),
            frozenset(one for name in plan.venues_of(split) for one in ids[name]),
        )
        for split in plan.splits
    }


def widest(rules: Iterable[Rules]) -> Rules:
    """Return rules that admit every record that one of these admits, and few others."""
    each = tuple(rules)
    return Rules(
        min(one.attested for one in each),
        (min(one.years[0] for one in each), max(one.years[1] for one in each)),
        frozenset(kind for one in each for kind in one.kinds),
        frozenset(venue for one in each for venue in one.venues)
        if all(one.venues for one in each)
        else frozenset(),
    )


def fits(record: Version, rules: Rules) -> bool:
    """Whether a record is as the rules of a split demand."""
    return not _fault(record, rules)


def sampled(
    groups: Iterable[Sequence[Version]], rules: Rules, refused: Counter[str]
) -> Iterator[Drawn]:
    """Yield the works that may be used, in order; counts in `refused` why others may not.

    Args:
        groups: the records of one title after the other.
        rules: what a record must be like.
        refused: takes the counts by reason.
    """
    for group in groups:
        match admit(group, rules):
            case Drawn() as drawn:
                yield drawn
            case Refused(reason):
                refused[reason] += 1


def admit(group: Sequence[Version], rules: Rules) -> Drawn | Refused:
    """Return the best record of a title's, or why none can be used.

    A published record goes before a preprint; then the one that most collections attest, then one
    with a DOI. Preprints are attested by the server that holds them, so that one collection will
    do.
    """
    fit = [one for one in sorted(group, key=_order) if not _fault(one, rules)]
    if not fit:
        return Refused(next((_fault(one, rules) for one in group), "no record"))
    witnessed = [(one, attesting(one, group)) for one in fit]
    record, names = max(
        witnessed, key=lambda pair: (not pair[0].preprint, len(pair[1]), pair[0].doi is not None)
    )
    if len(names) < needed(record, rules):
        return Refused("attested by too few collections")
    return Drawn(record, tuple(one for one in group if one is not record), names)


def needed(record: Version, rules: Rules) -> int:
    """Return how many collections must hold a record that agrees."""
    if record.preprint:
        return 1
    if record.quality is Quality.PERSONAL:
        return max(rules.attested, PERSONAL_WITNESSES)
    return rules.attested


def agree(one: Version, other: Version) -> bool:
    """Whether two records agree on title, authors, venue and year."""
    return (
        titles.hyphenated(one.title) == titles.hyphenated(other.title)
        and _same_place(one, other)
        and one.year in other.all_years
        and not other.authors_truncated
        and _people(one) == _people(other)
    )


def _same_place(one: Version, other: Version) -> bool:
    """Whether two records name the same venue; of books, the same publisher, where both do."""
    if one.venue_id is not None or other.venue_id is not None:
        return one.venue_id == other.venue_id
    names = normal(one.venue or one.venue_raw), normal(other.venue or other.venue_raw)
    return names[0] == names[1] or "" in names


def attesting(record: Version, group: Sequence[Version]) -> tuple[str, ...]:
    """Return the collections of a group that hold a record which agrees, in order."""
    return tuple(sorted({one.collection for one in group if agree(record, one)}))


def _order(version: Version) -> tuple[str, str, int, str]:
    return version.collection, version.origin, version.year or 0, version.doi or ""


def _people(version: Version) -> list[tuple[str, str]]:
    parsed = [parse_name(name) for name in version.authors]
    return [(titles.key(one.family or one.literal), titles.key(one.given)[:1]) for one in parsed]


def _fault(version: Version, rules: Rules) -> str:
    """Return why a record cannot be used, "" where it can."""
    if not is_sound(version) or version.authors_truncated or not version.authors_ordered:
        return "its authors or title are broken or cut"
    kind = entry_type(version)
    if version.retracted or not _is_trusted(version, kind):
        return "not of a curated source, or retracted"
    if len(titles.words(version.title)) < FEWEST_WORDS:
        return "its title is too short"
    if version.year is None or not rules.years[0] <= version.year <= rules.years[1]:
        return "its year is outside the plan"
    if version.preprint:
        return "" if version.venue_id is not None else "its venue is not known"
    return _misplaced(version, kind, rules)


def _is_trusted(version: Version, kind: str) -> bool:
    if version.quality is Quality.PERSONAL:
        return kind not in ARTICLES
    return version.quality is Quality.CURATED


def _misplaced(version: Version, kind: str, rules: Rules) -> str:
    """Return what is wrong with venue and kind; books have a publisher instead of a venue."""
    if version.venue_id is None and (kind in ARTICLES or not (version.venue or version.venue_raw)):
        return "its venue is not known"
    if rules.venues and version.venue_id not in rules.venues:
        return "its venue is outside the plan"
    return "" if kind in rules.kinds else "its kind is outside the plan"
