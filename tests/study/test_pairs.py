"""Every pair of names and titles on the pages is judged as its row says, in both directions."""

from collections import Counter
from pathlib import Path

import pytest

from hallmark.errors import InputError
from hallmark.match.name_forms import form_of_text
from hallmark.match.name_match import fit_names
from hallmark.study.document import as_markdown
from hallmark.study.pairs import (
    Agreement,
    Pair,
    judge_names,
    judge_titles,
    names_page,
    read,
    read_agreement,
    titles_page,
)

DATA = Path(__file__).parents[2] / "docs" / "data"
NAMES = read(DATA / "name_pairs.tsv")
TITLES = read(DATA / "title_pairs.tsv")


def called(pair: Pair) -> str:
    return f"{pair.one} | {pair.other}"


@pytest.mark.parametrize("pair", NAMES, ids=called)
def test_a_pair_of_names_comes_out_as_its_row_says(pair: Pair) -> None:
    assert judge_names(pair.one, pair.other).outcome == pair.expected, pair.reason


@pytest.mark.parametrize("pair", NAMES, ids=called)
def test_a_pair_of_names_fits_alike_in_both_directions(pair: Pair) -> None:
    one, other = form_of_text(pair.one), form_of_text(pair.other)
    assert fit_names(one, other) == fit_names(other, one)


@pytest.mark.parametrize("pair", TITLES, ids=called)
def test_a_pair_of_titles_comes_out_as_its_row_says(pair: Pair) -> None:
    assert judge_titles(pair.one, pair.other).outcome == pair.expected, pair.reason


ONE_SIDED = {"subtitle-dropped", "subtitle-added", "short-title"}


@pytest.mark.parametrize("pair", TITLES, ids=called)
def test_only_subtitles_depend_on_the_side(pair: Pair) -> None:
    there, back = judge_titles(pair.one, pair.other), judge_titles(pair.other, pair.one)
    assert there == back or set(there.codes + back.codes) & ONE_SIDED


def test_the_pairs_are_many_and_none_stands_twice() -> None:
    assert len(NAMES) >= 150
    names = Counter(frozenset((pair.one, pair.other)) for pair in NAMES)
    titles = Counter((pair.one, pair.other) for pair in TITLES)
    assert max(names.values()) == max(titles.values()) == 1
    assert all(pair.reason for pair in NAMES + TITLES)


def test_each_outcome_is_shown_by_many_pairs() -> None:
    outcomes = Counter(pair.expected for pair in NAMES)
    assert set(outcomes) == {"accepted", "doubt", "rejected"}
    assert outcomes["rejected"] >= 30


def test_the_pages_show_every_pair_and_the_figures() -> None:
    figures = Agreement("a command", "2026-12-02", "data", 1234, (("as it is", 9, {"equal": 1.0}),))
    text = as_markdown(names_page(NAMES, figures))
    assert text.count("\n|") >= len(NAMES)
    assert "1,234 pairs" in text
    assert "100.000%" in text
    assert as_markdown(titles_page(TITLES)).count("\n|") >= len(TITLES)


def test_a_row_that_is_short_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("# head\nOrder\tAda Quill\tQuill, Ada\n")
    with pytest.raises(InputError, match=r"line 2: 3 cells"):
        read(path)


def test_files_that_are_missing_or_hold_something_else_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path / "none.tsv")
    (tmp_path / "figures.json").write_text("[]")
    with pytest.raises(InputError, match="no figures"):
        read_agreement(tmp_path / "figures.json")
