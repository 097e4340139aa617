"""Do intervals hold their estimates, and the truth as often as they say?"""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallmark.bench.align import Ints, Pairs, Stance
from hallmark.bench.entry import Label
from hallmark.bench.evaluation import estimate, stances_of
from hallmark.bench.measures import MEASURES, evaluate
from hallmark.bench.resample import (
    Plan,
    _run,
    draws,
    interval,
    kinds_of,
    paired_draws,
    quantiles,
)
from hallmark.bench.taxonomy import HallucinationType
from hallmark.bench.twins import clusters
from hallmark.errors import InputError
from tests.bench.made import TYPES, any_rows, binary, gold, pairs_of

STANCES = list(Stance)
UNORDERED = [name for name, measure in MEASURES.items() if not measure.ordered]
SHORT = Plan(resamples=200)


def many(seed: int, n: int = 300, *, graded: bool = False) -> Pairs:
    """Return a mediocre tool's answers on n entries of all types."""
    rng = np.random.default_rng(seed)
    rows: list[Any] = []
    for i in range(n):
        kind = TYPES[i % 14] if i % 2 else None
        right = rng.random() < 0.75
        label = Label.HALLUCINATED if right == (kind is not None) else Label.VALID
        label = Label.UNCERTAIN if rng.random() < 0.1 else label
        sure = float(rng.random()) if graded else float(rng.choice([0.6, 0.8, 0.9, 0.95]))
        rows.append((kind, label, sure))
    return pairs_of(rows)


@settings(max_examples=25)
@given(any_rows)
def test_every_interval_holds_its_estimate(rows: Any) -> None:
    pairs = pairs_of(rows)
    for stance, measures in estimate(pairs, STANCES, plan=SHORT).items():
        for name, found in measures.items():
            if found.ci is not None:
                assert found.value is not None, (stance, name)
                assert found.ci[0] <= found.value <= found.ci[1], (stance, name)


@pytest.mark.parametrize("graded", [False, True])
def test_every_measure_of_a_sizeable_file_has_an_interval(graded: bool) -> None:
    found = estimate(many(1, graded=graded), STANCES[:3])
    assert all(e.ci is not None for measures in found.values() for e in measures.values())


@pytest.mark.parametrize("graded", [False, True])
@pytest.mark.parametrize("by_source", [False, True])
def test_the_order_of_rows_changes_no_interval(graded: bool, by_source: bool) -> None:
    pairs = many(2, graded=graded)
    shuffled = pairs.select(np.random.default_rng(0).permutation(len(pairs)))
    number = {key: i // 2 for i, key in enumerate(pairs.keys)}
    found = [
        draws(p, STANCES, UNORDERED, SHORT, _numbers(number, p) if by_source else None)
        for p in (pairs, shuffled)
    ]
    for key, values in found[0].items():
        assert values == pytest.approx(found[1][key], nan_ok=True, rel=1e-4, abs=1e-6), key


def _numbers(number: dict[str, int], pairs: Pairs) -> Ints:
    return np.array([number[key] for key in pairs.keys], dtype=np.int64)


def test_the_same_seed_gives_the_same_intervals_and_another_does_not() -> None:
    pairs = many(3)
    first, again, other = (
        draws(pairs, [Stance.CONSERVATIVE], ["f1"], Plan(300, seed))[Stance.CONSERVATIVE, "f1"]
        for seed in (7, 7, 8)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_resampled_rates_scatter_like_the_binomial_distribution() -> None:
    kind = HallucinationType.WRONG_VENUE
    pairs = pairs_of([(kind, Label.HALLUCINATED, 0.9)] * 60 + [(kind, Label.VALID, 0.9)] * 40)
    values = draws(pairs, [Stance.CONSERVATIVE], ["detection_rate"])
    found = values[Stance.CONSERVATIVE, "detection_rate"]
    assert found.mean() == pytest.approx(0.6, abs=0.002)
    assert found.std() == pytest.approx(np.sqrt(0.6 * 0.4 / 100), rel=0.03)


def test_types_keep_their_size_in_every_resample() -> None:
    """A tool that catches one type and misses the other cannot vary: each type keeps its size."""
    rows = [(HallucinationType.WRONG_VENUE, Label.HALLUCINATED, 0.9)] * 30
    rows += [(HallucinationType.FUTURE_DATE, Label.VALID, 0.9)] * 30
    found = draws(pairs_of(rows), [Stance.CONSERVATIVE], ["detection_rate"], SHORT)
    assert set(found[Stance.CONSERVATIVE, "detection_rate"].tolist()) == {0.5}


def test_entries_of_one_source_paper_are_drawn_together() -> None:
    """Ten copies of each answer: the interval must be as wide as that of the ten-times fewer."""
    kind = HallucinationType.WRONG_VENUE
    rows = [(kind, Label.HALLUCINATED if i < 120 else Label.VALID, 0.9) for i in range(200)]
    pairs = pairs_of(rows)
    together = np.arange(200) // 10
    stance = Stance.CONSERVATIVE
    wide = draws(pairs, [stance], ["detection_rate"], clusters=together)[stance, "detection_rate"]
    narrow = draws(pairs, [stance], ["detection_rate"])[stance, "detection_rate"]
    assert wide.std() == pytest.approx(np.sqrt(0.6 * 0.4 / 20), rel=0.05)
    assert wide.std() > 2.5 * narrow.std()


def test_twins_share_the_key_of_their_title() -> None:
    titles = ["A Title", "a title.", "Another", "", ""]
    entries = [gold(f"k{i}", fields={"title": title}) for i, title in enumerate(titles)]
    found = clusters(entries).tolist()
    assert found[0] == found[1] != found[2]
    assert len(set(found)) == 4


def test_kinds_hold_entries_that_no_measure_can_tell_apart() -> None:
    pairs = many(4)
    order, starts = kinds_of(pairs)
    assert sorted(order.tolist()) == list(range(len(pairs)))
    names = [pairs.type, pairs.label, pairs.confidence]
    distinct = set(zip(*(column.tolist() for column in names), strict=True))
    assert len(starts) == len(distinct)


def test_paired_resamples_draw_the_same_entries_for_both_tools() -> None:
    pairs = many(5)
    one, other = paired_draws([pairs, pairs], Stance.CONSERVATIVE, ["f1", "auroc"], SHORT)
    assert all(np.array_equal(one[key], other[key], equal_nan=True) for key in one)


def test_paired_resamples_agree_with_single_ones_in_distribution() -> None:
    pairs = many(6)
    (paired,) = paired_draws([pairs], Stance.CONSERVATIVE, ["f1"])
    single = draws(pairs, [Stance.CONSERVATIVE], ["f1"])
    for tail in (0.025, 0.25):
        a = quantiles(paired[Stance.CONSERVATIVE, "f1"], tail)
        b = quantiles(single[Stance.CONSERVATIVE, "f1"], tail)
        assert a == pytest.approx(b, abs=0.005)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=50), st.floats(0.001, 0.499))
