import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from hallmark.cli.options import Format, Only
from hallmark.cli.progress import Progress
from hallmark.cli.run import (
    INCOMPLETE,
    NOTHING,
    PROBLEMS,
    Wish,
    day,
    exit_code,
    look,
    must_be_files,
    one_line,
    report,
)
from hallmark.errors import InputError
from hallmark.records.verdict import Result
from hallmark.report.interface import RunInfo
from hallmark.report.summary import Summary, Tally
from tests.report import results

RUN = RunInfo(files=("paper.bib",))


def counted(*rows: Result) -> Summary:
    tally = Tally()
    for row in rows:
        tally.add(row)
    return tally.summary()


def test_verified_and_open_references_are_nothing_to_report() -> None:
    assert exit_code(counted(results.verified(), results.unresolved())) == NOTHING


@pytest.mark.parametrize("row", [results.near_miss(), results.invented(), results.unreadable()])
def test_a_problem_is_told_by_the_exit_code(row: Result) -> None:
    assert exit_code(counted(results.verified(), row)) == PROBLEMS


def test_an_incomplete_check_outranks_what_it_found() -> None:
    assert exit_code(counted(results.near_miss(), results.failed())) == INCOMPLETE


def test_the_summary_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    report(results.every_sort(), RUN, Wish(form=Format.JSONL))
    shown = capsys.readouterr()
    assert len(shown.out.splitlines()) == len(results.every_sort())
    assert shown.err.startswith("11 references: 4 verified, 2 contradicted, 1 not found")


def test_quiet_says_nothing_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    report(results.every_sort(), RUN, Wish(form=Format.JSONL, quiet=True, only=Only.PROBLEMS))
    shown = capsys.readouterr()
    assert (len(shown.out.splitlines()), shown.err) == (4, "")


def test_an_error_on_the_way_leaves_no_report(tmp_path: Path) -> None:
    def broken() -> Iterator[Result]:
        yield results.verified()
        raise InputError("The second file cannot be read.")

    path = tmp_path / "report.md"
    with pytest.raises(InputError):
        report(broken(), RUN, Wish(form=Format.MARKDOWN, output=path))
    assert list(tmp_path.iterdir()) == []


def test_no_reference_is_counted_as_none() -> None:
    assert one_line(Summary()) == "0 references: none"


def test_the_line_of_counts_uses_the_words_of_the_report() -> None:
    summary = Summary(references=1, statuses={"verified": 0, "unresolved": 1})
    assert one_line(summary) == "1 reference: 1 cannot be told"


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_after_a_second_and_taken_away() -> None:
    now = iter([0.0, 0.5, 1.5, 1.5, 1.6, 1.61])
    screen = Screen()
    progress = Progress(screen, clock=lambda: next(now))
    progress.step()
    assert screen.getvalue() == ""
    progress.step()
    assert screen.getvalue().endswith("2 references checked, 1/s")
    progress.step()
    progress.end()
    assert screen.getvalue().endswith("\r\x1b[2K")


def test_progress_is_not_shown_where_nobody_looks() -> None:
    stream = io.StringIO()
    progress = Progress(stream, clock=lambda: 0.0)
    progress.step()
    progress.end()
    assert stream.getvalue() == ""


def test_colour_is_for_terminals_only_and_never_against_the_users_wish() -> None:
    assert look(Wish(), Screen(), {}).colour
    assert not look(Wish(), io.StringIO(), {}).colour
    assert not look(Wish(), Screen(), {"NO_COLOR": "1"}).colour
    assert not look(Wish(), Screen(), {"TERM": "dumb"}).colour


def test_a_piped_report_is_eighty_cells_wide() -> None:
    assert look(Wish(), io.StringIO(), {}).width == 80


def test_a_stream_of_ascii_gets_ascii_signs() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert look(Wish(), stream, {}).ascii
    assert not look(Wish(), io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), {}).ascii


def test_a_date_is_read_or_refused() -> None:
    assert day("2026-01-31").isoformat() == "2026-01-31"
    with pytest.raises(InputError, match="YYYY-MM-DD"):
        day("31.1.2026")


def test_folders_and_missing_files_are_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        must_be_files(["-", str(tmp_path)])
    with pytest.raises(InputError, match="There is no file"):
        must_be_files([str(tmp_path / "none.bib")])
