"""What is handed out before a run: the blind view of a gold file, and a file to fill in?"""

from collections.abc import Iterable, Iterator
from typing import Any

from hallmark.bench.entry import BlindEntry, Entry

# What a prediction may hold besides key, label and confidence; empty ones may be deleted.
_OPTIONAL: dict[str, Any] = {
    "predicted_hallucination_type": None,
    "reason": "",
    "subtest_results": {},
    "sources": [],
    "seconds": None,
    "calls": None,
    "cost": None,
}


def blind(entries: Iterable[Entry]) -> Iterator[BlindEntry]:
    """Yield what a tool may see, in order."""
    return (entry.blind() for entry in entries)


def template(entries: Iterable[Entry | BlindEntry], *, full: bool = False) -> Iterator[Any]:
    """Yield one empty prediction for each entry, in order.

    Label and confidence are null, so that a file that was not filled in is refused, not scored.

    Args:
        entries: the entries of a gold or blind file.
        full: also show the optional fields.
    """
    for entry in entries:
        row = {"bibtex_key": entry.bibtex_key, "label": None, "confidence": None}
        yield {**row, **_OPTIONAL} if full else row
