"""How are the labels of a split encrypted, so that the same release has the same bytes?

AES-256-SIV (RFC 5297) is made for encryption without a nonce: the same labels under the same key
give the same bytes, which is all that it tells, and any change to them or to the header shows.
"""

import base64
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from hallmark._files import read_bytes
from hallmark.bench.entry import Entry, entries_of
from hallmark.bench.lines import printable, quoted
from hallmark.bench.sealing.key import SealKey
from hallmark.errors import InputError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

SCHEMA = "hallmark-sealed/1"
SUFFIX = ".sealed"
_KEY_BYTES = 64


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What anyone may read of sealed labels; it is authenticated with them."""

    schema: str = SCHEMA
    name: str
    version: str
    split: str
    entries: int
    key_id: str


class Sealed(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of sealed labels: a header, and the gold rows, encrypted, in Base64."""

    header: Header
    labels: str


def seal(key: SealKey, name: str, version: str, split: str, rows: bytes) -> bytes:
    """Return the file that holds the gold rows (JSON Lines) of a split, sealed.

    Args:
        key: the key.
        name: of the benchmark.
        version: of the release.
        split: the split's name.
        rows: the gold file's bytes.
    """
    header = Header(
        name=name, version=version, split=split, entries=rows.count(b"\n"), key_id=key.id
    )
    hidden = _cipher(key).encrypt(rows, [_bytes(header)])
    sealed = Sealed(header, base64.b64encode(hidden).decode())
    return msgspec.json.format(msgspec.json.encode(sealed), indent=1) + b"\n"


def read_sealed(path: Path) -> Sealed:
    """Read a file of sealed labels without opening it.

    Raises:
        InputError: it cannot be read, or is no such file.
    """
    where = printable(path, 300)
    try:
        found = msgspec.json.decode(read_bytes(path), type=Sealed)
    except OSError as error:
        raise InputError(f"{where} cannot be read: {error.strerror}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(
            f"{where} holds no sealed labels ({printable(error)}); give a release's "
            f"sealed/<split>{SUFFIX}."
        ) from None
    if found.header.schema != SCHEMA:
        raise InputError(
            f"{where} has the schema {quoted(found.header.schema)}; this version of hallmark "
            f"reads {SCHEMA}."
        )
    return found


def unseal(sealed: Sealed, key: SealKey, path: Path) -> bytes:
    """Return the gold rows.

    Raises:
        InputError: the key is another one, or the file was changed.
    """
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - bench extra

    where, header = printable(path, 300), sealed.header
    if header.key_id != key.id:
        raise InputError(
            f"{where} was sealed with the key {printable(header.key_id, 16)}; the one given is "
            f"{key.id}."
        )
    try:
        return _cipher(key).decrypt(
            base64.b64decode(sealed.labels, validate=True), [_bytes(header)]
        )
    except (InvalidTag, ValueError):
        raise InputError(f"{where} was changed after it was sealed: it cannot be used.") from None


def entries_in(sealed: Sealed, key: SealKey, path: Path) -> list[Entry]:
    """Return the gold entries.

    Raises:
        InputError: the key is another one, or the file was changed.
    """
    rows = unseal(sealed, key, path).splitlines()
    return entries_of([(n, msgspec.json.decode(row)) for n, row in enumerate(rows, 1)], path)


def _cipher(key: SealKey) -> "AESSIV":
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV  # noqa: PLC0415 - bench extra

    return AESSIV(key.derive("labels", _KEY_BYTES))


def _bytes(header: Header) -> bytes:
    return msgspec.json.encode(header)
