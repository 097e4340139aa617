"""How is a file read within bounds, and how does one come to be whole or not at all?"""

import errno
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

MAX_BYTES = 1 << 30
"""Files above one GiB are refused where all of a file is held at once: no split is near it."""
MAX_LINE = 1 << 26
"""Lines above 64 MiB are refused where a file is read line by line."""
_DEVICE_BYTES = 1 << 20
"""What a terminal may give; a device such as /dev/zero never ends."""
_BLOCK = 1 << 20

_NAME_KEPT = 40
"""Characters of a file's name that its draft repeats: 160 bytes of UTF-8 at the most."""


def draft_of(path: Path, ending: str = ".part") -> Path:
    """Return where the bytes of a file are gathered until it is whole.

    The draft lies beside the file that a link leads to, so that the link stays where it is. It
    carries the number of the process, so that two runs do not share one, and its name is short
    enough for every file system that can hold the file's own.
    """
    whole = path.resolve()
    return whole.with_name(f".{whole.name[:_NAME_KEPT]}.{os.getpid()}{ending}")


def settle(draft: Path, path: Path) -> None:
    """Put a draft in the place of its file, or of the file that a link leads to.

    Raises:
        OSError: it cannot be moved there, or there is a device, a pipe or the like.
    """
    _must_not_be_special(path)
    draft.replace(path.resolve())


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; nothing is left behind where that fails.

    Raises:
        OSError: it cannot be written, or it is a device, a pipe or the like.
    """
    _must_not_be_special(path)
    draft = draft_of(path)
    try:
        draft.write_bytes(data)
        settle(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def write_folder(files: Mapping[str, bytes], place: Path) -> None:
    """Write a new folder whole or not at all; nothing is left behind where that fails.

    What a killed run left of the same folder is swept up.

    Args:
        files: contents by path inside the folder.
        place: the folder, of which there is nothing yet, or an empty one.

    Raises:
        OSError: it cannot be written, or there is something in it.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    _sweep(place)
    draft = draft_of(place)
    try:
        draft.mkdir()
        for name, data in files.items():
            file = draft / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        draft.replace(place)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _sweep(place: Path) -> None:
    """Remove the drafts of a folder whose processes have ended."""
    pattern = re.compile(rf"\.{re.escape(place.name[:_NAME_KEPT])}\.(\d{{1,9}})\.part")
    for path in list(place.parent.iterdir()):
        named = pattern.fullmatch(path.name)
        if named and path.is_dir() and not path.is_symlink() and not _runs(int(named[1])):
            shutil.rmtree(path, ignore_errors=True)


def _runs(process: int) -> bool:
    """Whether a process may still be running; where that cannot be asked, it may."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _must_not_be_special(path: Path) -> None:
    """Refuse a device or a pipe: a draft moved there would take its place, not write to it."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "It is a device, a pipe or the like, and no file", str(path))


def read_bytes(path: Path, limit: int = MAX_BYTES) -> bytes:
    """Return the bytes of a file or pipe, however much it says or turns out to hold.

    Raises:
        OSError: it cannot be read, holds more than `limit` bytes, or is a device without end.
    """
    with path.open("rb") as file:
        return read_open(file, path, limit)


def read_open(file: IO[bytes], path: Path, limit: int = MAX_BYTES) -> bytes:
    """Return the rest of an open file, as `read_bytes` does; `path` is named in errors."""
    about = os.fstat(file.fileno())
    if about.st_size > limit:
        raise _too_large(f"It is larger than {_size(limit)}; split it", path)
    device = stat.S_ISCHR(about.st_mode)
    most = min(limit, _DEVICE_BYTES) if device else limit
    blocks: list[bytes] = []
    left = most
    while block := file.read(min(_BLOCK, left + 1)):
        blocks.append(block)
        left -= len(block)
        if left < 0:
            what = "It is a device without end" if device else f"It is larger than {_size(most)}"
            raise _too_large(f"{what}; name a file", path)
    return b"".join(blocks)


def read_text(path: Path, encoding: str = "utf-8", limit: int = MAX_BYTES) -> str:
    """Return the text of a file, all its line ends being line feeds.

    Raises:
        OSError: as `read_bytes`.
        UnicodeDecodeError: it is in another encoding.
    """
    text = read_bytes(path, limit).decode(encoding)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_lines(path: Path, longest: int = MAX_LINE) -> Iterator[bytes]:
    """Yield the lines of a file with their ends, one at a time; the file may have any size.

    Raises:
        OSError: it cannot be read, or a line is longer than `longest` bytes.
    """
    with path.open("rb") as file:
        number = 1
        while line := file.readline(longest + 1):
            if len(line) > longest:
                raise _too_large(f"Line {number} is longer than {_size(longest)}", path)
            yield line
            number += 1


def _too_large(reason: str, path: Path) -> OSError:
    return OSError(errno.EFBIG, reason, str(path))


def _size(count: int) -> str:
    for unit, name in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if count >= 1 << unit and not count % (1 << unit):
            number = count >> unit
            return f"{'one' if number == 1 else number} {name}"
    return f"{count:,} bytes"
