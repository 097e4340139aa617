import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hallmark.cli.mend import Mended, State, mend
from hallmark.index import LocalIndex, open_index
from hallmark.parse.interface import read
from hallmark.records.verdict import Result
from hallmark.verifier import Verifier
from tests.cli.test_check import PAPER_BIB, TODAY, call

LEAST = {
    "false-venue",
    "false-authors",
    "false-missing",
    "false-future",
    "false-year",
    "false-doi",
    "false-edition",
    "false-venue-invented",
}
"""Entries of the example that have one clear record; a few more may have one."""


@pytest.fixture
def bib(tmp_path: Path) -> Path:
    path = tmp_path / "mine.bib"
    shutil.copyfile(PAPER_BIB, path)
    return path


@pytest.fixture(scope="module")
def index(paper_index: Path) -> LocalIndex:
    return open_index(paper_index)


def mended(
    index: LocalIndex, path: Path, *, unsafe: bool = True, data: bytes | None = None
) -> Mended:
    verifier = Verifier(index)
    results = [one for one in verifier.check(read(str(path))) if one.verdict.suggestion is not None]
    return mend(
        str(path),
        path.read_bytes() if data is None else data,
        results,
        check=verifier.check_one,
        venues=index.venues,
        unsafe=unsafe,
    )


