import os
import sys
import time
from pathlib import Path

from hallmark.bench.systems.external.process import LONGEST_OUTPUT, read_file, run_program


def python(code: str, folder: Path, timeout_s: float = 20.0, **environ: str) -> tuple[object, str]:
    ran = run_program([sys.executable, "-c", code], folder, environ, timeout_s)
    return ran.exit_code, ran.output


def test_a_program_sees_only_the_environment_that_it_is_given(tmp_path: Path) -> None:
    code, output = python("import os; print(sorted(os.environ))", tmp_path, HOME="/nowhere")
    assert code == 0
    assert "HOME" in output
    assert set(eval(output)) <= {"HOME", "LC_CTYPE", "__CF_USER_TEXT_ENCODING"}


def test_a_program_works_in_the_folder_that_it_is_given_and_without_input(tmp_path: Path) -> None:
    _, output = python("import os, sys; print(os.getcwd(), repr(sys.stdin.read()))", tmp_path)
    assert output.split() == [str(tmp_path), "''"]


def test_a_program_that_takes_too_long_is_ended_with_its_children(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(child.pid, flush=True)\ntime.sleep(60)\n"
    )
    start = time.perf_counter()
    exit_code, output = python(code, tmp_path, 1.5)
    assert exit_code is None
    assert time.perf_counter() - start < 15
    assert not _runs(int(output))


def _runs(pid: int) -> bool:
    for _ in range(50):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        if Path(f"/proc/{pid}/stat").exists() and ") Z " in Path(f"/proc/{pid}/stat").read_text():
            return False
        time.sleep(0.1)
    return True


def test_an_output_without_end_is_cut(tmp_path: Path) -> None:
    code = f"import sys; sys.stdout.write('x' * {LONGEST_OUTPUT + 100_000})"
    exit_code, output = python(code, tmp_path)
    assert exit_code == 0
    assert len(output) == LONGEST_OUTPUT


def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    ran = run_program([str(tmp_path / "gone")], tmp_path, {}, 5)
    assert "cannot start gone" in ran.problem


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("answer", encoding="utf-8")
    (tmp_path / "link").symlink_to("/etc/passwd")
    assert read_file(tmp_path / "out") == "answer"
    assert read_file(tmp_path / "link") is None
    assert read_file(tmp_path / "none") is None
