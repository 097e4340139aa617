"""How is Open Library asked, and how are its books read?

APIs as documented at https://openlibrary.org/developers/api (Books and Search). Its records are
gathered from many catalogues and edited by everybody; they are EXTRACTED, and never reject a list
of authors alone.
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
from hallmark.sources.near import search_text
from hallmark.text import clean

SPEC = SourceSpec(
    name="openlibrary",
    title="Open Library",
    base="https://openlibrary.org",
    rate=Rate(1),
    contact_rate=Rate(3, connections=2),
    ways=(Way.ISBN, Way.TITLE),
    batch={"isbn": 50},
    kinds=frozenset({Kind.BOOK}),
    sends="ISBNs; titles",
    homepage="https://openlibrary.org/developers/api",
    covers="books of all fields",
    quirks=(
        "Books only: a paper that it lacks is not absent.",
        "A work has many editions: the years of all of them may be cited.",
        "The author is not asked for, so that a wrong one hides no book.",
        "ISBNs that it does not know are left out of the answer.",
    ),
    facts_as_of="2026-12",
)

ROWS = 5
MOST_YEARS = 60
"""Years of editions that are kept."""
_FIELDS = "key,title,subtitle,author_name,first_publish_year,publish_year,publisher"


class Named(Struct):
    """An author or publisher."""

    name: str | None = None


class Edition(Struct):
    """One edition, as far as it is needed."""

    title: str | None = None
    subtitle: str | None = None
    authors: list[Named] | None = None
    publishers: list[Named] | None = None
    publish_date: str | None = None
    url: str | None = None
    key: str | None = None


class Work(Struct):
    """One work of the search, with what its editions say."""

    key: str | None = None
    title: str | None = None
    subtitle: str | None = None
    author_name: list[str] | None = None
    first_publish_year: int | None = None
    publish_year: list[int] | None = None
    publisher: list[str] | None = None


class _Reply(Struct, rename="camel"):
    docs: list[Raw]
    num_found: int | None = None


class OpenLibrary:
    """Open Library, asked by ISBN in batches and by title."""

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
                lambda isbns: self._by_isbn(isbns, ask),
                way="isbn",
                size=self.spec.batch["isbn"],
            )
        return asking.not_asked(questions)

    async def _by_isbn(self, isbns: Sequence[str], ask: Ask) -> Held | Unavailable:
        keys = ",".join(f"ISBN:{isbn}" for isbn in isbns)
        params = (("bibkeys", keys), ("format", "json"), ("jscmd", "data"))
        reply = await ask(Request(self.spec.name, f"{self.spec.base}/api/books", params))
        found = decode.json_as(dict[str, Raw], reply)
        if isinstance(found, Unavailable):
            return found
        if found and not any(key.startswith("ISBN:") for key in found):
            return Unavailable("It answered with something that nobody asked for.")
        held: dict[str, list[Version]] = {}
        failed: dict[str, str] = {}
        for isbn in isbns:
            raw = found.get(f"ISBN:{isbn}")
            book = None if raw is None else decode.parsed(Edition, bytes(raw))
            if isinstance(book, Unavailable):
                failed[isbn] = book.reason
            elif book is not None:
                held[isbn] = [_edition(book)]
        return Held(held, failed)

    async def _search(self, question: Question, ask: Ask) -> Listed | Unavailable:
        words = search_text(question.title)
        params = (("title", words), ("limit", str(ROWS)), ("fields", _FIELDS))
        reply = await ask(Request(self.spec.name, f"{self.spec.base}/search.json", params))
        found = decode.json_as(_Reply, reply)
        if isinstance(found, Unavailable):
            return found
        if found.num_found and not found.docs:
            return Unavailable(asking.EMPTY)
        works, unread = decode.each_as(Work, found.docs)
        return Listed([_work(one) for one in works], unread)


def whole_title(title: str | None, subtitle: str | None) -> str:
    """Return title and subtitle as one."""
    main, sub = clean.line(title), clean.line(subtitle)
    return (f"{main}: {sub}" if main and sub else main)[: clean.MAX_TITLE]


def _edition(book: Edition) -> Version:
    authors, cut = clean.people([one.name for one in book.authors or ()])
    publishers = [clean.field(one.name) for one in book.publishers or ()]
    return Version(
        collection=SPEC.name,
        title=whole_title(book.title, book.subtitle),
        authors=authors,
        origin=clean.field(book.key),
        authors_truncated=cut,
        quality=Quality.EXTRACTED,
        title_others=_alone(book.title, book.subtitle),
        venue_raw=publishers[0] if publishers else "",
        year=clean.year(book.publish_date),
        url=clean.field(book.url),
        kind="book",
    )


def _work(work: Work) -> Version:
    authors, cut = clean.people(work.author_name)
    listed = (work.first_publish_year, *sorted(work.publish_year or ()))
    years = tuple(dict.fromkeys(one for year in listed if (one := clean.year(year)) is not None))
    return Version(
        collection=SPEC.name,
        title=whole_title(work.title, work.subtitle),
        authors=authors,
        origin=clean.field(work.key),
        authors_truncated=cut,
        quality=Quality.EXTRACTED,
        title_others=_alone(work.title, work.subtitle),
        venue_raw=clean.field(work.publisher[0]) if work.publisher else "",
        year=years[0] if years else None,
        years=years[1:MOST_YEARS],
        url=f"https://openlibrary.org{clean.field(work.key)}" if work.key else "",
        kind="book",
    )


def _alone(title: str | None, subtitle: str | None) -> tuple[str, ...]:
    """Return the title without its subtitle, where there is one."""
    main = clean.line(title)[: clean.MAX_TITLE]
    return (main,) if main and subtitle else ()
