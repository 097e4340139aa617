"""Which references does the user's file hold, whatever its format?

A format is a name, the endings of its files, a test of the first characters and a parser that
yields one entry after the other. Parsers never raise for a bad entry.
"""

import contextlib
import io
import re
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import BinaryIO

from msgspec import Struct

from hallmark._registry import Registry
from hallmark.errors import InputError
from hallmark.parse.benchmark import read_benchmark
from hallmark.parse.bibtex import read_bibtex
from hallmark.parse.csl import read_csl
from hallmark.parse.input import Input, open_input
from hallmark.parse.plaintext.pieces import begins_with_label
from hallmark.parse.ris import read_ris
from hallmark.records.reference import Entry

TEXT_NAME = "<text>"
"""The file's name in the locations of entries that were given as text."""


class Format(Struct, frozen=True):
    """A format of bibliographies.

    Args:
        endings: what the names of its files end in, in lower case, with the dot.
        begins: whether the first characters of a text look like it.
        read: yields the entries of an input, in order.
    """

    endings: tuple[str, ...]
    begins: Callable[[str], bool]
    read: Callable[[Input], Iterator[Entry]]


_RIS = re.compile(r"\s*TY  ?- ", re.IGNORECASE)
_BENCHMARK_LINE = re.compile(r'\s*\{[^\n]{0,2000}"bibtex_(?:key|type)"\s*:')
_BIBTEX = re.compile(r"@\s*[^\W\d][\w.:+-]*\s*[{(]")

FORMATS: Registry[Format] = Registry("input format")
FORMATS.add(
    "jsonl",
    Format((".jsonl", ".ndjson"), lambda text: bool(_BENCHMARK_LINE.match(text)), read_benchmark),
)
FORMATS.add("csl", Format((".json", ".csljson"), lambda text: text.lstrip()[:1] in "[{", read_csl))
FORMATS.add("ris", Format((".ris",), lambda text: bool(_RIS.match(text)), read_ris))
FORMATS.add(
    "bibtex",
    Format(
        (".bib", ".bibtex", ".biblatex"),
        lambda text: bool(_BIBTEX.search(text)),
        read_bibtex,
    ),
)


def _read_text(source: Input) -> Iterator[Entry]:
    """Read references as printed; the reader is loaded only where it is used."""
    from hallmark.parse.plaintext.reader import read_plaintext  # noqa: PLC0415

    return read_plaintext(source)


FORMATS.add("text", Format((".txt", ".text"), begins_with_label, _read_text))


def read(
    path: str,
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    stdin: BinaryIO | None = None,
) -> Iterator[Entry]:
    """Return the entries of a file, one after the other, in order.

    Args:
        path: the file, or "-" for standard input.
        format: the name of its format; found from name and content by default.
        stdin: standard input, as bytes; the process's own by default.

    Raises:
        InputError: the file is missing, empty, no text or of no known format.
        UnknownName: there is no such format.
    """
    chosen = FORMATS.get(format) if format is not None else None
    source = open_input(path, stdin)
    try:
        parser = chosen or FORMATS.get(detect(source))
    except InputError:
        source.close()
        raise
    return _closing(source, parser.read)


def parse_text(text: str, format: str = "bibtex") -> Iterator[Entry]:  # noqa: A002
    """Return the entries of a text of the named format; see `read` for the errors."""
    source = Input(TEXT_NAME, io.BytesIO(text.encode("utf-8", errors="replace")))
    return FORMATS.get(format).read(source)


def detect(source: Input) -> str:
    """Return the name of the format of an input: by the ending, unless the content belies it.

    Raises:
        InputError: neither name nor content tell.
    """
    opening = source.opening()
    by_content = next((name for name, one in FORMATS.items() if one.begins(opening)), None)
    ending = PurePath(source.name).suffix.lower()
    by_name = next((name for name, one in FORMATS.items() if ending in one.endings), None)
    if by_name is not None and FORMATS.get(by_name).begins(opening):
        return "jsonl" if by_name == "csl" and by_content == "jsonl" else by_name
    found = by_content or by_name
    if found is None:
        raise InputError(
            f"The format of {source.name} was not recognised. Name it with --input-format: "
            f"{', '.join(FORMATS.names())}."
        )
    return found


def _closing(source: Input, parse: Callable[[Input], Iterator[Entry]]) -> Iterator[Entry]:
    """Yield the entries, and close the file when they are done or no longer wanted."""
    with contextlib.closing(source):
        yield from parse(source)
