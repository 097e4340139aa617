"""How is Google Books asked, and how are its volumes read?

API as documented at https://developers.google.com/books/docs/v1/using. Its records are gathered
from publishers, libraries and scans; they are EXTRACTED, and never reject a list of authors alone.
"""

from collections.abc import Sequence

from msgspec import Raw, Struct

from hallmark.records.answer import Answer, Unavailable
from hallmark.records.reference import Kind
from hallmark.records.source import Question
from hallmark.records.work import Quality, Version
from hallmark.sources import asking, decode, identify
from hallmark.sources.asking import Held, Listed
from hallmark.sources.interface import Ask, Rate, Request, SourceSpec, Way
from hallmark.sources.near import telling_words
from hallmark.text import clean, identifiers

SPEC = SourceSpec(
    name="googlebooks",
    title="Google Books",
    base="https://www.googleapis.com/books/v1",
    rate=Rate(1),
    keyed_rate=Rate(2),
    ways=(Way.ISBN, Way.TITLE),
    batch={"isbn": 1},
    kinds=frozenset({Kind.BOOK}),
    key_variable="GOOGLE_BOOKS_API_KEY",
    key_param="key",
    sends="ISBNs; words of titles",
    homepage="https://developers.google.com/books/terms",
    covers="books of all fields",
    quirks=(
        "Books only, and one request for each: a daily quota of 1,000 without a paid plan.",
        "A search without result has a count of 0 and no list.",
        "Titles of journals' bound volumes are among the results; only near titles are taken.",
        "An error comes as an object `error`, also with status 200.",
    ),
    facts_as_of="2026-12",
)

ROWS = 5
_MOST_WORDS = 8
_FIELDS = "totalItems,items(id,volumeInfo(title,subtitle,authors,publisher,publishedDate,industryIdentifiers,printType))"  # noqa: E501 - one value of the service


class Identifier(Struct):
    """An ISBN."""

    identifier: str | None = None


class Info(Struct, rename="camel"):
    """One volume, as far as it is needed."""

    title: str | None = None
    subtitle: str | None = None
    authors: list[str] | None = None
    publisher: str | None = None
    published_date: str | None = None
    industry_identifiers: list[Identifier] | None = None


class Volume(Struct, rename="camel"):
    """One result."""

    volume_info: Info
    id: str | None = None


class _Reply(Struct, rename="camel"):
    total_items: int
    items: list[Raw] | None = None


class GoogleBooks:
    """Google Books, asked by ISBN and by title, one book at a time."""

    def __init__(self, spec: SourceSpec = SPEC) -> None:
        self.spec = spec

    async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        """Answer every question, in order."""
        if way is Way.TITLE:
            return await asking.by_title(questions, lambda question: self._search(question, ask))
        if way is Way.ISBN:
            return await asking.by_identifier(
                questions,
                identify.isbn,
                lambda isbns: self._by_isbn(isbns[0], ask),
                way="isbn",
                size=1,
            )
        return asking.not_asked(questions)

    async def _by_isbn(self, isbn: str, ask: Ask) -> Held | Unavailable:
        found = await self._volumes(f"isbn:{isbn}", ask)
        if isinstance(found, Unavailable):
            return found
        volumes, unread = found
        held = [version(one) for one in volumes if isbn in _isbns(one.volume_info)]
        if any(not _isbns(one.volume_info) for one in volumes):
            unread = unread or asking.NAMELESS
        return Held({isbn: held}, unread=unread)

    async def _search(self, question: Question, ask: Ask) -> Listed | Unavailable:
        words = telling_words(question.title, _MOST_WORDS)
        found = await self._volumes(" ".join(f"intitle:{word}" for word in words), ask)
        if isinstance(found, Unavailable):
            return found
        volumes, unread = found
        return Listed([version(one) for one in volumes], unread)

    async def _volumes(self, query: str, ask: Ask) -> tuple[list[Volume], str] | Unavailable:
        params = (
            ("q", query),
            ("maxResults", str(ROWS)),
            ("printType", "books"),
            ("fields", _FIELDS),
        )
        reply = await ask(Request(self.spec.name, f"{self.spec.base}/volumes", params))
        found = decode.json_as(_Reply, reply)
        if isinstance(found, Unavailable):
            return found
        if found.total_items and not found.items:
            return Unavailable(asking.EMPTY)
        return decode.each_as(Volume, found.items or ())


def _isbns(info: Info) -> set[str]:
    found = (identifiers.isbn(one.identifier or "") for one in info.industry_identifiers or ())
    return {isbn for isbn in found if isbn}


def version(volume: Volume) -> Version:
    """Return the version that a volume describes."""
    info = volume.volume_info
    authors, cut = clean.people(info.authors)
    main, sub = clean.line(info.title), clean.line(info.subtitle)
    return Version(
        collection=SPEC.name,
        title=(f"{main}: {sub}" if main and sub else main)[: clean.MAX_TITLE],
        authors=authors,
        origin=clean.field(volume.id),
        authors_truncated=cut,
        quality=Quality.EXTRACTED,
        title_others=(main[: clean.MAX_TITLE],) if main and sub else (),
        venue_raw=clean.field(info.publisher),
        year=clean.year(info.published_date),
        url=f"https://books.google.com/books?id={clean.field(volume.id)}" if volume.id else "",
        kind="book",
    )
