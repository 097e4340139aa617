"""Do precision at a prevalence and expected cost follow from the rates?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.align import Stance
from hallmark.bench.measures import evaluate
from hallmark.bench.measures.deployment import (
    Rates,
    Regime,
    expected_cost,
    pick,
    ppv,
    ppv_sweep,
    regime,
)
from hallmark.errors import InputError
from tests.bench.made import binary

shares = st.integers(0, 10_000).map(lambda n: n / 10_000)
OPUS, GPT = Rates(0.752, 0.072), Rates(0.837, 0.411)


def test_table_22_follows_from_the_rates_of_table_3() -> None:
    percent = [round(100 * (value or 0), 1) for value in ppv_sweep(OPUS).values()]
    assert percent == pytest.approx([5.0, 9.5, 17.6, 35.5, 53.7, 72.3, 81.7], abs=0.05)
    percent = [round(100 * (value or 0), 1) for value in ppv_sweep(GPT).values()]
    assert percent == pytest.approx([1.0, 2.0, 4.0, 9.7, 18.5, 33.7, 46.6], abs=0.05)


@given(shares, shares, st.integers(0, 1000))
def test_precision_at_a_prevalence_is_that_of_a_crowd_of_that_mix(
    dr: float, fpr: float, bad: int
) -> None:
    right, wrong = dr * bad, fpr * (1000 - bad)
    expected = right / (right + wrong) if right + wrong > 0 else None
    found = ppv(Rates(dr, fpr), bad / 1000)
    assert found == (None if expected is None else pytest.approx(expected, rel=1e-6))


def test_the_measure_agrees_with_the_formula() -> None:
    pairs = binary([True] * 4 + [False] * 10, [True] * 3 + [False] + [True] + [False] * 9)
    assert evaluate(pairs, Stance.CONSERVATIVE, ["ppv"])["ppv"] == pytest.approx(
        ppv(Rates(0.75, 0.1), 0.02)
    )


@given(shares, shares, shares, st.floats(0, 100), shares)
def test_cost_adds_up_misses_and_false_alarms(
    dr: float, fpr: float, bad: float, ratio: float, capacity: float
) -> None:
    cost = expected_cost(Rates(dr, fpr), bad, ratio, capacity)
    assert cost.reviewed <= capacity + 1e-9
    assert cost.caught + cost.false_alarms == pytest.approx(cost.reviewed)
    assert cost.expected == pytest.approx(ratio * (bad - cost.caught) + cost.false_alarms)


@given(shares, shares, shares, st.floats(0, 100))
def test_more_reviewers_never_catch_less(dr: float, fpr: float, bad: float, ratio: float) -> None:
    rates = Rates(dr, fpr)
    caught = [expected_cost(rates, bad, ratio, capacity).caught for capacity in (0.0, 0.3, 1.0)]
    assert caught == sorted(caught)


def test_table_6_picks_few_false_alarms_for_venues_and_recall_for_costly_misses() -> None:
    tools = {"careful": Rates(0.75, 0.07), "eager": Rates(0.98, 0.47)}
    assert pick(tools, 0.02, cost_ratio=5)[0][0] == "careful"
    assert pick(tools, 0.02, cost_ratio=500)[0][0] == "eager"
    assert pick(tools, 0.5, cost_ratio=5)[0][0] == "eager"


def test_regimes_are_told_apart_by_prevalence_cost_and_capacity() -> None:
    assert regime(0.02, cost_ratio=2) is Regime.REVIEWER_BOUND
    assert regime(0.3, cost_ratio=2) is Regime.HIGH_PREVALENCE
    assert regime(0.02, cost_ratio=100) is Regime.COSTLY_MISS
    assert regime(0.02, cost_ratio=100, capacity=0.01) is Regime.REVIEWER_BOUND


@pytest.mark.parametrize(("bad", "ratio", "capacity"), [(1.5, 1, 1), (0.1, -1, 1), (0.1, 1, 2)])
def test_settings_outside_their_range_are_refused(
    bad: float, ratio: float, capacity: float
) -> None:
    with pytest.raises(InputError):
        expected_cost(OPUS, bad, ratio, capacity)
