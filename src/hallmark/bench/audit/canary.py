"""Has a system seen the labelled data before it answered?

A canary is a unique token planted in a data set. A system that writes it in its answer to another
entry has met the data in its training. Tokens are the contents of canary entries, every string
that a metadata file keeps under a name with "canary" in it, and those given by the user.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from hallmark._files import read_bytes
from hallmark.bench.audit.leak import Leak
from hallmark.bench.entry import Entry
from hallmark.bench.lines import lines_text, printable, quoted, read_rows
from hallmark.errors import InputError

METHOD = "canary"
# Shorter strings are words, and words occur by accident.
_SHORTEST = 12
_UNIQUE = re.compile(r"[A-Za-z0-9]+(?:[-_:.][A-Za-z0-9]+)+|[0-9a-fA-F]{12,}")


def tokens_of_entries(entries: Iterable[Entry]) -> dict[str, str]:
    """Return the tokens of canary entries, each with the key of the entry that holds it."""
    tokens = dict[str, str]()
    for entry in entries:
        if entry.generation_method != METHOD:
            continue
        texts = [*entry.fields.values(), entry.explanation or "", entry.raw_bibtex or ""]
        for text in (*texts, *(v for v in entry.extra.values() if isinstance(v, str))):
            for token in _UNIQUE.findall(text):
                tokens[token] = entry.bibtex_key
        tokens[entry.fields.get("title", "")] = entry.bibtex_key
    return {t: key for t, key in tokens.items() if len(t) >= _SHORTEST and not _harmless(t)}


def _harmless(token: str) -> bool:
    """Whether a token is a date, an address or a DOI, which occur by rights."""
    return bool(re.fullmatch(r"[\d.:-]+|(?:www\.|doi\.org|10\.)\S*", token))


def tokens_of_metadata(path: Path) -> set[str]:
    """Return the canary strings of a JSON metadata file.

    Raises:
        InputError: it is no JSON.
    """
    try:
        data = msgspec.json.decode(read_bytes(path))
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise InputError(f"{printable(path, 300)} cannot be read as JSON: {problem}.") from problem
    return {text for text in _under_canary(data, inside=False) if len(text) >= _SHORTEST}


def _under_canary(value: Any, *, inside: bool) -> Iterator[str]:
    match value:
        case str() if inside:
            yield value
        case dict():
            for name, item in value.items():
                yield from _under_canary(item, inside=inside or METHOD in name.casefold())
        case list():
            for item in value:
                yield from _under_canary(item, inside=inside)
        case _:
            return


def canary_leaks(path: Path, own: dict[str, str], others: Sequence[str]) -> Iterator[Leak]:
    """Yield a leak for each token that a prediction file holds where it cannot come from.

    Args:
        path: any JSON Lines file of answers with `bibtex_key`.
        own: tokens of canary entries with their key; a row for that key may quote them.
        others: tokens that no row may hold.

    Raises:
        InputError: the file is no JSON Lines.
    """
    lines = dict[str, list[int]]()
    for number, row in read_rows(path):
        text = msgspec.json.encode(row).decode().casefold()
        key = row.get("bibtex_key")
        for token in (*others, *(t for t, owner in own.items() if owner != key)):
            if msgspec.json.encode(token).decode()[1:-1].casefold() in text:
                lines.setdefault(token, []).append(number)
    for token, numbers in lines.items():
        yield Leak(
            check="canary",
            where=path.name,
            message=f"the canary {quoted(token)} occurs in {lines_text(numbers)}",
            figures={"n": len(numbers)},
        )
