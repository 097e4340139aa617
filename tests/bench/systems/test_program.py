import json
import sys
import time
from pathlib import Path

import pytest

from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.bench.systems.program import MOST_MESSAGES, ProgramSystem, without_keys
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


@pytest.mark.skipif(sys.platform == "win32", reason="sessions are a thing of POSIX")
def test_what_a_program_leaves_running_is_ended_with_it_and_not_waited_for(tmp_path: Path) -> None:
    child = "import subprocess, sys\nchild = subprocess.Popen(['sleep', '60'])\n"
    note = f"open({str(tmp_path / 'pid')!r}, 'w').write(str(child.pid))\n"
    began = time.monotonic()
    with pytest.raises(InputError, match="is not JSON"):
        run(tmp_path, child + note + LOOP + "print('nonsense', flush=True)")
    assert time.monotonic() - began < 20
    stat = Path("/proc") / (tmp_path / "pid").read_text("utf-8") / "stat"
    if Path("/proc/self").exists():
        time.sleep(0.2)
        assert not stat.exists() or ") Z " in stat.read_text("utf-8")


def test_a_program_sees_none_of_our_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [
        *("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENROUTER_API_KEY", "HALLMARK_LLM_KEY"),
        *("OPENALEX_API_KEY", "SEMANTIC_SCHOLAR_API_KEY", "NCBI_API_KEY", "HALLMARK_SEAL_KEY"),
    ]
    for name in names:
        monkeypatch.setenv(name, "not-to-be-seen")
    monkeypatch.setenv("MY_OWN", "seen")
    seen = tmp_path / "seen.json"
    note = f"import os\njson.dump(dict(os.environ), open({str(seen)!r}, 'w'))\n"
    run(tmp_path, "import json\n" + note + LOOP + ANSWER)
    found = json.loads(seen.read_text("utf-8"))
    assert not set(names) & set(found)
    assert found["MY_OWN"] == "seen"
    assert without_keys({"OPENAI_API_KEY": "k", "PATH": "p"}) == {"PATH": "p"}


def test_a_programs_messages_are_escaped_and_bounded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "import sys\nfor n in range(1000):\n    print('\\x1b[31mred', n, file=sys.stderr)\n"
    run(tmp_path, code + LOOP + ANSWER)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "\\x1b[31mred 0"
    assert lines[MOST_MESSAGES:] == ["(The program wrote 800 more lines to its standard error.)"]
