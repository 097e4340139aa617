"""How often were sealed labels used, by what, and was the record of it tampered with?

A ledger of uses is a JSON Lines file to which rows are added, never changed. Each row holds the
digest of the row before it and an authentication code under the seal's key, so that a row that
was changed, taken out or put in shows. Rows cut off at the end do not show in the file itself: keep
the digest that every scoring prints.
"""

import base64
import fcntl
import hashlib
import hmac
import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Self

import msgspec
from msgspec import Struct, structs

from hallmark._files import read_open
from hallmark.bench.entry import Label, Prediction
from hallmark.bench.lines import printable
from hallmark.bench.sealing.key import SealKey
from hallmark.errors import InputError, OutputError

SCHEMA = "hallmark-use/1"
FEWEST_CHANGED = 10
"""Answers in which a file must differ from one scored before: fewer show single labels."""
_KEY_BYTES = 64


class Use(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One scoring: what was scored, by which answers (encrypted), and the chain's two links."""

    schema: str = SCHEMA
    number: int
    date: str
    system: str
    predictions_sha256: str
    sealed_sha256: str
    answers: str
    previous: str
    mac: str = ""


class Ledger:
    """An open ledger of uses, locked against other runs; a context manager.

    Args:
        path: the file; begun where there is none, in a folder that is there.
        key: the seal's key.

    Raises:
        InputError: it is no ledger, has no folder, was tampered with, or another run holds it.
        OutputError: it cannot be written.
    """

    def __init__(self, path: Path, key: SealKey) -> None:
        self._path, self._key = path, key
        self._file = _open_locked(path)
        try:
            data = read_open(self._file, path)
            self._ended = data[-1:] in (b"", b"\n")
            self._lines = data.splitlines()
            self.uses = [self._checked(n, line) for n, line in enumerate(self._lines, 1)]
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def head(self) -> str:
        """The digest of the last row; of nothing where there is none."""
        return hashlib.sha256(self._lines[-1] if self._lines else b"").hexdigest()

    def of(self, sealed_sha256: str) -> list[Use]:
        """Return the uses of one file of sealed labels."""
        return [use for use in self.uses if use.sealed_sha256 == sealed_sha256]

    def admit(
        self, sealed_sha256: str, answers: Sequence[Prediction], limit: int | None = None
    ) -> None:
        """Refuse a scoring that is one too many, or that would show single labels.

        Args:
            sealed_sha256: digest of the sealed labels.
            answers: of the file to be scored.
            limit: uses of these labels at the most.

        Raises:
            InputError: the limit is reached, or the labels differ from those of an earlier use in
                few entries.
        """
        before = self.of(sealed_sha256)
        if limit is not None and len(before) >= limit:
            raise InputError(
                f"These labels were used {len(before)} times, and {limit} is the limit. Further "
                "scorings need another sealed split."
            )
        packed = pack(answers)
        for use in before:
            changed = distance(packed, self._unpacked(use))
            if 0 < changed < FEWEST_CHANGED:
                raise InputError(
                    f"The flags given differ from those of use {use.number} in {changed} entries: "
                    "two such scores show single labels. Score files that differ in "
                    f"{FEWEST_CHANGED} or more, or the same one again."
                )

    def add(
        self,
        sealed_sha256: str,
        answers: Sequence[Prediction],
        *,
        date: str,
        system: str,
        predictions_sha256: str,
    ) -> Use:
        """Write down a use, before anything of it is told.

        Raises:
            OutputError: it cannot be written.
        """
        bare = Use(
            number=len(self.uses) + 1,
            date=date,
            system=system,
            predictions_sha256=predictions_sha256,
            sealed_sha256=sealed_sha256,
            answers=self._packed(answers),
            previous=self.head,
        )
        use = structs.replace(bare, mac=self._mac(bare))
        self._write(msgspec.json.encode(use))
        self.uses.append(use)
        return use

    def _write(self, line: bytes) -> None:
        try:
            self._file.seek(0, os.SEEK_END)
            self._file.write((b"" if self._ended else b"\n") + line + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise OutputError(
                f"The ledger {printable(self._path, 300)} cannot be written: {error.strerror}."
            ) from None
        self._ended = True
        self._lines.append(line)

    def _checked(self, number: int, line: bytes) -> Use:
        where = f"The ledger {printable(self._path, 300)}, line {number},"
        try:
            use = msgspec.json.decode(line, type=Use)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise InputError(
                f"{where} is no use of sealed labels ({printable(error)}). {self._remedy(number)}"
            ) from None
        before = self._lines[number - 2] if number > 1 else b""
        chained = use.number == number and use.previous == hashlib.sha256(before).hexdigest()
        if not chained or not hmac.compare_digest(use.mac, self._mac(use)):
            raise InputError(
                f"{where} was tampered with, or one before it, or the ledger belongs to another "
                "key. Bring back the ledger as it was."
            )
        return use

    def _remedy(self, number: int) -> str:
        """Say what to do about a line that cannot be read."""
        if number < len(self._lines) or self._ended:
            return "Bring back the ledger as it was from a copy."
        before = self._lines[number - 2] if number > 1 else b""
        return (
            "It was cut off while it was written, before its score was told. Bring back the ledger "
            "from a copy; where there is none, take this line out and score again. The ledger's "
            f"digest must then be the last that was printed: {hashlib.sha256(before).hexdigest()}."
        )

    def _mac(self, use: Use) -> str:
        text = msgspec.json.encode(structs.replace(use, mac=""))
        return hmac.new(self._key.derive("uses"), text, hashlib.sha256).hexdigest()

    def _packed(self, answers: Sequence[Prediction]) -> str:
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV  # noqa: PLC0415

        cipher = AESSIV(self._key.derive("answers", _KEY_BYTES))
        return base64.b64encode(cipher.encrypt(pack(answers), [])).decode()

    def _unpacked(self, use: Use) -> bytes:
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV  # noqa: PLC0415

        cipher = AESSIV(self._key.derive("answers", _KEY_BYTES))
        return cipher.decrypt(base64.b64decode(use.answers), [])


def pack(answers: Sequence[Prediction]) -> bytes:
    """Return which answers flag their entry, one letter each, in the order of their keys.

    That is all that a score depends on: padding with other changes does not make files differ.
    """
    by_key = sorted(answers, key=lambda one: one.bibtex_key)
    return b"".join(b"H" if one.label is Label.HALLUCINATED else b"-" for one in by_key)


def distance(one: bytes, other: bytes) -> int:
    """Return in how many entries two lists of flags differ; those of other lengths in all."""
    if len(one) != len(other):
        return max(len(one), len(other))
    return sum(a != b for a, b in zip(one, other, strict=True))


def _open_locked(path: Path) -> IO[bytes]:
    where = printable(path, 300)
    if not path.parent.is_dir():
        raise InputError(
            f"There is no folder for the ledger {where}. Name the ledger in which earlier uses are "
            "written down; a new one is begun in a folder that is there."
        )
    try:
        path.touch(mode=0o600, exist_ok=True)
        file = path.open("r+b")
    except OSError as error:
        raise OutputError(f"The ledger {where} cannot be written: {error.strerror}.") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise InputError(f"Another run is writing to {where}; let it end first.") from None
    return file
