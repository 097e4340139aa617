"""Are uses counted, chained, and refused where two of them would show single labels?"""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.entry import Label, Prediction
from hallmark.bench.sealing.key import SealKey
from hallmark.bench.sealing.uses import FEWEST_CHANGED, Ledger, distance, pack
from hallmark.errors import InputError
from tests.bench.made import said

KEY = SealKey(b"1" * 32)
N = 60


def answers(flags: set[int]) -> list[Prediction]:
    return [
        said(f"k{n:02}", Label.HALLUCINATED if n in flags else Label.VALID) for n in range(N)
    ]  # fmt: skip


def use(path: Path, *flags: set[int], limit: int | None = None) -> None:
    for one in flags:
        with Ledger(path, KEY) as ledger:
            ledger.admit("labels", answers(one), limit)
            ledger.add(
                "labels", answers(one), date="2026-12-02", system="x", predictions_sha256="0"
            )


def test_uses_are_counted_by_labels_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "uses.jsonl"
    use(path, set(), set(range(30)))
    with Ledger(path, KEY) as ledger:
        assert [one.number for one in ledger.of("labels")] == [1, 2]
        assert ledger.of("others") == []


def test_a_file_that_differs_in_few_flags_is_refused_and_the_same_is_not(tmp_path: Path) -> None:
    path = tmp_path / "uses.jsonl"
    use(path, set(range(20)), set(range(20)))
    with pytest.raises(InputError, match="differ from those of use 1 in 1 entries"):
        use(path, set(range(21)))
    use(path, set(range(20 + FEWEST_CHANGED)))
    assert len(path.read_bytes().splitlines()) == 3


def test_changes_that_flag_nothing_else_do_not_hide_a_small_difference(tmp_path: Path) -> None:
    path = tmp_path / "uses.jsonl"
    use(path, {1, 2})
    padded = answers({1})
    padded[10:40] = [said(f"k{n:02}", Label.UNCERTAIN, 0.5) for n in range(10, 40)]
    with Ledger(path, KEY) as ledger, pytest.raises(InputError, match="in 1 entries"):
        ledger.admit("labels", padded)


def test_the_limit_ends_it(tmp_path: Path) -> None:
    path = tmp_path / "uses.jsonl"
    use(path, set(), limit=1)
    with pytest.raises(InputError, match="used 1 times, and 1 is the limit"):
        use(path, set(range(30)), limit=1)


def _tampered(lines: list[bytes], how: str) -> list[bytes]:
    match how:
        case "changed":
            row = json.loads(lines[1]) | {"system": "someone else"}
            return [lines[0], json.dumps(row).encode(), lines[2]]
        case "removed":
            return [lines[0], lines[2]]
        case "first removed":
            return lines[1:]
        case "repeated":
            return [*lines, lines[2]]
        case "swapped":
            return [lines[1], lines[0], lines[2]]
        case _:
            return [*lines, b"{}"]


@pytest.mark.parametrize(
    "how", ["changed", "removed", "first removed", "repeated", "swapped", "foreign"]
)
def test_tampering_shows(tmp_path: Path, how: str) -> None:
    path = tmp_path / "uses.jsonl"
    use(path, set(), set(range(20)), set(range(40)))
    lines = _tampered(path.read_bytes().splitlines(), how)
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    with pytest.raises(InputError, match=r"tampered with|no use of sealed labels"):
        Ledger(path, KEY)


def test_a_row_cut_off_at_the_end_changes_the_head_that_was_printed(tmp_path: Path) -> None:
    path = tmp_path / "uses.jsonl"
    use(path, set(), set(range(20)))
    with Ledger(path, KEY) as ledger:
        head = ledger.head
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    with Ledger(path, KEY) as ledger:
        assert ledger.head != head


def test_the_ledger_of_another_key_is_refused_and_answers_cannot_be_read_in_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "uses.jsonl"
    use(path, {3})
    assert pack(answers({3})) not in path.read_bytes()
    with pytest.raises(InputError, match="another key"):
        Ledger(path, SealKey(b"2" * 32))


def test_two_runs_do_not_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "uses.jsonl"
    with Ledger(path, KEY), pytest.raises(InputError, match="Another run"):
        Ledger(path, KEY)


@given(one=st.sets(st.integers(0, N - 1)), other=st.sets(st.integers(0, N - 1)))
def test_the_distance_is_the_number_of_flags_that_differ(one: set[int], other: set[int]) -> None:
    assert distance(pack(answers(one)), pack(answers(other))) == len(one ^ other)
    assert distance(pack(answers(one)), pack(answers(other)[1:])) == N


def test_a_mistyped_folder_begins_no_new_ledger(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no folder for the ledger"):
        use(tmp_path / "nodir" / "uses.jsonl", set())
    assert not (tmp_path / "nodir").exists()


def test_a_ledger_that_was_cut_off_says_what_to_do_and_goes_on_then(tmp_path: Path) -> None:
    path = tmp_path / "uses.jsonl"
    use(path, set())
    with Ledger(path, KEY) as ledger:
        head = ledger.head
    use(path, set(range(20)))
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    with pytest.raises(InputError, match=r"line 2, .* take this line out") as cut:
        use(path, set())
    assert head in str(cut.value)
    path.write_bytes(whole[: whole.index(b"\n") + 1])
    use(path, set(range(20)))
    path.write_bytes(path.read_bytes()[:-1])  # only the end of the line is missing
    use(path, set(range(20)))
    assert len(path.read_bytes().splitlines()) == 3
    path.write_bytes(b"{\n" + whole)
    with pytest.raises(InputError, match=r"line 1, .* from a copy"):
        use(path, set())