def test_the_example_is_corrected_and_reads_right_afterwards(
    bib: Path, tmp_path: Path, paper_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "fixed.bib"
    before = bib.read_bytes()
    assert call("check", bib, "--index", paper_index, "--fix", out, "--unsafe-fixes", *TODAY) == 1
    assert bib.read_bytes() == before
    told = capsys.readouterr().err
    made = {line.split()[1].rstrip(",") for line in told.splitlines() if " made  " in line}
    assert made >= LEAST
    assert f"{len(made)} corrections made" in told
    results = Verifier(open_index(paper_index)).check(read(str(out)))
    status = {one.key: one.status for one in results}
    assert all(status[key] == "verified" for key in made)
    text = out.read_text(encoding="utf-8")
    assert "Kaiming He and Georgia Gkioxari and Piotr Doll{\\'a}r and Ross" in text
    assert "doi       = {10.1109/cvpr.2017.106}," in text


def test_only_safe_corrections_are_made_unasked(
    bib: Path, tmp_path: Path, paper_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "fixed.bib"
    call("check", bib, "--index", paper_index, "--fix", out, "-o", tmp_path / "r.txt", *TODAY)
    told = capsys.readouterr().err
    assert "left     false-venue-invented" in told
    assert "--unsafe-fixes makes it" in told
    assert "Contextual Language Engineering" in out.read_text(encoding="utf-8")


def test_a_diff_can_be_applied_to_the_file(
    bib: Path, tmp_path: Path, paper_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "fixed.bib"
    call("check", bib, "--index", paper_index, "--diff", "--fix", out, "--unsafe-fixes", *TODAY)
    diff = capsys.readouterr().out
    assert diff.startswith(f"--- {bib}\n+++ {out}\n@@ ")
    if shutil.which("patch"):
        subprocess.run(["patch", "-s", str(bib)], input=diff.encode(), check=True, cwd=tmp_path)
        assert bib.read_bytes() == out.read_bytes()


@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_line_ends_and_encodings_stay(
    bib: Path, index: LocalIndex, end: bytes, encoding: str
) -> None:
    text = bib.read_text(encoding="utf-8").replace("\n", end.decode())
    bib.write_bytes(text.encode(encoding))
    outcome = mended(index, bib)
    made = {row.key for row in outcome.rows if row.state is State.MADE}
    assert made >= LEAST
    after = outcome.data.decode(encoding)
    assert after.count(end.decode()) == text.count(end.decode())
    assert after.replace(end.decode(), "").count("\n") == 0
    same = [
        a
        for a, b in zip(text.split(end.decode()), after.split(end.decode()), strict=True)
        if a == b
    ]
    assert len(same) == text.count(end.decode()) + 1 - len(made)


def test_without_anything_to_correct_the_copy_is_the_file(
    tmp_path: Path, paper_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "odd.bib", tmp_path / "copy.bib"
    path.write_bytes(
        b"\xef\xbb\xbf% lone \xe9\r\n@misc(k, title = {T\t}, year = 2000)\r\n\r\n@comment{x}\n@misc{"
    )
    call("check", path, "--index", paper_index, "--fix", out, *TODAY)
    assert out.read_bytes() == path.read_bytes()
    assert "0 corrections made" in capsys.readouterr().err


def test_the_input_is_never_written_over(
    bib: Path, tmp_path: Path, paper_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = bib.read_bytes()
    hard, soft = tmp_path / "hard.bib", tmp_path / "soft.bib"
    os.link(bib, hard)
    soft.symlink_to(bib)
    for out in (bib, hard, soft, tmp_path / "." / bib.name):
        assert call("check", bib, "--index", paper_index, "--fix", out) == 2
        assert "never written over" in capsys.readouterr().err
    assert bib.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--unsafe-fixes"], "--unsafe-fixes goes with --fix"),
        (["--fix", "-"], "--fix writes to a file"),
        (["--fix", "."], "is a folder"),
        (["--fix", "x.bib", "-o", "x.bib"], "Two outputs cannot both go to"),
        (["--fix", "no/such/folder/x.bib"], "cannot be written"),
        (["--fix", "x.bib", "other.bib"], "one file at a time"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(
    bib: Path,
    paper_index: Path,
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert call("check", bib, "--index", paper_index, *arguments) == 2
    shown = capsys.readouterr().err
    assert words in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", '[{"id": "a", "title": "T"}]'),
        ("a.ris", "TY  - JOUR\nTI  - T\nER  - \n"),
    ],
)
def test_other_formats_are_not_corrected(
    tmp_path: Path, name: str, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert call("check", path, "--fix", tmp_path / "x.bib") == 2
    assert "in .bib files only" in capsys.readouterr().err


FAULTY = "  booktitle = {Proceedings of EMNLP},\n  year      = {2018}"


def false_year(index: LocalIndex, path: Path) -> tuple[State, str]:
    rows = {row.key: row for row in mended(index, path).rows}
    return rows["false-year"].state, rows["false-year"].reason


def test_an_entry_with_faults_of_form_is_left_to_a_person(bib: Path, index: LocalIndex) -> None:
    text = bib.read_text(encoding="utf-8")
    assert FAULTY in text
    bib.write_text(text.replace(FAULTY, FAULTY.replace("},\n", "}\n")), encoding="utf-8")
    state, reason = false_year(index, bib)
    assert state is State.REFUSED
    assert "breaks a rule of BibTeX" in reason


def test_an_entry_from_which_others_inherit_is_left_to_a_person(
    bib: Path, index: LocalIndex
) -> None:
    with bib.open("a", encoding="utf-8") as file:
        file.write("\n@incollection{child, title = {Another}, crossref = {false-year}}\n")
    assert false_year(index, bib) == (
        State.REFUSED,
        "Other entries inherit from it; correct it by hand.",
    )


def test_a_file_that_changed_meanwhile_is_left_alone(bib: Path, index: LocalIndex) -> None:
    data = b"% a new first line\n" + bib.read_bytes()
    outcome = mended(index, bib, data=data)
    assert outcome.data == data
    assert {row.reason for row in outcome.rows} == {"The file was changed during the check."}


def test_a_correction_that_does_not_stand_up_is_not_made(bib: Path, index: LocalIndex) -> None:
    verifier = Verifier(index)
    results = [one for one in verifier.check(read(str(bib))) if one.verdict.suggestion is not None]
    doubtful = next(one for one in results if one.key == "false-year")

    def check(reference: object) -> Result:
        return doubtful

    outcome = mend(
        str(bib), bib.read_bytes(), results, check=check, venues=index.venues, unsafe=True
    )
    assert outcome.data == bib.read_bytes()
    assert all("not verified" in row.reason for row in outcome.rows)
