"""Which key opens sealed labels, and where does it come from?

The key is 32 random bytes as hexadecimal digits, or a passphrase that scrypt (RFC 7914) stretches.
It comes from the environment or from a file outside the release, and is in no text of ours.
"""

import hashlib
import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path

from hallmark._files import draft_of, read_text
from hallmark.bench.lines import printable
from hallmark.errors import InputError, OutputError

KEY = "HALLMARK_SEAL_KEY"
PASSPHRASE = "HALLMARK_SEAL_PASSPHRASE"  # noqa: S105 - the name of a variable
"""The environment variables of a key and of a passphrase."""
_BYTES = 32
_DIGITS = re.compile(r"[0-9a-fA-F]{64}")
_SHORTEST = 16
_LARGEST_FILE = 4096
_N, _R, _P = 2**15, 8, 1
"""The cost of scrypt: 32 MiB and about a tenth of a second."""


class SealKey:
    """A secret from which the keys of single purposes are derived (HKDF, RFC 5869)."""

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def __repr__(self) -> str:
        return "SealKey(...)"

    def derive(self, purpose: str, length: int = _BYTES) -> bytes:
        """Return the key of a purpose; purposes tell nothing about each other."""
        from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415 - bench extra
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415

        info = f"hallmark/seal/1/{purpose}".encode()
        return HKDF(SHA256(), length, salt=None, info=info).derive(self._secret)

    @property
    def id(self) -> str:
        """What tells keys apart without telling them: 16 hexadecimal digits."""
        return self.derive("id", 8).hex()


def new_key() -> str:
    """Return a new key as hexadecimal digits."""
    return secrets.token_hex(_BYTES)


def key_of(digits: str, where: str) -> SealKey:
    """Return the key that these hexadecimal digits spell.

    Raises:
        InputError: they are no key; the message names the place, not the digits.
    """
    text = digits.strip()
    if not _DIGITS.fullmatch(text):
        raise InputError(
            f"{where} holds no key: it must be 64 hexadecimal digits. Make one: hallmark bench "
            "build new-key FILE"
        )
    return SealKey(bytes.fromhex(text))


def key_of_passphrase(passphrase: str, benchmark: str) -> SealKey:
    """Return the key that a passphrase means for a benchmark of this name.

    Raises:
        InputError: it is shorter than 16 characters.
    """
    if len(passphrase) < _SHORTEST:
        raise InputError(f"{PASSPHRASE} is too short: give {_SHORTEST} characters or more.")
    salt = hashlib.sha256(f"hallmark/seal/1/{benchmark}".encode()).digest()
    found = hashlib.scrypt(
        passphrase.encode(errors="surrogateescape"),
        salt=salt,
        n=_N,
        r=_R,
        p=_P,
        maxmem=2**26,
        dklen=_BYTES,
    )
    return SealKey(found)


def find_key(environ: Mapping[str, str], file: Path | None, benchmark: str) -> SealKey | None:
    """Return the key of a file, else of the environment; None where there is none.

    Args:
        environ: the environment.
        file: a file with the key's digits.
        benchmark: the name of the benchmark, for a passphrase.

    Raises:
        InputError: what is there is no key.
    """
    if file is not None:
        return key_of(_text(file), printable(file, 300))
    if environ.get(KEY):
        return key_of(environ[KEY], KEY)
    if environ.get(PASSPHRASE):
        return key_of_passphrase(environ[PASSPHRASE], benchmark)
    return None


def needed_key(environ: Mapping[str, str], file: Path | None, benchmark: str) -> SealKey:
    """Return the key as `find_key`.

    Raises:
        InputError: there is none, or what is there is no key.
    """
    found = find_key(environ, file, benchmark)
    if found is None:
        raise InputError(
            f"Sealed labels need a key: --key-file FILE, or set {KEY} (64 hexadecimal digits) or "
            f"{PASSPHRASE}."
        )
    return found


def _text(file: Path) -> str:
    where = printable(file, 300)
    try:
        return read_text(file, "ascii", _LARGEST_FILE)
    except OSError as error:
        raise InputError(f"The key file {where} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{where} holds no key: it must be 64 hexadecimal digits.") from None


def write_key(file: Path) -> None:
    """Write a new key to a new file that its owner alone may read.

    Raises:
        OutputError: there is something at the place, or it cannot be written.
    """
    try:
        draft = draft_of(file)
        draft.unlink(missing_ok=True)
        draft.touch(mode=0o600)
        draft.write_text(new_key() + "\n", encoding="ascii")
        _settle_new(draft, file)
    except FileExistsError:
        raise OutputError(
            f"There is something at {printable(file, 300)}: a key is never written over."
        ) from None
    except OSError as error:
        raise OutputError(f"{printable(file, 300)} cannot be written: {error.strerror}.") from None


def _settle_new(draft: Path, file: Path) -> None:
    """Give a draft its name, unless that is taken; a file system without links is asked first."""
    try:
        os.link(draft, file)
    except FileExistsError:
        raise
    except OSError:
        if file.exists() or file.is_symlink():
            raise FileExistsError(file) from None
        draft.rename(file)
    finally:
        draft.unlink(missing_ok=True)
