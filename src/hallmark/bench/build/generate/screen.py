"""Is what a model invented really invented, and false in exactly the way that was asked for?

The rule of the paper's appendix A.3: an invented work that is near to a real one in title and
authors is real. It is excluded, or relabelled as valid where a record states all that it states.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from hallmark.bench.build.dress import canonical
from hallmark.bench.build.generate.ask import Raw, Wish
from hallmark.bench.build.generate.prompts import INVENTED, invented_fields
from hallmark.bench.build.origins.entries import entry_of_reference, finished, lacking
from hallmark.bench.build.origins.library import Library, Nearest, nearest
from hallmark.bench.build.origins.trail import Case, Decision, told
from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import (
    changed_fields,
    entry_of,
    families,
    mark,
    people,
    venue_of,
    with_fields,
)
from hallmark.bench.perturb.screening import Fate, screen, true_record
from hallmark.bench.statistics.intervals import wilson
from hallmark.bench.taxonomy import HallucinationType
from hallmark.errors import InputError
from hallmark.parse.interface import parse_text
from hallmark.records.reference import Reference
from hallmark.records.work import Version
from hallmark.text import identifiers, titles
from hallmark.text.placeholders import select_placeholders
from hallmark.text.venues import VenueKind

_T = HallucinationType

METHOD = "llm_generated"
"""What the benchmark calls entries that a model wrote."""
WHOLE = frozenset({_T.PLAUSIBLE_FABRICATION, _T.CHIMERIC_TITLE, _T.HYBRID_FABRICATION})
"""Types of works that must not exist: a model that recalls a real one has failed."""
MOST_CHANGED = 4
"""Words that leave or join a near-miss title: two words replaced are four."""
_LONGEST_REPLY = 200_000
REAL = "recalled a real work"
NO_REPLY = "no entry in the reply"


class Recall(Struct, frozen=True):
    """How often a model wrote down a real work when asked for an invented one.

    `low` and `high` are the Wilson interval of `real` / `n` at 95 %.
    """

    real: int
    n: int
    low: float
    high: float

    @property
    def rate(self) -> float:
        """The share, in [0, 1]."""
        return self.real / self.n


def read_reply(text: str) -> Reference | None:
    """Return the first BibTeX entry of a reply, in prose or fences; None where there is none."""
    kept = text[:_LONGEST_REPLY].replace("```bibtex", "\n").replace("```", "\n")
    start = kept.find("@")
    if start < 0:
        return None
    try:
        entries = (one for one in parse_text(kept[start:]) if isinstance(one, Reference))
        return next((one for one in entries if one.title), None)
    except InputError:
        return None


def screened(rows: Iterable[Raw], wish: Wish, library: Library, date: str) -> list[Case]:
    """Decide about each answer, in order.

    Args:
        rows: the answers.
        wish: what was asked for.
        library: the real works.
        date: of the benchmark, "2026-12-02".
    """
    return [_Screen(row, wish, library, date).case() for row in rows]


def recall(cases: Sequence[Case], types: Iterable[HallucinationType] = WHOLE) -> Recall | None:
    """Return how often works that were to be invented are real; None where none was to be."""
    asked = set(map(str, types))
    judged = [one for one in cases if one.shown["asked"] in asked and one.reason != NO_REPLY]
    real = sum(one.shown["real"] == "yes" for one in judged)
    if not judged:
        return None
    return Recall(real, len(judged), *wilson(real, len(judged)))


class _Screen:
    """Decides about one answer."""

    def __init__(self, row: Raw, wish: Wish, library: Library, date: str) -> None:
        self._row, self._wish, self._library, self._date = row, wish, library, date
        self._kind = row.job.type
        self._near: Nearest | None = None
        self._real = False

    def case(self) -> Case:
        read = read_reply(self._row.text)
        if read is None:
            return self._left(NO_REPLY)
        claimed = entry_of_reference(read)
        record = self._row.job.record
        if record is None:
            return self._whole(claimed)
        return self._changed(claimed, record)

    def _whole(self, claimed: Entry) -> Case:
        """Judge a work that is invented from title to venue."""
        entry = with_fields(
            claimed, {name: None for name in claimed.fields if name not in _CLAIMED}
        )
        missing = lacking(entry)
        if missing:
            return self._left(f"no {' and no '.join(missing)}", entry)
        if self._is_real(entry):
            return self._recalled(entry)
        first, last = self._wish.years
        year = entry.fields["year"]
        if not (year.isdecimal() and first <= int(year) <= last):
            return self._left("its year is not one that was asked for", entry)
        if not self._library.venues.resolve(venue_of(entry)).ids:
            return self._left("its venue is not known", entry)
        if select_placeholders(people(entry)):
            return self._left("its authors are stand-ins", entry)
        bare = canonical(with_fields(entry, {"doi": None}))
        return self._taken(bare, self._kind, "Invented by a language model; there is no such work")

    def _changed(self, claimed: Entry, record: Version) -> Case:
        """Judge a real record of which the model changed what it was asked to."""
        original = entry_of(record, "")
        fields = invented_fields(self._kind, claimed, original)
        if not all(fields.values()):
            return self._left("what was to be invented is missing", claimed)
        entry = canonical(with_fields(original, fields))
        if self._kind in WHOLE and self._is_real(entry):
            return self._recalled(entry)
        fault = self._unlike(entry, original)
        if fault:
            return self._left(fault, entry)
        note = f"A language model changed the {' and the '.join(INVENTED[self._kind])}"
        perturbed = mark(canonical(original), entry, self._kind, note)
        tried = screen(canonical(original), perturbed, self._library)
        if tried.fate is not Fate.MADE:
            return self._left(f"{tried.fate}: {tried.reason}", entry)
        differing = changed_fields(canonical(original), entry)
        return self._taken(entry, self._kind, f"{note} ({', '.join(differing)})", record)

    def _is_real(self, entry: Entry) -> bool:
        self._near = nearest(entry, self._library)
        self._real = self._near is not None and self._near.is_same
        return self._real

    def _recalled(self, entry: Entry) -> Case:
        """Relabel a real work as valid where a record says all of it; exclude it otherwise."""
        held = true_record(entry, self._library)
        if held is None:
            return self._left(REAL, entry)
        return self._taken(
            entry, None, f"A language model recalled it; {held.collection} says the same", held
        )

    def _unlike(self, entry: Entry, original: Entry) -> str:
        """Say where a change is not of the kind that was asked for; "" where it is."""
        match self._kind:
            case _T.FABRICATED_DOI:
                doi = identifiers.doi(entry.fields["doi"])
                if doi is None:
                    return "its DOI has not the form of one"
                return "its DOI is registered" if self._library.identified(doi) else ""
            case _T.NONEXISTENT_VENUE:
                kind = self._library.venues.resolve(venue_of(entry)).kind
                return "" if kind is VenueKind.UNKNOWN else "its venue is known"
            case _T.PLACEHOLDER_AUTHORS:
                stand_ins = select_placeholders(people(entry))
                return "" if stand_ins else "its authors are no known stand-ins"
            case _T.SWAPPED_AUTHORS | _T.HYBRID_FABRICATION:
                shared = families(people(entry)) & families(people(original))
                return "a real author is left" if shared else ""
            case _T.NEAR_MISS_TITLE:
                return _far(entry.fields["title"], original.fields["title"])
            case _:
                return ""

    def _taken(
        self,
        entry: Entry,
        kind: HallucinationType | None,
        explanation: str,
        record: Version | None = None,
    ) -> Case:
        works = [record.title] if record else []
        made = finished(
            entry,
            kind,
            method=METHOD,
            source=self._row.model,
            explanation=explanation,
            date=self._date,
            works=[titles.key(one) for one in (*works, entry.fields["title"])],
        )
        return self._case(Decision.TAKEN, explanation, made, made)

    def _left(self, reason: str, entry: Entry | None = None) -> Case:
        return self._case(Decision.EXCLUDED, reason, entry, None)

    def _case(
        self, decision: Decision, reason: str, read: Entry | None, made: Entry | None
    ) -> Case:
        row = self._row
        kind = made.hallucination_type if made else None
        return Case(
            id=str(row.job.number),
            line=row.job.number,
            decision=decision,
            reason=reason,
            label=str(made.label) if made else None,
            type=str(kind) if kind else None,
            tier=made.difficulty_tier if made else None,
            record=told(self._near.version) if self._near else told(row.job.record),
            shown={
                "asked": str(self._kind),
                "venue": row.job.venue,
                "model": row.model,
                "prompt": row.prompt,
                "real": "yes" if self._real else "no",
                "title ratio": f"{self._near.title:.1f}" if self._near else "",
                "author jaccard": f"{self._near.authors:.2f}" if self._near else "",
            },
            read=read.fields if read else {},
            entry=made,
        )


_CLAIMED = frozenset({"title", "author", "year", "booktitle", "journal", "doi"})
"""Fields that count of a work that is invented as a whole."""


def _far(title: str, original: str) -> str:
    """Say where a title is no near miss of another one; "" where it is."""
    one, other = titles.words(title), titles.words(original)
    if one == other or titles.key(title) == titles.key(original):
        return "its title has the same words"
    differing = set(one) ^ set(other)
    return "more of its title differs than two words" if len(differing) > MOST_CHANGED else ""
