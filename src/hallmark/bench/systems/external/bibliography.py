"""How are benchmark entries handed to a tool that reads .bib files?

An entry is written as its author would have it, with a key that no tool can stumble over; the
adapter knows which entry each key stands for. An entry that has its raw text only, because it
could not be parsed, is written as it stands.
"""

import re
from collections.abc import Sequence
from typing import Literal

from hallmark.bench.entry import BlindEntry
from hallmark.bench.noise.latex import bibtex

Keys = Literal["safe", "own"]

LONGEST_VALUE = 100_000
"""Characters of a field that are written; no honest field comes near."""

_TYPE = re.compile(r"[A-Za-z]{1,40}")
_FIELD = re.compile(r"[A-Za-z][A-Za-z0-9_+-]{0,39}")
_OWN = re.compile(r"[^\s{},=#%\"'()\\~\x00-\x1f\x7f]{1,200}")
_HEAD = re.compile(r"(@\s*\w+\s*[{(]\s*)([^,\s]*)")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_BREAKS = re.compile(r"[\t\n]+")
"""Line ends in a field, which could pass for lines of a tool's own in its output."""


def keys_for(entries: Sequence[BlindEntry], keys: Keys) -> list[str]:
    """Return the key under which each entry is written.

    Args:
        entries: what is sent in one call.
        keys: "safe" gives every entry a key of its own (`ref1`, `ref2` ...); "own" keeps the
            entries' keys, repeated ones too, where BibTeX can hold them.
    """
    safe = [f"ref{number}" for number in range(1, len(entries) + 1)]
    if keys == "safe":
        return safe
    pairs = zip(entries, safe, strict=True)
    return [e.bibtex_key if _OWN.fullmatch(e.bibtex_key) else plain for e, plain in pairs]


def bibliography(entries: Sequence[BlindEntry], keys: Sequence[str]) -> str:
    """Return the text of a .bib file that holds the entries, each under its key."""
    return "\n".join(_written(e, key) for e, key in zip(entries, keys, strict=True))


def _written(entry: BlindEntry, key: str) -> str:
    if not entry.fields and entry.raw_bibtex:
        return _UNSEEN.sub("", _HEAD.sub(lambda at: at[1] + key, entry.raw_bibtex, count=1)) + "\n"
    return bibtex(BlindEntry(key, _type(entry.bibtex_type), _fields(entry)))


def _type(text: str) -> str:
    return text if _TYPE.fullmatch(text) else "misc"


def _fields(entry: BlindEntry) -> dict[str, str]:
    return {
        name: _BREAKS.sub(" ", _UNSEEN.sub("", value[:LONGEST_VALUE]))
        for name, value in entry.fields.items()
        if _FIELD.fullmatch(name)
    }
