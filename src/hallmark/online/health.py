"""May the answers of a source be trusted in this run?

A service that is broken may still answer, and find nothing. Before a source is first asked, it is
probed for a work that it is known to hold. Then the share of its absences is watched: when it lies
beyond what chance allows above the usual, the probe is repeated, and as long as that fails its
absences count as no answer, so that no bibliography is turned into fabrications by a fault.
"""

from collections import defaultdict
from collections.abc import Mapping

from msgspec import Struct

from hallmark.records.answer import Absent, Answer, Found, Registered, Unavailable
from hallmark.records.source import Question
from hallmark.sources.interface import Way
from hallmark.text.names import split_authors

CHANCE = 0.001
"""Probability of a run of absences below which it is no accident."""
USUAL = {Way.TITLE: 0.7, Way.DOI: 0.5, Way.ARXIV: 0.5, Way.PMID: 0.5, Way.ISBN: 0.7}
"""Share of absences, in [0, 1], that is still usual, by the way of asking. What the index knows is
not asked, so that every second question or more may be about a work that a source lacks."""


class Probe(Struct, frozen=True):
    """A question whose answer is known: the source holds this work."""

    way: Way
    question: Question


def _probe(way: Way, title: str, author: str, **more: str) -> Probe:
    return Probe(way, Question(title=title, authors=split_authors(author)[0], **more))  # type: ignore[arg-type]


_LEARNING = ("Deep learning", "Yann LeCun")
_ATTENTION = ("Attention is All you Need", "Ashish Vaswani")
_FOLD = ("Highly accurate protein structure prediction with AlphaFold", "John Jumper")
_BERT = (
    "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
    "Jacob Devlin",
)
_GRAPHS = ("Graph Attention Networks", "Petar Veličković")
_PROGRAMMING = ("The Art of Computer Programming", "Donald E. Knuth")

PROBES: Mapping[str, Probe] = {
    "crossref": _probe(Way.DOI, *_LEARNING, doi="10.1038/nature14539"),
    "datacite": _probe(Way.DOI, *_ATTENTION, doi="10.48550/arxiv.1706.03762"),
    "doi_org": _probe(Way.DOI, *_LEARNING, doi="10.1038/nature14539"),
    "openalex": _probe(Way.DOI, *_LEARNING, doi="10.1038/nature14539"),
    "semanticscholar": _probe(Way.DOI, *_LEARNING, doi="10.1038/nature14539"),
    "dblp": _probe(Way.TITLE, *_ATTENTION),
    "arxiv": _probe(Way.ARXIV, *_ATTENTION, arxiv="1706.03762"),
    "acl": _probe(Way.DOI, *_BERT, doi="10.18653/v1/n19-1423"),
    "europepmc": _probe(Way.DOI, *_FOLD, doi="10.1038/s41586-021-03819-2"),
    "pubmed": _probe(Way.DOI, *_FOLD, doi="10.1038/s41586-021-03819-2"),
    "openreview": _probe(Way.TITLE, *_GRAPHS),
    "openlibrary": _probe(Way.TITLE, *_PROGRAMMING),
}
"""A work that each source is known to hold; a source without a row is not probed."""


HOPELESS = 10
"""Questions in a row without an answer after which a source is no longer asked in a run."""


class Count(Struct):
    """How a source answered one way of asking; `silent` counts failures since the last answer."""

    found: int = 0
    absent: int = 0
    unavailable: int = 0
    silent: int = 0

    @property
    def answered(self) -> int:
        """The questions that were answered."""
        return self.found + self.absent


class Health:
    """What the sources answered in a run, and which of them are doubted."""

    def __init__(self) -> None:
        self.counts: dict[tuple[str, Way], Count] = defaultdict(Count)
        self._doubts: dict[str, str] = {}
        self._checked: dict[tuple[str, Way], int] = {}

    def observe(self, source: str, way: Way, answer: Answer) -> None:
        """Note an answer to a question about a reference."""
        count = self.counts[source, way]
        match answer:
            case Found() | Registered():
                count.found += 1
                count.silent = 0
            case Absent(searched=searched):
                count.absent += bool(searched)
                count.silent = 0 if searched else count.silent
            case Unavailable():
                count.unavailable += 1
                count.silent += 1

    def is_hopeless(self, source: str, way: Way) -> bool:
        """Whether a source has left so many questions unanswered that it is not asked again."""
        return self.counts[source, way].silent >= HOPELESS

    def probed(self, source: str, answer: Answer) -> None:
        """Note the answer to a question whose answer is known."""
        match answer:
            case Found() | Registered():
                self._doubts.pop(source, None)
            case Absent():
                self._doubts[source] = (
                    "Its answers look wrong: it does not find a work that it is known to hold."
                )
            case Unavailable():
                pass

    def is_suspicious(self, source: str, way: Way) -> bool:
        """Whether a source lacks more than chance allows, and more since it was last probed."""
        count = self.counts[source, way]
        last = self._checked.get((source, way), 0)
        if count.answered < 2 * last or not is_unusual(count.absent, count.answered, USUAL[way]):
            return False
        self._checked[source, way] = count.answered
        return True

    def suspect(self, source: str) -> None:
        """Doubt a source that lacks too much and cannot be probed."""
        self._doubts.setdefault(
            source, "Its answers look wrong: it finds far less than is usual, and no probe helped."
        )

    def doubted(self, source: str, answer: Answer) -> Answer:
        """Return an answer, or none in place of an absence that is not to be trusted."""
        reason = self._doubts.get(source)
        return Unavailable(reason) if reason and isinstance(answer, Absent) else answer

    def doubts(self) -> dict[str, str]:
        """Return the sources whose absences do not count, with the reason."""
        return dict(self._doubts)


def is_unusual(absent: int, answered: int, usual: float) -> bool:
    """Whether so many absences, or more, are less likely than `CHANCE` at the usual share.

    The tail of the binomial distribution, summed from the far end.
    """
    if answered == 0 or absent <= usual * answered:
        return False
    tail, term = 0.0, usual**answered
    for number in range(answered, absent - 1, -1):
        tail += term
        if number > 0 and usual < 1.0:
            term *= number * (1.0 - usual) / ((answered - number + 1) * usual)
    return tail < CHANCE
