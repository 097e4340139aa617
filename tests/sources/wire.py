"""Which replies do the tests give in place of the services?"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from hallmark.records.answer import Answer, Found, Unavailable
from hallmark.records.source import Question
from hallmark.records.work import Version
from hallmark.sources.conformance import Example
from hallmark.sources.interface import LiveSource, Reply, Request, Way

WIRE = Path(__file__).parent.parent / "wire"

TITLE = "Tidal Memory: A Theory of Slow Networks"
DOI = "10.5555/tides.2021.7"
ISBN = "9780000000019"


def reply(name: str, status: int = 200) -> Reply:
    """Return one of our own payloads as a reply."""
    return Reply(status, (WIRE / name).read_bytes())


class Service:
    """A service that answers by the end of the address, and notes what it is asked."""

    def __init__(self, replies: Mapping[str, Reply | Unavailable] | Reply) -> None:
        self.requests: list[Request] = []
        self._replies = replies

    async def ask(self, request: Request) -> Reply | Unavailable:
        self.requests.append(request)
        if isinstance(self._replies, Reply):
            return self._replies
        return next(one for part, one in self._replies.items() if part in request.url)

    @property
    def asked(self) -> list[str]:
        """What was asked: the addresses without their beginnings, with the main parameter."""
        return [
            f"{one.url.partition('//')[2].partition('/')[2]} {dict(one.params)}"
            for one in self.requests
        ]


def look_up(
    source: LiveSource, way: Way, questions: Sequence[Question], service: Service
) -> list[Answer]:
    """Ask a source about all questions."""
    return asyncio.run(source.look_up(way, questions, service.ask))


def ask_one(source: LiveSource, way: Way, question: Question, service: Service) -> Answer:
    """Ask a source about one question."""
    return look_up(source, way, [question], service)[0]


def versions(answer: Answer) -> tuple[Version, ...]:
    """Return what was found."""
    assert isinstance(answer, Found), answer
    return answer.versions


def by_part(**names: str) -> Callable[[Request], Reply]:
    """Return a script that answers by a part of the address; "_" stands for every other one."""

    def answer(request: Request) -> Reply:
        found = next((one for part, one in names.items() if part in request.url), None)
        return reply(found or names["_"])

    return answer


_SUBTITLED = frozenset({"subtitle", "i"})
"""Parts of titles; without them, what is left is another title."""
_NULL = frozenset({"0"})
"""Semantic Scholar's way to say that it does not know an identifier: null in its place."""

