"""Which further names do the records use for venues?

A record names its venue twice: as its source files it ("BIONLP") and as it is written on the
record ("Proceedings of the 23rd Workshop on Biomedical Natural Language Processing"). Both, and an
acronym in brackets behind the long name, become names of the record's identity, unless the
records disagree about what a name means.
"""

import re
from collections import Counter, defaultdict

from hallmark.records.work import Version
from hallmark.text import venue_names as names
from hallmark.text.venues import LearntName, VenueKind, VenueTable, normal

_ACRONYM = re.compile(r"[(\[]\s*([A-Za-z][\w&*+/-]{1,14}?)(?:[\s'\u2019-]*(?:19|20)?\d\d)?\s*[)\]]")
_MOST_PAIRS = 500_000
_MOST_MEANINGS = 3
_DOMINANT = 0.9
_CAPITALS = 2


class VenueLearner:
    """Gathers names from records, one by one, in bounded memory.

    Args:
        table: the names that are known already; they keep their meaning.
    """

    def __init__(self, table: VenueTable | None = None) -> None:
        self._table = table or VenueTable.curated()
        self._seen: Counter[tuple[str, str, str]] = Counter()

    def see(self, version: Version, times: int = 1) -> None:
        """Note under which names the record's venue goes, `times` times; preprints teach nothing.

        Records that agree in these names may be given as one of them with their number.
        """
        if version.venue_id is None or version.preprint:
            return
        pair = (version.venue, version.venue_raw, version.venue_id)
        if pair in self._seen or len(self._seen) < _MOST_PAIRS:
            self._seen[pair] += times

    def rows(self) -> list[LearntName]:
        """Return the names learnt, in a stable order: those of one meaning, or of few."""
        meanings: dict[str, Counter[str]] = defaultdict(Counter)
        for (short, raw, venue_id), count in self._seen.items():
            for name in _names(short, raw):
                meanings[name][venue_id] += count
        rows: list[LearntName] = []
        for name, ids in sorted(meanings.items()):
            if self._table.resolve(name).kind is VenueKind.UNKNOWN:
                rows.extend(LearntName(name, venue_id, ids[venue_id]) for venue_id in _meant(ids))
        return rows


def _meant(ids: Counter[str]) -> list[str]:
    """Return what a name means: its one dominant meaning, else all of a few, else nothing."""
    ranked = sorted(ids, key=lambda venue_id: (-ids[venue_id], venue_id))
    if ids[ranked[0]] >= _DOMINANT * ids.total():
        return ranked[:1]
    return ranked if len(ranked) <= _MOST_MEANINGS else []


def _names(short: str, raw: str) -> set[str]:
    """Return the normalised names under which a record's venue goes."""
    found = {normal(short), normal(raw), names.slug(raw).replace("-", " ")}
    for acronym in _ACRONYM.findall(raw):
        if sum(letter.isupper() for letter in acronym) >= _CAPITALS:
            found.add(normal(acronym))
    return {name for name in found if name}
