"""What does a system score that always says the same, or throws dice?

These are the floors: whoever scores no better has learnt nothing from the entries.
"""

import hashlib
import math

from hallmark.bench.entry import BlindEntry, Prediction
from hallmark.bench.systems.interface import EntrySystem, commit
from hallmark.errors import InputError


def always(*, hallucinated: bool) -> EntrySystem:
    """Return the system that gives every entry the same label, with full confidence."""

    def answer(entry: BlindEntry) -> Prediction:
        return commit(entry, hallucinated=hallucinated, confidence=1.0)

    return EntrySystem(answer, {})


def chance(*, rate: float, seed: int) -> EntrySystem:
    """Return the system that flags each entry with probability `rate`, whatever it says.

    Its confidence is always 0.5: a coin does not know better.

    Raises:
        InputError: the rate lies outside [0, 1].
    """
    if not (math.isfinite(rate) and 0.0 <= rate <= 1.0):
        raise InputError(f"The rate of the system `random` is {rate}; give one from 0 to 1.")

    def answer(entry: BlindEntry) -> Prediction:
        return commit(entry, hallucinated=draw(entry, seed) < rate, confidence=0.5)

    return EntrySystem(answer, {"rate": rate})


def draw(entry: BlindEntry, seed: int) -> float:
    """Return a number in [0, 1) that depends on the seed and the entry only, not on its place."""
    parts = (str(seed), entry.bibtex_key, *(f"{k}={v}" for k, v in entry.fields.items()))
    text = "\x1f".join(parts).encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(text, digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> 11) / (1 << 53)
