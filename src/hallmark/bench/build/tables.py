"""How do the rows of a split become files: JSON Lines, and the same rows as Parquet?

Both have the same bytes each time. In Parquet an absent key is null, and all splits share one
schema, so that they can be read as one data set.
"""

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import structs

from hallmark.bench.build.earlier import PUBLIC, SEALED, file_of
from hallmark.bench.build.plan import Plan
from hallmark.bench.entry import BlindEntry, Entry
from hallmark.bench.sealing.key import SealKey
from hallmark.bench.sealing.seal import seal
from hallmark.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

_LABELS, _BLIND = "labels", "blind"

Row: TypeAlias = Mapping[str, Any]


def data_files(
    plan: Plan,
    splits: Mapping[str, Sequence[Entry]],
    labels: Mapping[str, str],
    key: SealKey | None,
) -> tuple[dict[str, bytes], dict[str, "pa.Schema"]]:
    """Return the data files of a release, and the schemas of its published Parquet files.

    Args:
        plan: the plan.
        splits: the entries of each split.
        labels: how the labels of each split are kept: "public", "withheld" or "sealed".
        key: seals labels.

    Raises:
        InputError: there is no key for labels that are to be sealed.
    """
    rows = {name: [entry.row() for entry in entries] for name, entries in splits.items()}
    blind = {name: [_blind(e.blind()) for e in entries] for name, entries in splits.items()}
    schemas = {
        _LABELS: schema_of(row for each in rows.values() for row in each),
        _BLIND: schema_of(row for each in blind.values() for row in each),
    }
    files, published = dict[str, bytes](), dict[str, "pa.Schema"]()
    for name in splits:
        place = file_of(name, labels[name])
        if labels[name] == SEALED:
            files[place] = _sealed(plan, name, rows[name], key)
        else:
            stem = place.removesuffix(".jsonl")
            files[place] = json_lines(rows[name])
            files[f"{stem}.parquet"] = parquet(rows[name], schemas[_LABELS])
        if labels[name] == PUBLIC:
            published[f"{name}.parquet"] = schemas[_LABELS]
        files[f"{name}_blind.jsonl"] = json_lines(blind[name])
        files[f"{name}_blind.parquet"] = parquet(blind[name], schemas[_BLIND])
        published[f"{name}_blind.parquet"] = schemas[_BLIND]
    return files, published


def _sealed(plan: Plan, name: str, rows: Sequence[Row], key: SealKey | None) -> bytes:
    if key is None:
        raise InputError(f"The labels of {name} are to be sealed, and there is no key.")
    return seal(key, plan.name, plan.version, name, json_lines(rows))


def _blind(entry: BlindEntry) -> dict[str, Any]:
    shown = structs.asdict(entry)
    return {name: value for name, value in shown.items() if value is not None}


def json_lines(rows: Iterable[Row]) -> bytes:
    """Return rows as JSON Lines, as `bench.entry` writes them."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def schema_of(rows: Iterable[Row]) -> "pa.Schema":
    """Return the schema that holds all of these rows; keys stand in the order of first use.

    Text, numbers, truth values, lists of these and objects are known; a key that is null or an
    empty object everywhere is text.
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

    held = [value for value in values if value not in (None, {})]
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

    shown = [{k: v for k, v in row.items() if v != {}} for row in rows]
    table = pa.Table.from_pylist(shown, schema=schema)
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
