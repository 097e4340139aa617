"""How is a stranger's program run so that it can neither harm nor hang its caller?

In a scratch folder, with an environment of its own, no input, a time limit, and an output that is
cut where it grows too long. It is ended together with all processes that it started.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

import msgspec

LONGEST_OUTPUT = 16 << 20
"""Bytes of each output that are kept; the rest is read and thrown away."""
_GRACE_S = 5.0


class Ran(msgspec.Struct, frozen=True):
    """How a program ran: its exit code (None: it took too long) and what it wrote.

    `problem` tells why it could not be started; empty where it could.
    """

    exit_code: int | None
    output: str = ""
    errors: str = ""
    problem: str = ""


def run_program(
    command: Sequence[str], folder: Path, environ: Mapping[str, str], timeout_s: float
) -> Ran:
    """Run a program to its end, or for `timeout_s` seconds at the most."""
    try:
        process = subprocess.Popen(  # noqa: S603 - the row's command, no shell
            list(command),
            cwd=folder,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as problem:
        return Ran(None, problem=f"cannot start {Path(command[0]).name}: {problem.strerror}")
    output, errors = _Tail(process.stdout), _Tail(process.stderr)
    try:
        code = _wait(process, timeout_s)
    finally:
        end(process)
    return Ran(code, output.text(), errors.text())


def read_file(path: Path) -> str | None:
    """Return a file that a program wrote, cut at `LONGEST_OUTPUT` bytes; None where there is none.

    What is no regular file, such as a link or a pipe, counts as none.
    """
    if path.is_symlink() or not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            return file.read(LONGEST_OUTPUT).decode("utf-8", "replace")
    except OSError:
        return None


class _Tail:
    """Reads a pipe to its end in a thread of its own and keeps the beginning."""

    def __init__(self, pipe: IO[bytes] | None) -> None:
        self._pipe = pipe
        self._kept = bytearray()
        self._thread = threading.Thread(target=self._drain, daemon=True)
        self._thread.start()

    def text(self) -> str:
        self._thread.join(_GRACE_S)
        return bytes(self._kept).decode("utf-8", "replace")

    def _drain(self) -> None:
        if self._pipe is None:
            return
        with contextlib.suppress(OSError, ValueError), self._pipe:
            while piece := self._pipe.read(1 << 16):
                self._kept += piece[: max(0, LONGEST_OUTPUT - len(self._kept))]


def _wait(process: subprocess.Popen[bytes], timeout_s: float) -> int | None:
    try:
        return process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        return None


def end(process: subprocess.Popen[bytes]) -> None:
    """End the program and everything of its session that it left running."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE_S)
