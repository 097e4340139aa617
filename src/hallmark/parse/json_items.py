"""Where do the objects of a JSON array begin and end?

Objects are cut out of the text as it streams by, so that a large array needs little memory and a
broken object is told from its neighbours.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

_MARK = re.compile(r'["{}\n]')
_LONGEST = 32 * 2**20
"""Characters of one object that are kept."""


class JsonItem(Struct, frozen=True):
    """The text of one object at the outermost level, with the number of its first line."""

    line: int
    text: str


class _Scan(Struct):
    """Where the reading stands: the depth of braces, and whether inside a string.

    `cut_escape` says that the block before ended inside an escape.
    """

    depth: int = 0
    quoted: bool = False
    cut_escape: bool = False


def json_items(blocks: Iterable[str]) -> Iterator[JsonItem]:
    """Yield the outermost objects of a text that comes in blocks; an unclosed last one too."""
    scan = _Scan()
    parts: list[str] = []
    line, first, size = 1, 1, 0
    for block in blocks:
        start = 0
        for found in _MARK.finditer(block):
            before = scan.depth
            _step(scan, found, block)
            if before == 0 and scan.depth == 1:
                start, size = found.start(), 0
                first = line + block.count("\n", 0, start)
                parts = []
            elif before == 1 and scan.depth == 0:
                parts.append(block[start : found.end()])
                yield JsonItem(first, "".join(parts))
                parts = []
        if scan.depth and size < _LONGEST:
            parts.append(block[start:])
            size += len(block) - start
        scan.cut_escape = _is_escaped(scan, block, len(block))
        line += block.count("\n")
    if parts:
        yield JsonItem(first, "".join(parts))


def _step(scan: _Scan, found: re.Match[str], block: str) -> None:
    """Take one mark into account; a line end closes a string, which may not hold one."""
    place, mark = found.start(), found.group()
    if mark == "\n":
        scan.quoted = False
    elif scan.quoted:
        if mark == '"' and not _is_escaped(scan, block, place):
            scan.quoted = False
    elif mark == '"':
        scan.quoted = scan.depth > 0
    elif mark == "{":
        scan.depth += 1
    elif mark == "}":
        scan.depth = max(0, scan.depth - 1)


def _is_escaped(scan: _Scan, block: str, place: int) -> bool:
    """Whether an odd number of backslashes stands before the place."""
    count = 0
    while place - count > 0 and block[place - count - 1] == "\\":
        count += 1
    whole_block = count == place and scan.cut_escape
    return (count + whole_block) % 2 == 1
