import pytest

from hallmark.records.finding import Finding, Safety, Severity
from hallmark.records.reference import Location
from hallmark.records.verdict import Contradicted, Result, Suggestion, Unresolved, Verified
from hallmark.report.interface import Look
from hallmark.report.sides import told_beside
from tests.report.results import NAMES
from tests.report.test_conformance import written

RETRACTED = Finding(code="HM305", severity=Severity.WARNING, message="The work was retracted.")
ELSEWHERE = Finding(code="HM602", severity=Severity.WARNING, message="The records say 2019.")
PLACE = Location("refs.bib", 1)


def test_a_retraction_is_told_whatever_the_verdict_is() -> None:
    findings = (RETRACTED, ELSEWHERE)
    open_ = Unresolved(probability=0.5, reason="No record.", findings=findings)
    sure = Verified(probability=0.1, reason="All agrees.", findings=findings)
    assert told_beside(Result("a", PLACE, open_)) == [RETRACTED]
    assert told_beside(Result("a", PLACE, sure)) == [RETRACTED, ELSEWHERE]


@pytest.mark.parametrize("form", ["terminal", "markdown"])
@pytest.mark.parametrize("failed", [False, True])
def test_reports_for_people_show_it(form: str, failed: bool) -> None:
    verdict = Unresolved(
        probability=0.5, reason="No record.", findings=(RETRACTED,), source_failed=failed
    )
    shown = written(form, [Result("a", PLACE, verdict)], Look(names=NAMES))
    assert "The work was retracted." in shown


@pytest.mark.parametrize("form", ["terminal", "markdown"])
def test_a_field_that_is_to_be_taken_out_is_said_to_be(form: str) -> None:
    verdict = Contradicted(
        probability=0.9, reason="It differs.", suggestion=Suggestion({"doi": ""}, Safety.UNSAFE)
    )
    shown = written(form, [Result("a", PLACE, verdict)], Look(names=NAMES))
    assert "no doi" in shown
    assert "{}" not in shown