EXAMPLES: dict[str, list[Example]] = {
    "crossref": [
        Example(Way.DOI, Question("", doi=DOI), by_part(_="crossref-works.json")),
        Example(
            Way.DOI,
            Question("", doi="10.5555/tides,2021"),
            by_part(_="crossref-work.json"),
            missing_is_absent=True,
        ),
        Example(
            Way.TITLE,
            Question(TITLE),
            by_part(_="crossref-search.json"),
        ),
    ],
    "datacite": [
        Example(
            Way.DOI, Question("", doi="10.48550/arxiv.2101.00007"), by_part(_="datacite-dois.json")
        ),
        Example(Way.ARXIV, Question("", arxiv="2101.00007"), by_part(_="datacite-dois.json")),
        Example(Way.TITLE, Question(TITLE), by_part(_="datacite-dois.json"), decisive=_SUBTITLED),
    ],
    "doi_org": [Example(Way.DOI, Question("", doi=DOI), by_part(_="doi_org-ra.json"))],
    "openalex": [
        Example(Way.DOI, Question("", doi=DOI), by_part(_="openalex-works.json")),
        Example(
            Way.DOI,
            Question("", doi="10.5555/tides,2021"),
            by_part(_="openalex-work.json"),
            missing_is_absent=True,
        ),
        Example(Way.ARXIV, Question("", arxiv="2101.00007"), by_part(_="openalex-arxiv.json")),
        Example(Way.PMID, Question("", pmid="700007"), by_part(_="openalex-works.json")),
        Example(Way.TITLE, Question(TITLE), by_part(_="openalex-works.json"), decisive=_SUBTITLED),
    ],
    "dblp": [
        Example(
            Way.TITLE,
            Question("Tidal Memory & Waves: A Theory of Slow Networks"),
            by_part(_="dblp-publ.json"),
        ),
        Example(
            Way.TITLE,
            Question("Counting Waves in Shallow Water"),
            by_part(_="dblp-publ-one.json"),
            decisive=_SUBTITLED,
        ),
        Example(
            Way.TITLE,
            Question("Counting Waves in Shallow Water"),
            by_part(_="dblp-publ.xml"),
            decisive=_SUBTITLED,
        ),
    ],
    "semanticscholar": [
        Example(
            Way.DOI, Question("", doi=DOI), by_part(_="semanticscholar-batch.json"), decisive=_NULL
        ),
        Example(
            Way.ARXIV,
            Question("", arxiv="2101.00007"),
            by_part(_="semanticscholar-batch.json"),
            decisive=_NULL,
        ),
        Example(
            Way.PMID,
            Question("", pmid="7"),
            by_part(_="semanticscholar-batch.json"),
            decisive=_NULL,
        ),
        Example(
            Way.TITLE, Question(TITLE), by_part(_="semanticscholar-match.json"), decisive=_SUBTITLED
        ),
    ],
    "arxiv": [
        Example(Way.ARXIV, Question("", arxiv="2101.00007"), by_part(_="arxiv-query.xml")),
        Example(
            Way.DOI, Question("", doi="10.48550/arxiv.2101.00007"), by_part(_="arxiv-query.xml")
        ),
        Example(
            Way.TITLE,
            Question("Tidal Memory: A Theory of Slow Öscillators"),
            by_part(_="arxiv-query.xml"),
            decisive=_SUBTITLED,
        ),
    ],
    "openreview": [
        Example(
            Way.TITLE,
            Question(TITLE),
            by_part(_="openreview-v2.json"),
            decisive=frozenset({"title", "value", "venueid"}),
            requests=2,
        ),
    ],
    "acl": [
        Example(
            Way.DOI,
            Question("", doi="10.18653/v1/2021.invent-long.7"),
            by_part(_="acl-entry.bib"),
            missing_is_absent=True,
        )
    ],
    "europepmc": [
        Example(Way.DOI, Question("", doi=DOI), by_part(_="europepmc-one.json")),
        Example(Way.PMID, Question("", pmid="700007"), by_part(_="europepmc-one.json")),
        Example(Way.TITLE, Question(TITLE), by_part(_="europepmc-search.json")),
    ],
    "pubmed": [
        Example(
            Way.PMID,
            Question("", pmid="700007"),
            by_part(_="pubmed-efetch.xml"),
            decisive=frozenset({"PubmedArticle"}),
        ),
        Example(
            Way.DOI,
            Question("", doi=DOI),
            by_part(esearch="pubmed-esearch.json", _="pubmed-efetch.xml"),
        ),
        Example(
            Way.TITLE,
            Question(TITLE),
            by_part(esearch="pubmed-esearch.json", _="pubmed-efetch.xml"),
            decisive=_SUBTITLED,
        ),
    ],
    "biorxiv": [
        Example(
            Way.DOI,
            Question("", doi="10.1101/2020.12.30.424242"),
            by_part(_="biorxiv-details.json"),
        )
    ],
    "openlibrary": [
        Example(
            Way.ISBN,
            Question("", isbn=ISBN),
            by_part(_="openlibrary-books.json"),
            decisive=frozenset({f"ISBN:{ISBN}"}),
        ),
        Example(
            Way.TITLE, Question(TITLE), by_part(_="openlibrary-search.json"), decisive=_SUBTITLED
        ),
    ],
    "googlebooks": [
        Example(Way.ISBN, Question("", isbn=ISBN), by_part(_="googlebooks-volumes.json")),
        Example(
            Way.TITLE, Question(TITLE), by_part(_="googlebooks-volumes.json"), decisive=_SUBTITLED
        ),
    ],
}
"""Every way of asking every source, by the source's name."""
