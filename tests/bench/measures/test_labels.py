"""Do measures of labels agree with scikit-learn and with slow definitions?"""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.entry import Label
from hallmark.bench.measures import MEASURES, evaluate
from hallmark.bench.measures.labels import WEIGHTINGS, tier_weighted_f1
from hallmark.bench.measures.outcome import outcome
from hallmark.bench.measures.weighed import Weighed
from hallmark.bench.taxonomy import HallucinationType
from tests.bench.made import any_rows, binary, committed_rows, pairs_of

CONSERVATIVE = Stance.CONSERVATIVE
ORACLES: dict[str, Any] = {
    "detection_rate": lambda t, f: metrics.recall_score(t, f, zero_division=np.nan),
    "false_positive_rate": lambda t, f: metrics.recall_score(
        [not x for x in t], f, zero_division=np.nan
    ),
    "precision": lambda t, f: metrics.precision_score(t, f, zero_division=np.nan),
    "f1": lambda t, f: metrics.f1_score(t, f, zero_division=np.nan),
    "accuracy": metrics.accuracy_score,
}


def value(pairs: Pairs, name: str, stance: Stance = CONSERVATIVE) -> float | None:
    return evaluate(pairs, stance, [name])[name]


both_flags = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=80)


@pytest.mark.parametrize("name", ORACLES)
@given(rows=both_flags)
def test_shares_agree_with_scikit_learn(name: str, rows: list[tuple[bool, bool]]) -> None:
    truth, flagged = zip(*rows, strict=True)
    expected = float(ORACLES[name](truth, flagged))
    found = value(binary(truth, flagged), name)
    assert found == (None if np.isnan(expected) else pytest.approx(expected))


@given(rows=both_flags)
def test_mcc_agrees_with_scikit_learn_where_it_is_defined(rows: list[tuple[bool, bool]]) -> None:
    truth, flagged = zip(*rows, strict=True)
    found = value(binary(truth, flagged), "mcc")
    if len(set(truth)) == len(set(flagged)) == 2:
        assert found == pytest.approx(metrics.matthews_corrcoef(truth, flagged))
    else:
        assert found is None


@given(rows=both_flags)
def test_measures_of_both_classes_agree_with_scikit_learn(rows: list[tuple[bool, bool]]) -> None:
    truth, flagged = zip(*rows, strict=True)
    pairs = binary(truth, flagged)
    if len(set(truth)) == 2:
        expected = metrics.f1_score(truth, flagged, average="macro")
        assert value(pairs, "macro_f1") == pytest.approx(expected)
        balanced = metrics.balanced_accuracy_score(truth, flagged)
        assert value(pairs, "balanced_accuracy") == pytest.approx(balanced)
    else:
        assert value(pairs, "balanced_accuracy") is None


@given(committed_rows, st.sampled_from(sorted(WEIGHTINGS)))
def test_tier_weighted_f1_is_the_papers_equation_1(rows: Any, scheme: str) -> None:
    pairs = pairs_of(rows)
    by_tier = dict(zip((1, 2, 3), WEIGHTINGS[scheme], strict=True))
    weight = [by_tier.get(int(tier), 1.0) for tier in pairs.tier]
    flagged = [label is Label.HALLUCINATED for _, label, _ in rows]
    hit = sum(w for w, t, f in zip(weight, pairs.truth, flagged, strict=True) if t and f)
    said = sum(w for w, f in zip(weight, flagged, strict=True) if f)
    bad = sum(w for w, t in zip(weight, pairs.truth, strict=True) if t)
    name = "tier_weighted_f1" if scheme == "linear" else f"tier_weighted_f1_{scheme}"
    expected = 2 * hit / (said + bad) if said + bad else None
    assert value(pairs, name) == (None if expected is None else pytest.approx(expected))


def test_tier_weighted_f1_is_not_scale_invariant() -> None:
    kind = HallucinationType.WRONG_VENUE
    pairs = pairs_of([(kind, Label.HALLUCINATED, 0.9), (None, Label.HALLUCINATED, 0.9)])
    o = outcome(pairs, CONSERVATIVE)
    w = Weighed(o, np.ones((2, 1)))
    once, tenfold = tier_weighted_f1(w, (1, 2, 3))[0], tier_weighted_f1(w, (10, 20, 30))[0]
    assert once < tenfold


@given(committed_rows, st.sampled_from([1, 2, 3]))
def test_f1_of_a_tier_is_f1_without_the_other_tiers(rows: Any, tier: int) -> None:
    pairs = pairs_of(rows)
    kept = pairs.select((pairs.tier == tier) | ~pairs.truth)
    expected = value(kept, "f1") if len(kept) else None
    assert value(pairs, f"tier{tier}_f1") == expected


