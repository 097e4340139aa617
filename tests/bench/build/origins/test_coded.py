"""Hand-coded corpora: Table 17 of the paper, and a trail of every case."""

import json
from pathlib import Path

import pytest

from hallmark.bench.build.origins.coded import cases_of, find_scheme, read_corpus
from hallmark.bench.build.origins.trail import Case, Decision, counts, entries_of, write_trail
from hallmark.bench.entry import Label
from hallmark.bench.validate import flaws_of
from hallmark.errors import InputError, UnknownName
from tests.bench.build.origins.little import DATE, LIBRARY

APA = "{names} ({year}). Weaving cloth by steam. Journal of Engines, 12(3), 45-67."


def decide(
    tmp_path: Path, code: str, *, kind: str = "journal article", year: int = 2015,
    names: str = "Adams, B., Brown, C., & Clark, D.",
) -> Case:  # fmt: skip
    path = tmp_path / "corpus.jsonl"
    row = {"id": "x", "citation": APA.format(names=names, year=year), "publication type": kind}
    path.write_text(json.dumps({**row, "coding": code}))
    scheme = find_scheme("walters-wilder")
    (case,) = cases_of(read_corpus(path, scheme, {}), scheme, date=DATE)
    return case


@pytest.mark.parametrize(
    ("code", "kind", "tier"),
    [
        ("fabricated", "plausible_fabrication", 3),
        ("wrong title", "near_miss_title", 3),
        ("wrong authors", "swapped_authors", 2),
        ("wrong journal", "wrong_venue", 2),
        ("wrong journal; wrong authors", "swapped_authors", 2),
        ("wrong authors; wrong title; wrong year", "near_miss_title", 3),
        ("wrong title; fabricated", "plausible_fabrication", 3),
    ],
)
def test_the_most_identity_defining_fault_decides(
    tmp_path: Path, code: str, kind: str, tier: int
) -> None:
    case = decide(tmp_path, code)
    assert (case.decision, case.type, case.tier) == (Decision.TAKEN, kind, tier)
    assert case.entry is not None
    assert case.entry.subtests["cross_db_agreement"] is False


@pytest.mark.parametrize("code", ["none", "formatting", "none; formatting"])
def test_a_work_that_differs_in_form_only_is_valid(tmp_path: Path, code: str) -> None:
    case = decide(tmp_path, code)
    assert case.entry is not None
    assert case.entry.label is Label.VALID


@pytest.mark.parametrize("code", ["wrong year", "wrong pages", "wrong volume; wrong year"])
def test_a_wrong_year_or_page_alone_is_excluded(tmp_path: Path, code: str) -> None:
    assert decide(tmp_path, code).decision is Decision.EXCLUDED


def test_a_wrong_year_in_the_future_has_a_type(tmp_path: Path) -> None:
    assert decide(tmp_path, "wrong year", year=2031).type == "future_date"


def test_what_is_no_article_is_excluded(tmp_path: Path) -> None:
    case = decide(tmp_path, "fabricated", kind="book")
    assert (case.decision, case.reason) == (Decision.EXCLUDED, "not an article")


@pytest.mark.parametrize("code", ["smudged", "", "none; wrong title"])
def test_what_is_not_coded_clearly_is_left_to_a_person(tmp_path: Path, code: str) -> None:
    case = decide(tmp_path, code)
    assert (case.decision, case.entry) == (Decision.OPEN, None)


def test_a_list_of_authors_keeps_its_last_name_and_its_cut(tmp_path: Path) -> None:
    whole = decide(tmp_path, "none").entry
    cut = decide(tmp_path, "none", names="Adams, B., Brown, C., ... Clark, D.").entry
    assert whole is not None
    assert cut is not None
    assert whole.fields["author"] == "B. Adams and C. Brown and D. Clark"
    assert cut.fields["author"] == "B. Adams and C. Brown and others"


def test_a_code_that_a_record_belies_is_left_to_a_person(tmp_path: Path) -> None:
    path = tmp_path / "corpus.csv"
    path.write_text(
        "citation,coding\n"
        '"Lovelace, A., Babbage, C., & Zuse, K. (2021). Weaving numbers with punched cards and '
        'patience. NeurIPS. doi:10.1000/weaving",fabricated\n'
    )
    scheme = find_scheme("walters-wilder")
    table = read_corpus(path, scheme, {})
    (case,) = cases_of(table, scheme, date=DATE, library=LIBRARY)
    assert case.decision is Decision.OPEN
    assert "little" in case.reason


def test_columns_of_their_own_can_hold_the_codes(tmp_path: Path) -> None:
    scheme_file = tmp_path / "mine.toml"
    scheme_file.write_text('name = "mine"\nspared = "valid"\n[flags]\nInvented = "work"\n')
    path = tmp_path / "corpus.csv"
    reference = APA.format(names="Adams, B.", year=2015)
    path.write_text(f'citation;Invented\n"{reference}";yes\n"{reference}";no\n')
    scheme = find_scheme(str(scheme_file))
    cases = list(cases_of(read_corpus(path, scheme, {}), scheme, date=DATE))
    assert [case.type for case in cases] == ["plausible_fabrication", None]
    assert cases[1].label == "VALID"


def test_entries_are_fit_to_use_and_every_case_is_in_the_trail(tmp_path: Path) -> None:
    cases = [decide(tmp_path, code) for code in ("fabricated", "wrong year", "fabricated", "?")]
    entries, settled = entries_of(cases)
    assert len(entries) == 1
    assert not [flaw for flaw in flaws_of(entries) if not flaw.warning]
    found = counts(settled)
    assert {name: sum(by.values()) for name, by in found.items()} == {
        "taken": 1, "excluded": 2, "open": 1,
    }  # fmt: skip
    write_trail(tmp_path / "trail.jsonl", settled)
    rows = [json.loads(line) for line in (tmp_path / "trail.jsonl").read_text().splitlines()]
    assert [row["decision"] for row in rows] == ["taken", "excluded", "excluded", "open"]
    assert rows[0]["key"] == entries[0].bibtex_key


def test_a_scheme_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('name = "x"\n[codes]\nodd = "colour"\n')
    with pytest.raises(InputError, match="does not fit"):
        find_scheme(str(path))
    with pytest.raises(UnknownName):
        find_scheme("walter-wilder-2")


def test_a_corpus_without_a_column_of_references_says_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "corpus.csv"
    path.write_text("colour,coding\nred,none\n")
    with pytest.raises(InputError, match="colour"):
        read_corpus(path, find_scheme("walters-wilder"), {})
