"""A list of authors agrees, is doubtful or is contradicted, person by person."""

import random
import string
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.match.authors import compare_authors
from hallmark.match.name_match import fit_names
from hallmark.records.evidence import Comparison, Relation
from hallmark.records.reference import Location, Reference
from hallmark.records.work import Quality, Version
from hallmark.text.names import split_authors

FIVE = ("Iris Zobel", "Bo Castell", "Ann Dumont", "Max Aldrin", "Eve Brandt")
"""Five invented people, in no alphabetical order."""


def compare(
    field: str, authors: tuple[str, ...], *, edited_by: str = "", **record: object
) -> Comparison:
    people, cut = split_authors(field)
    reference = Reference(
        key="k",
        location=Location("paper.bib", 1),
        authors=people,
        authors_truncated=cut,
        editors=split_authors(edited_by)[0],
    )
    version = Version(collection="here", title="A title", authors=authors, **record)  # type: ignore[arg-type]
    return compare_authors(reference, version)


def joined(*names: str) -> str:
    return " and ".join(names)


def named(comparison: Comparison, code: str) -> list[tuple[str, str]]:
    return [(n.claimed, n.found) for n in comparison.nuances if n.code == code]


def test_the_same_list_is_equal() -> None:
    found = compare(joined(*FIVE), FIVE)
    assert found.relation is Relation.EQUAL
    assert found.claimed == found.found == "; ".join(FIVE)


def test_family_names_written_first_are_equal() -> None:
    turned = joined(*(f"{name.split()[1]}, {name.split()[0]}" for name in FIVE))
    assert compare(turned, FIVE).relation is Relation.EQUAL


@pytest.mark.parametrize(
    ("field", "authors", "code"),
    [
        (r"Erd{\H o}s, P. and R{\'e}nyi, A.", ("Paul Erdős", "Alfréd Rényi"), "initials"),
        ("Łukasz Kos", ("Lukasz Kos",), "diacritics"),
        ("Li, Ann and Fei-Fei Wu", ("Ann Li", "Wu Fei-Fei"), "name-order"),
        ("Misha Petrov", ("Mikhail Petrov",), "given-variant"),
        ("Nadia Orlow", ("Nadia Orlow Kestrel",), "compound-family"),
        ("Pieter Berg", ("Pieter van den Berg",), "particle"),
        ('A{\\"a}ron van den Oord', ("Aaron van den Oord",), "diacritics"),
        ("Sandro Pinto and Nuno Santos", ("Sandro Pinto 0001", "Nuno Santos 0002"), ""),
        ("Burland V and Plunkett, III, G", ("Valerie Burland", "Guy Plunkett III"), "initials"),
    ],
)
def test_documented_differences_are_variants(
    field: str, authors: tuple[str, ...], code: str
) -> None:
    found = compare(field, authors)
    assert found.agrees
    assert not code or found.has(code)


def test_and_others_excuses_missing_names() -> None:
    found = compare(joined(*FIVE[:2], "others"), FIVE)
    assert found.relation is Relation.VARIANT
    assert named(found, "and-others") == [("2", "5")]
    assert named(found, "matched") == [("2", "2")]


def test_and_others_never_excuses_a_foreign_name() -> None:
    found = compare(joined(*FIVE[:2], "Kim Foreign", "others"), FIVE)
    assert found.conflicts
    assert not found.weak
    assert named(found, "foreign-author") == [("Kim Foreign", "")]


@pytest.mark.parametrize("gone", range(3))
def test_one_missing_of_three_is_a_conflict(gone: int) -> None:
    left = [name for place, name in enumerate(FIVE[:3]) if place != gone]
    found = compare(joined(*left), FIVE[:3])
    assert found.conflicts
    assert not found.weak
    assert named(found, "missing-author") == [("", FIVE[gone])]


def test_the_first_author_alone_is_no_complete_list() -> None:
    assert named(compare(FIVE[0], FIVE[:2]), "missing-author") == [("", FIVE[1])]


def test_a_replaced_author_is_foreign() -> None:
    found = compare(joined(*FIVE[:3], "Kim Foreign", FIVE[4]), FIVE)
    assert named(found, "foreign-author") == [("Kim Foreign", "")]
    assert not found.weak
    assert named(found, "matched") == [("4", "5")]


