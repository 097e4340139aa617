import asyncio
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from hallmark.records.answer import Absent, Found, Registered, Unavailable
from hallmark.records.source import Question
from hallmark.records.work import Version
from hallmark.sources import asking
from hallmark.sources.asking import Held, Listed

_IDS = st.lists(st.text("abcxyz0123456789/.", min_size=1, max_size=40), max_size=60)


def _version(title: str, doi: str | None = None) -> Version:
    return Version(collection="x", title=title, doi=doi)


@given(_IDS, st.integers(1, 20), st.integers(1, 100))
def test_batches_keep_every_identifier_in_order(ids: list[str], size: int, longest: int) -> None:
    found = list(asking.batches(ids, size, longest))
    assert [one for batch in found for one in batch] == ids
    assert all(1 <= len(batch) <= size for batch in found)
    assert all(len(batch) == 1 or sum(map(len, batch)) <= longest for batch in found)


@given(st.lists(st.one_of(st.none(), st.integers(0, 9)), max_size=40), st.integers(1, 5))
def test_every_question_gets_its_own_answer_whatever_fails(
    numbers: list[int | None], size: int
) -> None:
    """Even identifiers are held, those divisible by three fail, the rest is absent."""

    async def fetch(ids: Sequence[str]) -> Held | Unavailable:
        held = {one: [_version(one, one)] for one in ids if int(one) % 2 == 0}
        return Held(held, {one: "no" for one in ids if int(one) % 3 == 0 and int(one) % 2})

    questions = [Question("", doi=None if one is None else str(one)) for one in numbers]
    answers = asyncio.run(
        asking.by_identifier(questions, lambda one: one.doi, fetch, way="doi", size=size)
    )
    for number, answer in zip(numbers, answers, strict=True):
        match answer:
            case Found(versions, searched):
                assert number is not None
                assert number % 2 == 0
                assert searched == ("doi",)
                assert versions[0].doi == str(number)
            case Unavailable():
                assert number is not None
                assert number % 3 == 0
            case Absent(searched):
                assert searched == (() if number is None else ("doi",))
            case Registered():
                raise AssertionError("nobody asked a resolver")


def test_a_batch_that_fails_leaves_the_others_answered() -> None:
    async def fetch(ids: Sequence[str]) -> Held | Unavailable:
        return Unavailable("It timed out.") if "1" in ids else Held()

    questions = [Question("", doi=str(number)) for number in range(4)]
    answers = asyncio.run(
        asking.by_identifier(questions, lambda one: one.doi, fetch, way="doi", size=2)
    )
    assert answers == [Unavailable("It timed out.")] * 2 + [Absent(("doi",))] * 2


def test_a_record_without_its_identifier_may_be_anybody_s() -> None:
    held = asking.held([_version("T", "a"), _version("U")], lambda one: one.doi)
    assert list(held.versions) == ["a"]
    assert held.unread == asking.NAMELESS


def test_a_title_is_searched_for_once_and_blank_ones_never() -> None:
    asked: list[str] = []

    async def search(question: Question) -> Listed | Unavailable:
        asked.append(question.title)
        return Listed([_version(question.title)])

    questions = [Question("Tidal memory"), Question(""), Question("?!"), Question("Tidal memory")]
    first, second, third, fourth = asyncio.run(asking.by_title(questions, search))
    assert asked == ["Tidal memory"]
    assert first == fourth
    assert second == third == Absent(())


def test_what_cannot_be_read_is_no_absence_and_hides_no_find() -> None:
    question = Question("Tidal memory of slow networks")
    near = _version("Tidal memory of slow networks.")
    far = _version("On the weight of clouds")
    assert asking.of_search(question, Listed([far])) == Absent(("title",))
    assert asking.of_search(question, Listed([far], "odd")) == Unavailable("odd")
    assert asking.of_search(question, Listed([far, _version("")])) == Unavailable(asking.UNTITLED)
    assert asking.of_search(question, Listed([near], "odd")) == Found((near,), ("title",))
