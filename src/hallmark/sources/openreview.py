"""How is OpenReview asked, and which of its papers were accepted?

Two interfaces: the second (api2, venues from 2023 on) wraps every field of a note in
`{"value": ...}`, the first (api) does not. Searching notes is open to everybody; other end-points
may want a login (https://docs.openreview.net). A paper counts only where its `venueid` says that
it was accepted: submissions, rejected and withdrawn ones are no publications.
"""

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Raw, Struct

from hallmark.records.answer import Answer, Found, Unavailable
from hallmark.records.reference import Kind
from hallmark.records.source import Question
from hallmark.records.work import Version
from hallmark.sources import asking, decode
from hallmark.sources.asking import Listed
from hallmark.sources.interface import Ask, Rate, Request, SourceSpec, Way
from hallmark.sources.near import search_text
from hallmark.text import clean

SPEC = SourceSpec(
    name="openreview",
    title="OpenReview",
    base="https://api2.openreview.net",
    more_bases=("https://api.openreview.net",),
    rate=Rate(1),
    ways=(Way.TITLE,),
    kinds=frozenset({Kind.PAPER}),
    fields=("computer science",),
    sends="titles",
    homepage="https://openreview.net/legal/terms",
    covers="papers accepted at ICLR, NeurIPS, TMLR, COLM and workshops that review there",
    quirks=(
        "Two interfaces with different forms: venues from 2023 on, and those before.",
        "Only `venueid` tells accepted papers from submitted, rejected and withdrawn ones.",
        "Notes before 2021 have no `venueid`, and cannot be told from submissions: left out.",
        "Records that people imported from DBLP are not OpenReview's own and are left out.",
        "Callers without a login may be refused (403).",
    ),
    facts_as_of="2026-12",
)

LIMIT = 10
_NOT_ACCEPTED = re.compile(
    r"submission|submitted|withdrawn|reject|under[_ ]review|decision_pending|desk", re.IGNORECASE
)
_FOREIGN = ("dblp.org/", "arxiv.org/")
_YEAR = re.compile(r"(?<!\d)(20\d\d)(?!\d)")
_MS_PER_YEAR = 31_556_952_000
_EPOCH = 1970


class Note(Struct):
    """One note, as far as it is needed; `content` has a form for each interface."""

    content: dict[str, Any]
    id: str | None = None
    forum: str | None = None
    pdate: int | float | None = None


class _Reply(Struct):
    notes: list[Raw]


class OpenReview:
    """OpenReview, asked by title, first over the second interface, then over the first."""

    def __init__(self, spec: SourceSpec = SPEC) -> None:
        self.spec = spec

    async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        """Answer every question, in order."""
        if way is not Way.TITLE:
            return asking.not_asked(questions)
        return await asking.by_title(questions, lambda question: self._search(question, ask))

    async def _search(self, question: Question, ask: Ask) -> Listed | Unavailable:
        """Search all interfaces until one holds the paper; absent only if all have answered."""
        failure: Unavailable | None = None
        for base in (self.spec.base, *self.spec.more_bases):
            listed = await self._notes(base, question, ask)
            answer = asking.of_search(question, listed)
            if isinstance(answer, Found):
                return listed
            if isinstance(answer, Unavailable):
                failure = failure or answer
        return failure or Listed()

    async def _notes(self, base: str, question: Question, ask: Ask) -> Listed | Unavailable:
        params = (
            ("term", search_text(question.title)),
            ("type", "terms"),
            ("content", "title"),
            ("group", "all"),
            ("source", "forum"),
            ("limit", str(LIMIT)),
        )
        reply = await ask(Request(self.spec.name, f"{base}/notes/search", params))
        found = decode.json_as(_Reply, reply)
        if isinstance(found, Unavailable):
            return found
        notes, unread = decode.each_as(Note, found.notes)
        return Listed([one for note in notes if (one := version(note)) is not None], unread)


def version(note: Note) -> Version | None:
    """Return the version that an accepted note describes, None for any other."""
    venue_id, venue = _text(note, "venueid"), _text(note, "venue")
    if not is_accepted(venue_id, venue):
        return None
    authors, cut = clean.people(_value(note, "authors"))
    forum = clean.field(note.forum or note.id)
    return Version(
        collection=SPEC.name,
        title=clean.line(_value(note, "title"))[: clean.MAX_TITLE],
        authors=() if authors == ("Anonymous",) else authors,
        origin=venue_id,
        authors_truncated=cut,
        venue=venue or venue_id,
        venue_raw=venue_id,
        year=_year(note, venue_id, venue),
        url=f"https://openreview.net/forum?id={forum}" if forum else "",
        kind="accepted paper",
    )


def is_accepted(venue_id: str, venue: str) -> bool:
    """Whether the two venue fields of a note say that its paper was accepted."""
    if not venue_id or venue_id.startswith(_FOREIGN):
        return False
    return not _NOT_ACCEPTED.search(venue_id) and not _NOT_ACCEPTED.search(venue)


def _value(note: Note, name: str) -> Any:
    """Return a field's value in the form of either interface."""
    value = note.content.get(name)
    return value.get("value") if isinstance(value, dict) else value


def _text(note: Note, name: str) -> str:
    return clean.field(_value(note, name))


def _year(note: Note, venue_id: str, venue: str) -> int | None:
    """Return the year of the venue, else that of the publication date (milliseconds)."""
    told = _YEAR.search(venue_id) or _YEAR.search(venue)
    if told:
        return int(told.group())
    return clean.year(_EPOCH + int(note.pdate // _MS_PER_YEAR)) if note.pdate else None