def test_an_added_author_is_foreign() -> None:
    found = compare(joined(*FIVE, "Kim Foreign"), FIVE)
    assert found.conflicts
    assert named(found, "matched") == [("5", "6")]


def test_disjoint_lists_match_nobody() -> None:
    found = compare("Kim Foreign and Lou Stranger", FIVE)
    assert named(found, "matched") == [("0", "2")]
    assert found.conflicts
    assert not found.weak


def test_another_first_author_is_a_conflict_of_order() -> None:
    found = compare(joined(FIVE[1], FIVE[0], *FIVE[2:]), FIVE)
    assert found.has("order")
    assert found.conflicts
    assert not found.weak


def test_a_later_author_moved_is_a_weak_conflict_of_order() -> None:
    found = compare(joined(*FIVE[:3], FIVE[4], FIVE[3]), FIVE)
    assert found.has("order")
    assert found.conflicts
    assert found.weak


def test_order_says_nothing_of_two_authors() -> None:
    assert compare("Bo Castell and Iris Zobel", FIVE[:2]).agrees


def test_an_alphabetical_record_says_nothing_about_order() -> None:
    record = sorted(FIVE, key=lambda name: name.split()[1])
    found = compare(joined(*FIVE), tuple(record))
    assert found.agrees
    assert found.has("author-order")


def test_nobody_sorts_by_given_names() -> None:
    record = sorted(FIVE, key=lambda name: name.split()[0])
    assert compare(joined(*FIVE), tuple(record)).has("order")


ALIAS: dict[str, Any] = {
    "author_aliases": (("Iris Zobel", "Iris Quandt"), ("Bo Castell", "Robin Castell"))
}


@pytest.mark.parametrize("name", ["Iris Quandt", "I. Quandt", "Quandt, Iris"])
def test_another_name_under_which_the_source_knows_the_person_agrees(name: str) -> None:
    found = compare(joined(name, *FIVE[1:]), FIVE, **ALIAS)
    assert found.relation is Relation.VARIANT
    assert named(found, "alias")


def test_an_alias_outranks_a_given_name_that_differs() -> None:
    assert compare(joined(FIVE[0], "Robin Castell", *FIVE[2:]), FIVE, **ALIAS).agrees
    assert compare(joined(FIVE[0], "Robin Castell", *FIVE[2:]), FIVE).has("given-name-substitution")


def test_an_alias_stands_for_its_own_person_only() -> None:
    found = compare(joined("Iris Quandt", *FIVE), FIVE, **ALIAS)
    assert named(found, "foreign-author") == [("Iris Quandt", "")]


def test_a_person_whom_the_record_names_twice_is_not_missing() -> None:
    assert compare(joined(*FIVE), (*FIVE, FIVE[2])).agrees


def test_a_record_with_a_login_for_a_name_rejects_nobody() -> None:
    assert compare(joined(*FIVE), (*FIVE[:4], "eve.bra")).relation is Relation.SILENT


def test_an_alphabetical_claim_is_noted_only() -> None:
    claim = sorted(FIVE, key=lambda name: name.split()[1])
    found = compare(joined(*claim), (claim[0], claim[1], claim[3], claim[2], claim[4]))
    assert found.agrees
    assert found.has("author-order")


def test_a_record_without_order_says_nothing_about_it() -> None:
    assert compare(joined(*reversed(FIVE)), FIVE, authors_ordered=False).agrees


def test_names_turned_round_in_one_record_agree() -> None:
    found = compare(
        "Su, Jian and Murtadha, Ahmed and Wen, Bo and Liu, Yun",
        ("Jian Su", "Murtadha Ahmed", "Wen Bo", "Yun Liu"),
    )
    assert found.agrees


def test_repeated_family_names_pair_by_their_given_names() -> None:
    found = compare("Wang, J. and Wang, Jian and Wang, Lei", ("Jun Wang", "Jian Wang", "Lei Wang"))
    assert found.agrees


def test_another_given_name_is_a_weak_conflict_where_all_else_fits() -> None:
    found = compare(joined("Karl Zobel", *FIVE[1:]), FIVE)
    assert named(found, "given-name-substitution") == [("Karl Zobel", "Iris Zobel")]
    assert found.conflicts
    assert found.weak


def test_two_other_given_names_are_no_slip() -> None:
    assert not compare(joined("Karl Zobel", "Tim Castell", *FIVE[2:]), FIVE).weak


