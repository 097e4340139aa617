"""Which references are most worth a person's time?

By expected value: the probability that something is wrong, times how grave that would be, over the
minutes that looking takes (Smith's rule: the order that finds most harm in any given time). The
numbers of harm and of effort stand in two tables, each with its reason.
"""

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import assert_never

from msgspec import Struct, structs

from hallmark.errors import InputError
from hallmark.judge.calibrate import Calibration, packaged
from hallmark.records.queue import Pick, Queue
from hallmark.records.verdict import (
    Contradicted,
    Grounds,
    NotChecked,
    NotFound,
    Result,
    Unresolved,
    Verified,
)


class Harm(Struct, frozen=True):
    """What would be wrong with a reference, and how grave that is.

    `weight` in (0, 1] compares kinds of harm: one of 0.5 is worth half the time of one of 1. It is
    a choice, not a measurement. `types` are the hallucination types that it covers, `groups` the
    hundreds of finding codes, for references that have no type.
    """

    name: str
    weight: float
    types: frozenset[str]
    groups: str
    reason: str


HARMS = (
    Harm(
        "fabricated work", 1.0,
        frozenset({"plausible_fabrication", "chimeric_title", "hybrid_fabrication"}),
        "",
        "Nothing stands behind the citation: what it is cited for is unsupported.",
    ),
    Harm(
        "wrong people", 0.6,
        frozenset({
            "placeholder_authors", "swapped_authors", "partial_author_list", "merged_citation",
        }),
        "4",
        "Credit goes to the wrong people, or is denied to the right ones; the work can be found.",
    ),
    Harm(
        "wrong venue", 0.4,
        frozenset({"wrong_venue", "nonexistent_venue", "preprint_as_published"}),
        "57",
        "It claims a review that did not take place, or another one; the work can be found.",
    ),
    Harm(
        "wrong identifier", 0.25,
        frozenset({"fabricated_doi"}),
        "2",
        "The link misleads; title and authors still find the work.",
    ),
    Harm(
        "details", 0.1,
        frozenset({"near_miss_title", "arxiv_version_mismatch", "future_date"}),
        "136",
        "A word of the title or a date: a reader still finds the work.",
    ),
)  # fmt: skip
"""Every kind of harm, the gravest first."""


class Effort(Struct, frozen=True):
    """A way to look at a reference, and the minutes that it is expected to take."""

    name: str
    action: str
    minutes: float
    reason: str


EFFORTS = {
    one.name: one
    for one in (
        Effort("record", "compare with the record", 1.0, "Both sides are in the report."),
        Effort("entry", "read the entry", 0.5, "The entry shows the fault by itself."),
        Effort("doi", "open the DOI", 2.0, "One page, of a publisher, with all fields."),
        Effort("arxiv", "open the arXiv id", 2.0, "One page with all fields but the venue."),
        Effort("url", "open the link", 3.0, "A page of any kind, which may have moved."),
        Effort("", "search for the title", 6.0, "Two or three searches, whose misses say little."),
    )
}
"""Every way to look, by name; the names of links are those of `Grounds.link`."""

CANDIDATE_MINUTES = 0.5
"""Minutes that each further candidate work adds: to see that it is another one."""

MOST_CANDIDATES = 4
"""Candidates that are counted: nobody looks through more."""

DEFAULT_PREVALENCE = 0.02
"""Share of bad references that is expected where the user names none: the realistic one of the
paper's analysis, one in fifty."""

LONGEST_TITLE = 200
"""Characters of a title that the queue keeps."""

_EVIDENT = frozenset({"HM101", "HM102"})


class Chance(Struct, frozen=True):
    """How P(hallucinated), stated at the training prevalence, reads in one run.

    `share` is the share of the cited venues that the index knows, in [0, 1], None where it is not
    known: then absence is not discounted.
    """

    calibration: Calibration
    prevalence: float
    share: float | None = None

    def of(self, probability: float, *, absent: bool) -> float:
        """Return the probability of a reference; `absent` if it is open and has no record."""
        if absent and self.share is not None:
            probability = self.calibration.at_coverage(probability, self.share)
        return self.calibration.at_prevalence(probability, self.prevalence)


