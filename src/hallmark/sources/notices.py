"""Which notice about a work does a service's wording mean?

Services say the same with other words: Crossref "expression_of_concern", PubMed
"ExpressionOfConcernIn", Europe PMC "Expression of concern in". Notices that say nothing about the
reliability of the work (new versions, clarifications, comments) are none.
"""

from collections.abc import Iterable

from hallmark.records.work import Notice

RETRACTING = frozenset({"retraction", "withdrawal"})
"""Kinds of notices after which a work must not be relied on."""

_KINDS = {
    "retraction": "retraction",
    "retractionin": "retraction",
    "partialretraction": "correction",
    "partialretractionin": "correction",
    "removal": "withdrawal",
    "withdrawal": "withdrawal",
    "expressionofconcern": "concern",
    "expressionofconcernin": "concern",
    "concern": "concern",
    "correction": "correction",
    "corrigendum": "correction",
    "erratum": "correction",
    "erratumin": "correction",
    "correctedandrepublishedin": "correction",
    "retractedandrepublishedin": "retraction",
}


def notice(wording: str, source: str, *, date: str = "", doi: str | None = None) -> Notice | None:
    """Return the notice that a service's word stands for, None where it stands for none.

    Args:
        wording: the service's word for the kind of notice.
        source: who says so ("crossref", "retraction-watch").
        date: of the notice, as far as it is known ("2021-05").
        doi: the notice's own DOI.
    """
    letters = "".join(filter(str.isalpha, wording.lower()))
    kind = _KINDS.get(letters)
    return Notice(kind, date, doi or "", source) if kind else None


def retracts(notices: Iterable[Notice]) -> bool:
    """Whether one of the notices says that the work must not be relied on."""
    return any(one.kind in RETRACTING for one in notices)
