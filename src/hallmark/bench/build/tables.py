"""How do the rows of a split become files: JSON Lines, and the same rows as Parquet?

Both have the same bytes each time. In Parquet an absent key is null, and all splits share one
schema, so that they can be read as one data set.
"""

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import pyarrow as pa

Row: TypeAlias = Mapping[str, Any]


def json_lines(rows: Iterable[Row]) -> bytes:
    """Return rows as JSON Lines, as `bench.entry` writes them."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def schema_of(rows: Iterable[Row]) -> "pa.Schema":
    """Return the schema that holds all of these rows; keys stand in the order of first use.

    Text, whole numbers, truth values, lists of these and objects are known; a key that is null
    everywhere is text.
    """
    import pyarrow as pa  # noqa: PLC0415 - bench extra, takes a while to load

    return pa.schema([pa.field(name, _type_of(held)) for name, held in _columns(rows).items()])


def _columns(rows: Iterable[Row]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for row in rows:
        for name, value in row.items():
            found.setdefault(name, []).append(value)
    return found


def _type_of(values: Sequence[Any]) -> "pa.DataType":
    import pyarrow as pa  # noqa: PLC0415 - bench extra

    held = [value for value in values if value is not None]
    match held[0] if held else "":
        case dict():
            inner = _columns(held)
            return pa.struct([pa.field(name, _type_of(inner[name])) for name in inner])
        case list():
            return pa.list_(_type_of([one for value in held for one in value]))
        case bool():
            return pa.bool_()
        case int():
            return pa.int64()
        case float():
            return pa.float64()
        case _:
            return pa.string()


def parquet(rows: Sequence[Row], schema: "pa.Schema") -> bytes:
    """Return rows as a Parquet file.

    Args:
        rows: the rows.
        schema: of all rows, as `schema_of` gives it.
    """
    import pyarrow as pa  # noqa: PLC0415 - bench extra
    import pyarrow.parquet as pq  # noqa: PLC0415

    table = pa.Table.from_pylist(list(rows), schema=schema)
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd", version="2.6")
    return sink.getvalue()


def rows_in(data: bytes) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file of ours without what is null, for comparing."""
    import pyarrow.parquet as pq  # noqa: PLC0415 - bench extra

    for row in pq.read_table(io.BytesIO(data)).to_pylist():
        yield bare(row)


def bare(row: Row) -> dict[str, Any]:
    """Return a row without keys that are null or empty objects, at any depth."""
    shown = {name: bare(value) if isinstance(value, dict) else value for name, value in row.items()}
    return {name: value for name, value in shown.items() if value not in (None, {})}
