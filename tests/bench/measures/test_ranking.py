"""Do ranking measures agree with scikit-learn?"""

from typing import Any

import pytest
from hypothesis import given
from sklearn import metrics

from hallmark.bench.align import Stance
from hallmark.bench.measures import evaluate
from tests.bench.made import any_rows, committed_rows, pairs_of


@given(committed_rows)
def test_auroc_and_auprc_agree_with_scikit_learn(rows: Any) -> None:
    pairs = pairs_of(rows)
    found = evaluate(pairs, Stance.SELECTIVE, ["auroc", "auprc"])
    scores = pairs.p_hallucinated.round(12)
    if pairs.truth.any():
        expected = metrics.average_precision_score(pairs.truth, scores)
        assert found["auprc"] == pytest.approx(expected)
    else:
        assert found["auprc"] is None
    if pairs.truth.any() and not pairs.truth.all():
        assert found["auroc"] == pytest.approx(metrics.roc_auc_score(pairs.truth, scores))
    else:
        assert found["auroc"] is None


@given(any_rows)
def test_the_selective_stance_ranks_committed_entries_only(rows: Any) -> None:
    pairs = pairs_of(rows)
    kept = pairs.select(pairs.committed)
    found = evaluate(pairs, Stance.SELECTIVE, ["auroc"])
    assert found == evaluate(kept, Stance.CONSERVATIVE, ["auroc"]) if len(kept) else {"auroc": None}
