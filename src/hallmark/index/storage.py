"""How does a new index replace the old one, whole or not at all?

Data is written to a hidden directory inside the index's directory and becomes the index when the
description file is replaced, in one step of the file system. Whatever happens before leaves the
old index as it was; what a killed build left behind is swept up by the next.
"""

import contextlib
import errno
import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from hallmark._files import read_bytes
from hallmark.errors import IndexBusy, IndexDamaged, IndexMissing, OutputError
from hallmark.index import schema
from hallmark.index.schema import Description, FileInfo

_LOCK = ".lock"
_BUILDING = ".building-"
_REBUILD = "Build it again: hallmark index build --out {} SOURCE..."
_BUILD = "Build one: hallmark index build --out {} starter"
_UNREADABLE = (
    OSError, msgspec.DecodeError, KeyError, TypeError, UnicodeDecodeError, RecursionError,
)  # fmt: skip


@contextlib.contextmanager
def writing(directory: Path) -> Iterator[Path]:
    """Give an empty directory to write new data to, locked against other writers.

    On any failure the directory is removed, and `directory` too, if it was made for this.

    Raises:
        IndexBusy: another process is writing there.
        OutputError: the place cannot be written, is full, or holds something else.
    """
    made = not directory.exists()
    with _translated(directory):
        _check_place(directory)
        directory.mkdir(parents=True, exist_ok=True)
        with _locked(directory):
            try:
                _sweep(directory)
                work = directory / f"{_BUILDING}{os.getpid()}"
                work.mkdir()
                yield work
            finally:
                _sweep(directory)
                if made and not (directory / schema.DESCRIPTION).exists():
                    shutil.rmtree(directory, ignore_errors=True)


def publish(directory: Path, work: Path, description: Description) -> None:
    """Make the data in `work` the index: name it, sync it, replace the description."""
    _sync(work)
    target = directory / description.data
    if target.exists():
        shutil.rmtree(target)
    work.rename(target)
    draft = directory / f"{_BUILDING}description"
    draft.write_bytes(msgspec.json.format(msgspec.json.encode(description), indent=2) + b"\n")
    draft.replace(directory / schema.DESCRIPTION)


def data_name(digest: str, taken: str = "") -> str:
    """Return the name of the data directory for a digest, another one than `taken`."""
    name = f"{schema.DATA_PREFIX}{digest[:12]}"
    return f"{name}-2" if name == taken else name


def describe_files(work: Path) -> dict[str, FileInfo]:
    """Return size and digest of every file of new data, by path."""
    found: dict[str, FileInfo] = {}
    for path in sorted(work.rglob("*")):
        if path.is_file() and not path.name.endswith(".lock"):
            name = path.relative_to(work).as_posix()
            found[name] = FileInfo(path.stat().st_size, file_digest(path))
    return found


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def read_description(directory: Path) -> Description:
    """Return what the index at `directory` says of itself.

    Raises:
        IndexMissing: there is none.
        IndexDamaged: it is unreadable, something else, or of another schema.
    """
    rebuild = _REBUILD.format(directory)
    path = directory / schema.DESCRIPTION
    if not directory.exists():
        raise IndexMissing(f"There is no index at `{directory}`. {_BUILD.format(directory)}")
    if not path.is_file():
        what = "holds no index" if directory.is_dir() else "is a file, not the folder of an index"
        raise IndexMissing(
            f"`{directory}` {what}. Name the folder of an index (--index DIR). "
            + _BUILD.format("DIR")
        )
    try:
        head = msgspec.json.decode(read_bytes(path))
        version = head["schema"] if head["format"] == schema.FORMAT else None
    except _UNREADABLE as error:
        raise IndexDamaged(f"The index at `{directory}` cannot be read. {rebuild}") from error
    if version != schema.SCHEMA_VERSION:
        raise IndexDamaged(
            f"The index at `{directory}` has schema {version}; this version of hallmark reads "
            f"{schema.SCHEMA_VERSION}. {rebuild}"
        )
    return _decoded(head, directory)


