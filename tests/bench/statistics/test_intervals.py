"""Are intervals, exact tests and power what SciPy and the paper say?"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from hallmark.bench.statistics.exact import clopper_pearson, sign_test
from hallmark.bench.statistics.intervals import normal_quantile, wilson
from hallmark.bench.statistics.power import (
    entries_needed,
    minimum_detectable_effect,
    power_of,
)
from hallmark.errors import InputError

counts = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts, st.floats(0.5, 0.999))
def test_wilson_and_clopper_pearson_agree_with_scipy(kn: tuple[int, int], level: float) -> None:
    k, n = kn
    result = stats.binomtest(k, n)
    for name, ours in (("wilson", wilson), ("exact", clopper_pearson)):
        theirs = result.proportion_ci(level, method=name)
        assert ours(k, n, level) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@given(counts)
def test_an_interval_holds_the_share_and_stays_between_0_and_1(kn: tuple[int, int]) -> None:
    k, n = kn
    low, high = wilson(k, n)
    assert 0 <= low <= k / n <= high <= 1


def test_the_papers_example_of_an_exact_interval() -> None:
    assert clopper_pearson(27, 30) == pytest.approx((0.735, 0.979), abs=0.001)
    assert clopper_pearson(9, 10) == pytest.approx((0.555, 0.9975), abs=0.001)


@pytest.mark.parametrize(("k", "n"), [(1, 0), (3, 2), (-1, 5)])
def test_impossible_counts_are_refused(k: int, n: int) -> None:
    with pytest.raises(InputError):
        wilson(k, n)


@given(st.floats(1e-6, 1 - 1e-6))
def test_the_normal_quantile_agrees_with_scipy(p: float) -> None:
    assert normal_quantile(p) == pytest.approx(float(stats.norm.ppf(p)), abs=1e-8)


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_sign_test_is_exact_and_symmetric(wins: int, losses: int) -> None:
    assert sign_test(wins, losses) == sign_test(losses, wins)
    if wins + losses:
        expected = stats.binomtest(wins, wins + losses).pvalue
        assert sign_test(wins, losses) == pytest.approx(expected, abs=1e-12)
    else:
        assert sign_test(wins, losses) == 1.0


TABLE_9 = {39: 22.4, 32: 24.7, 34: 24.0, 31: 25.1, 35: 23.7, 46: 20.6, 30: 25.6}


def test_minimum_detectable_effects_are_those_of_table_9() -> None:
    found = {n: 100 * minimum_detectable_effect(n) for n in TABLE_9}
    assert found == pytest.approx(TABLE_9, abs=0.1)


@given(st.integers(5, 2000), st.floats(0.05, 0.95), st.sampled_from([1, 2]))
def test_the_minimum_effect_is_detected_with_80_percent_power(
    n: int, baseline: float, samples: int
) -> None:
    effect = minimum_detectable_effect(n, baseline, samples=samples)
    assert power_of(n, effect, baseline, samples=samples) == pytest.approx(0.8, abs=0.001)
    needed = entries_needed(effect, baseline, samples=samples)
    assert needed == pytest.approx(n, abs=1)


def test_power_without_an_effect_is_the_level_of_the_test() -> None:
    assert power_of(100, 0.0) == pytest.approx(0.05)
    assert power_of(100, 0.1, baseline=1.0) == 1.0


def test_impossible_questions_about_power_are_refused() -> None:
    for ask in (
        lambda: minimum_detectable_effect(0),
        lambda: power_of(0, 0.1),
        lambda: entries_needed(0.0),
        lambda: normal_quantile(1.0),
    ):
        with pytest.raises(InputError):
            ask()
    assert math.isfinite(minimum_detectable_effect(1))
