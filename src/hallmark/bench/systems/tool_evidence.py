"""What would plain rules have said of what an agent's tools returned?

The transcripts of a run and its kept results become a file of evidence, as `recorded-*` systems
read it: any-miss, majority and consensus over the very records that the model saw (the paper,
appendix D).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from hallmark.bench.entry import Prediction
from hallmark.bench.systems.tool_cache import ToolCache
from hallmark.errors import InputError
from hallmark.llm.agent import CallOutcome
from hallmark.records.answer import Absent, Answer, Found, SourceAnswer, Unavailable
from hallmark.records.work import Version
from hallmark.text import clean, identifiers

SCHEMA = "hallmark.evidence/1"
SEARCHED = {
    "search_crossref": "crossref",
    "search_openalex": "openalex",
    "search_arxiv": "arxiv",
}
"""The tools that search by title, and the source that each asks."""
_TITLE = ("title",)


class Lookups(Struct, frozen=True):
    """What sources answered to an agent about one entry."""

    key: str
    answers: tuple[SourceAnswer, ...]

    def row(self) -> dict[str, Any]:
        """Return the line of a file of evidence."""
        return {
            "schema": SCHEMA,
            "reference": {"key": self.key},
            "evidence": {"answers": self.answers},
        }


def lookups(predictions: Iterable[Prediction], cache: ToolCache) -> Iterator[Lookups]:
    """Yield what sources answered about each entry, in order.

    Args:
        predictions: of an agent, with their transcripts.
        cache: the kept results of that run.

    Raises:
        InputError: a prediction has no transcript, or a result that it tells of is not kept.
    """
    for prediction in predictions:
        answers = (_answer(prediction, call, cache) for call in _calls(prediction))
        yield Lookups(prediction.bibtex_key, tuple(one for one in answers if one is not None))


def _calls(prediction: Prediction) -> Iterator[Mapping[str, Any]]:
    transcript = prediction.extra.get("transcript")
    if not isinstance(transcript, list):
        raise InputError(
            f"The prediction for {prediction.bibtex_key!r} has no transcript. Give the file of an "
            "agent's run (hallmark bench run agent-sources ...)."
        )
    for turn in transcript:
        calls = turn.get("calls") if isinstance(turn, dict) else None
        yield from (call for call in calls or () if isinstance(call, dict))


def _answer(
    prediction: Prediction, call: Mapping[str, Any], cache: ToolCache
) -> SourceAnswer | None:
    source = SEARCHED.get(str(call.get("tool")))
    if source is None:
        return None
    match call.get("outcome"):
        case CallOutcome.ANSWERED.value:
            answer = _kept(prediction, call, source, cache)
        case CallOutcome.UNANSWERED.value:
            answer = Unavailable("It did not answer the agent.")
        case _:
            return None
    return SourceAnswer(source, answer, live=True)


def _kept(prediction: Prediction, call: Mapping[str, Any], source: str, cache: ToolCache) -> Answer:
    kept = cache.get(str(call["tool"]), str(call.get("arguments")))
    if kept is None:
        raise InputError(
            f"A result of {call['tool']} for {prediction.bibtex_key!r} is not kept. Name the "
            "--cache of the run that the predictions are from."
        )
    records = kept.data.get("records")
    listed = records if isinstance(records, list) else []
    versions = tuple(_version(source, one) for one in listed if isinstance(one, dict))
    return Found(versions, _TITLE) if versions else Absent(_TITLE)


def _version(source: str, shown: Mapping[str, Any]) -> Version:
    """Return a record as the model saw it, as far as that tells."""
    names = clean.field(shown.get("authors")).split("; ")
    cut = names[-1] == "and others"
    return Version(
        collection=source,
        title=clean.field(shown.get("title")),
        authors=tuple(filter(None, names[:-1] if cut else names)),
        authors_truncated=cut,
        venue=clean.field(shown.get("venue")),
        venue_raw=clean.field(shown.get("venue")),
        year=clean.year(shown.get("year")),
        doi=identifiers.doi(clean.field(shown.get("doi"))),
    )
