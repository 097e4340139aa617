"""What is said of works about which something was published later?"""

import pytest
from msgspec import structs

from hallmark.judge.codes import CODES
from hallmark.judge.decide import decide
from hallmark.records.evidence import Compared, Evidence, Field
from hallmark.records.finding import Finding, Severity
from hallmark.records.reference import Reference
from hallmark.records.verdict import Verdict
from hallmark.records.work import Notice
from tests.judge.evidence import compared, comparison, evidence, reference

NOTICES = {"HM305", "HM306", "HM307", "HM308", "HM309"}
RETRACTION = Notice("retraction", "2021-05-03", "10.1000/n", "retraction-watch")


def noticed(*notices: Notice, retracted: bool = False, doi: str = "10.1000/a") -> Compared:
    one = compared(retracted=retracted, record_doi=doi)
    return structs.replace(one, version=structs.replace(one.version, notices=notices))


def told(given: Evidence, claim: Reference | None = None) -> list[Finding]:
    return [one for one in verdict(given, claim).findings if one.code in NOTICES]


def verdict(given: Evidence, claim: Reference | None = None) -> Verdict:
    return decide(claim or reference(), given)


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("retraction", "HM305"),
        ("concern", "HM306"),
        ("correction", "HM307"),
        ("withdrawal", "HM308"),
    ],
)
def test_each_kind_of_notice_has_its_own_finding_with_notice_and_date(kind: str, code: str) -> None:
    notice = Notice(kind, "2021-05-03", "10.1000/n", "retraction-watch")
    (finding,) = told(evidence((noticed(notice),)))
    assert finding.code == code
    assert finding.severity is CODES[code].severity
    assert finding.sources == ("retraction-watch",)
    for words in ("10.1000/a", "2021-05-03", "10.1000/n"):
        assert words in finding.message


def test_a_notice_never_makes_a_reference_wrong() -> None:
    given = evidence((noticed(RETRACTION),))
    assert type(verdict(given)) is type(verdict(evidence((noticed(),))))
    assert verdict(given).suggestion is None
    assert all(CODES[code].severity is not Severity.PROBLEM for code in NOTICES)


def test_a_notice_about_any_version_counts_for_the_work() -> None:
    preprint = structs.replace(
        noticed(RETRACTION, doi="10.1000/p"),
        title=comparison(Field.TITLE, "conflict", "words-changed"),
    )
    (finding,) = told(evidence((noticed(), preprint)))
    assert finding.code == "HM305"
    assert "as 10.1000/p" in finding.message


def test_a_notice_about_another_work_is_not_told() -> None:
    other = structs.replace(
        noticed(RETRACTION, doi="10.1000/o"),
        title=comparison(Field.TITLE, "conflict", "different"),
        authors=comparison(Field.AUTHORS, "conflict", "foreign-author"),
    )
    assert told(evidence((noticed(),), (other,))) == []


def test_the_claimed_doi_is_enough_without_any_record() -> None:
    given = structs.replace(evidence(), notices=(RETRACTION,))
    (finding,) = told(given, reference(doi="10.1000/a"))
    assert finding.code == "HM305"


def test_the_notices_of_a_doi_that_is_another_works_are_not_told() -> None:
    owner = compared(
        title=comparison(Field.TITLE, "conflict", "different"),
        authors=comparison(Field.AUTHORS, "conflict", "foreign-author"),
        doi=comparison(Field.DOI),
        record_title="Quite Another Matter",
    )
    given = structs.replace(evidence((compared(),), (owner,)), notices=(RETRACTION,))
    assert told(given, reference(doi="10.1000/o")) == []


def test_the_same_notice_from_two_sides_is_told_once_and_the_latest_of_several() -> None:
    later = structs.replace(RETRACTION, date="2023-01-01", doi="10.1000/m")
    crossref = structs.replace(RETRACTION, source="crossref")
    given = structs.replace(evidence((noticed(crossref, later),)), notices=(RETRACTION,))
    (finding,) = told(given)
    assert "2023-01-01" in finding.message


def test_a_mark_on_a_record_is_told_without_a_notice() -> None:
    (finding,) = told(evidence((noticed(retracted=True),)))
    assert (finding.code, finding.message) == ("HM305", "The work was retracted.")
    assert finding.sources == ("dblp",)


def test_a_reinstated_work_is_not_said_to_be_retracted() -> None:
    back = Notice("reinstatement", "2022-01-01", "", "retraction-watch")
    assert told(evidence((noticed(back, retracted=True),))) == []
    assert told(structs.replace(evidence((noticed(retracted=True),)), notices=(back,))) == []


def test_a_notice_that_is_cited_itself_is_no_retracted_work() -> None:
    given = structs.replace(evidence((noticed(doi="10.1000/n"),)), own_notice=RETRACTION)
    (finding,) = told(given, reference(doi="10.1000/n"))
    assert finding.code == "HM309"
    assert finding.severity is Severity.NOTE
    assert "a retraction of another work, of 2021-05-03" in finding.message
