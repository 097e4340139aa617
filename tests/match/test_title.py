"""Two titles are equal, variants by a named rule, or in conflict; nothing in between."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.match.title import compare_title, similarity
from hallmark.records.evidence import Comparison, Relation
from hallmark.records.reference import Location, Reference
from hallmark.records.work import Version


def compare(
    claimed: str, found: str, *, subtitle: str = "", others: tuple[str, ...] = ()
) -> Comparison:
    reference = Reference(key="r", location=Location("-", 1), title=claimed, subtitle=subtitle)
    return compare_title(reference, Version(collection="x", title=found, title_others=others))


@pytest.mark.parametrize(
    ("claimed", "found", "code"),
    [
        ("Self supervised learning", "Self-supervised learning", "hyphen"),
        ("Multi-view geometry of scenes", "Multiview geometry of scenes", "spacing"),
        ("Web scale data base systems", "Webscale database systems", "spacing"),
        ("Learning colour constancy", "Learning color constancy", "spelling"),
        ("Optimisation of generalised models", "Optimization of generalized models", "spelling"),
        ("Very deep networks", "Very deep networks: a study of depth", "subtitle-dropped"),
        ("Ileal hyperplasia in children", "RETRACTED: Ileal hyperplasia in children", "annotation"),
        ("Planning with maps", "Planning with maps (Extended Abstract)", "annotation"),
        ("On the maps of Quist: A comment", "On the maps of Quist: A comment (2011)", "annotation"),
        ("Maps in the 21st century", "Maps in the Twenty-First Century", "numeral"),
        ("Improved $\\ell_1$ robustness on graphs", "Improved robustness on graphs", "maths"),
    ],
)  # fmt: skip
def test_documented_equivalences_are_variants(claimed: str, found: str, code: str) -> None:
    relation = compare(claimed, found)
    assert relation.relation is Relation.VARIANT
    assert [nuance.code for nuance in relation.nuances] == [code]


@pytest.mark.parametrize(
    ("claimed", "found"),
    [
        ("Attention Is All You Require", "Attention Is All You Need"),
        ("Characterizing risk of fairwashing", "Characterizing the risk of fairwashing"),
        ("Mixing predictions towards metric tasks", "Mixing predictions for metric tasks"),
        ("Learning about Privacys", "Learning about Privacy"),
        ("Deep nets, Part I", "Deep nets, Part II"),
    ],
)
def test_a_word_or_a_letter_is_a_conflict_and_is_named(claimed: str, found: str) -> None:
    relation = compare(claimed, found)
    assert relation.conflicts
    assert relation.has("words-changed")


def test_the_changed_words_are_told() -> None:
    nuances = compare("Attention is all you want", "Attention is all you need").nuances
    assert [(one.claimed, one.found) for one in nuances] == [("want", "need")]


def test_unrelated_titles_are_different() -> None:
    assert compare("A study of cats and their habits", "Quantum gravity in nine days").has(
        "different"
    )


def test_an_added_subtitle_is_a_weak_conflict() -> None:
    relation = compare("Very deep networks: a new view", "Very deep networks")
    assert relation.conflicts
    assert relation.weak


def test_a_former_title_of_the_version_is_a_variant() -> None:
    relation = compare("The old name of it", "The new name of it", others=("The Old Name of It",))
    assert relation.relation is Relation.VARIANT
    assert relation.has("former-title")


def test_a_subtitle_field_belongs_to_the_title() -> None:
    assert (
        compare("Deep nets", "Deep nets: a survey", subtitle="A survey").relation is Relation.EQUAL
    )
    assert not compare("Very deep nets", "Very deep nets", subtitle="A survey").conflicts


def test_a_missing_title_is_silent() -> None:
    assert compare("", "Something").relation is Relation.SILENT


_TITLES = st.lists(
    st.sampled_from("deep sparse learning of graphs for robust vision colour multi view".split()),
    min_size=1,
    max_size=8,
).map(" ".join)


@given(_TITLES)
def test_every_title_equals_itself(title: str) -> None:
    assert compare(title, title).relation is Relation.EQUAL


@given(_TITLES, _TITLES)
def test_whether_titles_agree_does_not_depend_on_the_side(one: str, other: str) -> None:
    assert compare(one, other).agrees == compare(other, one).agrees
    assert similarity(one, other) == similarity(other, one)


@given(_TITLES)
def test_case_and_punctuation_never_conflict(title: str) -> None:
    assert compare(title.upper(), title.replace(" ", " : ")).relation is Relation.EQUAL
