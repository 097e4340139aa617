"""Names fall into the parts that people mean, however they are written."""

import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.text.names import (
    PersonName,
    family_key,
    group_words,
    is_group,
    parse_name,
    particles,
    placeholder_names,
    repeated_names,
    split_authors,
)


def parts(text: str) -> tuple[str, str, str, str]:
    name = parse_name(text)
    return (name.given, name.particle, name.family, name.suffix)


def displays(field: str) -> list[str]:
    return [name.display for name in split_authors(field)[0]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Lovelace", ("Ada", "", "Lovelace", "")),
        ("Lovelace, Ada", ("Ada", "", "Lovelace", "")),
        ("Lovelace, , A. K.", ("A. K.", "", "Lovelace", "")),
        ("Ludwig van Beethoven", ("Ludwig", "van", "Beethoven", "")),
        ("van Beethoven, Ludwig", ("Ludwig", "van", "Beethoven", "")),
        ("Beethoven, Ludwig van", ("Ludwig", "van", "Beethoven", "")),
        ("Pieter Van Der Berg", ("Pieter", "Van Der", "Berg", "")),
        ("Griffey, Jr., Ken", ("Ken", "", "Griffey", "Jr.")),
        ("Griffey Jr., Ken", ("Ken", "", "Griffey", "Jr.")),
        ("Ken Griffey Jr.", ("Ken", "", "Griffey", "Jr.")),
        ("T. Howell 3rd", ("T.", "", "Howell", "3rd")),
        ("Quang V. Do", ("Quang V.", "", "Do", "")),
        ("Ruiz Moya, B. C.", ("B. C.", "", "Ruiz Moya", "")),
        ("Elena {Pardo de la Cruz}", ("Elena", "", "Pardo de la Cruz", "")),
        ("{Moya Ruiz}, Luis", ("Luis", "", "Moya Ruiz", "")),
        ("{Blanc\u2010Noir}, Zoé", ("Zoé", "", "Blanc\u2010Noir", "")),
        ("Curie M", ("M", "", "Curie", "")),
        ("Curie MS", ("MS", "", "Curie", "")),
        ("Asano YM.", ("YM.", "", "Asano", "")),
        ("Wei XU", ("Wei", "", "XU", "")),
        ("Christopher Ré", ("Christopher", "", "Ré", "")),
        ("Jan Novak 0003", ("Jan", "", "Novak", "")),
        ("Prof. Emmy Noether", ("Emmy", "", "Noether", "")),
        ("Anna ALIAS ANNE Smith", ("", "", "Anna", "")),
        ("Sukarno", ("", "", "Sukarno", "")),
        ("Sukarno, .", ("", "", "Sukarno", "")),
        (r"Erd{\H o}s, P\'al", ("Pál", "", "Erdős", "")),
        ("李晓测", ("", "", "李晓测", "")),
    ],
)
def test_a_name_falls_into_given_particle_family_and_suffix(
    text: str, expected: tuple[str, str, str, str]
) -> None:
    assert parts(text) == expected


def test_only_a_comma_says_which_part_is_the_family_name() -> None:
    assert parse_name("Lovelace, Ada").split_known
    assert not parse_name("Ada Lovelace").split_known


@pytest.mark.parametrize(
    "text",
    [
        "{Gravity Collaboration}",
        "Gravity Collaboration",
        "{The Survey Team}",
        "{Alpha Collaboration and Beta Collaboration}",
        "Institute of Invented Studies",
    ],
)
def test_a_group_is_kept_whole(text: str) -> None:
    name = parse_name(text)
    assert is_group(name)
    assert name.display == text.strip("{}")


def test_a_person_in_braces_is_whole_but_no_group() -> None:
    name = parse_name("{Jón Helgason}")
    assert name.literal == "Jón Helgason"
    assert not is_group(name)


def test_a_braced_family_name_before_a_comma_is_a_person() -> None:
    assert parse_name("{Lab-Rador}, Tim") == PersonName(
        given="Tim", family="Lab-Rador", split_known=True
    )