def test_another_given_name_of_the_only_author_is_no_slip() -> None:
    found = compare("Karl Zobel", ("Iris Zobel",))
    assert found.conflicts
    assert not found.weak


def test_one_wrong_letter_in_a_family_name_is_a_weak_conflict() -> None:
    found = compare(joined("Iris Zobel", "Bo Cassell", *FIVE[2:]), FIVE)
    assert named(found, "surname-typo") == [("Bo Cassell", "Bo Castell")]
    assert found.weak


def test_two_letters_of_a_compound_name_are_another_person() -> None:
    found = compare(
        "Lachaud, Luc and {Lacombe-Julien}, Simon", ("Luc Lachaud", "Simon Lacoste-Julien")
    )
    assert found.conflicts
    assert not found.weak


def test_a_person_named_twice_is_a_weak_conflict() -> None:
    found = compare(joined(*FIVE, FIVE[0]), FIVE)
    assert named(found, "duplicate") == [(FIVE[0], "")]
    assert found.weak


def test_two_people_of_one_name_are_no_duplicate() -> None:
    pair = ("Wei Wang", "Ann Dumont", "Wei Wang")
    assert compare(joined(*pair), pair).relation is Relation.EQUAL


def test_stand_ins_are_a_conflict() -> None:
    found = compare("John Doe and Jane Smith", FIVE)
    assert named(found, "placeholder") == [("John Doe", ""), ("Jane Smith", "")]


def test_a_person_with_the_name_of_a_stand_in_is_believed_where_the_record_agrees() -> None:
    assert not compare("Doe, J. and Zobel, Iris", ("John Doe", "Iris Zobel")).has("placeholder")


@pytest.mark.parametrize("quality", [Quality.PERSONAL, Quality.EXTRACTED])
def test_an_uncurated_record_never_says_that_somebody_is_missing(quality: Quality) -> None:
    found = compare(joined(*FIVE[:3]), FIVE, quality=quality)
    assert found.relation is Relation.SILENT


def test_a_cut_record_says_nothing_about_those_it_lost() -> None:
    found = compare(joined(*FIVE), FIVE[:2], authors_truncated=True)
    assert found.relation is Relation.VARIANT
    assert found.has("truncated-record")


def test_a_cut_record_contradicts_those_who_stand_in_the_place_of_others() -> None:
    found = compare(joined(FIVE[0], "Kim Foreign", *FIVE[2:]), FIVE[:2], authors_truncated=True)
    assert named(found, "foreign-author") == [("Kim Foreign", "")]


def test_a_cut_record_contradicts_a_list_that_shares_nobody() -> None:
    assert compare("Kim Foreign and Lou Stranger", FIVE[:2], authors_truncated=True).conflicts


def test_no_authors_on_one_side_say_nothing() -> None:
    assert compare("", FIVE).relation is Relation.SILENT
    assert compare(joined(*FIVE), ()).relation is Relation.SILENT


@pytest.mark.parametrize(
    "broken",
    [
        ("['Abbas, C. C.', 'Schmid, J. P.']",),
        ("Zelin Li", "Keming He (The Harbour School", "Technology)", "Xin Wang"),
        ("Iris Zobel", "Castell", "B.", "Dumont", "A.", "Aldrin", "M."),
        ("Iris Zobel", "Bo Cast&eacute;ll Dumont", "x27"),
        ("Iris Zobel", "University of Nowhere", "Department of Physics"),
        ("Micha? Jan Zobel", "Dumont 1234"),
    ],
)
def test_a_broken_row_says_nothing(broken: tuple[str, ...]) -> None:
    found = compare(joined(*FIVE), broken)
    assert found.relation is Relation.SILENT
    assert found.has("broken-record")


def test_a_name_cut_inside_markup_says_nothing() -> None:
    found = compare(r"Kone{\v{c", ("Jakub Konečný",))
    assert found.relation is Relation.SILENT
    assert found.has("broken-name")


def test_a_list_cut_inside_a_name_is_compared_up_to_that_name() -> None:
    agreeing = compare(r"Zobel, Iris and Kone{\v{c", ("Iris Zobel", "Jakub Konečný"))
    assert agreeing.agrees
    assert agreeing.has("and-others")
    assert compare(r"Dumont, Carl and Kone{\v{c", ("Iris Zobel", "Jakub Konečný")).conflicts


