"""What is in an earlier release, and which works does it use?"""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from hallmark._files import read_bytes
from hallmark.bench.build.split import Works
from hallmark.bench.entry import BlindEntry, Entry, read_blind, read_entries
from hallmark.bench.lines import printable, quoted
from hallmark.bench.sealing.key import SealKey
from hallmark.bench.sealing.seal import entries_in, read_sealed
from hallmark.errors import InputError
from hallmark.text import titles

PUBLIC, WITHHELD, SEALED = "public", "withheld", "sealed"
"""How labels are kept; also the folders of those kept apart, and of those encrypted."""
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,60}")
_VERSION = re.compile(r"\d{1,4}\.\d{1,4}\.\d{1,4}")


class _SplitRow(Struct, frozen=True):
    labels: str = "public"
    superseded_by: str | None = None


class _FileRow(Struct, frozen=True):
    sha256: str


class _Manifest(Struct, frozen=True):
    schema: str
    name: str
    version: str
    date: str
    splits: dict[str, _SplitRow]
    files: dict[str, _FileRow]
    index: dict[str, Any] = {}


class Earlier(Struct, frozen=True, kw_only=True):
    """A release as it lies in its folder, checked against its manifest.

    Attributes:
        name: of the benchmark.
        version: of the release.
        date: of the release.
        sha256: digest of its manifest.
        blind: what a tool may see of each split.
        splits: the entries of those splits whose labels could be read.
        labels: "public", "withheld" or "sealed", by split.
        superseded_by: which split took the place of which.
        canary: the canary of each split.
        changes: its CHANGELOG.md, "" where it has none.
        index: what its manifest says of the index it was drawn from.
    """

    name: str
    version: str
    date: str
    sha256: str
    blind: dict[str, list[BlindEntry]]
    splits: dict[str, list[Entry]]
    labels: dict[str, str]
    superseded_by: dict[str, str]
    canary: dict[str, str]
    changes: str
    index: dict[str, Any] = {}

    @property
    def closed(self) -> list[str]:
        """The splits whose labels could not be read."""
        return [name for name in self.blind if name not in self.splits]

    def works(self) -> Works:
        """Return the works that the release uses, each owned by its split."""
        works = Works()
        for split, entries in self.splits.items():
            for entry in entries:
                made_of = entry.extra.get("works", ())
                works.claim(split, [titles.key(entry.fields.get("title", "")), *made_of], made_of)
        return works


def file_of(split: str, labels: str) -> str:
    """Return the path of a split's labels inside a release."""
    match labels:
        case "withheld":
            return f"{WITHHELD}/{split}.jsonl"
        case "sealed":
            return f"{SEALED}/{split}.sealed"
        case _:
            return f"{split}.jsonl"


def read_earlier(folder: Path, key: SealKey | None = None) -> Earlier:
    """Read a release.

    Args:
        folder: its folder; `withheld/` may have been taken away.
        key: opens sealed labels.

    Raises:
        InputError: it is no release, a file is not as its manifest says, or the key is another one.
    """
    data = _bytes(folder / "manifest.json")
    found = _manifest(data, folder)
    checked = {name: _checked(folder, name, found) for name in _wanted(found, folder)}
    metadata = msgspec.json.decode(_bytes(checked["metadata.json"]))
    canary = metadata.get("canary", {}) if isinstance(metadata, dict) else {}
    return Earlier(
        name=found.name,
        version=found.version,
        date=found.date,
        sha256=hashlib.sha256(data).hexdigest(),
        blind={split: read_blind(checked[f"{split}_blind.jsonl"]) for split in found.splits},
        splits=_opened(found, checked, key),
        labels={split: row.labels for split, row in found.splits.items()},
        superseded_by={
            split: row.superseded_by for split, row in found.splits.items() if row.superseded_by
        },
        canary={str(split): str(token) for split, token in canary.items()},
        changes=_changes(checked),
        index=found.index,
    )


def _wanted(found: _Manifest, folder: Path) -> list[str]:
    """Return the files to be read: those that are there, and those that must be."""
    labels = [file_of(split, row.labels) for split, row in found.splits.items()]
    absent = {
        file for file in labels if file.startswith(f"{WITHHELD}/") and not (folder / file).exists()
    }
    optional = [name for name in ("CHANGELOG.md",) if name in found.files]
    blind = [f"{split}_blind.jsonl" for split in found.splits]
    return ["metadata.json", *blind, *(file for file in labels if file not in absent), *optional]


def _opened(
    found: _Manifest, checked: Mapping[str, Path], key: SealKey | None
) -> dict[str, list[Entry]]:
    opened: dict[str, list[Entry]] = {}
    for split, row in found.splits.items():
        path = checked.get(file_of(split, row.labels))
        if path is None:
            continue
        if row.labels != SEALED:
            opened[split] = read_entries(path)
        elif key is not None:
            opened[split] = entries_in(read_sealed(path), key, path)
    return opened


def _changes(checked: Mapping[str, Path]) -> str:
    path = checked.get("CHANGELOG.md")
    return _bytes(path).decode("utf-8", "replace") if path else ""


def _manifest(data: bytes, folder: Path) -> _Manifest:
    where = printable(folder / "manifest.json", 300)
    try:
        found = msgspec.json.decode(data, type=_Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{where} is no manifest of a release: {printable(error)}.") from None
    names = [*found.splits, found.name, *filter(None, _successors(found))]
    bad = [name for name in names if not _NAME.fullmatch(name)]
    if bad or not _VERSION.fullmatch(found.version):
        raise InputError(
            f"{where} is no manifest of a release: {quoted((bad or [found.version])[0])} is "
            "no name of a split or version."
        )
    return found


def _successors(found: _Manifest) -> list[str | None]:
    return [row.superseded_by for row in found.splits.values()]


def _checked(folder: Path, name: str, found: _Manifest) -> Path:
    path = folder / name
    listed: Any = found.files.get(name)
    if listed is None or hashlib.sha256(_bytes(path)).hexdigest() != listed.sha256:
        raise InputError(
            f"{printable(path, 300)} is not as the release's manifest says. Give the release as "
            "it was built."
        )
    return path


def _bytes(path: Path) -> bytes:
    where = printable(path, 300)
    try:
        return read_bytes(path)
    except OSError as error:
        raise InputError(
            f"{where} cannot be read: {error.strerror}. Give the folder of a release."
        ) from None
