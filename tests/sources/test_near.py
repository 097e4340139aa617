import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.records.work import Version
from hallmark.sources import near
from hallmark.text.names import PersonName


def _version(title: str, *others: str) -> Version:
    return Version(collection="x", title=title, title_others=others)


@pytest.mark.parametrize(
    ("asked", "held", "meant"),
    [
        ("Tidal Memory of Networks", "Tidal memory of networks.", True),
        ("Tidal Memory of Networks", "Tidal <i>Memory</i> of N&eacute;tworks", True),
        ("Tidal Memory of Networks", "Tidal Memory of Networks: A Theory with Proofs", True),
        ("Tidal Memory of Networks: A Theory with Proofs", "Tidal Memory of Networks", True),
        ("Tidal Memory of Networks", "Tidal Memories of Network", True),
        ("Tidal Memory of Networks", "Memory", False),
        ("Tidal Memory of Networks", "On the Weight of Clouds", False),
        ("Tidal", "Tidal Memory of Networks", False),
        ("", "", False),
    ],
)
def test_only_what_could_be_meant_is_near(asked: str, held: str, meant: bool) -> None:
    assert near.is_near(asked, _version(held)) is meant


def test_another_title_of_the_record_counts() -> None:
    assert near.is_near("Gezeitenspeicher", _version("Tidal Memory", "Gezeitenspeicher"))


@given(st.text(max_size=300))
def test_no_sign_of_a_query_language_is_sent(title: str) -> None:
    for word in near.search_words(title):
        assert not set(word) & set('"()[]{}|&,;:*?!~^+=/\\<> \n\t\r\x00')
    assert len(near.search_words(title)) <= near.MOST_WORDS


@given(st.text(max_size=300), st.integers(1, 10))
def test_the_telling_words_are_the_longest_in_order(title: str, most: int) -> None:
    words = [word.lower() for word in near.search_words(title)]
    told = near.telling_words(title, most)
    assert len(told) == len(set(told)) <= most
    assert [word for word in dict.fromkeys(words) if word in told] == told


@given(st.text(max_size=300))
def test_groups_share_the_telling_words_among_them(title: str) -> None:
    found = near.groups(title)
    told = near.telling_words(title, near.MOST_TELLING)
    assert sorted(word for group in found for word in group) == sorted(told)
    assert len(found) == (2 if len(told) >= 6 else 1)


def test_words_that_nobody_indexes_are_not_demanded_unless_there_are_no_others() -> None:
    assert near.telling_words("On the Theory of Tides", 8) == ["theory", "tides"]
    assert near.telling_words("To be or not to be", 8) == ["not"]
    assert near.telling_words("Of the", 8) == ["of", "the"]


def test_a_changed_word_spoils_only_one_of_two_groups() -> None:
    right = near.groups("Learning to reason over graphs with sparse attention memories")
    for word in ("reason", "graphs", "sparse", "memories"):
        held = [group for group in right if word not in group]
        assert len(held) == 1


def test_long_titles_are_cut() -> None:
    assert len(near.search_text("word " * 10_000)) < 300
    assert len(near.search_text("a" * 100_000)) <= 100


def test_the_first_author_s_surname_is_sent_as_plain_words() -> None:
    authors = (PersonName(given="Joris", particle="van den", family="Berg-Meyer"), PersonName())
    assert near.surname(authors) == "Berg Meyer"
    assert near.surname(()) == ""
