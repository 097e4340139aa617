"""Is a share of 0 or 1 given an interval that so many entries allow?"""

from collections.abc import Sequence

import pytest

from hallmark.bench.align import Stance
from hallmark.bench.entry import Label
from hallmark.bench.evaluation import estimate
from hallmark.bench.resample import Plan
from hallmark.bench.statistics.intervals import wilson
from hallmark.bench.taxonomy import HallucinationType
from tests.bench.made import pairs_of

BAD = HallucinationType.WRONG_VENUE
GOOD = None
FLAG, CLEAR = Label.HALLUCINATED, Label.VALID
Row = tuple[HallucinationType | None, Label, float]
SHORT = Plan(resamples=100)
SHARES = ("detection_rate", "false_positive_rate", "false_negative_rate", "precision", "accuracy")


def intervals(rows: Sequence[Row], plan: Plan = SHORT) -> dict[str, tuple[float, float] | None]:
    found = estimate(pairs_of(rows), [Stance.CONSERVATIVE], [*SHARES, "ppv", "f1"], plan)
    return {name: one.ci for name, one in found["conservative"].items()}


def test_no_false_alarm_among_230_valid_entries_is_not_certainty() -> None:
    perfect: list[Row] = [(BAD, FLAG, 0.9)] * 70 + [(GOOD, CLEAR, 0.9)] * 230
    found = intervals(perfect)
    assert found["false_positive_rate"] == pytest.approx(wilson(0, 230))
    assert found["false_positive_rate"] == pytest.approx((0.0, 0.0164), abs=1e-4)
    assert found["detection_rate"] == pytest.approx(wilson(70, 70))
    assert found["false_negative_rate"] == pytest.approx(wilson(0, 70))
    assert found["precision"] == pytest.approx(wilson(70, 70))
    assert found["accuracy"] == pytest.approx(wilson(300, 300))


def test_a_share_between_keeps_its_bootstrap_interval() -> None:
    mixed: list[Row] = (
        [(BAD, FLAG, 0.9)] * 35 + [(BAD, CLEAR, 0.9)] * 35 + [(GOOD, CLEAR, 0.9)] * 100
    )
    found = intervals(mixed)["detection_rate"]
    assert found is not None
    assert found != pytest.approx(wilson(35, 70))
    assert found[0] < 0.5 < found[1]


def test_the_precision_at_two_per_cent_is_as_unsure_as_the_rates_behind_it() -> None:
    low, high = wilson(70, 70)[0], wilson(0, 230)[1]
    perfect: list[Row] = [(BAD, FLAG, 0.9)] * 70 + [(GOOD, CLEAR, 0.9)] * 230
    assert intervals(perfect)["ppv"] == pytest.approx((0.02 * low / (0.02 * low + 0.98 * high), 1))
    nothing_right: list[Row] = [(BAD, CLEAR, 0.9)] * 70 + [(GOOD, FLAG, 0.9)] * 230
    found = intervals(nothing_right)["ppv"]
    assert found is not None
    assert found[0] == 0.0
    assert 0.0 < found[1] < 0.01


def test_the_level_is_that_of_the_plan() -> None:
    rows: list[Row] = [(BAD, FLAG, 0.9)] * 10 + [(GOOD, CLEAR, 0.9)] * 10
    found = intervals(rows, Plan(resamples=100, level=0.8))
    assert found["false_positive_rate"] == pytest.approx(wilson(0, 10, 0.8))


def test_what_is_undefined_stays_without_an_interval() -> None:
    assert intervals([(GOOD, CLEAR, 0.9)] * 5)["detection_rate"] is None
    assert intervals([(BAD, CLEAR, 0.9)] * 5)["precision"] is None
