"""How is a verifier scored that is a program in any language?

`bench run "exec:./my_verifier --flag"` starts the program once and writes the blind entries to
its standard input, one JSON object a line. It answers each line, in order, with one JSON object
a line on its standard output: at least `label` and `confidence`. Its messages belong on its
standard error.
"""

import contextlib
import queue
import shlex
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from hallmark.bench.entry import BlindEntry, Prediction
from hallmark.bench.systems.answers import understand
from hallmark.bench.systems.interface import Setting
from hallmark.errors import InputError

PREFIX = "exec:"
# No honest answer is longer; a program that never ends its line must not fill the memory.
LONGEST_ANSWER_BYTES = 1 << 20
_GRACE_S = 2.0


class ProgramSystem:
    """A program that reads blind entries and writes predictions, line by line.

    Args:
        command: the program and its arguments, as in a shell, though no shell runs it.
        timeout_s: how long to wait for one answer, in seconds; 0 is for ever.

    Raises:
        InputError: the command is empty or cannot be split.
    """

    def __init__(self, command: str, timeout_s: float = 0.0) -> None:
        try:
            self._arguments = shlex.split(command)
        except ValueError as problem:
            raise InputError(f"Cannot read the command {command!r}: {problem}.") from problem
        if not self._arguments:
            raise InputError('The command is empty; give it as "exec:./my_verifier --flag".')
        self._timeout_s = timeout_s

    @property
    def settings(self) -> Mapping[str, Setting]:
        """The command and the time-out."""
        return {"command": shlex.join(self._arguments), "timeout_s": self._timeout_s}

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        """Yield the program's answers as they come.

        Raises:
            InputError: the program cannot be started, ends early, takes too long, or writes
                something else than one answer per entry.
        """
        if not entries:
            return
        with contextlib.closing(_Talk(self._arguments, entries)) as talk:
            for number, entry in enumerate(entries, 1):
                line = talk.next_line(number, self._timeout_s)
                yield understand(entry, _decode(line, number))
            talk.expect_end()


class _Talk:
    """One run of the program: fed from one thread and read from another, so neither can block."""

    def __init__(self, arguments: Sequence[str], entries: Sequence[BlindEntry]) -> None:
        self._process = _start(arguments)
        self._expected = len(entries)
        self._lines = queue.Queue[bytes]()
        self._threads = [
            threading.Thread(target=self._feed, args=(entries,), daemon=True),
            threading.Thread(target=self._drain, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def next_line(self, number: int, timeout_s: float) -> bytes:
        """Wait for the answer of this number, counted from 1."""
        try:
            line = self._lines.get(timeout=timeout_s or None)
        except queue.Empty:
            raise InputError(
                f"The program gave no answer to entry {number} of {self._expected} within "
                f"{timeout_s:g} s. Allow more with --option timeout_s=..."
            ) from None
        if not line:
            raise InputError(
                f"The program ended with exit code {self._wait()} after {number - 1} of "
                f"{self._expected} answers. It must answer each line of its input with one line "
                "of JSON."
            )
        return line

    def expect_end(self) -> None:
        """Refuse answers beyond the last entry: the earlier ones may have been shifted."""
        try:
            extra = self._lines.get(timeout=_GRACE_S)
        except queue.Empty:
            return
        if extra:
            raise InputError(
                f"The program wrote more than {self._expected} lines for {self._expected} "
                "entries. It must answer each line of its input with one line of JSON."
            )

    def close(self) -> None:
        """Let the program end by itself where it has answered all; stop it otherwise."""
        if self._wait() is None:
            self._process.kill()
            self._process.wait()
        for thread in self._threads:
            thread.join(_GRACE_S)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError, ValueError):
                    stream.close()

    def _wait(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(_GRACE_S)
        return None

    def _feed(self, entries: Sequence[BlindEntry]) -> None:
        stream, encoder = self._process.stdin, msgspec.json.Encoder()
        if stream is None:
            return
        # A program that stops reading is noticed by its missing answers.
        with contextlib.suppress(OSError, ValueError):
            for entry in entries:
                stream.write(encoder.encode(entry) + b"\n")
                stream.flush()
            stream.close()

    def _drain(self) -> None:
        """Queue at most one line more than is expected, then an empty one for the end."""
        stream, left = self._process.stdout, self._expected + 1
        if stream is None:
            return
        with contextlib.suppress(OSError, ValueError):
            while left and (line := stream.readline(LONGEST_ANSWER_BYTES)):
                if line.strip():
                    self._lines.put(line)
                    left -= 1
        self._lines.put(b"")


def _start(arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(  # noqa: S603 - running the user's own command is the purpose
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
    except OSError as problem:
        raise InputError(f"Cannot start {arguments[0]!r}: {problem.strerror}.") from problem


def _decode(line: bytes, number: int) -> object:
    try:
        answer = msgspec.json.decode(line)
    except msgspec.DecodeError as problem:
        raise InputError(
            f"Line {number} of the program's output is not JSON ({problem}): {line[:120]!r}. "
            "Write answers to standard output and everything else to standard error."
        ) from problem
    return answer
