from pathlib import Path

import pytest

from tests.cli.test_check import PAPER_BIB, TODAY, call


@pytest.mark.parametrize("turned", [False, True])
def test_a_letter_is_written_whichever_comes_first_file_or_key(
    paper_index: Path, turned: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    names: list[str | Path] = (
        [PAPER_BIB, "false-authors"] if turned else ["false-authors", PAPER_BIB]
    )
    assert call("explain", *names, "--letter", "--index", paper_index, *TODAY) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Reference false-authors\n-----")
    assert "2  Geoffrey Hinton  #     2 Georgia Gkioxari" in shown
    assert "https://doi.org/10.1109/iccv.2017.322" in shown


def test_a_letter_can_be_markdown(paper_index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--letter", "--markdown", "--index", str(paper_index)]
    assert call("explain", "false-authors", PAPER_BIB, *arguments, *TODAY) == 0
    assert "| 2 | **Geoffrey Hinton** | 2 | **Georgia Gkioxari** |" in capsys.readouterr().out


def test_markdown_without_a_letter_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("explain", "false-authors", PAPER_BIB, "--markdown") == 2
    assert "--markdown goes with --letter" in capsys.readouterr().err