@pytest.mark.parametrize(
    "text", [r"Kone{\v{c", "Bo?i?ski", "Aurora Na\u00c3\u00a7", "Jos\ufffd Lee"]
)
def test_a_name_that_lost_letters_is_marked(text: str) -> None:
    assert parse_name(text).damaged


def test_an_upper_case_tilde_letter_is_no_damage() -> None:
    assert not parse_name("JOÃO SILVA").damaged


@pytest.mark.parametrize(
    ("field", "expected", "cut"),
    [
        ("Lee, Ann and Kim, Bo", ["Ann Lee", "Bo Kim"], False),
        ("Lee, Ann AND Kim,\n   Bo", ["Ann Lee", "Bo Kim"], False),
        ("Lee, Ann and others", ["Ann Lee"], True),
        ("Lee, A. and {others}", ["A. Lee"], True),
        ("Lee, A. and {et al.}", ["A. Lee"], True),
        ("Lee et. al.", ["Lee"], True),
        ("Ann Lee, Bo Kim, et al.", ["Ann Lee", "Bo Kim"], True),
        ("A. B. Lee, C. Kim, et al", ["A. B. Lee", "C. Kim"], True),
        ("Bo Kimet al.", ["Bo Kim"], True),
        ("Bo Kimetal.", ["Bo Kim"], True),
        ("Pavel Zapletal and Bo Kim", ["Pavel Zapletal", "Bo Kim"], False),
        ("da Costa Lee TW and van den Kim A.", ["TW da Costa Lee", "A. van den Kim"], False),
        ("Lee, A., [12 authors]", ["A. Lee"], True),
        ("Lee, A. and 12 others", ["A. Lee"], True),
        ("Ann Lee and ...", ["Ann Lee"], True),
        ("Lee; Kim, Bo; Park, C.", ["Lee", "Bo Kim", "C. Park"], False),
        ("Ann Lee & Bo Kim", ["Ann Lee", "Bo Kim"], False),
        (r"Ann Lee \& Bo Kim", ["Ann Lee", "Bo Kim"], False),
        ("Ann Lee, Bo Kim and Cy Park", ["Ann Lee", "Bo Kim", "Cy Park"], False),
        ("Ann Lee, Bo Kim, and Cy Park", ["Ann Lee", "Bo Kim", "Cy Park"], False),
        ("Lee A., Kim B., Park C., Roe D.", ["A. Lee", "B. Kim", "C. Park", "D. Roe"], False),
        ("Lee A., Kim B. and Park C.", ["A. Lee", "B. Kim", "C. Park"], False),
        ("Lee A, Kim BC, Park D", ["A Lee", "BC Kim", "D Park"], False),
        ("Lee, A., Kim, B. C.", ["A. Lee", "B. C. Kim"], False),
        ("Lee, Ann, Kim, Bo", ["Ann Lee", "Bo Kim"], False),
        ("A. Lee, B. Kim", ["A. Lee", "B. Kim"], False),
        ("O&apos;Hara, Pat and Lee, Ann", ["Pat O'Hara", "Ann Lee"], False),
        ("\u674e\u6653\u6d4b\uff0c\u738b\u8bd5\u6587", ["李晓测", "王试文"], False),
        ("{Alpha and Beta Group} and Lee, Ann", ["Alpha and Beta Group", "Ann Lee"], False),
        ("and Lee, Ann and and Kim, Bo and", ["Ann Lee", "Bo Kim"], False),
        ("Howell, III, Tom", ["Tom Howell III"], False),
        ("Ann Lee, Tom Howell, Jr., Bo Kim", ["Ann Lee", "Tom Howell Jr.", "Bo Kim"], False),
        (
            r"Fran\c{c}ois {\c{C}}elik and Lu{\'\i}sa {\o}rsted and Stra{\ss}er, Jo{\~a}o",
            ["François Çelik", "Luísa ørsted", "João Straßer"],
            False,
        ),
        ("", [], False),
        (" , and ; {} ", [], False),
    ],
)
def test_an_author_field_falls_into_people(field: str, expected: list[str], *, cut: bool) -> None:
    people, truncated = split_authors(field)
    assert [name.display for name in people] == expected
    assert truncated is cut


