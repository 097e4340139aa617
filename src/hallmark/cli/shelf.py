"""Where do values wait until the last one of them is there?

In a temporary file without a name, so that a run of any length needs little memory. A shelf can be
read by several readers at a time, each at its own pace.
"""

import pickle
import tempfile
from collections.abc import Iterator
from types import TracebackType
from typing import Generic, Self, TypeVar, cast

T = TypeVar("T")


class Shelf(Generic[T]):
    """Values on disk, in order; use as a context manager, and read it once all are in."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed on exit
        self.count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, value: T) -> None:
        """Put a value at the end."""
        self._file.seek(0, 2)
        pickle.dump(value, self._file)
        self.count += 1

    def __iter__(self) -> Iterator[T]:
        """Yield the values that were there when the reading began."""
        place = 0
        for _ in range(self.count):
            self._file.seek(place)
            value = pickle.load(self._file)  # noqa: S301 - nobody else can open the file
            place = self._file.tell()
            yield cast("T", value)
