"""How far could a measure have come out otherwise, had other entries been drawn?

The bootstrap resamples entries within their hallucination type (valid entries being one more
stratum), or whole clusters of entries that stem from the same paper. It works on counts: entries
that a tool treats alike are one kind, a resample is a vector of how often each kind occurs, and
every measure maps a matrix of such vectors to its values at once. The result depends on the seed
and on which entries there are, not on their order.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, TypeVar

import numpy as np
from msgspec import Struct

from hallmark.bench.align import Floats, Ints, Pairs, Stance
from hallmark.bench.measures import MEASURES, Measure
from hallmark.bench.measures.outcome import Array, Outcome, outcome
from hallmark.bench.measures.weighed import Weighed, pooled
from hallmark.errors import InputError

CELLS = 600_000
"""Counts held at a time, entries times resamples: few enough for a core's cache."""
BATCH = 1000
"""Resamples measured at a time where a tool's answers fall into few kinds."""
FEW_KINDS = 400
WORKERS = 2
_ALMOST_32_MIB = 31 << 20
DEFINED = 0.95
"""A measure that is undefined in more than 5 % of the resamples gets no interval."""


class Plan(Struct, frozen=True):
    """How to resample; `level` is the share of resamples that an interval spans."""

    resamples: int = 10_000
    seed: int = 42
    level: float = 0.95

    def __post_init__(self) -> None:
        if self.resamples < 1 or not 0 < self.level < 1:
            raise InputError("Resamples must be at least 1 and the level between 0 and 1.")


class Interval(Struct, frozen=True):
    """The bounds of an interval, `low` <= `high`."""

    low: float
    high: float


T = TypeVar("T")
Draws: TypeAlias = dict[tuple[Stance, str], Floats]


class _Job(Struct, frozen=True, eq=False):
    """What to compute on each block: for every distinct outcome, the measures of its stances."""

    kinds: Outcome
    entries: Outcome
    stances: tuple[Stance, ...]


def draws(
    pairs: Pairs,
    stances: Sequence[Stance],
    names: Iterable[str],
    plan: Plan | None = None,
    clusters: Ints | None = None,
) -> Draws:
    """Return the values of measures over resamples, arrays of shape (resamples,), NaN: undefined.

    Args:
        pairs: the aligned pairs.
        stances: what abstentions count as.
        names: of measures in `MEASURES`.
        plan: how to resample; 10,000 times with seed 42 by default.
        clusters: numbers that say which entries are drawn together (`bench/twins.py`); without
            them, single entries are drawn within their type.
    """
    plan = plan or Plan()
    measures = [MEASURES.get(name) for name in names]
    order, starts = kinds_of(pairs)
    jobs = _jobs(pairs, pairs.select(order[starts]), stances)
    sampler = _sampler(pairs, order, clusters)
    ordered = [measure for measure in measures if measure.ordered]
    others = [measure for measure in measures if not measure.ordered]
    block = _block_size(len(pairs))

    def compute(rng: np.random.Generator, times: int) -> Draws:
        by_kind, values = [], []
        for at in range(0, times, block):
            weights = sampler(rng, min(block, times - at)).astype(np.float32)
            by_kind.append(pooled(weights, starts))
            if ordered:
                values.append(_in_file(jobs, ordered, weights, order))
        return _by_kind(jobs, others, np.hstack(by_kind)) | _joined(values)

    batch = max(BATCH, block) if len(starts) < FEW_KINDS else block
    return _joined(_run(compute, plan, batch))


def paired_draws(
    tools: Sequence[Pairs],
    stance: Stance,
    names: Sequence[str],
    plan: Plan | None = None,
    clusters: Ints | None = None,
) -> list[Draws]:
    """Return the values of measures for several tools, over the same resamples of entries.

    Args:
        tools: the pairs of each tool; all of the same entries in the same order.
        stance: what abstentions count as.
        names: of measures in `MEASURES`.
        plan: how to resample; 10,000 times with seed 42 by default.
        clusters: numbers that say which entries are drawn together.
    """
    plan = plan or Plan()
    measures = [MEASURES.get(name) for name in names]
    order = np.lexsort((np.array(tools[0].keys), _strata(tools[0])))
    sampler = _sampler(tools[0], order, clusters)
    jobs = [_jobs(pairs, pairs, [stance]) for pairs in tools]
    block = _block_size(len(order))

    def compute(rng: np.random.Generator, times: int) -> list[Draws]:
        weights = sampler(rng, times).astype(np.float32)
        return [_in_file(job, measures, weights, order) for job in jobs]

    return [_joined(list(blocks)) for blocks in zip(*_run(compute, plan, block), strict=True)]


