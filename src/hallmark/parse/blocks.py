"""Which entries and macros does a piece of BibTeX hold?

bibtexparser reads the pieces, many at a time; a piece that it cannot read is repaired and read
again, alone. Every piece that begins an entry gives at least one block.
"""

import logging
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from bibtexparser.exceptions import BlockAbortedException, ParserStateException
from bibtexparser.model import (
    Block,
    ImplicitComment,
    ParsingFailedBlock,
    String,
)
from bibtexparser.model import Entry as BibEntry
from bibtexparser.splitter import Splitter
from msgspec import Struct

from hallmark.parse.pieces import LONGEST_PIECE, Piece
from hallmark.parse.repair import GUARD, holds_fields, repairs, unguarded
from hallmark.records.reference import ParseNote

logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)

_BATCH = 64
_LARGE_BATCH = 2**20
"""Characters of a batch, so that pieces of megabytes are read one by one."""
_HEAD = re.compile(r"\s*@\s*(?P<type>[^\W\d][\w.:+-]*)\s*(?P<open>[{(])\s*(?P<key>[^\s,={}\"]*)")
_REGULAR = re.compile(r"[ \t]*@\w+[ \t]*[{(]")
_INSIDE = re.compile(r"@\s*[^\W\d]\w*[ \t]*[{(]\s*[^\s{}=\",]+\s*,\s*[\w:+.-]+\s*=")
_COMMENTED_OUT = re.compile(r"^([ \t]*%[^@\n]{0,200})@", re.MULTILINE)
_CONTROL = re.compile(
    "\x1b\\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f\ufffe\uffff]"
)
_ESCAPED = ParseNote("escaped-brace", "A field holds an escaped brace that BibTeX would count.")
_SKIPPED = frozenset({"comment", "preamble"})


class RawEntry(Struct, frozen=True):
    """An entry as written: fields in order, each name with its unevaluated source."""

    line: int
    entry_type: str
    key: str
    fields: list[tuple[str, str]]
    raw: str
    notes: tuple[ParseNote, ...] = ()


class Macro(Struct, frozen=True):
    """A definition of a macro; `source` is its unevaluated value."""

    name: str
    source: str


class Broken(Struct, frozen=True):
    """An entry that cannot be read."""

    line: int
    key: str | None
    reason: str
    raw: str


Item = RawEntry | Macro | Broken


def items(pieces: Iterable[Piece], *, clean: bool = False) -> Iterator[Item]:
    """Yield the entries and macros of the pieces, in order.

    `clean` says that there are no control characters to take out.
    """
    for batch in _batches(pieces):
        ready = (_regular(piece) if clean else _cleaned(piece) for piece in batch)
        yield from _read_batch([one for one in ready if one.source])


def key_of(piece: Piece) -> str:
    """Return the key of the entry that a piece begins with, "" where there is none."""
    found = _HEAD.match(piece.text[:1000])
    return found["key"] if found else ""


