import pytest

from hallmark.sources.notices import notice, retracts


@pytest.mark.parametrize(
    ("wording", "kind"),
    [
        ("retraction", "retraction"),
        ("RetractionIn", "retraction"),
        ("Retraction in", "retraction"),
        ("expression_of_concern", "concern"),
        ("ExpressionOfConcernIn", "concern"),
        ("removal", "withdrawal"),
        ("Erratum in", "correction"),
        ("corrigendum", "correction"),
        ("partial_retraction", "correction"),
    ],
)
def test_every_service_s_wording_means_one_kind(wording: str, kind: str) -> None:
    found = notice(wording, "crossref", date="2023")
    assert found is not None
    assert (found.kind, found.date, found.source) == (kind, "2023", "crossref")
    assert retracts([found]) is (kind in {"retraction", "withdrawal"})


@pytest.mark.parametrize("wording", ["", "new_version", "CommentIn", "RetractionOf", "addendum"])
def test_what_says_nothing_about_reliability_is_no_notice(wording: str) -> None:
    assert notice(wording, "pubmed") is None