def _block_size(n: int) -> int:
    return max(1, min(500, CELLS // n))


def kinds_of(pairs: Pairs) -> tuple[Ints, Ints]:
    """Sort entries so that those alike in all that any measure sees are neighbours.

    Returns:
        The sorted positions, and where in them each kind starts.
    """
    columns = (
        pairs.confidence,
        pairs.missing,
        pairs.forced,
        pairs.label,
        pairs.tier,
        _strata(pairs),
    )
    order = np.lexsort(columns)
    differs = np.zeros(len(pairs), dtype=np.bool_)
    differs[0] = True
    for column in columns:
        differs[1:] |= np.diff(column[order].astype(np.float64)) != 0
    return order, np.flatnonzero(differs)


def _strata(pairs: Pairs) -> Ints:
    return np.unique(pairs.type, return_inverse=True)[1].astype(np.int64)


def _jobs(pairs: Pairs, kinds: Pairs, stances: Sequence[Stance]) -> list[_Job]:
    """Return one job for each distinct outcome; stances agree where nothing was abstained on."""
    jobs: list[_Job] = []
    for stance in stances:
        scored = outcome(kinds, stance)
        same = next((i for i, job in enumerate(jobs) if _equal(job.kinds, scored)), None)
        if same is None:
            jobs.append(_Job(scored, outcome(pairs, stance), (stance,)))
        else:
            old = jobs[same]
            jobs[same] = _Job(old.kinds, old.entries, (*old.stances, stance))
    return jobs


def _equal(a: Outcome, b: Outcome) -> bool:
    return all(np.array_equal(getattr(a, n), getattr(b, n)) for n in a.__struct_fields__)


def _sampler(
    pairs: Pairs, order: Ints, clusters: Ints | None
) -> Callable[[np.random.Generator, int], Ints]:
    """Return a function that draws counts of the sorted entries, shape (entries, resamples)."""
    if clusters is None:
        sizes = np.unique(_strata(pairs)[order], return_counts=True)[1]
        return lambda rng, times: _counts(rng, times, sizes)
    drawn = np.unique(clusters[order], return_inverse=True)[1]
    together = np.array([int(drawn.max()) + 1])
    return lambda rng, times: _counts(rng, times, together)[drawn]


def _counts(rng: np.random.Generator, times: int, sizes: Ints) -> Ints:
    """Draw from each stratum as many as it holds, with replacement; count how often each came.

    Returns:
        Counts of shape (entries, times).
    """
    n = int(sizes.sum())
    kind = np.uint16 if n < 1 << 16 else np.uint32
    drawn = np.empty((n, times), dtype=np.int64)
    start = 0
    for size in sizes.tolist():
        end = start + size
        drawn[start:end] = rng.integers(start, end, size=(size, times), dtype=kind)
        start = end
    drawn *= times
    drawn += np.arange(times)
    return np.bincount(drawn.ravel(), minlength=n * times).reshape(n, times)


def _in_file(jobs: list[_Job], measures: list[Measure], weights: Array, order: Ints) -> Draws:
    """Compute the measures that need single entries in the order of the file."""
    in_file = np.empty(weights.shape, dtype=np.float32)
    in_file[order] = weights
    return _measured(
        [(job, Weighed(job.entries, in_file[job.entries.at])) for job in jobs], measures
    )


def _by_kind(jobs: list[_Job], measures: list[Measure], by_kind: Array) -> Draws:
    return _measured([(job, Weighed(job.kinds, by_kind[job.kinds.at])) for job in jobs], measures)


def _measured(weighed: list[tuple[_Job, Weighed]], measures: list[Measure]) -> Draws:
    values: Draws = {}
    for measure in measures:
        for job, outcomes in weighed:
            result = measure.compute(outcomes).astype(np.float64)
            values |= {(stance, measure.name): result for stance in job.stances}
    return values


def _run(compute: Callable[[np.random.Generator, int], T], plan: Plan, batch: int) -> list[T]:
    """Compute all batches, each with its own stream of random numbers, on a few threads."""
    _keep_freed_memory()
    sizes = [min(batch, plan.resamples - at) for at in range(0, plan.resamples, batch)]
    streams = np.random.SeedSequence(plan.seed).spawn(len(sizes))
    results: dict[int, T] = {}

    failures: list[BaseException] = []

    def work(first: int) -> None:
        try:
            take(first)
        except BaseException as error:  # noqa: BLE001 - raised again where the caller can see it
            failures.append(error)

    def take(first: int) -> None:
        for i in range(first, len(sizes), WORKERS):
            results[i] = compute(np.random.Generator(np.random.SFC64(streams[i])), sizes[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return [results[i] for i in range(len(sizes))]


def _keep_freed_memory() -> None:
    """Make the C library reuse large blocks instead of handing each back to the system.

    glibc raises its threshold for that to the largest block it has handed back, up to 32 MiB;
    other libraries take no notice. The block is never touched, so it costs nothing.
    """
    np.empty(_ALMOST_32_MIB, dtype=np.uint8)


def _joined(blocks: list[Draws]) -> Draws:
    first = blocks[0] if blocks else {}
    return {key: np.concatenate([block[key] for block in blocks]) for key in first}


def interval(
    values: Floats, estimate: float | None, measure: Measure, level: float = 0.95
) -> Interval | None:
    """Return the percentile interval of resampled values around an estimate.

    A calibration error is biased upwards in resamples, so its interval is moved by that bias. The
    interval is widened to the estimate where that lies outside, and kept within the measure's
    range. None where the estimate or too many of the values are undefined.
    """
    defined = values[~np.isnan(values)]
    if estimate is None or len(defined) < DEFINED * len(values):
        return None
    shift = float(defined.mean()) - estimate if measure.biased else 0.0
    low, high = (x - shift for x in quantiles(defined, (1 - level) / 2))
    low, high = max(low, measure.low), min(high, measure.high)
    return Interval(min(low, estimate), max(high, estimate))


def quantiles(values: Floats, tail: float) -> tuple[float, float]:
    """Return the lower and upper quantile that cut off a share `tail` each, interpolated."""
    last = len(values) - 1
    places = [tail * last, (1 - tail) * last]
    whole = sorted({min(int(place) + step, last) for place in places for step in (0, 1)})
    parted = np.partition(values, whole)
    low, high = (
        parted[int(p)] + (p - int(p)) * (parted[min(int(p) + 1, last)] - parted[int(p)])
        for p in places
    )
    return float(low), float(high)
