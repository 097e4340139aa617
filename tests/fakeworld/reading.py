"""Which works does a file of records give the fake world?"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec

from hallmark.records.work import Version
from hallmark.text import identifiers

_FIELDS = frozenset(Version.__struct_fields__)


def read_records(paths: Iterable[Path], most: int) -> list[Version]:
    """Return the works of JSONL files, in Hallmark's own form or as versions are stored."""
    return list(islice(chain.from_iterable(map(_lines, paths)), most))


def _lines(path: Path) -> Iterator[Version]:
    with path.open("rb") as lines:
        yield from (_version(msgspec.json.decode(line)) for line in lines)


def _version(row: dict[str, Any]) -> Version:
    kept = {name: value for name, value in row.items() if name in _FIELDS and value is not None}
    arxiv = identifiers.arxiv(kept.get("arxiv", ""))
    doi = identifiers.doi(kept.get("doi", ""))
    if arxiv is not None and doi is None:
        doi = f"10.48550/arxiv.{arxiv.id}"
    version = msgspec.convert({"collection": "world", **kept}, Version)
    return msgspec.structs.replace(
        version,
        doi=doi,
        arxiv=None if arxiv is None else arxiv.id,
        preprint=version.preprint or arxiv is not None,
        venue=version.venue or version.venue_raw,
    )