def test_letters_with_accents_become_single_letters() -> None:
    field = r"Heged{\H{u}}s, {\'A}kos and K{\u a}rp{\u{a}}t{\c s}, Ion and Wa{\l}{\k e}sa, Ewa"
    families = [name.family for name in split_authors(field)[0]]
    assert families == ["Hegedűs", "Kărpătş", "Wałęsa"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("van den Oord, Aaron", "oord"),
        ("Đặng, Minh", "dang"),
        ("Müßig, Kurt", "mussig"),
        ("O'Hara, Pat", "ohara"),
        ("{Gravity Collaboration}", "gravitycollaboration"),
        ("Юрий Нестеров", "nesterov"),
        ("", ""),
    ],
)
def test_the_family_key_is_plain_lower_case(text: str, key: str) -> None:
    assert family_key(parse_name(text)) == key


def test_stand_ins_are_told_from_people() -> None:
    people = split_authors("John Doe and Smith, Jane and A. Author and Ann Lee")[0]
    assert placeholder_names(people) == ("John Doe", "Jane Smith", "A. Author")


def test_a_name_that_people_bear_is_a_stand_in_only_beside_another() -> None:
    assert placeholder_names([parse_name("John Smith")]) == ()
    assert placeholder_names(split_authors("John Smith and Jane Doe")[0]) == (
        "John Smith",
        "Jane Doe",
    )


@pytest.mark.parametrize(
    "text", ["Anonymous", "Firstname Lastname", "First Last", "Unknown", "???"]
)
def test_words_that_are_no_name_are_stand_ins(text: str) -> None:
    assert placeholder_names([parse_name(text)]) == (text,)


def test_a_person_named_twice_is_reported_once() -> None:
    people = split_authors("Ann Lee and Bo Kim and Lee, Ann and Ann Lee")[0]
    assert repeated_names(people) == ("Ann Lee",)


def test_bare_initials_repeat_nobody() -> None:
    assert repeated_names(split_authors("Wang, Y. and Wang, Y.")[0]) == ()


WORD = st.text(string.ascii_lowercase, min_size=4, max_size=9).map(str.capitalize)
PEOPLE = st.lists(st.tuples(WORD, WORD), min_size=1, max_size=6)
ORDINARY = ("And", "Others", "The", "Team", "Group", "Labs", "Panel", "Board", "Office", "Staff")


@given(PEOPLE)
def test_both_ways_of_writing_give_the_same_people(people: list[tuple[str, str]]) -> None:
    people = [p for p in people if not set(p) & set(ORDINARY)]
    straight = " and ".join(f"{first} {last}" for first, last in people)
    turned = " and ".join(f"{last}, {first}" for first, last in people)
    assert displays(turned) == [f"{first} {last}" for first, last in people]
    if not any(word.lower() in _group_words() for person in people for word in person):
        assert displays(straight) == displays(turned)


def _group_words() -> frozenset[str]:
    return group_words() | particles()


@given(st.text(max_size=60))
def test_any_text_can_be_split(text: str) -> None:
    people, _ = split_authors(text)
    assert all(name.display for name in people)


@given(st.text(alphabet="aB ,.;{}\\&~-'éß李and", max_size=60))
def test_text_of_separators_and_braces_can_be_split(text: str) -> None:
    people, _ = split_authors(text)
    assert all(isinstance(family_key(name), str) for name in people)


@pytest.mark.parametrize(
    "text",
    [
        "A" * 3_000_000,
        " and " * 400_000,
        "," * 1_000_000,
        "{" * 500_000,
        "a & " * 50_000,
        "\\" * 300_000,
    ],
    ids=["letters", "ands", "commas", "braces", "ampersands", "backslashes"],
)
def test_huge_fields_are_split_in_moments(text: str) -> None:
    begin = time.perf_counter()
    split_authors(text)
    assert time.perf_counter() - begin < 5


def test_a_list_that_breaks_off_within_braces_is_cut() -> None:
    assert split_authors(r"Russ Bates and Augustin {\v{Z")[1]
    assert not split_authors(r"Russ Bates and Augustin {\v{Z}}{\'i}dek")[1]