def _batches(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    pieces = iter(pieces)
    batch: list[Piece] = []
    size = 0
    for piece in pieces:
        batch.append(piece)
        size += len(piece.text)
        if len(batch) == _BATCH or size > _LARGE_BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _read_batch(pieces: Sequence["_Ready"]) -> Iterator[Item]:
    """Read the pieces together, and those again that did not come out as they should."""
    for piece, blocks in zip(pieces, _blocks_by_piece(pieces), strict=True):
        if piece.lost:
            yield _broken(piece, f"The entry is longer than {LONGEST_PIECE:,} characters.")
        elif _is_sound(blocks):
            yield from _of_blocks(piece, blocks)
        else:
            yield from _reread(piece, blocks)


class _Ready(Struct):
    """A piece as bibtexparser is to read it; `source` is empty where it holds no entry."""

    line: int
    text: str
    source: str
    lost: int
    notes: tuple[ParseNote, ...]


def _cleaned(piece: Piece) -> _Ready:
    """Take control characters out, then as `_regular`."""
    cleaned = _CONTROL.sub("", piece.text)
    if len(cleaned) == len(piece.text):
        return _regular(piece)
    ready = _regular(Piece(piece.line, cleaned, piece.lost))
    ready.notes = (ParseNote("control-character", "Control characters were taken out."),)
    return ready


def _regular(piece: Piece) -> _Ready:
    """Put the head of an entry into the form that bibtexparser knows."""
    text = piece.text
    if "%" in text:
        text = _COMMENTED_OUT.sub(r"\1", text)
    source = text if _REGULAR.match(text) else _with_regular_head(text)
    if source and source[-1] != "\n":
        source += "\n"
    return _Ready(piece.line, text, source, piece.lost, ())


def _with_regular_head(text: str) -> str:
    """Write "@ article {" as "@article{"; text without a head counts from the entry inside it."""
    text = text.lstrip("\ufeff")
    head = _HEAD.match(text)
    if head:
        name = re.sub(r"\W", "", head["type"])
        return f"@{name}{head['open']}{text[head.end('open') :]}"
    inside = _INSIDE.search(text)
    return text[inside.start() :] if inside else ""


def _blocks_by_piece(pieces: Sequence[_Ready]) -> list[list[Block]]:
    """Let bibtexparser read all pieces as one text; return the blocks of each."""
    starts, line = [], 0
    for piece in pieces:
        starts.append(line)
        line += piece.source.count("\n")
    groups: list[list[Block]] = [[] for _ in pieces]
    for block in _split("".join(piece.source for piece in pieces)):
        groups[bisect_right(starts, block.start_line or 0) - 1].append(block)
    return groups


def _split(source: str) -> list[Block]:
    """Return bibtexparser's blocks, those of repeated keys and fields unwrapped."""
    try:
        blocks = Splitter(source).split().blocks
    except (ParserStateException, LookupError, ValueError, RecursionError):
        return []
    return [_unwrapped(block) for block in blocks]


def _unwrapped(block: Block) -> Block:
    while isinstance(block, ParsingFailedBlock) and block.ignore_error_block is not None:
        block = block.ignore_error_block
    return block


def _is_sound(blocks: Sequence[Block]) -> bool:
    """Whether a piece was read whole: nothing failed, and no fields were left behind the end."""
    if len(blocks) == 1 and isinstance(blocks[0], BibEntry):
        return True
    return bool(blocks) and not any(
        isinstance(block, ParsingFailedBlock)
        or (isinstance(block, ImplicitComment) and holds_fields(block.comment))
        for block in blocks
    )


def _of_blocks(piece: _Ready, blocks: Sequence[Block]) -> Iterator[Item]:
    """Turn blocks into items; comments and preambles are none."""
    first = (blocks[0].start_line or 0) if blocks else 0
    for number, block in enumerate(blocks):
        if isinstance(block, BibEntry):
            if number == 0 or _INSIDE.match(block.raw or ""):
                yield _raw_entry(piece, block, piece.line + (block.start_line or 0) - first)
        elif isinstance(block, String):
            yield Macro(block.key.strip().lower(), unguarded(block.value))


def _raw_entry(piece: _Ready, block: BibEntry, line: int) -> RawEntry:
    raw: str = block.raw or ""
    notes = piece.notes
    if raw.count("{") != raw.count("}") and not notes:
        notes = (_ESCAPED,)
    fields = [(field.key, field.value) for field in block.fields]
    if GUARD in raw:
        fields = [(name, unguarded(value)) for name, value in fields]
    return RawEntry(line, block.entry_type, unguarded(block.key), fields, raw, notes)


def _reread(piece: _Ready, blocks: Sequence[Block]) -> Iterator[Item]:
    """Repair a piece until it can be read; else say why it cannot."""
    if _is_comment(piece):
        yield from _of_blocks(piece, [block for block in blocks if not _failed(block)])
        return
    notes = piece.notes
    for source, note in repairs(piece.source):
        notes = (*notes, note)
        mended = _split(source)
        if _is_sound(mended) and isinstance(mended[0], BibEntry | String):
            fixed = _Ready(piece.line, piece.text, source, 0, notes)
            yield from _of_blocks(fixed, mended)
            return
    if not blocks or not isinstance(blocks[0], BibEntry):
        yield _broken(piece, _reason(blocks))
    else:
        lost = ParseNote("lost-fields", "Text behind the entry's end looks like fields of it.")
        piece.notes = (*piece.notes, lost)
    yield from _of_blocks(piece, [block for block in blocks if not _failed(block)])


def _failed(block: Block) -> bool:
    return isinstance(block, ParsingFailedBlock)


def _is_comment(piece: _Ready) -> bool:
    head = _HEAD.match(piece.source[:1000])
    return head is None or head["type"].lower() in _SKIPPED


def _broken(piece: _Ready, reason: str) -> Broken:
    head = _HEAD.match(piece.source[:1000])
    return Broken(piece.line, (head["key"] if head else None) or None, reason, piece.text[:2000])


def _reason(blocks: Sequence[Block]) -> str:
    """Return why the first block failed, as a sentence."""
    for block in blocks:
        error = getattr(block, "error", None)
        if isinstance(error, BlockAbortedException):
            said = " ".join(str(error.abort_reason).split()).rstrip(".")
            return f"The entry is not valid BibTeX: {said[0].lower()}{said[1:]}."
    return "The entry is not valid BibTeX."
