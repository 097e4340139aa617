from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.entry import Entry, Label
from hallmark.bench.taxonomy import TAXONOMY, HallucinationType
from hallmark.bench.validate import Flaw, balanced, count_by_check, flaws_of, validate
from hallmark.errors import InputError
from tests.bench.made import said_row, write
from tests.bench.rows import gold_row

FIELDS = {"title": "A Title", "author": "Ada Lovelace", "year": "2021", "booktitle": "V"}


def entry(kind: HallucinationType | None = None, **more: Any) -> Entry:
    label = Label.HALLUCINATED if kind else Label.VALID
    whole: dict[str, Any] = {
        "bibtex_key": "k",
        "bibtex_type": "inproceedings",
        "fields": FIELDS,
        "label": label,
        "hallucination_type": kind,
        "added_to_benchmark": "2026-01-01",
        "line": 1,
    }
    return Entry(**{**whole, **more})


def flaws(one: Entry) -> list[Flaw]:
    return list(flaws_of([one]))


def test_a_sound_entry_has_no_flaw() -> None:
    assert flaws(entry()) == []
    assert flaws(entry(HallucinationType.WRONG_VENUE, difficulty_tier=2)) == []


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ({"bibtex_key": "a,b"}, "bibtex"),
        ({"bibtex_key": "a b"}, "bibtex"),
        ({"bibtex_type": "paper"}, "bibtex"),
        ({"fields": {**FIELDS, "title": "{A"}}, "bibtex"),
        ({"fields": {**FIELDS, "2x": "y"}}, "bibtex"),
        ({"raw_bibtex": "@inproceedings{k, title={A}"}, "bibtex"),
        ({"raw_bibtex": "nothing"}, "bibtex"),
        ({"fields": {**FIELDS, "author": " "}}, "fields"),
        ({"fields": {**FIELDS, "year": "21"}}, "year"),
        ({"fields": {**FIELDS, "year": "2030"}}, "year"),
        ({"fields": {**FIELDS, "year": "0001"}}, "year"),
        ({"hallucination_type": HallucinationType.WRONG_VENUE}, "label"),
        ({"subtests": {"title_exists": False}}, "subtests"),
        ({"subtests": {"spelling": True}}, "subtests"),
    ],
)
def test_each_fault_of_a_valid_entry_is_found(change: dict[str, Any], check: str) -> None:
    found = flaws(entry(**change))
    assert [flaw.check for flaw in found if not flaw.warning] == [check]


def test_a_whole_raw_entry_is_accepted() -> None:
    assert flaws(entry(raw_bibtex="@inproceedings{k,\n title={{A} Title}}\n")) == []


@pytest.mark.parametrize("kind", HallucinationType)
def test_sub_tests_that_follow_the_type_pass_and_their_opposites_do_not(
    kind: HallucinationType,
) -> None:
    year = "2030" if kind is HallucinationType.FUTURE_DATE else "2021"
    fields = {**FIELDS, "year": year, "doi": "10.1/x"}
    signature = TAXONOMY[kind].signature
    assert flaws(entry(kind, fields=fields, subtests=signature)) == []
    for name, expected in signature.items():
        if expected is not None:
            turned = {**signature, name: not expected}
            assert [f.check for f in flaws(entry(kind, fields=fields, subtests=turned))] == [
                "subtests"
            ]


def test_odd_but_possible_things_are_warnings() -> None:
    found = flaws(entry(fields={k: v for k, v in FIELDS.items() if k != "booktitle"}))
    assert [flaw.warning for flaw in found] == [True]
    assert count_by_check(found) == {}


def test_a_future_date_must_lie_in_the_future() -> None:
    assert [f.check for f in flaws(entry(HallucinationType.FUTURE_DATE))] == ["year"]


def test_repeated_keys_and_entries_name_all_their_lines(tmp_path: Path) -> None:
    rows = [gold_row(key, fields=FIELDS) for key in ("a", "b", "a")]
    found = validate(write(tmp_path / "g.jsonl", rows))
    assert {(flaw.check, flaw.lines) for flaw in found if not flaw.warning} == {
        ("duplicate-key", (1, 3)),
        ("duplicate-entry", (1, 2, 3)),
    }
    assert next(flaw.where for flaw in found if flaw.check == "duplicate-key") == "lines 1, 3"


def test_a_row_without_its_schema_is_a_flaw_with_its_line(tmp_path: Path) -> None:
    path = write(tmp_path / "g.jsonl", [gold_row("a", fields=FIELDS), gold_row("b", label="valid")])
    (flaw,) = validate(path)
    assert flaw.check == "schema"
    assert "line 2" in flaw.message


def test_a_prediction_file_is_checked_as_one(tmp_path: Path) -> None:
    rows = [said_row("a", "VALID", 0.9), said_row("a", "VALID", 0.9)]
    (flaw,) = validate(write(tmp_path / "p.jsonl", rows))
    assert (flaw.check, flaw.lines) == ("duplicate-key", (1, 2))


def test_what_is_no_json_lines_file_is_misuse(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n", encoding="utf-8")
    with pytest.raises(InputError):
        validate(tmp_path / "x.csv")


@given(st.text(alphabet="{}a\\", max_size=12))
def test_braces_pair_as_in_a_direct_count(text: str) -> None:
    depths = [text[: i + 1].count("{") - text[: i + 1].count("}") for i in range(len(text))]
    assert balanced(text) is (not depths or (min(depths) >= 0 and depths[-1] == 0))
