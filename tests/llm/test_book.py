"""Is what a run spent written down so that no sitting forgets it?"""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.errors import InputError, ModelStopped
from hallmark.llm.book import Amount, Book
from hallmark.llm.interface import Caps
from hallmark.llm.ledger import Ledger

ONE = Amount(cost=0.25, tokens=100, calls=1)
amounts = st.builds(Amount, cost=st.floats(0, 9), tokens=st.integers(0, 9), calls=st.integers(0, 9))


def test_there_is_no_file_before_something_is_spent(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "spent"
    book = Book(path)
    assert book.before == Amount()
    assert not path.exists()
    assert book.add(ONE) == ""
    assert Book(path).before == ONE


@given(st.lists(amounts, max_size=6))
def test_a_later_sitting_knows_the_sum(
    tmp_path_factory: pytest.TempPathFactory, spent: list[Amount]
) -> None:
    path = tmp_path_factory.mktemp("book") / "spent"
    for amount in spent:
        book = Book(path)
        assert book.add(amount) == ""
    assert Book(path).before == sum(spent, Amount())


def test_a_line_that_a_crash_cut_off_is_dropped_and_written_over(tmp_path: Path) -> None:
    path = tmp_path / "spent"
    Book(path).add(ONE)
    with path.open("ab") as file:
        file.write(b'{"cost":9')
    book = Book(path)
    assert book.before == ONE
    book.add(ONE)
    assert Book(path).before == ONE + ONE


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "spent"
    path.write_bytes(b"not json\n")
    with pytest.raises(InputError, match="Delete it to let the caps begin anew"):
        Book(path)


def test_what_was_spent_before_counts_for_the_caps(tmp_path: Path) -> None:
    path = tmp_path / "spent"

    async def sitting(requests: int) -> int:
        ledger = Ledger(Caps(calls=3), Book(path))
        for asked in range(requests):
            try:
                await ledger.set_aside(ONE, "m")
            except ModelStopped:
                return asked
            ledger.settle(ONE, ONE)
        return requests

    assert [asyncio.run(sitting(2)) for _ in range(3)] == [2, 1, 0]


def test_a_request_that_may_be_on_the_bill_counts_in_later_sittings(tmp_path: Path) -> None:
    path = tmp_path / "spent"

    async def sitting() -> None:
        ledger = Ledger(Caps(), Book(path))
        await ledger.set_aside(ONE, "m")
        ledger.settle(ONE, Amount(), doubtful=True)
        await ledger.set_aside(ONE, "m")
        ledger.settle(ONE, Amount())

    asyncio.run(sitting())
    assert Book(path).before == ONE


def test_where_nothing_can_be_written_down_nothing_more_is_asked(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")

    async def sitting() -> None:
        ledger = Ledger(Caps(), Book(blocked / "spent"))
        await ledger.set_aside(ONE, "m")
        ledger.settle(ONE, ONE)
        with pytest.raises(ModelStopped, match="could not be written down"):
            await ledger.set_aside(ONE, "m")

    asyncio.run(sitting())
