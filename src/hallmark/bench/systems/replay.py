"""What did a system answer that ran before?"""

from collections.abc import Mapping
from pathlib import Path

from hallmark.bench.entry import BlindEntry, Prediction, read_predictions
from hallmark.bench.systems.interface import EntrySystem, fail
from hallmark.errors import AlignmentError


def replay(path: Path, *, repeated: str = "error") -> EntrySystem:
    """Return the system that gives a prediction file's answers again; ERROR where it has none.

    Args:
        path: a prediction file.
        repeated: what a key with several rows means: "error", "first" or "last" row counts.

    Raises:
        InputError: the file cannot be read.
        AlignmentError: a key has several rows and `repeated` is "error".
    """
    rows = load_by_key(path, repeated=repeated)

    def answer(entry: BlindEntry) -> Prediction:
        return rows.get(entry.bibtex_key) or fail(entry, f"{path.name} has no row for this key")

    return EntrySystem(answer, {"predictions": path.name, "repeated": repeated})


def load_by_key(path: Path, *, repeated: str = "error") -> Mapping[str, Prediction]:
    """Return a file's predictions by key; see `replay` for `repeated` and the errors."""
    rows = dict[str, Prediction]()
    twice = list[str]()
    for row in read_predictions(path):
        if row.bibtex_key in rows:
            twice.append(row.bibtex_key)
            if repeated != "last":
                continue
        rows[row.bibtex_key] = row
    if twice and repeated == "error":
        raise AlignmentError(
            f"{path} has several rows for {len(set(twice))} keys: {', '.join(twice[:10])}"
            f"{', ...' if len(twice) > 10 else ''}. Choose with --option repeated=first or "  # noqa: PLR2004 - ten fit on a line
            "repeated=last."
        )
    return rows
