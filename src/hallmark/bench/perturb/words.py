"""Which words, names and parts are put in the place of real ones?

The tables beside this module are our own; each says at its top what it holds.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=16)
def rows(table: str) -> tuple[tuple[str, ...], ...]:
    """Return the rows of a table, in its order; "#" begins a comment line."""
    text = files("hallmark.bench.perturb").joinpath("tables", f"{table}.tsv").read_text("utf-8")
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return tuple(tuple(line.split("\t")) for line in lines)


@lru_cache(maxsize=8)
def parts(table: str) -> Mapping[str, tuple[str, ...]]:
    """Return the texts of a table of (part, text) rows, by part."""
    found: dict[str, list[str]] = {}
    for part, text in rows(table):
        found.setdefault(part, []).append(text)
    return {part: tuple(texts) for part, texts in found.items()}


@lru_cache(maxsize=1)
def synonyms() -> Mapping[str, str]:
    """Return the stand-ins of words, in lower case."""
    return {word: other for _, word, other in rows("synonyms")}


@lru_cache(maxsize=8)
def both_ways(table: str) -> Mapping[str, str]:
    """Return a table of pairs as a mapping in both directions; the first pair of a word counts."""
    found: dict[str, str] = {}
    for one, other in rows(table):
        found.setdefault(one, other)
        found.setdefault(other, one)
    return found


def like(word: str, model: str) -> str:
    """Return `word` in the case of `model`: all capitals, a capital first, or lower case."""
    if model.isupper() and len(model) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word
