"""Is a queue's stated precision compared with the labels, and with nothing else?"""

from collections import Counter
from random import Random

import pytest
from msgspec import structs

from hallmark.bench.entry import Label
from hallmark.errors import InputError
from hallmark.study.context import Setting
from hallmark.study.document import as_markdown
from hallmark.study.judged import Judged
from hallmark.study.triage import (
    Length,
    Plan,
    Pool,
    TriageStudy,
    document,
    draw,
    interval,
    queue_of,
    triage,
)

LITTLE = Plan(prevalence=0.2, references=2000, lengths=(Length(50, 5), Length(50, 50)))


@pytest.fixture
def pool(little_judged: list[Judged]) -> Pool:
    return Pool.of(little_judged)


@pytest.fixture
def study(little_setting: Setting, little_judged: list[Judged]) -> TriageStudy:
    return triage(little_setting, little_judged, LITTLE)


def test_the_pool_holds_every_entry_by_its_label(pool: Pool, little_judged: list[Judged]) -> None:
    labels = Counter(one.entry.label for one in little_judged)
    assert (len(pool.bad), len(pool.good)) == (labels[Label.HALLUCINATED], labels[Label.VALID])


def test_as_many_are_bad_as_the_prevalence_says(pool: Pool) -> None:
    drawn = draw(pool, 20_000, 0.02, Random(1))
    assert sum(one.bad for one in drawn) / 20_000 == pytest.approx(0.02, abs=0.004)
    assert not any(one.bad for one in draw(pool, 100, 0.0, Random(1)))


def test_the_line_of_a_pick_is_the_place_of_its_reference(pool: Pool) -> None:
    drawn = draw(pool, 60, 0.3, Random(2))
    picks = queue_of(drawn, 10, 0.3)
    assert len({pick.line for pick in picks}) == len(picks) == 10
    assert all(drawn[pick.line].result.key == pick.key for pick in picks)


def test_a_longer_queue_finds_more_and_is_less_precise(study: TriageStudy) -> None:
    short, long = study.rows
    assert short.found is not None
    assert long.found is not None
    assert short.found < long.found
    assert short.stated is not None
    assert long.stated is not None
    assert short.stated > long.stated
    assert study.alarms == 1


def test_the_true_precision_lies_in_its_interval(study: TriageStudy) -> None:
    for row in study.rows:
        assert row.low is not None
        assert row.true is not None
        assert row.high is not None
        assert 0 <= row.low <= row.true <= row.high <= 1


def test_where_only_bad_ones_were_listed_the_precision_is_one(pool: Pool) -> None:
    assert interval(Counter({(True, 0): 5}), structs.replace(pool, bad=pool.bad[:1]), 1) == (1, 1)
    assert interval(Counter(), pool, 1) == (None, None)


def test_the_same_seed_draws_the_same(
    study: TriageStudy, little_setting: Setting, little_judged: list[Judged]
) -> None:
    assert triage(little_setting, little_judged, LITTLE) == study
    other = structs.replace(LITTLE, seed=1)
    assert triage(little_setting, little_judged, other).rows != study.rows


def test_a_prevalence_out_of_range_is_refused(
    little_setting: Setting, little_judged: list[Judged]
) -> None:
    with pytest.raises(InputError, match="strictly between"):
        triage(little_setting, little_judged, structs.replace(LITTLE, prevalence=1.0))


def test_the_document_sets_both_side_by_side(study: TriageStudy) -> None:
    text = as_markdown(document(study))
    assert "| references | queue | drawn | stated precision | true precision |" in text
    assert "Flagged valid entries: 1." in text