class Triage:
    """Collects the candidates of a run; holds at most some `size` of them for each sort.

    How much the absence of a record says depends on the whole run, so that the order of references
    without one is final only at its end. Within a sort (same harm, same effort) it does not depend
    on the run: the best `size` of each sort contain the best `size` of all. References with a
    record, or charged, have one sort.

    Args:
        size: references that are wanted, from 1.
        prevalence: the share of bad references that is expected, in (0, 1).
        calibration: the model that stated the probabilities; the packaged one by default.

    Raises:
        InputError: the size is below 1, or the prevalence is not strictly between 0 and 1.
    """

    def __init__(
        self,
        size: int,
        prevalence: float = DEFAULT_PREVALENCE,
        calibration: Calibration | None = None,
    ) -> None:
        if size < 1:
            raise InputError(f"A queue of {size} references holds nothing. Ask for 1 or more.")
        self._size = size
        self._chance = Chance(calibration or packaged(), prevalence)
        self._chance.of(0.5, absent=False)
        self._counts: Counter[str] = Counter()
        self._heaps: dict[tuple[float, float], list[_Waiting]] = {}

    def add(self, result: Result) -> None:
        """Take in one result."""
        standing = standing_of(result)
        self._counts[standing] += 1
        if standing != OPEN:
            return
        pick, absent = pick_of(result), is_absent(result)
        sort = (pick.harm_weight, pick.minutes) if absent else _WITH_RECORD
        order = pick.probability
        if not absent:
            order = self._valued(pick, self._chance, absent=False).value
        waiting = (order, pick.probability, -self._counts.total(), absent, pick)
        heap = self._heaps.setdefault(sort, [])
        if len(heap) < self._size:
            heapq.heappush(heap, waiting)
        else:
            heapq.heappushpop(heap, waiting)

    def queue(self, share: float | None = None) -> Queue:
        """Return the queue of what was added so far.

        Args:
            share: the share of the cited venues that the index knows, in [0, 1]; None where it is
                not known.
        """
        chance = structs.replace(self._chance, share=share)
        candidates = [
            (self._valued(pick, chance, absent=absent), probability, place)
            for heap in self._heaps.values()
            for _, probability, place, absent, pick in heap
        ]
        candidates.sort(key=lambda one: (one[0].value, *one[1:]), reverse=True)
        picks = with_precision([one[0] for one in candidates[: self._size]])
        expected = sum(one.probability for one in picks)
        return Queue(
            prevalence=chance.prevalence,
            asked=self._size,
            open=self._counts[OPEN],
            confirmed=self._counts[CONFIRMED],
            out_of_scope=self._counts[OUT_OF_SCOPE],
            unreadable=self._counts[UNREADABLE],
            precision=picks[-1].precision if picks else None,
            expected_bad=_rounded(expected),
            minutes=sum(one.minutes for one in picks),
            known_share=share,
            picks=picks,
        )

    def _valued(self, pick: Pick, chance: Chance, *, absent: bool) -> Pick:
        probability = chance.of(pick.probability, absent=absent)
        value = probability * pick.harm_weight / pick.minutes
        return structs.replace(pick, probability=probability, value=value)


_Waiting = tuple[float, float, int, bool, Pick]
"""Order within the sort, stated probability, place in the run (less is later), absent, and who."""
_WITH_RECORD = (0.0, 0.0)

OPEN, CONFIRMED = "open", "confirmed"
OUT_OF_SCOPE, UNREADABLE = "out-of-scope", "unreadable"


def standing_of(result: Result) -> str:
    """Return whether a reference may enter the queue (OPEN), or why it does not.

    A verified one does not: a record confirms it, and looking again would find the faults of the
    records. One of a kind that no source lists does not: its probability rests on nothing.
    """
    match result.verdict:
        case Contradicted() | NotFound() | Unresolved():
            return OPEN
        case Verified():
            return CONFIRMED
        case NotChecked(unreadable=True):
            return UNREADABLE
        case NotChecked():
            return OUT_OF_SCOPE
        case _ as never:
            assert_never(never)


def is_absent(result: Result) -> bool:
    """Whether a reference is open and has no record: what that says depends on the index."""
    return isinstance(result.verdict, Unresolved) and result.verdict.work is None


def pick_of(result: Result) -> Pick:
    """Return a reference as a candidate, its probability still as the verdict states it."""
    harm, (action, minutes) = harm_of(result), effort_of(result)
    return Pick(
        key=result.key,
        file=result.location.file,
        line=result.location.line,
        title=_cut(result.title),
        status=result.status,
        type=result.verdict.type,
        probability=result.verdict.probability,
        precision=0.0,
        harm=harm.name,
        harm_weight=harm.weight,
        action=action,
        minutes=minutes,
        value=0.0,
    )


def harm_of(result: Result) -> Harm:
    """Return what would be wrong if something is.

    Without a record of the work it is the work itself. Else the type tells, and where there is
    none, the gravest thing that a finding is about.
    """
    verdict = result.verdict
    if verdict.work is None:
        return HARMS[0]
    for harm in HARMS:
        if verdict.type in harm.types:
            return harm
    groups = {finding.code[2:3] for finding in verdict.findings}
    return next((harm for harm in HARMS if groups & set(harm.groups)), HARMS[-1])


def effort_of(result: Result) -> tuple[str, float]:
    """Return how to look at a reference, and the minutes that this is expected to take."""
    verdict, grounds = result.verdict, result.grounds or Grounds()
    if verdict.work is not None:
        effort, further = EFFORTS["record"], grounds.works - 1
    elif _EVIDENT & {finding.code for finding in verdict.findings}:
        effort, further = EFFORTS["entry"], 0
    else:
        effort, further = EFFORTS[grounds.link], grounds.works
    return effort.action, effort.minutes + CANDIDATE_MINUTES * max(0, min(further, MOST_CANDIDATES))


def with_precision(picks: Sequence[Pick]) -> tuple[Pick, ...]:
    """Return the picks, each with the mean probability down to it; numbers have six digits."""
    return tuple(_cumulated(picks))


def _cumulated(picks: Sequence[Pick]) -> Iterator[Pick]:
    expected = 0.0
    for count, pick in enumerate(picks, start=1):
        expected += pick.probability
        yield structs.replace(
            pick,
            probability=_rounded(pick.probability),
            precision=_rounded(expected / count),
            value=_rounded(pick.value),
        )


def _rounded(number: float) -> float:
    """Return a number with six significant digits."""
    return float(f"{number:.6g}")


def _cut(title: str) -> str:
    return title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…"
