"""Are all errors there, with the reason that the evidence gives?"""

from collections import Counter

import msgspec
import pytest

from hallmark.judge.policy import DEFAULT
from hallmark.study.cases import Case, by_reason, cases
from hallmark.study.context import Setting
from hallmark.study.document import as_markdown, as_text
from hallmark.study.errors import Errors, document, errors
from hallmark.study.judged import Judged, Outcome
from hallmark.study.reasons import Reason


@pytest.fixture(scope="module")
def found(little_judged: list[Judged]) -> dict[str, Case]:
    return {one.key: one for one in cases(little_judged, DEFAULT)}


def test_exactly_the_errors_and_abstentions_are_cases(
    found: dict[str, Case], little_judged: list[Judged]
) -> None:
    assert set(found) == {"alarm", "confirmed", "open-year", "open-venue"}
    outcomes = Counter(one.outcome for one in little_judged)
    assert outcomes[Outcome.RIGHT] == len(little_judged) - 4


@pytest.mark.parametrize(
    ("key", "outcome", "reason", "detail"),
    [
        ("alarm", Outcome.FALSE_ALARM, Reason.RULE, "HM401"),
        ("confirmed", Outcome.MISS, Reason.CONFIRMED, "alpha"),
        ("open-year", Outcome.OPEN_HALLUCINATED, Reason.NOT_HELD_OPEN_YEAR, "sigir 2021"),
        ("open-venue", Outcome.OPEN_VALID, Reason.NOT_HELD_UNKNOWN, "Moonlit"),
    ],
)
def test_each_case_has_the_reason_of_its_evidence(
    found: dict[str, Case], key: str, outcome: Outcome, reason: Reason, detail: str
) -> None:
    case = found[key]
    assert (case.outcome, case.reason) == (outcome, reason)
    assert detail in case.detail


def test_a_false_alarm_shows_both_sides_and_is_grouped_by_its_finding(
    found: dict[str, Case],
) -> None:
    case = found["alarm"]
    assert case.record is not None
    assert case.entry.title == case.record.title
    assert "Zebra" in case.entry.authors
    assert "Zebra" not in case.record.authors
    assert case.group == "HM401 foreign-authors"


def test_what_a_label_says_of_itself_never_changes_the_reason(
    little_judged: list[Judged],
) -> None:
    silent = [
        msgspec.structs.replace(
            one, entry=msgspec.structs.replace(one.entry, explanation="HM701 title altered order")
        )
        for one in little_judged
    ]
    reasons = [(one.key, one.reason, one.detail) for one in cases(little_judged, DEFAULT)]
    assert [(one.key, one.reason, one.detail) for one in cases(silent, DEFAULT)] == reasons


def test_reasons_are_counted_by_kind(found: dict[str, Case]) -> None:
    table = by_reason(list(found.values()), Outcome.MISS)
    assert table == {str(Reason.CONFIRMED): Counter(partial_author_list=1)}


def test_figures_are_those_of_the_benchmark(
    little_setting: Setting, little_judged: list[Judged]
) -> None:
    found = errors(little_setting, little_judged).figures
    bad, valid = 11, 18
    assert found.conservative.detection == pytest.approx((bad - 2) / bad)
    assert found.conservative.false_alarms == pytest.approx(1 / valid)
    assert found.selective.detection == pytest.approx((bad - 2) / (bad - 1))
    assert found.coverage == pytest.approx((bad + valid - 2) / (bad + valid))


def test_the_document_shows_every_case_in_both_forms(
    little_setting: Setting, little_judged: list[Judged]
) -> None:
    study = errors(little_setting, little_judged)
    for text in (as_text(document(study), 120), as_markdown(document(study))):
        for one in study.cases:
            assert one.key in text
        assert "The label of alarm says so." in text
        assert study.origin.index_digest[:12] in text


def test_a_study_survives_json(little_setting: Setting, little_judged: list[Judged]) -> None:
    study = errors(little_setting, little_judged)
    again = msgspec.json.decode(msgspec.json.encode(study), type=Errors)
    assert again == study