def _decoded(head: object, directory: Path) -> Description:
    try:
        description = msgspec.convert(head, Description)
    except msgspec.ValidationError as error:
        raise IndexDamaged(
            f"The description of the index at `{directory}` is damaged ({error}). "
            + _REBUILD.format(directory)
        ) from error
    if Path(description.data).name != description.data or description.data in {"", ".", ".."}:
        raise IndexDamaged(
            f"The description of the index at `{directory}` names data outside of it. "
            + _REBUILD.format(directory)
        )
    return description


def check_sizes(directory: Path, description: Description) -> None:
    """Raise IndexDamaged where a file of the index is missing or has another size."""
    for name, info in description.files.items():
        path = directory / description.data / name
        size = path.stat().st_size if path.is_file() else None
        if size != info.size:
            what = "is missing" if size is None else f"has {size} bytes instead of {info.size}"
            raise IndexDamaged(damaged(directory, f"its file `{name}` {what}"))


def check_digests(directory: Path, description: Description) -> None:
    """Raise IndexDamaged where a file of the index is missing or was changed."""
    check_sizes(directory, description)
    for name, info in description.files.items():
        if file_digest(directory / description.data / name) != info.sha256:
            raise IndexDamaged(damaged(directory, f"its file `{name}` was changed"))


def damaged(directory: Path, reason: str) -> str:
    """Return the message about a damaged index."""
    return f"The index at `{directory}` is damaged: {reason}. {_REBUILD.format(directory)}"


def link_data(old: Path, work: Path) -> None:
    """Put the segments of old data into `work`, as links where the file system allows it.

    Segments are never changed once written, so that links are safe; tantivy replaces its own
    small files instead of writing into them.
    """
    source, target = old / schema.SEGMENTS, work / schema.SEGMENTS
    target.mkdir()
    for path in sorted(source.iterdir()):
        if path.suffix == ".lock":
            continue
        try:
            os.link(path, target / path.name)
        except OSError:
            shutil.copy2(path, target / path.name)


def link_file(old: Path, work: Path, name: str) -> None:
    """Put one file of old data into `work`, where there is such a file."""
    if (old / name).is_file():
        try:
            os.link(old / name, work / name)
        except OSError:
            shutil.copy2(old / name, work / name)


def _check_place(directory: Path) -> None:
    if directory.exists() and not directory.is_dir():
        raise OutputError(f"`{directory}` is a file. Give the folder that shall hold the index.")
    if directory.is_dir() and not (directory / schema.DESCRIPTION).exists():
        foreign = [path.name for path in directory.iterdir() if not _ours(path)]
        if foreign:
            raise OutputError(
                f"`{directory}` holds other files (`{min(foreign)}`, ...) and no index. "
                "Give an empty or a new folder."
            )


def _ours(path: Path) -> bool:
    return path.name.startswith((_BUILDING, schema.DATA_PREFIX)) or path.name == _LOCK


def _sweep(directory: Path) -> None:
    """Remove what no description names: the data of replaced and of killed builds."""
    kept = ""
    with contextlib.suppress(IndexMissing, IndexDamaged):
        kept = read_description(directory).data
    for path in directory.iterdir():
        if path.name in {kept, _LOCK, schema.DESCRIPTION} or not _ours(path):
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _sync(work: Path) -> None:
    """Have everything on disk before the description may say so."""
    for path in work.rglob("*"):
        if path.is_file():
            with path.open("rb") as stream:
                os.fsync(stream.fileno())


_DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextlib.contextmanager
def _translated(directory: Path) -> Iterator[None]:
    """Turn errors of the file system and of tantivy's writer into messages."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno in _DISK_FULL:
            reason = "the disk is full"
        raise OutputError(
            f"The index at `{directory}` cannot be written: {reason}. Nothing was changed; give "
            "another folder (--out) or make room."
        ) from error


@contextlib.contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Hold the lock of an index; the operating system releases it even after a crash."""
    path = directory / _LOCK
    with path.open("ab") as stream:
        if not _try_lock(stream.fileno()):
            raise IndexBusy(
                f"Another process is writing to the index at `{directory}`. Wait until it has "
                "finished, or give another folder."
            )
        yield


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
