"""Is the precision that a queue states the share of bad references that it holds?

Labelled references are rarely as seldom bad as real ones. So bibliographies are drawn from a gold
file, with replacement, in which a reference is bad with the probability of the prevalence; each is
queued as `hallmark check --queue` would, and the labels tell what the queue is worth.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from random import Random

import numpy as np
from msgspec import Struct, structs

from hallmark.bench.entry import Label
from hallmark.judge.triage import DEFAULT_PREVALENCE, Triage
from hallmark.records.queue import Pick
from hallmark.records.verdict import Result
from hallmark.report.holdings import HoldingsTally
from hallmark.report.ranking import percent
from hallmark.study.context import Origin, Setting, origin, told
from hallmark.study.document import Section, Table
from hallmark.study.judged import Judged, Outcome

SCHEMA = "hallmark-triage/1"


_RESAMPLES = 1000


class Length(Struct, frozen=True):
    """What is drawn: bibliographies of so many references, each with a queue of so many."""

    references: int
    queue: int


LENGTHS = (Length(50, 5), Length(500, 10), Length(500, 20), Length(500, 50), Length(5000, 200))
"""A paper, a workshop and a conference, looked through a little and a lot."""


class Plan(Struct, frozen=True):
    """How often to draw, for which prevalence, and the seed of the dice.

    `references` is the number drawn for each length, in as many bibliographies as that makes.
    """

    prevalence: float = DEFAULT_PREVALENCE
    references: int = 100_000
    seed: int = 8042
    lengths: tuple[Length, ...] = LENGTHS


class Row(Struct, frozen=True):
    """The queues of one length: stated precision, true one, and the share of bad ones they hold.

    Shares are in [0, 1], None where nothing was listed, or nothing was bad. `low` and `high` bound
    the true precision at 95 %, by resampling the entries of the gold file.
    """

    references: int
    queue: int
    bibliographies: int
    listed: int
    stated: float | None
    true: float | None
    low: float | None
    high: float | None
    found: float | None


class TriageStudy(Struct, frozen=True, kw_only=True):
    """The figures and where they come from; `alarms` counts the valid entries that are flagged."""

    schema: str = SCHEMA
    origin: Origin
    prevalence: float
    seed: int
    alarms: int
    rows: tuple[Row, ...]


class Drawn(Struct, frozen=True):
    """One reference of a drawn bibliography; `place` is its place in its part of the pool."""

    result: Result
    bad: bool
    place: int


class Pool(Struct, frozen=True):
    """The results of a gold file by label."""

    bad: tuple[Result, ...]
    good: tuple[Result, ...]

    @classmethod
    def of(cls, judged: Iterable[Judged]) -> "Pool":
        """Return the results of judged entries by their labels."""
        rows = [(one.entry.label is Label.HALLUCINATED, one.result) for one in judged]
        return cls(*(tuple(one for bad, one in rows if bad is want) for want in (True, False)))


def triage(setting: Setting, judged: Sequence[Judged], plan: Plan) -> TriageStudy:
    """Return how the stated precision of queues compares with the labels.

    Args:
        setting: what the study runs on.
        judged: every entry of the gold file with its verdict; both labels must occur.
        plan: what to draw.

    Raises:
        InputError: the prevalence is not strictly between 0 and 1.
    """
    rng = Random(plan.seed)
    return TriageStudy(
        origin=origin(setting),
        prevalence=plan.prevalence,
        seed=plan.seed,
        alarms=sum(one.outcome is Outcome.FALSE_ALARM for one in judged),
        rows=tuple(_row(Pool.of(judged), plan, length, rng) for length in plan.lengths),
    )


def _row(pool: Pool, plan: Plan, length: Length, rng: Random) -> Row:
    count = max(1, plan.references // length.references)
    picks: list[Pick] = []
    listed: Counter[tuple[bool, int]] = Counter()
    all_bad = 0
    for _ in range(count):
        drawn = draw(pool, length.references, plan.prevalence, rng)
        queued = queue_of(drawn, length.queue, plan.prevalence)
        picks.extend(queued)
        rows = (drawn[pick.line] for pick in queued)
        listed.update((one.bad, one.place) for one in rows)
        all_bad += sum(one.bad for one in drawn)
    listed_bad = sum(times for (bad, _), times in listed.items() if bad)
    low, high = interval(listed, pool, plan.seed)
    return Row(
        references=length.references,
        queue=length.queue,
        bibliographies=count,
        listed=len(picks),
        stated=_share(sum(pick.probability for pick in picks), len(picks)),
        true=_share(listed_bad, len(picks)),
        low=low,
        high=high,
        found=_share(listed_bad, all_bad),
    )


def interval(
    listed: "Counter[tuple[bool, int]]", pool: Pool, seed: int
) -> tuple[float | None, float | None]:
    """Return the 95 % bootstrap interval of the precision, None where nothing was listed.

    The entries of each label are resampled; how often an entry was listed goes with it. So the
    interval tells what the size of the gold file leaves open, and not the number of draws.

    Args:
        listed: how often each entry was listed, by whether it is bad and its place in the pool.
        pool: the gold file.
        seed: of the dice.
    """
    if not listed:
        return None, None
    rng = np.random.default_rng(seed)
    sums = []
    for bad, size in ((True, len(pool.bad)), (False, len(pool.good))):
        times = np.array([listed[bad, place] for place in range(size)])
        drawn = rng.multinomial(size, np.full(size, 1 / size), size=_RESAMPLES)
        sums.append(drawn @ times)
    shares = sums[0] / np.maximum(sums[0] + sums[1], 1)
    low, high = np.quantile(shares, (0.025, 0.975))
    return round(float(low), 4), round(float(high), 4)


def draw(pool: Pool, count: int, prevalence: float, rng: Random) -> list[Drawn]:
    """Return a bibliography: each reference is bad with the probability `prevalence`.

    Args:
        pool: what is drawn from, with replacement; none of its two parts is empty.
        count: references of the bibliography.
        prevalence: in [0, 1].
        rng: the dice.
    """
    return [_drawn(pool, rng.random() < prevalence, rng) for _ in range(count)]


def _drawn(pool: Pool, bad: bool, rng: Random) -> Drawn:
    part = pool.bad if bad else pool.good
    place = rng.randrange(len(part))
    return Drawn(part[place], bad, place)


def queue_of(drawn: Sequence[Drawn], size: int, prevalence: float) -> tuple[Pick, ...]:
    """Return the queue of a bibliography; the line of a pick is the place of its reference."""
    collected, tally = Triage(size, prevalence), HoldingsTally()
    for place, one in enumerate(drawn):
        tally.add(one.result)
        here = structs.replace(one.result.location, line=place)
        collected.add(structs.replace(one.result, location=here))
    holdings = tally.holdings()
    return collected.queue(None if holdings is None else holdings.share).picks


def _share(part: float, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def document(study: TriageStudy) -> list[Section]:
    """Return the study as a page."""
    title = f"Queues at a prevalence of {percent(study.prevalence)}"
    told_of = f"{told(study.origin)} Flagged valid entries: {study.alarms}. Seed {study.seed}."
    return [Section(title, (_DRAWN, told_of, table(study)), level=1)]


def table(study: TriageStudy) -> Table:
    """Return the figures as a table."""
    return Table(
        ("references", "queue", "drawn", "stated precision", "true precision", "bad ones found"),
        tuple(tuple(_cells(row)) for row in study.rows),
    )


def _cells(row: Row) -> Iterator[str]:
    yield from (f"{number:,}" for number in (row.references, row.queue, row.bibliographies))
    yield _percent(row.stated)
    yield f"{_percent(row.true)} ({_percent(row.low)} to {_percent(row.high)})"
    yield _percent(row.found)


def _percent(share: float | None) -> str:
    return "–" if share is None else percent(share)


_DRAWN = (
    "Bibliographies are drawn from the gold file with replacement; the labels are as released, so "
    "that a valid entry whose label the evidence disputes counts as a false alarm."
)
