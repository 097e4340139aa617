"""A contribution is checked, bundled in the same bytes each time, and refused with all its faults."""

import hashlib
from pathlib import Path

import pytest

from hallmark.bench.contribute import files_of, read_offer, write_bundle
from hallmark.bench.dataset import load_split
from hallmark.errors import InputError, OutputError
from tests.bench.made import gold_row, said_row, write


def rows(*keys: str) -> list[dict[str, object]]:
    made = [gold_row(key) for key in keys]
    for row in made:
        row["fields"] = {
            "title": f"A Study of {row['bibtex_key']}",
            "author": "Ada Lovelace",
            "year": "2020",
            "booktitle": "NeurIPS",
        }
        row["raw_bibtex"] = ""
    return made


def test_a_bundle_holds_entries_answers_report_and_checksums(tmp_path: Path) -> None:
    file = write(tmp_path / "mine.jsonl", rows("a", "b"))
    answers = write(tmp_path / "evil.jsonl", [said_row("a", "VALID"), said_row("b", "VALID")])
    files = files_of(read_offer(file, [answers], []))
    assert list(files) == ["entries.jsonl", "predictions-1.jsonl", "REPORT.md", "SHA256SUMS"]
    assert files == files_of(read_offer(file, [answers], []))
    for line in files["SHA256SUMS"].decode().splitlines():
        digest, _, name = line.partition("  ")
        assert hashlib.sha256(files[name]).hexdigest() == digest
    assert b"2 entries" in files["REPORT.md"]
    write_bundle(files, tmp_path / "bundle")
    assert sorted(one.name for one in (tmp_path / "bundle").iterdir()) == sorted(files)


def test_works_that_a_split_holds_already_are_refused(tmp_path: Path) -> None:
    mine = write(tmp_path / "mine.jsonl", rows("a", "b"))
    theirs = write(tmp_path / "theirs.jsonl", rows("b", "c"))
    with pytest.raises(InputError, match="shared-titles"):
        read_offer(mine, [], [load_split(theirs)])


def test_answers_that_leave_entries_out_are_refused(tmp_path: Path) -> None:
    mine = write(tmp_path / "mine.jsonl", rows("a", "b"))
    answers = write(tmp_path / "answers.jsonl", [said_row("a", "VALID")])
    with pytest.raises(InputError, match="do not fit"):
        read_offer(mine, [answers], [])


def test_keys_that_would_do_harm_are_refused_or_warned_of(tmp_path: Path) -> None:
    """The rules are those of `bench validate`."""
    for key in ("a\x1b[2J", "a\u202eb", "k" * 10**6):
        mine = write(tmp_path / "mine.jsonl", rows("a", key))
        with pytest.raises(InputError, match="cannot be handed in") as refused:
            read_offer(mine, [], [])
        assert len(str(refused.value)) < 1000
    for key in ("../../../etc/passwd", "/etc/passwd", "k" * 300):
        mine = write(tmp_path / "mine.jsonl", rows("a", key))
        offer = read_offer(mine, [], [])
        assert [one.check for one in offer.warnings] == ["key"]
        assert b"- key: the key" in files_of(offer)["REPORT.md"]
    mine = write(tmp_path / "mine.jsonl", rows("a", "DBLP:conf/nips/VaswaniSPUJGKP17"))
    assert read_offer(mine, [], []).warnings == ()


def test_flawed_entries_are_refused(tmp_path: Path) -> None:
    mine = write(tmp_path / "mine.jsonl", rows("a", "a"))
    with pytest.raises(InputError, match="cannot be handed in as it is"):
        read_offer(mine, [], [])


def test_nothing_is_written_over(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="There is something at"):
        write_bundle({"entries.jsonl": b""}, tmp_path)


def test_a_report_shows_no_markup_of_names(tmp_path: Path) -> None:
    made = rows("a", "b")
    made[0]["generation_method"] = "scraped"
    file = write(tmp_path / "mine.jsonl", made)
    answers = write(tmp_path / "x|<b>.jsonl", [said_row("a", "VALID"), said_row("b", "VALID")])
    text = files_of(read_offer(file, [answers], []))["REPORT.md"].decode()
    assert "<b>" not in text


def test_splits_of_one_name_in_two_folders_are_two_splits(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    mine = write(tmp_path / "dev.jsonl", rows("a", "b"))
    theirs = write(tmp_path / "theirs" / "dev.jsonl", rows("c", "d"))
    assert read_offer(mine, [], [load_split(theirs)]).split.path == mine
