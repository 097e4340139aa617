"""An evaluation as JSON: the whole record, undefined numbers as null."""

import msgspec
from msgspec import Struct

from hallmark.bench.evaluation import Evaluation


def render(evaluation: Evaluation) -> str:
    """Return the record as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(evaluation), indent=2).decode() + "\n"


def render_any(record: Struct) -> str:
    """Return any other record as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(record), indent=2).decode() + "\n"
