"""Where do rows wait until it is their turn to be written?

In memory while they are few, in a temporary file once they are many, so that a report whose
sections are not in the order of arrival still runs in bounded memory.
"""

import shutil
import tempfile
from typing import TextIO, cast

_IN_MEMORY = 1 << 20
"""Bytes that one spool keeps in memory before it moves to a temporary file."""


class Spool:
    """Text that waits; `count` is the number of rows in it."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(  # noqa: SIM115 (closed by close())
            max_size=_IN_MEMORY, mode="w+", encoding="utf-8", errors="surrogatepass", newline=""
        )
        self.count = 0

    def add(self, text: str) -> None:
        """Take in one row."""
        self._file.write(text)
        self.count += 1

    def pour(self, out: TextIO) -> None:
        """Write all rows to `out`, in order."""
        self._file.seek(0)
        shutil.copyfileobj(cast("TextIO", self._file), out)

    def close(self) -> None:
        """Forget all rows."""
        self._file.close()
