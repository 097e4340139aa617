"""How do many questions become few requests, and replies one answer for each question?

Two patterns that nearly every source follows. By identifier: the distinct identifiers are asked in
batches; what a batch's reply does not hold is `Absent`. By title: one search for each distinct
question, of whose records only those count that could be meant.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, runtime_checkable

from msgspec import Struct

from hallmark.records.answer import Absent, Answer, Found, Unavailable
from hallmark.records.source import Question
from hallmark.records.work import Version
from hallmark.sources.interface import Ask, SourceSpec
from hallmark.sources.near import is_near, search_words

LONGEST_LIST = 6000
"""Characters of the identifiers of one GET request: servers take 8 KB of address, less what
encoding adds."""


class Held(Struct, frozen=True):
    """What the reply to a batch holds.

    `versions` are the records by the identifiers asked for, `failed` why there is no answer for
    one of them. `unread` says why records of the reply could not be read: then what is missing may
    be among them, and is no absence.
    """

    versions: Mapping[str, Sequence[Version]] = {}
    failed: Mapping[str, str] = {}
    unread: str = ""


class Listed(Struct, frozen=True):
    """What the reply to a search holds; `unread` as in `Held`."""

    versions: Sequence[Version] = ()
    unread: str = ""


@runtime_checkable
class SearchSource(Protocol):
    """A live source that also tells what a search brings, whether it is near or not."""

    @property
    def spec(self) -> SourceSpec:
        """What is known of it before it is asked."""
        ...

    async def search(self, question: Question, ask: Ask, rows: int) -> Listed | Unavailable:
        """Return the first records, at most `rows` of them, that the service finds for a title."""
        ...


Identify = Callable[[Question], str | None]
Fetch = Callable[[Sequence[str]], Awaitable[Held | Unavailable]]
Search = Callable[[Question], Awaitable[Listed | Unavailable]]

NOT_ASKED = Absent(searched=())
"""The answer to a question that lacks what the source is asked by."""


async def by_identifier(
    questions: Sequence[Question],
    identify: Identify,
    fetch: Fetch,
    *,
    way: str,
    size: int,
    alone: Callable[[str], bool] = lambda _: False,
    longest: int = LONGEST_LIST,
) -> list[Answer]:
    """Answer questions by their identifiers, each asked once, at most `size` in a request.

    Args:
        questions: the questions, any number of them.
        identify: the identifier of a question, None where it has none.
        fetch: asks for one batch.
        way: what is searched, for the answers ("doi").
        size: identifiers in one request.
        alone: whether an identifier needs a request of its own; none does by default.
        longest: characters of the identifiers in one request.
    """
    asked = [identify(question) for question in questions]
    distinct = list(dict.fromkeys(one for one in asked if one is not None))
    lists = [
        *batches([one for one in distinct if not alone(one)], size, longest),
        *([one] for one in distinct if alone(one)),
    ]
    replies = await asyncio.gather(*map(fetch, lists))
    answers: dict[str, Answer] = {}
    for wanted, reply in zip(lists, replies, strict=True):
        answers.update({one: _of_batch(one, reply, way) for one in wanted})
    return [NOT_ASKED if one is None else answers[one] for one in asked]


def not_asked(questions: Sequence[Question]) -> list[Answer]:
    """Return the answers of a source that cannot be asked in this way."""
    return [NOT_ASKED for _ in questions]


def held(
    versions: Iterable[Version], identifier: Callable[[Version], str | None], unread: str = ""
) -> Held:
    """Return the versions by the identifier they were asked by.

    One without it may be the answer to any of the questions, so that none is surely absent.
    """
    groups: dict[str, list[Version]] = {}
    for version in versions:
        found = identifier(version)
        if found:
            groups.setdefault(found, []).append(version)
        else:
            unread = unread or NAMELESS
    return Held(groups, unread=unread)


NAMELESS = "It answered with a record that does not say by which identifier it was asked for."
UNTITLED = "It answered a search for a title with a record that has none."
EMPTY = "It counts records, and shows none."


def batches(
    identifiers: Sequence[str], size: int, longest: int = LONGEST_LIST
) -> Iterator[list[str]]:
    """Cut a list into batches of at most `size`, and at most `longest` characters each."""
    batch: list[str] = []
    length = 0
    for one in identifiers:
        if batch and (len(batch) == size or length + len(one) > longest):
            yield batch
            batch, length = [], 0
        batch.append(one)
        length += len(one)
    if batch:
        yield batch


def _of_batch(identifier: str, reply: Held | Unavailable, way: str) -> Answer:
    if isinstance(reply, Unavailable):
        return reply
    if versions := reply.versions.get(identifier):
        return Found(tuple(versions), (way,))
    if reason := reply.failed.get(identifier, reply.unread):
        return Unavailable(reason)
    return Absent((way,))


async def by_title(questions: Sequence[Question], search: Search) -> list[Answer]:
    """Answer questions by their titles; questions about the same title are asked once."""
    distinct = list(dict.fromkeys(filter(has_title, questions)))
    replies = await asyncio.gather(*map(search, distinct))
    answers = {
        question: of_search(question, reply)
        for question, reply in zip(distinct, replies, strict=True)
    }
    return [answers.get(question, NOT_ASKED) for question in questions]


def has_title(question: Question) -> bool:
    """Whether there is a title to search for."""
    return bool(search_words(question.title))


def of_search(question: Question, reply: Listed | Unavailable) -> Answer:
    """Return the records of a search that could be the work asked about.

    One without a title may be it, so that the work is not surely absent.
    """
    if isinstance(reply, Unavailable):
        return reply
    near = tuple(version for version in reply.versions if is_near(question.title, version))
    if near:
        return Found(near, ("title",))
    untitled = UNTITLED if any(not version.title for version in reply.versions) else ""
    unread = reply.unread or untitled
    return Unavailable(unread) if unread else Absent(("title",))
