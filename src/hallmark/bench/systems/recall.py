"""What does a model recall of a work when it is shown the title and the year alone?

This is no system of the benchmark: its rows hold no verdict. A question that was answered is an
abstention with what was recalled beside it; one that was not is ERROR with its kind.
"""

from typing import Any

from hallmark.bench.entry import BlindEntry
from hallmark.bench.systems.asking import Outcome, prediction_of, storable, with_costs
from hallmark.bench.systems.interface import abstain
from hallmark.bench.systems.zero_shot import Contract
from hallmark.llm.answers import OF_SERVICE, Unreadable
from hallmark.llm.interface import Failure, ModelSpec, Reply
from hallmark.llm.prompts.entry import PARTS, values
from hallmark.llm.recall import Recalled, read, schema

PROMPT = "recall"
WITHOUT = tuple(name for name in PARTS if name not in ("title", "year"))
"""The parts of an entry that are not shown."""


def outcome(
    entry: BlindEntry, came: Reply | Failure, spec: ModelSpec, extra: dict[str, Any]
) -> Outcome:
    """Return what came of the question; the row's `extra` holds known, authors and venue."""
    shown = values(entry.bibtex_type, entry.fields, "fields", WITHOUT)
    found = read(came, (shown["entry"],))
    if isinstance(found, Unreadable):
        row = with_costs(prediction_of(entry, found), (came,), spec, extra)
        detail = f"{found.kind}: {storable(found.detail)}"
        return Outcome(row, found.kind in OF_SERVICE, detail)
    row = abstain(entry, "recall probe: no verdict was asked for")
    return Outcome(with_costs(row, (came,), spec, extra | _told(found)))


def _told(found: Recalled) -> dict[str, Any]:
    return {
        "known": found.known,
        "authors": [storable(name) for name in found.authors],
        "venue": storable(found.venue),
    }


RECALL = Contract(lambda _: schema(), outcome)
"""The contract of the recall probe."""
