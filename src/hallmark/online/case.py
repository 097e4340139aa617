"""What is known of one reference while it is being asked about?

A case starts from the index's evidence and grows by the answers of live sources. It can be judged
at any time; the same answers in any order give the same evidence.
"""

from collections.abc import Callable, Iterable
from functools import cached_property

from msgspec import structs

from hallmark.index.prepare import resolved
from hallmark.match.compare import compare_works
from hallmark.records.answer import Answer, Found, SourceAnswer
from hallmark.records.evidence import Evidence
from hallmark.records.reference import Reference
from hallmark.records.source import Question
from hallmark.records.work import Version
from hallmark.sources.interface import SourceSpec, Way
from hallmark.text.venues import VenueTable

_BY_ID = frozenset({Way.DOI, Way.ARXIV, Way.PMID, Way.ISBN})


class Case:
    """One reference with the answers that it has had so far.

    Args:
        reference: the claim.
        evidence: what the index holds about it; without answers where there is no index.
        venues: resolves the venues of records.
    """

    def __init__(self, reference: Reference, evidence: Evidence, venues: VenueTable) -> None:
        self.reference = reference
        self._local = evidence
        self._venues = venues
        self._answers: dict[tuple[str, Way], tuple[SourceSpec, Answer]] = {}
        self.ought: tuple[str, ...] = ()
        self.venue_exists: bool | None = None

    @cached_property
    def question(self) -> Question:
        """What sources are asked."""
        return Question.about(self.reference)

    def add(self, spec: SourceSpec, way: Way, answer: Answer) -> None:
        """Note the answer of a source to one way of asking."""
        self._answers[spec.name, way] = (spec, answer)

    def asked(self, source: str, way: Way) -> bool:
        """Whether the source was asked this way."""
        return (source, way) in self._answers

    def evidence(
        self, doubt: Callable[[str, Answer], Answer] = lambda _, answer: answer
    ) -> Evidence:
        """Return all that is known.

        Args:
            doubt: what is left of a source's answer in view of all its answers of the run.
        """
        answers = tuple(self._given(doubt))
        versions = self._records(answers)
        if not versions:
            works = self._local.works
        else:
            held = [one.version for work in self._local.works for one in work.versions]
            works = compare_works(self.reference, (*held, *versions), self._local.venue)
        return structs.replace(
            self._local,
            answers=(*self._local.answers, *answers),
            works=works,
            ought=self.ought,
            venue_exists=self.venue_exists,
        )

    def _given(self, doubt: Callable[[str, Answer], Answer]) -> Iterable[SourceAnswer]:
        for (name, way), (spec, answer) in sorted(self._answers.items()):
            yield SourceAnswer(
                name,
                doubt(name, answer),
                live=True,
                registry=way in _BY_ID and (bool(spec.registry_of) or name == "arxiv"),
            )

    def _records(self, answers: Iterable[SourceAnswer]) -> list[Version]:
        """Return the records of all answers, each once, with the identities of their venues."""
        found = (
            version
            for one in answers
            if isinstance(one.answer, Found)
            for version in one.answer.versions
        )
        return [resolved(version, self._venues) for version in dict.fromkeys(found)]
