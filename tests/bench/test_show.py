from pathlib import Path

import pytest

from hallmark.bench.entry import Label
from hallmark.bench.show import as_builtins, find, lines
from hallmark.errors import InputError, UnknownName
from tests.bench.made import said, write
from tests.bench.rows import gold_row


def test_an_entry_is_shown_as_bibtex_with_its_truth_and_what_is_said_of_it(tmp_path: Path) -> None:
    row = gold_row(
        "key1",
        label="HALLUCINATED",
        hallucination_type="wrong_venue",
        fields={"title": "A Title"},
        subtests={"venue_correct": False, "doi_resolves": None},
        explanation="moved",
    )
    path = write(tmp_path / "mine.jsonl", [row])
    places = find("key1", str(path))
    said_rows = [
        ("a.jsonl", said("key1", Label.HALLUCINATED)),
        ("b.jsonl", said("key1", Label.VALID)),
        ("c.jsonl", said("key1", Label.UNCERTAIN)),
    ]
    text = "\n".join(lines(places, said_rows))
    for expected in (
        "title = {A Title}",
        "HALLUCINATED: wrong_venue",
        "venue_correct fails",
        "doi_resolves unknown",
        "moved",
        "(right)",
        "(wrong)",
        "(no answer)",
    ):
        assert expected in text
    shown = as_builtins(places, said_rows)
    assert shown["entries"][0]["split"] == "mine"
    assert [row["file"] for row in shown["predictions"]] == ["a.jsonl", "b.jsonl", "c.jsonl"]


def test_an_unknown_key_is_answered_with_near_ones(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.jsonl", [gold_row("lovelace1843")])
    with pytest.raises(UnknownName, match=r"Did you mean lovelace1843\?"):
        find("lovelace1834", str(path))


def test_all_splits_at_hand_are_looked_through(tmp_path: Path) -> None:
    write(tmp_path / "dev_public.jsonl", [gold_row("a")])
    write(tmp_path / "stress_test.jsonl", [gold_row("a")])
    assert [split for split, _ in find("a", data=tmp_path)] == ["dev_public", "stress_test"]


def test_without_any_split_the_user_is_told_how_to_name_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HALLMARK_DATA", raising=False)
    with pytest.raises(InputError, match="--gold FILE, or --data DIR"):
        find("a", data=tmp_path)