def test_quantiles_are_those_of_numpy(values: list[float], tail: float) -> None:
    array = np.array(values)
    expected = np.quantile(array, [tail, 1 - tail]).tolist()
    assert quantiles(array, tail) == pytest.approx(tuple(expected), abs=1e-12)


def test_a_measure_that_resamples_often_leave_undefined_has_no_interval() -> None:
    measure = MEASURES.get("precision")
    values = np.array([0.5] * 90 + [np.nan] * 10)
    assert interval(values, 0.5, measure) is None
    assert interval(values[:92], 0.5, measure) is not None
    assert interval(values, None, measure) is None


@pytest.mark.parametrize("wrong", [{"resamples": 0}, {"level": 1.0}, {"level": 0.0}])
def test_an_impossible_plan_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Plan(**wrong)


def test_an_error_inside_a_thread_reaches_the_caller() -> None:
    def fail(rng: np.random.Generator, times: int) -> float:
        raise ZeroDivisionError(times)

    with pytest.raises(ZeroDivisionError):
        _run(fail, SHORT, 100)


def test_stances_agree_where_nothing_was_abstained_on() -> None:
    pairs = binary([True, False] * 20, [True, False, False, True] * 10)
    found = draws(pairs, stances_of(pairs), ["f1"], SHORT)
    conservative = found[Stance.CONSERVATIVE, "f1"]
    assert all(np.array_equal(values, conservative) for values in found.values())


TRUE_VALUES = {"detection_rate": 0.7, "false_positive_rate": 0.2, "balanced_accuracy": 0.75}


@pytest.mark.slow
def test_95_percent_intervals_hold_the_truth_in_about_95_of_100_samples() -> None:
    """Coverage by simulation: 400 samples of 300 entries with known rates and known AUROC."""
    held = dict.fromkeys([*TRUE_VALUES, "auroc", "brier"], 0)
    times = 400
    for seed in range(times):
        found = estimate(_sample(seed), [Stance.CONSERVATIVE], list(held), Plan(1000, seed))
        truth = TRUE_VALUES | {"auroc": _AUROC, "brier": _BRIER}
        for name, known in truth.items():
            ci = found["conservative"][name].ci
            held[name] += ci is not None and ci[0] <= known <= ci[1]
    assert all(0.915 <= count / times <= 0.985 for count in held.values()), held


def _sample(seed: int) -> Pairs:
    """Draw 150 entries of each class; bad ones are flagged with 0.7, valid ones with 0.2."""
    rng = np.random.default_rng([seed, 1])
    flagged = np.concatenate([rng.random(150) < 0.7, rng.random(150) < 0.2]).tolist()
    rows = [
        (TYPES[0] if i < 150 else None, Label.HALLUCINATED if f else Label.VALID, 0.8)
        for i, f in enumerate(flagged)
    ]
    return pairs_of(rows)


_AUROC = 0.7 * 0.8 + (0.7 * 0.2 + 0.3 * 0.8) / 2
_BRIER = 0.75 * 0.2**2 + 0.25 * 0.8**2


def test_an_estimate_is_the_measure_itself() -> None:
    pairs = many(8)
    found = estimate(pairs, [Stance.SELECTIVE], plan=SHORT)["selective"]
    assert {n: e.value for n, e in found.items()} == evaluate(pairs, Stance.SELECTIVE)
