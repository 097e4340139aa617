"""What do the tests of the index share?"""

import io
import json
from collections.abc import Iterable
from pathlib import Path

from hallmark.index.loaders import formats
from hallmark.index.loaders.interface import LOADERS, Opened, Skipped
from hallmark.index.loaders.opening import Silent, files_of, find_place
from hallmark.records.work import Version

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures" / "index"

formats.load_all()


def load(source: str | Path) -> tuple[list[Version], list[str]]:
    """Read a source; returns its versions and the reasons of what was skipped."""
    versions: list[Version] = []
    skipped: list[str] = []
    for file in files_of(find_place(str(source)), Silent()):
        assert file.loader is not None
        for item in file.loader.load(file.opened):
            if isinstance(item, Skipped):
                skipped.append(item.reason)
            else:
                versions.append(item)
    return versions, skipped


def load_text(format_name: str, text: str | bytes) -> tuple[list[Version], list[str]]:
    """Read text as a file of a format."""
    data = text.encode() if isinstance(text, str) else text
    opened = Opened("made", "made", io.BufferedReader(io.BytesIO(data)))
    items = list(LOADERS.get(format_name).load(opened))
    return (
        [item for item in items if isinstance(item, Version)],
        [item.reason for item in items if isinstance(item, Skipped)],
    )


def write_records(path: Path, rows: Iterable[dict[str, object]]) -> Path:
    """Write rows as records of our own form."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def record(title: str, **fields: object) -> dict[str, object]:
    """Return a record of our own form."""
    return {"title": title, "authors": ["Ada Lovelace", "Alan Turing"], "source": "t"} | fields