def test_a_class_without_entries_leaves_its_rates_undefined() -> None:
    pairs = binary([False, False], [False, True])
    found = evaluate(pairs, CONSERVATIVE)
    assert (found["detection_rate"], found["false_positive_rate"]) == (None, 0.5)
    assert found["precision"] == 0.0
    assert evaluate(binary([True], [True]), CONSERVATIVE)["false_positive_rate"] is None


def test_the_false_negative_rate_complements_the_detection_rate() -> None:
    pairs = binary([True, True, True, False], [True, False, False, False])
    assert value(pairs, "false_negative_rate") == pytest.approx(2 / 3)


FAKE = HallucinationType.PLAUSIBLE_FABRICATION


@pytest.mark.parametrize("stance", [Stance.CONSERVATIVE, Stance.AGGRESSIVE, Stance.FORCED])
def test_a_failed_tool_is_never_credited(stance: Stance) -> None:
    rows = [(FAKE, Label.ERROR, 0.9), (None, Label.ERROR, 0.9)]
    found = evaluate(pairs_of(rows), stance)
    assert found["detection_rate"] == 0.0
    assert found["accuracy"] == 0.0
    assert found["balanced_accuracy"] == 0.0


def test_replacing_a_right_answer_by_a_failure_never_helps() -> None:
    right = [(FAKE, Label.HALLUCINATED, 0.9)] * 3 + [(None, Label.VALID, 0.9)] * 3
    wrong = [(FAKE, Label.VALID, 0.9), (None, Label.HALLUCINATED, 0.9)]
    for failed in ((FAKE, Label.ERROR, 0.9), (None, Label.ERROR, 0.9)):
        kept = [row for row in right if row[0] is failed[0]]
        rest = [row for row in right if row[0] is not failed[0]]
        before = evaluate(pairs_of([*right, *wrong]), CONSERVATIVE)
        after = evaluate(pairs_of([*kept[1:], failed, *rest, *wrong]), CONSERVATIVE)
        for name in ("detection_rate", "f1", "mcc", "accuracy", "balanced_accuracy", "macro_f1"):
            assert (after[name] or 0) <= (before[name] or 0)


def test_stances_treat_an_abstention_as_they_say() -> None:
    rows = [
        (FAKE, Label.HALLUCINATED, 0.9),
        (FAKE, Label.UNCERTAIN, 0.5),
        (None, Label.UNCERTAIN, 0.5),
        (None, Label.VALID, 0.9),
    ]
    rates = {
        stance: (value(pairs_of(rows), "detection_rate", stance),
                 value(pairs_of(rows), "false_positive_rate", stance))
        for stance in (Stance.CONSERVATIVE, Stance.SELECTIVE, Stance.AGGRESSIVE)
    }  # fmt: skip
    assert rates == {"conservative": (0.5, 0), "selective": (1, 0), "aggressive": (1, 0.5)}


@given(any_rows, st.sampled_from(Stance), st.randoms(use_true_random=False))
def test_the_order_of_rows_never_changes_a_value(rows: Any, stance: Stance, random: Any) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    names = [name for name, measure in MEASURES.items() if not measure.ordered]
    first = evaluate(pairs_of(rows), stance, names)
    second = evaluate(pairs_of(shuffled), stance, names)
    assert all((first[n] is None) == (second[n] is None) for n in names)
    assert [first[n] or 0 for n in names] == pytest.approx(
        [second[n] or 0 for n in names], abs=1e-9
    )


@given(any_rows, st.sampled_from(Stance))
def test_every_value_lies_in_the_range_of_its_measure(rows: Any, stance: Stance) -> None:
    for name, found in evaluate(pairs_of(rows), stance).items():
        measure = MEASURES.get(name)
        assert found is None or measure.low - 1e-9 <= found <= measure.high + 1e-9, name


@given(any_rows, st.sampled_from(Stance))
def test_doubling_every_entry_changes_no_measure_but_those_of_rank_k(
    rows: Any, stance: Stance
) -> None:
    names = [
        n for n in MEASURES.names() if n not in {"aurc", "fpr_at_90_coverage"} and "mass" not in n
    ]
    names.remove("ece_paper")
    once, twice = (
        evaluate(pairs_of(rows), stance, names),
        evaluate(pairs_of(rows * 2), stance, names),
    )
    assert [once[n] or 0 for n in names] == pytest.approx([twice[n] or 0 for n in names], abs=1e-9)
