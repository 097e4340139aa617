"""Which one record may an entry be corrected by?

Only the work that was recognised by its title, or nearly its title and its authors; never one that
an identifier alone leads to. Of that work, the records at the one place (venue and year) that the
entry can mean; where there are several such places, none.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from hallmark.judge.reading import Anchor, Reading, closeness, names_people
from hallmark.records.evidence import Compared, Evidence
from hallmark.records.reference import Reference
from hallmark.records.work import Quality, Version
from hallmark.text.names import family_key, parse_name
from hallmark.text.venues import VenueKind

_Place = tuple[str, int | None]


class Target(Struct, frozen=True):
    """The record to correct by, and `peers`: all curated records of that work at that place."""

    record: Compared
    peers: tuple[Compared, ...]

    def agreeing(self, same: Callable[[Version], object]) -> int:
        """Return how many collections hold what the record holds."""
        value = same(self.record.version)
        return len({one.version.collection for one in self.peers if same(one.version) == value})

    @property
    def doi(self) -> str | None:
        """The DOI that most collections give the work at this place."""
        pairs = {(one.version.doi, one.version.collection) for one in self.peers}
        counts = Counter(doi for doi, _ in pairs if doi is not None)
        return max(counts, key=lambda doi: (counts[doi], doi), default=None)

    @property
    def lists_differ(self) -> bool:
        """Whether whole, curated lists of authors at this place name other people."""
        lists = {family_names(one.version) for one in self.peers if _is_whole(one)}
        return len(lists) > 1


def target_of(reference: Reference, evidence: Evidence, reading: Reading) -> Target | None:
    """Return the record to correct the reference by, None where no single one is clear."""
    if reading.anchor not in (Anchor.SAME, Anchor.NEAR):
        return None
    pool = [one for one in reading.versions if one.version.quality is Quality.CURATED]
    if reading.anchor is Anchor.NEAR:
        pool = [one for one in pool if _is_near(one)]
    peers = _at_one_place(_of_the_kind(reference, evidence, pool))
    if not peers:
        return None
    return Target(_fullest(peers), tuple(peers))


def family_names(version: Version) -> tuple[str, ...]:
    """Return the folded family names of a record's authors, in order."""
    return tuple(family_key(parse_name(name)) for name in version.authors)


def _is_near(one: Compared) -> bool:
    return names_people(one) and one.title.conflicts and not one.title.has("different")


def _of_the_kind(
    reference: Reference, evidence: Evidence, pool: Sequence[Compared]
) -> Sequence[Compared]:
    """Keep preprints for an entry that cites one, and publications for all others."""
    kind = evidence.venue.kind
    preprint = kind is VenueKind.PREPRINT or (
        kind is VenueKind.MISSING and reference.arxiv is not None
    )
    return [one for one in pool if one.version.preprint is preprint]


def _at_one_place(pool: Sequence[Compared]) -> Sequence[Compared]:
    """Keep the records at the place that is meant; none where several may be.

    The entry's own DOI tells the place, else the claimed venue, else the claimed year.
    """
    for chosen in (_by_doi, _by_venue, _by_year):
        pool = [one for one in pool if chosen(one)] or pool
    places = {_place(one.version) for one in pool}
    return pool if len(places) == 1 else ()


def _by_doi(one: Compared) -> bool:
    return one.doi.agrees


def _by_venue(one: Compared) -> bool:
    return one.venue.agrees


def _by_year(one: Compared) -> bool:
    return one.year.agrees


def _place(version: Version) -> _Place:
    if version.preprint:
        return ("preprint", None)
    return (version.venue_id or (version.venue_raw or version.venue).casefold(), version.year)


def _is_whole(one: Compared) -> bool:
    return bool(one.version.authors) and not one.version.authors_truncated


def _fullest(peers: Sequence[Compared]) -> Compared:
    """Return the record nearest to the claim; of equally near ones, that with most in it.

    Where the lists of authors differ, one that most collections share is taken.
    """
    shared = Counter(_lists(peers))
    return max(peers, key=lambda one: (shared[family_names(one.version)], _rank(one)))


def _lists(peers: Iterable[Compared]) -> list[tuple[str, ...]]:
    pairs = {(one.version.collection, family_names(one.version)) for one in peers if _is_whole(one)}
    return [names for _, names in pairs]


def _rank(one: Compared) -> tuple[object, ...]:
    version = one.version
    return (
        closeness(one),
        version.doi is not None,
        sum(map(len, version.authors)),
        version.collection,
        version.origin,
    )
