"""Are paired tests two-sided, symmetric, and right about what is only luck?"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallmark.bench.align import Stance
from hallmark.bench.resample import Plan
from hallmark.bench.statistics.paired import (
    cohens_h,
    difference,
    equivalence,
    holm,
    mcnemar,
    resampled,
    two_sided,
)
from hallmark.errors import AlignmentError
from tests.bench.made import binary

C = Stance.CONSERVATIVE
SHORT = Plan(resamples=400)
TRUTH = [True] * 60 + [False] * 40


def tool(errors: set[int]) -> list[bool]:
    return [truth != (i in errors) for i, truth in enumerate(TRUTH)]


def test_a_tool_that_is_always_right_differs_from_one_that_is_always_wrong() -> None:
    truth = [True] * 10
    right, wrong = binary(truth, truth), binary(truth, [False] * 10)
    assert mcnemar(right, wrong, C).p == pytest.approx(0.001953, abs=1e-6)
    assert mcnemar(wrong, right, C).p == mcnemar(right, wrong, C).p


@settings(max_examples=15)
@given(st.sets(st.integers(0, 99), max_size=40), st.sets(st.integers(0, 99), max_size=40))
def test_exchanging_the_tools_changes_the_sign_and_nothing_else(a: set[int], b: set[int]) -> None:
    one, other = binary(TRUTH, tool(a)), binary(TRUTH, tool(b))
    there, back = (difference(x, y, C, "accuracy", SHORT) for x, y in ((one, other), (other, one)))
    assert there.p == back.p
    assert there.value == pytest.approx(-(back.value or 0.0))
    assert there.ci is not None
    assert back.ci is not None
    assert (there.ci.low, there.ci.high) == pytest.approx((-back.ci.high, -back.ci.low))


def test_a_worse_first_tool_is_as_significant_as_a_better_one() -> None:
    good, bad = binary(TRUTH, tool({1, 2})), binary(TRUTH, tool(set(range(0, 90, 3))))
    assert (difference(bad, good, C, "f1", SHORT).p or 1) < 0.02
    assert difference(bad, good, C, "f1", SHORT).p == difference(good, bad, C, "f1", SHORT).p


def test_a_tool_does_not_differ_from_itself() -> None:
    pairs = binary(TRUTH, tool({3, 70}))
    found = difference(pairs, pairs, C, "f1", SHORT)
    assert (found.value, found.p) == (0.0, 1.0)
    assert mcnemar(pairs, pairs, C).p == 1.0


def test_p_values_of_equal_tools_are_seldom_small() -> None:
    """Under no difference, about 5 % of p-values lie below 0.05: at most 12 of 100 here."""
    small = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        sets = [set(np.flatnonzero(rng.random(100) < 0.25).tolist()) for _ in range(2)]
        one, other = (binary(TRUTH, tool(errors)) for errors in sets)
        small += (difference(one, other, C, "accuracy", SHORT).p or 1) < 0.05
    assert small <= 12


def test_tools_on_different_entries_cannot_be_paired() -> None:
    with pytest.raises(AlignmentError):
        resampled(binary([True], [True]), binary([True, True], [True, True]), C, "f1", SHORT)
    with pytest.raises(AlignmentError):
        mcnemar(binary([True], [True]), binary([True, True], [True, True]), C)


def test_an_undefined_measure_has_an_undefined_difference() -> None:
    pairs = binary([True, True], [True, False])
    assert difference(pairs, pairs, C, "false_positive_rate", SHORT).value is None


def test_a_difference_of_zero_speaks_for_both_sides() -> None:
    assert two_sided(np.zeros(99)) == 1.0
    assert two_sided(np.ones(99)) == pytest.approx(0.02)


def test_equivalence_needs_all_of_the_differences_inside_the_margin() -> None:
    values = np.random.default_rng(0).normal(0, 0.01, 2000)
    assert equivalence(values, 0.05).equivalent
    assert not equivalence(values + 0.06, 0.05).equivalent
    assert not equivalence(values, 0.005).equivalent


p_values = st.dictionaries(st.text(max_size=3), st.floats(0, 1), min_size=1, max_size=8)


@given(p_values)
def test_holm_adjusts_step_down(found: dict[str, float]) -> None:
    adjusted = holm(found)
    ranked = sorted(found.values())
    for name, p in found.items():
        place = ranked.index(p)
        steps = [min(1.0, (len(ranked) - i) * ranked[i]) for i in range(place + 1)]
        slack = [(len(ranked) - i) * ranked[i] for i in range(len(ranked)) if ranked[i] == p]
        assert adjusted[name] >= max(steps) - 1e-12 or p in ranked[:place]
        assert p <= adjusted[name] <= min(1.0, max([*steps, *slack])) + 1e-12


def test_holm_of_a_known_example() -> None:
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005}) == pytest.approx(
        {"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02}
    )


def test_cohens_h_of_the_papers_pair_is_negligible() -> None:
    assert cohens_h(0.866, 0.846) == pytest.approx(0.057, abs=0.001)
    assert cohens_h(0.2, 0.2) == 0.0
