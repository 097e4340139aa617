"""How is a verifier scored that is a program in any language?

`bench run "exec:./my_verifier --flag"` starts the program once and writes the blind entries to
its standard input, one JSON object a line. It answers each line, in order, with one JSON object
a line on its standard output: at least `label` and `confidence`. Its messages belong on its
standard error, which is passed on with control characters written out. It runs in a session of its
own that is ended whole, and sees none of the variables that hold our keys.
"""

import contextlib
import os
import queue
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from hallmark.bench.entry import BlindEntry, Prediction
from hallmark.bench.sealing.key import KEY as SEAL_KEY
from hallmark.bench.systems.answers import understand
from hallmark.bench.systems.external.process import end
from hallmark.bench.systems.interface import Setting
from hallmark.errors import InputError
from hallmark.llm.models import OWN_KEY, table
from hallmark.report.escape import visible
from hallmark.sources.specs import SOURCES

PREFIX = "exec:"
# No honest answer is longer; a program that never ends its line must not fill the memory.
LONGEST_ANSWER_BYTES = 1 << 20
_GRACE_S = 2.0
MOST_MESSAGES = 200
"""Lines of a program's standard error that are passed on; of the others the number is told."""
_LONGEST_MESSAGE_BYTES = 2000


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
            threading.Thread(target=self._pass_on, daemon=True),
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
        """Let the program end by itself where it has answered all; stop it and its own otherwise.

        A pipe is closed by the thread that uses it: closing it here would wait for that thread,
        which waits for whatever the program left running.
        """
        self._wait()
        end(self._process)
        for thread in self._threads:
            thread.join(_GRACE_S)

    def _wait(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(_GRACE_S)
        return None

    def _feed(self, entries: Sequence[BlindEntry]) -> None:
        stream, encoder = self._process.stdin, msgspec.json.Encoder()
        if stream is None:
            return
        # A program that stops reading is noticed by its missing answers.
        with contextlib.suppress(OSError, ValueError), stream:
            for entry in entries:
                stream.write(encoder.encode(entry) + b"\n")
                stream.flush()

    def _drain(self) -> None:
        """Queue at most one line more than is expected, then an empty one for the end."""
        stream, left = self._process.stdout, self._expected + 1
        if stream is None:
            return
        with contextlib.suppress(OSError, ValueError), stream:
            while left and (line := stream.readline(LONGEST_ANSWER_BYTES)):
                if line.strip():
                    self._lines.put(line)
                    left -= 1
        self._lines.put(b"")

    def _pass_on(self) -> None:
        """Show the program's messages on our standard error, escaped and not without end."""
        stream, seen = self._process.stderr, 0
        if stream is None:
            return
        with contextlib.suppress(OSError, ValueError), stream:
            while line := stream.readline(_LONGEST_MESSAGE_BYTES):
                seen += 1
                if seen <= MOST_MESSAGES:
                    _say(visible(line.decode("utf-8", "replace")))
        if seen > MOST_MESSAGES:
            _say(f"(The program wrote {seen - MOST_MESSAGES:,} more lines to its standard error.)")


def _start(arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(  # noqa: S603 - running the user's own command is the purpose
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=without_keys(os.environ),
            start_new_session=True,
        )
    except OSError as problem:
        raise InputError(f"Cannot start {arguments[0]!r}: {problem.strerror}.") from problem


def without_keys(environ: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without the keys of models, of sources and of sealed splits."""
    models = {spec.key for _, spec in table().items()}
    sources = {make(None).spec.key_variable for _, make in SOURCES.items()}
    secret = {OWN_KEY, SEAL_KEY, *models, *sources}
    return {name: value for name, value in environ.items() if name not in secret}


def _say(line: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def _decode(line: bytes, number: int) -> object:
    try:
        answer = msgspec.json.decode(line)
    except msgspec.DecodeError as problem:
        raise InputError(
            f"Line {number} of the program's output is not JSON ({problem}): {line[:120]!r}. "
            "Write answers to standard output and everything else to standard error."
        ) from problem
    return answer
