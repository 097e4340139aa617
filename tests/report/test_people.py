from hypothesis import given
from hypothesis import strategies as st

from hallmark.report.people import Pair, Standing, shortened, side_by_side

S = Standing


def standings(claimed: str, found: str) -> list[tuple[str, str, Standing]]:
    rows = side_by_side(claimed.split("; "), found.split("; "))
    return [(row.claimed, row.found, row.standing) for row in rows]


def test_people_of_one_name_stand_side_by_side() -> None:
    assert standings("Ada Lovelace; C. Babbage", "Ada Lovelace; Charles Babbage") == [
        ("Ada Lovelace", "Ada Lovelace", S.SAME),
        ("C. Babbage", "Charles Babbage", S.OTHERWISE),
    ]


def test_who_is_missing_leaves_a_gap() -> None:
    found = "Ada Lovelace; Charles Babbage; Mary Somerville"
    assert standings("Ada Lovelace; Mary Somerville", found) == [
        ("Ada Lovelace", "Ada Lovelace", S.SAME),
        ("", "Charles Babbage", S.RECORD),
        ("Mary Somerville", "Mary Somerville", S.SAME),
    ]


def test_who_is_foreign_stands_beside_whom_they_replace() -> None:
    assert standings("Ada Lovelace; John Doe", "Ada Lovelace; Charles Babbage") == [
        ("Ada Lovelace", "Ada Lovelace", S.SAME),
        ("John Doe", "Charles Babbage", S.DIFFERENT),
    ]
    assert standings("Ada Lovelace; John Doe", "Ada Lovelace")[1] == ("John Doe", "", S.YOURS)


def test_another_given_name_is_another_name() -> None:
    assert standings("Michael Zhang", "Wei Zhang") == [("Michael Zhang", "Wei Zhang", S.DIFFERENT)]


def test_only_who_was_moved_is_said_to_be_moved() -> None:
    people = "Ann Ash; Bob Birch; Cleo Cedar; Dan Dogwood; Eve Elm"
    moved = "Eve Elm; Ann Ash; Bob Birch; Cleo Cedar; Dan Dogwood"
    assert {row for row in standings(moved, people) if row[2] is not S.SAME} == {
        ("Eve Elm", "Eve Elm", S.MOVED)
    }


def test_long_runs_of_the_same_are_counted() -> None:
    names = [f"Given{at} Family{at}" for at in range(200)]
    rows = side_by_side([*names[:100], "John Doe", *names[101:]], names)
    shown = list(shortened(rows))
    assert shown[0] == 99
    assert shown[-1] == 98
    assert [one.standing for one in shown if isinstance(one, Pair)] == [S.SAME, S.DIFFERENT, S.SAME]


NAMES = st.lists(
    st.sampled_from(["Ada Lovelace", "A. Lovelace", "Wei Zhang", "Li Zhang", "{The Group}", "Bo"]),
    max_size=7,
)


@given(NAMES, NAMES)
def test_everybody_of_both_sides_stands_in_one_row(claimed: list[str], found: list[str]) -> None:
    rows = side_by_side(claimed, found)
    assert sorted(row.place for row in rows if row.place) == list(range(1, len(claimed) + 1))
    assert [row.record_place for row in rows if row.record_place] == list(range(1, len(found) + 1))
    assert all(row.claimed == (claimed[row.place - 1] if row.place else "") for row in rows)
    counted = sum(one if isinstance(one, int) else 1 for one in shortened(rows))
    assert counted == len(rows)


@given(NAMES)
def test_a_list_beside_itself_is_the_same(names: list[str]) -> None:
    unique = list(dict.fromkeys(names))
    if "A. Lovelace" not in unique:
        assert {row.standing for row in side_by_side(unique, unique)} <= {S.SAME}