def test_a_name_in_another_script_says_nothing() -> None:
    found = compare("Iris Zobel and 山田花子", ("Iris Zobel", "Hanako Yamada"))
    assert found.relation is Relation.SILENT


def test_a_record_that_lost_a_person_of_one_name_says_nothing() -> None:
    found = compare(joined(*FIVE, "Sukarno"), FIVE)
    assert found.relation is Relation.SILENT
    assert found.has("single-name")


@pytest.mark.parametrize("writing", ["{Sukarno}", "Sukarno, .", "Sukarno Sukarno", "Sukarno"])
def test_a_person_of_one_name_agrees_however_it_is_written(writing: str) -> None:
    assert compare(joined(writing, *FIVE), ("Sukarno", *FIVE)).agrees


def test_two_people_in_one_place_of_a_record_are_two() -> None:
    assert compare(joined(*FIVE[:2]), ("Iris Zobel and Bo Castell",)).agrees


def test_a_consortium_stands_for_its_members() -> None:
    record = ("Gravity Collaboration", "R. Abuter", "A. Amorim")
    found = compare("{Gravity Collaboration}", record)
    assert found.agrees
    assert found.has("consortium")


def test_members_of_a_consortium_are_not_contradicted_by_its_name() -> None:
    found = compare("Abuter, R. and Amorim, A. and others", ("Gravity Collaboration",))
    assert found.relation is Relation.SILENT


def test_a_consortium_that_the_record_lacks_says_nothing() -> None:
    found = compare("{Gravity Collaboration}", ("R. Abuter", "A. Amorim"))
    assert found.relation is Relation.SILENT


def test_a_consortium_of_the_record_need_not_be_claimed() -> None:
    assert compare("R. Abuter and A. Amorim", ("R. Abuter", "A. Amorim", "The Survey Team")).agrees


def test_the_editors_of_a_volume_may_stand_for_authors() -> None:
    found = compare(joined(*FIVE[:2]), FIVE[2:], editors=FIVE[:2])
    assert found.has("editors-as-authors")


def test_an_entry_with_editors_only_is_compared_by_them() -> None:
    assert compare("", FIVE[:2], edited_by=joined(*FIVE[:2])).agrees


def test_long_lists_are_counted_not_spelled_out() -> None:
    names = tuple(f"Person{chr(97 + n // 26)}{chr(97 + n % 26)} Family" for n in range(60))
    found = compare("Kim Foreign", names)
    assert found.found.endswith("; and 48 more")
    assert len(named(found, "missing-author")) == 21
    assert named(found, "missing-author")[-1] == ("", "and 40 more")


def test_lists_of_thousands_are_compared_in_moments() -> None:
    rng = random.Random(5)

    def word() -> str:
        return "".join(rng.choice(string.ascii_lowercase) for _ in range(8)).capitalize()

    names = [f"{word()} {word()}" for _ in range(5000)]
    shuffled = names[:]
    rng.shuffle(shuffled)
    begin = time.perf_counter()
    assert compare(joined(*shuffled), tuple(names)).has("order")
    assert compare(joined(*["A. Wang"] * 5000), ("B. Wang",) * 5000).conflicts
    assert time.perf_counter() - begin < 10


def test_one_name_in_a_list_of_a_thousand_is_foreign() -> None:
    names = tuple(f"A. {first}ert{last}" for first in "BCDFGHKLMN" for last in "aeioukst" * 10)
    found = compare(joined(*names[:3], "Q. Invented"), names)
    assert named(found, "foreign-author") == [("Q. Invented", "")]


WORD = st.text("bcdfgklmnprstvz", min_size=3, max_size=7).map(
    lambda text: f"{text}ert".capitalize()
)
# A word twice is how some databases write people of one name; they are lost without a fault.
TWO_NAMES = st.tuples(WORD, WORD).filter(lambda name: name[0] != name[1])
LIST = st.lists(TWO_NAMES, min_size=1, max_size=7, unique_by=lambda name: name[1][:3]).map(
    lambda names: tuple(f"{first} {last}" for first, last in names)
)


@given(LIST)
def test_every_list_equals_itself(names: tuple[str, ...]) -> None:
    assert compare(joined(*names), names).relation is Relation.EQUAL


@given(LIST)
def test_initials_never_contradict(names: tuple[str, ...]) -> None:
    short = [f"{name[0]}. {name.split()[1]}" for name in names]
    assert compare(joined(*short), names).agrees


