"""What did a run spend in its earlier sittings?

A run that is stopped and started again is one run, and its caps hold for it as a whole. So what
each request took is written down at once, one line a request, in a file beside the run's answers.
"""

import os
from pathlib import Path

import msgspec
from msgspec import Struct

from hallmark._files import read_bytes
from hallmark.errors import InputError


class Amount(Struct, frozen=True):
    """Something spent, or set aside: US dollars (0 where the price is unknown), tokens, calls."""

    cost: float = 0.0
    tokens: int = 0
    calls: int = 0

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.cost + other.cost, self.tokens + other.tokens, self.calls + other.calls)

    def __sub__(self, other: "Amount") -> "Amount":
        return Amount(self.cost - other.cost, self.tokens - other.tokens, self.calls - other.calls)


class Book:
    """The file of what a run spent; it is made when the first request is paid for.

    Args:
        path: the file.

    Raises:
        InputError: it is there and cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.before = _sum(_whole(path), path) if path.exists() else Amount()

    def add(self, amount: Amount) -> str:
        """Write down what a request took; return why that failed, "" where it did not."""
        line = msgspec.json.encode(amount) + b"\n"
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as file:
                file.write(line)
        except OSError as problem:
            return f"{self._path}: {problem.strerror}"
        return ""


def _whole(path: Path) -> bytes:
    """Return the lines of a file, and take away a last one that a crash cut off."""
    try:
        data = read_bytes(path)
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            os.truncate(path, len(whole))
    except OSError as problem:
        raise InputError(_damaged(path, problem.strerror or str(problem))) from problem
    return whole


def _sum(lines: bytes, path: Path) -> Amount:
    total = Amount()
    try:
        for line in lines.splitlines():
            total += msgspec.json.decode(line, type=Amount)
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise InputError(_damaged(path, str(problem))) from problem
    return total


def _damaged(path: Path, why: str) -> str:
    return (
        f"`{path}` should tell what the run spent in earlier sittings, and cannot be read ({why}). "
        "Delete it to let the caps begin anew."
    )
