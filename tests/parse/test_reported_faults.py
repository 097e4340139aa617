"""Do the faults that users of other tools reported leave every entry in place?

Their kinds are tested one by one in the other files; this runs over the collected inputs.
"""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from hallmark.records.reference import Reference
from tests.parse.reading import names, of_bytes

_KINDS = {"bibtex_syntax", "latex_markup", "identifier", "year", "non_paper"}


def _cases(shared: Path) -> list[tuple[dict[str, Any], list[Reference]]]:
    rows = map(json.loads, (shared / "cases" / "cases.jsonl").read_text().splitlines())
    return [
        (row, of_bytes(content))
        for row in rows
        if row["kind"] in _KINDS and (content := _content(row)) is not None
    ]


def _content(row: dict[str, Any]) -> bytes | None:
    match row["input_format"]:
        case "bib":
            return str(row["input"]).encode()
        case "bib+base64":
            return base64.b64decode(row["input"])
        case "bib+responses":
            return str(row["input"]["bib"]).encode()
        case _:
            return None


def _expectations(row: dict[str, Any], found: list[Reference]) -> list[tuple[str, Any, Reference]]:
    """Return field, expected value and reference, for the values that a parser can meet."""
    parse = row["expected"].get("parse", {})
    by_key = {one.key: one for one in found}
    if not set(parse) & set(by_key):
        parse = {found[0].key: parse}
    return [
        (field, value, by_key[key])
        for key, values in parse.items()
        for field, value in (values if isinstance(values, dict) else {"year": values}).items()
    ]


@pytest.mark.shared_data
def test_every_entry_of_every_reported_fault_comes_out(shared: Path) -> None:
    for row, found in _cases(shared):
        expected = row["expected"]
        assert len(found) == expected.get("entries", len(found)), row["id"]
        assert [one.key for one in found] == expected.get("keys", [one.key for one in found])
        notes = sum(len(one.notes) for one in found)
        assert notes >= expected.get("warnings_min", 0), row["id"]


@pytest.mark.shared_data
def test_the_values_of_reported_faults_are_read_as_expected(shared: Path) -> None:
    checked = 0
    for row, found in _cases(shared):
        for field, expected, one in _expectations(row, found):
            if hasattr(one, field) and not (field == "year" and isinstance(expected, list)):
                assert _read(one, field, expected) in (expected, expected or ""), row["id"]
                checked += 1
    assert checked > 40


def _read(one: Reference, field: str, expected: Any) -> Any:
    """Return the value that was read, in the shape of the expected one."""
    if field == "authors" and isinstance(expected[0], str):
        return names(one)
    if field == "authors":
        return [{"family": author.family, "given": author.given} for author in one.authors]
    value = getattr(one, field)
    same = isinstance(expected, str) and str(value).casefold() == expected.casefold()
    return expected if same else value