@given(LIST, st.randoms(use_true_random=False))
def test_a_dropped_author_is_always_missed(names: tuple[str, ...], rng: random.Random) -> None:
    left = list(names)
    left.pop(rng.randrange(len(left)))
    if left:
        found = compare(joined(*left), names)
        assert found.conflicts
        assert len(named(found, "missing-author")) == 1


@given(LIST)
def test_a_stranger_is_always_seen(names: tuple[str, ...]) -> None:
    found = compare(joined(*names, "Quuxina Wybohay"), names)
    assert found.conflicts
    assert not found.weak


@given(LIST, LIST)
def test_conflict_or_agreement_does_not_depend_on_the_side(
    one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    there, back = compare(joined(*one), other), compare(joined(*other), one)
    assert there.conflicts == back.conflicts


WRITINGS = st.sampled_from(
    (
        lambda first, last: f"{first} {last}",
        lambda first, last: f"{first[0]}. {last}",
        lambda first, last: f"{last}, {first}",
        lambda first, last: f"{first} Q. {last}",
        lambda first, last: f"{first.upper()} {last.upper()}",
        lambda first, last: f"{first} van {last}",
    )
)


@st.composite
def rewritten(draw: st.DrawFn) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A list, and another one: names written otherwise, some dropped, moved or replaced."""
    names = tuple(name for name in draw(LIST) if name.split()[0] != name.split()[1])
    other = [draw(WRITINGS)(*name.split()) for name in names]
    dropped, moved, replaced = draw(st.tuples(st.booleans(), st.booleans(), st.booleans()))
    if other and dropped:
        other.pop(draw(st.integers(0, len(other) - 1)))
    if moved:
        other = list(draw(st.permutations(other)))
    if other and replaced:
        other[draw(st.integers(0, len(other) - 1))] = "Quuxina Wybohay"
    return names, tuple(other)


@given(rewritten())
def test_the_sides_exchanged_give_the_mirrored_relation(
    lists: tuple[tuple[str, ...], tuple[str, ...]],
) -> None:
    one, other = lists
    there, back = compare(joined(*one), other), compare(joined(*other), one)
    assert there.relation is back.relation
    assert there.weak == back.weak
    if one and other:
        foreign, missing = named(there, "foreign-author"), named(back, "missing-author")
        assert {name for name, _ in foreign} >= {name for _, name in missing}
        assert bool(named(there, "order")) == bool(named(back, "order"))


def tried(claimed: list[str], found: list[str]) -> int:
    """Return how many pairs of names were fitted in a comparison."""
    fit_names.cache_clear()
    compare(joined(*claimed), tuple(found))
    return fit_names.cache_info().misses


def people(length: int) -> list[str]:
    rng = random.Random(length)

    def word(letters: int) -> str:
        return "".join(rng.choices(string.ascii_lowercase, k=letters)).title()

    return [f"{word(7)} {word(8)}" for _ in range(length)]


@pytest.mark.parametrize("length", [50, 500, 2000])
def test_as_many_pairs_are_tried_as_the_list_has_names(length: int) -> None:
    names = people(length)
    initials = [f"{name[0]}. {name.split()[1]}" for name in names]
    assert tried(initials, names) <= 2 * length


def test_a_family_name_that_thousands_share_does_not_square_the_work() -> None:
    claimed = [f"{name.split()[0]} Wang" for name in people(500)]
    found = [f"{name.split()[0]} Wang" for name in reversed(people(501))]
    assert tried(claimed, found) <= 81 * 500


@given(st.text(max_size=60), st.lists(st.text(max_size=20), max_size=5))
def test_any_two_lists_can_be_compared(field: str, authors: list[str]) -> None:
    assert isinstance(compare(field, tuple(authors)), Comparison)


def test_a_slip_in_one_family_name_amid_people_who_fit_is_no_other_person() -> None:
    found = compare("I. Zobel and J. Gosh and B. Quist", ("Iris Zobel", "Jaya Ghosh", "Bo Quist"))
    assert found.has("surname-typo")
    assert not found.has("foreign-author")
    for other in ("I. Zobel and K. Gosh and B. Quist", "I. Nobody and J. Gosh and B. Quist"):
        assert compare(other, ("Iris Zobel", "Jaya Ghosh", "Bo Quist")).has("foreign-author")
    assert compare("I. Zobel and J. Zhao", ("Iris Zobel", "Jia Zhou")).has("foreign-author")
