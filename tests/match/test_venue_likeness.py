"""Are two names held to be the same, or alike, only where they may well be?"""

import pytest

from hallmark.match.venue_likeness import alike, same, words_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Psychol. Rev.", "Psychological Review"),
        ("Psycho logical Review", "Psychological Review"),
        ("American Statistitian", "The American Statistician"),
        ("IEEE/RJS International Conference on Intelligent Robots",
         "International Conference of RJS on Intelligent Robots"),
        ("IEEE Conference on Robotics and Automation",
         "International Conference on Robotics and Automation"),
        ("18th Proceedings of the International Conference in Machine Learning",
         "International Conference on Machine Learning"),
    ],
)  # fmt: skip
def test_broken_cut_generic_and_mistyped_words_do_not_matter(one: str, other: str) -> None:
    assert same(words_of(one), words_of(other))
    assert same(words_of(other), words_of(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Education for Health", "Education and Healing"),
        ("Physical Review A", "Physical Review B"),
        ("European Conference on Computer Vision", "International Conference on Computer Vision"),
        ("International Conference on Quantum Machine Learning",
         "International Conference on Machine Learning"),
        ("Journal of Machine Learning Theory", "Journal of Machine Learning Research"),
        ("", "Journal of Vision"),
    ],
)  # fmt: skip
def test_a_word_that_tells_venues_apart_does(one: str, other: str) -> None:
    assert not same(words_of(one), words_of(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Journal of Political Science", "American Journal of Political Science"),
        ("Psychol Trauma", "Psychological Trauma: Theory, Research, Practice, and Policy"),
        ("Phil. Trans. Royal Soc. London A", "Philosophical Transactions of the Royal Society"),
        ("Knopf", "Alfred Knopf"),
    ],
)
def test_a_part_of_a_name_is_alike(one: str, other: str) -> None:
    assert alike(words_of(one), words_of(other))
    assert alike(words_of(other), words_of(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Journal of Vision", "Nature"),
        ("Harvard Law Review", "Parallel Computing"),
        ("Mind", "The Philosophy of Artificial Intelligence"),
    ],
)
def test_names_of_other_words_are_not_alike(one: str, other: str) -> None:
    assert not alike(words_of(one), words_of(other))
