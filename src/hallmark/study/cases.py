"""Which entries did the verifier get wrong or leave open, with both sides and the reason?"""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from hallmark.judge.codes import CODES
from hallmark.judge.policy import Policy
from hallmark.judge.reading import coverage_of
from hallmark.records.answer import VenueYear
from hallmark.records.finding import Finding, Severity
from hallmark.records.reference import Reference
from hallmark.records.work import Version
from hallmark.study.judged import Judged, Outcome
from hallmark.study.reasons import Reason, why


class Side(Struct, frozen=True, omit_defaults=True):
    """The fields of an entry or of a record, as text, and where the record was read."""

    title: str = ""
    authors: str = ""
    venue: str = ""
    year: str = ""
    doi: str = ""
    arxiv: str = ""
    collection: str = ""
    url: str = ""


FIELDS = ("title", "authors", "venue", "year", "doi", "arxiv")
"""The fields of a side, in the order of a report."""


class Case(Struct, frozen=True, kw_only=True):
    """One entry of which the verdict is wrong or open.

    `kind` is the entry's hallucination type, or how the valid entry was made. `reason` and `detail`
    come from the evidence (`study.reasons`). `record` is the record that the entry was compared
    with, None where there is none. `coverage` is what is held of the claimed venue and year.
    `label_says` is the gold file's own explanation: shown beside, never used.
    """

    key: str
    outcome: Outcome
    kind: str
    reason: str
    detail: str
    status: str
    probability: float
    named_type: str | None
    sentence: str
    findings: tuple[Finding, ...]
    entry: Side
    record: Side | None
    coverage: VenueYear | None
    label_says: str = ""

    @property
    def group(self) -> str:
        """The reason; where a rule fired, the codes of its findings instead, a single one named."""
        if self.reason == Reason.RULE:
            code = CODES.get(self.detail)
            return f"{self.detail} {code.name}" if code is not None else self.detail
        coded = self.detail.startswith("HM")
        return f"{self.detail}: {self.reason}" if coded else self.reason


def cases(judged: Iterable[Judged], policy: Policy) -> list[Case]:
    """Return the cases among the entries: outcome by outcome, alike reasons together."""
    found = [_case(one, policy) for one in judged if one.outcome is not Outcome.RIGHT]
    order = list(Outcome)
    return sorted(found, key=lambda one: (order.index(one.outcome), one.group, one.kind, one.key))


def case_of(judged: Judged, policy: Policy) -> Case:
    """Return one entry as a case, whether its verdict is right or not."""
    return _case(judged, policy)


def _case(judged: Judged, policy: Policy) -> Case:
    verdict = judged.result.verdict
    found = why(judged, policy)
    return Case(
        key=judged.entry.bibtex_key,
        outcome=judged.outcome,
        kind=judged.kind,
        reason=str(found.reason),
        detail=found.detail,
        status=judged.result.status,
        probability=verdict.probability,
        named_type=verdict.type,
        sentence=verdict.reason,
        findings=tuple(one for one in verdict.findings if one.severity is not Severity.NOTE)
        or verdict.findings,
        entry=side_of_reference(judged.reference),
        record=side_of_version(verdict.work) if verdict.work is not None else None,
        coverage=coverage_of(judged.evidence, judged.reference.year),
        label_says=judged.entry.explanation or "",
    )


def side_of_reference(reference: Reference) -> Side:
    """Return what an entry claims."""
    authors = "; ".join(name.display for name in reference.authors)
    return Side(
        title=f"{reference.title}: {reference.subtitle}" if reference.subtitle else reference.title,
        authors=f"{authors}; and others" if reference.authors_truncated else authors,
        venue=reference.venue,
        year=reference.year_text or str(reference.year or ""),
        doi=reference.doi or reference.claimed_doi,
        arxiv=reference.arxiv or "",
    )


def side_of_version(version: Version) -> Side:
    """Return what a record holds."""
    authors = "; ".join(version.authors)
    return Side(
        title=version.title,
        authors=f"{authors}; and others" if version.authors_truncated else authors,
        venue=version.venue or version.venue_raw,
        year=", ".join(str(year) for year in version.all_years),
        doi=version.doi or "",
        arxiv=version.arxiv or "",
        collection=version.collection,
        url=link(version),
    )


def link(version: Version) -> str:
    """Return an address at which a person can see a record, "" where none is known."""
    if version.doi:
        return f"https://doi.org/{version.doi}"
    if version.arxiv:
        return f"https://arxiv.org/abs/{version.arxiv}"
    return version.url or (f"https://dblp.org/rec/{version.dblp}" if version.dblp else "")


def by_reason(found: Sequence[Case], outcome: Outcome) -> dict[str, Counter[str]]:
    """Count the cases of an outcome by group and kind, the commonest group first."""
    table: dict[str, Counter[str]] = {}
    for one in found:
        if one.outcome is outcome:
            table.setdefault(one.group, Counter())[one.kind] += 1
    return dict(sorted(table.items(), key=lambda pair: (-pair[1].total(), pair[0])))
