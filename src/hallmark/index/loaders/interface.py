"""What does a loader promise, and which loader reads a file?

A loader turns one opened file into versions, one after the other, and says of everything that it
does not take why. To add one: write `load`, `sniff` and, where its lists are whole tables of
contents, `toc`, and name the module in `formats`.
"""

import io
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TypeAlias

from msgspec import Struct

from hallmark._registry import Registry
from hallmark.records.work import Version


class Skipped(Struct, frozen=True):
    """Something that was not taken; `reason` is a short phrase, the same for all of its kind."""

    reason: str


Reopen: TypeAlias = Callable[[], AbstractContextManager[io.BufferedReader]]


class Opened(Struct, frozen=True):
    """One file that is being read.

    `collection` is the name that its records go by, `label` the file's name for messages and as
    the origin of records. `stream` gives the unpacked content. `reopen` gives it once more from
    the start, for formats whose records refer forward; None where that cannot be had.
    """

    collection: str
    label: str
    stream: io.BufferedReader
    reopen: Reopen | None = None


Loaded: TypeAlias = Version | Skipped


def never(_: Version) -> bool:
    """Say that no record is part of a table of contents."""
    return False


class Loader(Struct, frozen=True):
    """One format of dumps.

    `sniff(head, name)` tells from the first 64 KB and the lower-case file name whether the file
    is of this format. `toc(version)` tells whether the record comes out of a table of contents
    that is whole by construction. `collection` is the name that records go by, "" for the name of
    the file.
    """

    name: str
    description: str
    load: Callable[[Opened], Iterator[Loaded]]
    sniff: Callable[[bytes, str], bool]
    toc: Callable[[Version], bool] = never
    collection: str = ""


LOADERS: Registry[Loader] = Registry("format of records")
"""All loaders, in the order in which a file is offered to them."""


def detect(head: bytes, name: str) -> Loader | None:
    """Return the loader of a file by its first bytes and its name, or None."""
    name = name.lower()
    loaders = (LOADERS.get(known) for known in LOADERS.names())
    return next((loader for loader in loaders if loader.sniff(head, name)), None)
