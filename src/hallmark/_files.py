"""How does a file come to be whole or not at all?"""

import errno
import os
from pathlib import Path

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


def _must_not_be_special(path: Path) -> None:
    """Refuse a device or a pipe: a draft moved there would take its place, not write to it."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "It is a device, a pipe or the like, and no file", str(path))
