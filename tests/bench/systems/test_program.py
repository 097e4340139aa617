import sys
from pathlib import Path

import pytest

from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.bench.systems.program import ProgramSystem
from hallmark.errors import InputError

ENTRIES = [BlindEntry(f"k{i}", fields={"title": "x" * 300}) for i in range(500)]
LOOP = "import sys, json\nfor n, line in enumerate(sys.stdin):\n    row = json.loads(line)\n    "
ANSWER = "print(json.dumps({'bibtex_key': row['bibtex_key'], 'label': 'VALID', 'confidence': 0.7}))"


def run(folder: Path, code: str, timeout_s: float = 0.0) -> list[Prediction]:
    (folder / "program.py").write_text(code, encoding="utf-8")
    system = ProgramSystem(f"'{sys.executable}' '{folder}/program.py'", timeout_s)
    return list(system.predict(ENTRIES))


def test_a_program_answers_line_by_line(tmp_path: Path) -> None:
    rows = run(tmp_path, LOOP + ANSWER)
    assert [row.bibtex_key for row in rows] == [entry.bibtex_key for entry in ENTRIES]


def test_a_program_may_read_everything_before_it_answers(tmp_path: Path) -> None:
    code = (
        "import sys, json\nrows = [json.loads(line) for line in sys.stdin]\nfor row in rows:\n    "
    )
    assert len(run(tmp_path, code + ANSWER)) == len(ENTRIES)


def test_a_program_may_answer_in_any_documented_form(tmp_path: Path) -> None:
    assert {row.label for row in run(tmp_path, LOOP + "print(0.9)")} == {Label.HALLUCINATED}


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (LOOP + "sys.exit(7)", "exit code 7 after 0 of 500"),
        (LOOP + "print('checking...')", "Line 1 of the program's output is not JSON"),
        (LOOP + ANSWER + ";" + ANSWER, "more than 500 lines"),
        ("", "after 0 of 500"),
    ],
)
def test_a_program_that_breaks_the_protocol_stops_the_run(
    tmp_path: Path, code: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        run(tmp_path, code)


def test_an_answer_for_another_key_is_a_failure_of_that_entry(tmp_path: Path) -> None:
    rows = run(
        tmp_path,
        LOOP + "print(json.dumps({'bibtex_key': 'k0', 'label': 'VALID', 'confidence': 1}))",
    )
    assert [row.label for row in rows[:2]] == [Label.VALID, Label.ERROR]


def test_a_silent_program_is_stopped_when_its_time_is_over(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no answer to entry 1 of 500 within 0\.2 s"):
        run(tmp_path, "import time\ntime.sleep(60)", timeout_s=0.2)


def test_a_command_that_cannot_be_started_is_named() -> None:
    with pytest.raises(InputError, match="Cannot start 'no-such-program-here'"):
        list(ProgramSystem("no-such-program-here").predict(ENTRIES))
    with pytest.raises(InputError, match="Cannot read the command"):
        ProgramSystem("'unclosed")
    with pytest.raises(InputError, match="command is empty"):
        ProgramSystem("  ")
