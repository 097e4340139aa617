"""Does a comparison hold all pairs, adjusted for their number?"""

import pytest

from hallmark.bench.align import Stance
from hallmark.bench.compare import compare
from hallmark.bench.report.comparison import render
from hallmark.bench.resample import Plan
from hallmark.errors import InputError, UnknownName
from tests.bench.made import binary

TRUTH = [True] * 40 + [False] * 40
PLAN = Plan(resamples=300)


def tools() -> dict[str, list[bool]]:
    return {
        "right": TRUTH,
        "near": [not truth if i % 20 == 0 else truth for i, truth in enumerate(TRUTH)],
        "eager": [True] * 80,
    }


def test_every_two_tools_are_compared_once() -> None:
    found = compare(
        "gold", {n: binary(TRUTH, f) for n, f in tools().items()}, Stance.CONSERVATIVE, plan=PLAN
    )
    assert [(v.first, v.second) for v in found.pairs] == [
        ("right", "near"),
        ("right", "eager"),
        ("near", "eager"),
    ]
    assert found.detect_at_k["3"] == 1.0
    assert found.detectable["detection_rate"] == pytest.approx(0.2215, abs=0.001)


def test_holm_never_lowers_a_p_value() -> None:
    found = compare(
        "gold", {n: binary(TRUTH, f) for n, f in tools().items()}, Stance.CONSERVATIVE, plan=PLAN
    )
    for versus in found.pairs:
        assert versus.mcnemar_holm_p >= versus.mcnemar.p
        for name, difference in versus.differences.items():
            assert (versus.holm_p[name] or 0) >= (difference.p or 0)


def test_a_margin_asks_for_an_equivalence_test() -> None:
    pair = {n: binary(TRUTH, f) for n, f in tools().items() if n != "near"}
    found = compare("gold", pair, Stance.CONSERVATIVE, plan=PLAN, margin=0.9)
    assert found.pairs[0].equivalence is not None
    assert found.pairs[0].equivalence.equivalent
    assert "within +-0.9: equivalent" in render(found)


def test_undefined_rates_stay_undefined() -> None:
    pair = {"a": binary([True, True], [True, False]), "b": binary([True, True], [True, True])}
    found = compare("gold", pair, Stance.CONSERVATIVE, plan=PLAN)
    assert found.pairs[0].differences["false_positive_rate"].value is None
    assert found.pairs[0].cohens_h["false_positive_rate"] is None
    assert "undefined" in render(found)


def test_one_tool_or_an_unknown_measure_is_refused() -> None:
    one = {"a": binary(TRUTH, TRUTH)}
    with pytest.raises(InputError):
        compare("gold", one, Stance.CONSERVATIVE)
    with pytest.raises(UnknownName):
        compare("gold", one | {"b": binary(TRUTH, TRUTH)}, Stance.CONSERVATIVE, ["f9"])
