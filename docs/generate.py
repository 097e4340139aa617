# ruff: noqa: INP001 - a script beside the pages, no package
"""Which pages of the documentation follow from the code?

`python docs/generate.py` writes them; tests/test_docs.py fails while they differ.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import msgspec

from hallmark.judge.codes import CODES, Code
from hallmark.report import wire

DOCS = Path(__file__).parent

_GROUPS = {
    "1": "The entry itself",
    "2": "Identifiers",
    "3": "Title",
    "4": "Authors",
    "5": "Venue",
    "6": "Year",
    "7": "Absence",
    "9": "The check itself",
}


def pages() -> dict[str, str]:
    """Return the text of every generated page, by its name in docs/."""
    return {
        "findings.md": findings(),
        "output.md": output(),
        "report.schema.json": json.dumps(wire.schema(), indent=2, ensure_ascii=False) + "\n",
    }


def findings() -> str:
    """Return the page of finding codes."""
    return "\n".join(_findings()) + "\n"


def _findings() -> Iterator[str]:
    yield "# Findings"
    yield ""
    yield "Generated from `src/hallmark/judge/codes.py` by `make docs`; do not edit."
    yield ""
    yield "A *problem* contradicts the reference, or says that it does not exist. A *warning* is"
    yield "worth a look and never decides alone; two of different fields together may. A *note*"
    yield "records a harmless difference. The severities are those of the default policy."
    yield ""
    yield "| code | name | severity | field |"
    yield "|---|---|---|---|"
    for code in CODES.values():
        link = f"[{code.code}](#{code.code.lower()}-{code.name})"
        yield f"| {link} | {code.name} | {code.severity} | {code.field or 'the entry'} |"
    group = ""
    for code in CODES.values():
        if code.code[2] != group:
            group = code.code[2]
            yield f"\n## {_GROUPS[group]}"
        yield from _finding(code)


def _finding(code: Code) -> Iterator[str]:
    yield ""
    yield f"### {code.code} {code.name}"
    yield ""
    yield code.meaning
    yield ""
    yield f"- Severity: {code.severity}"
    yield f"- Why it matters: {code.why}"
    yield f"- Example: {code.example}"
    yield f"- When it can be wrong: {code.when_wrong}"


def output() -> str:
    """Return the page of the machine-readable formats."""
    return "\n".join(_output()) + "\n"


def _output() -> Iterator[str]:
    yield "# Machine-readable output"
    yield ""
    yield "Generated from `src/hallmark/report/wire.py` by `make docs`; do not edit."
    yield ""
    yield f"`hallmark check --format json` writes one document of the form `{wire.SCHEMA}`; its"
    yield "JSON Schema is [report.schema.json](report.schema.json). `--format jsonl` writes the"
    yield "elements of `results` alone, one a line, each as soon as it is known. The version rises"
    yield "when a reader of the old form would err; new keys may be added without that."
    yield ""
    yield "In `work`, keys that have no value are left out."
    yield ""
    yield "Characters that a terminal would obey or not show are written as escapes (`\\u001b`,"
    yield "`\\u202e`); every JSON reader gives the original text back."
    definitions = cast("dict[str, dict[str, object]]", wire.schema()["$defs"])
    for name in _in_reading_order(definitions):
        yield from _definition(name, definitions[name])


def _in_reading_order(definitions: dict[str, dict[str, object]]) -> list[str]:
    first = ["Document", "Totals", "Row"]
    return [*first, *sorted(set(definitions) - set(first))]


def _definition(name: str, schema: dict[str, object]) -> Iterator[str]:
    yield ""
    yield f"## {name}"
    yield ""
    yield from str(schema.get("description", "")).splitlines()
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        values = ", ".join(f"`{value}`" for value in schema.get("enum", ()))  # type: ignore[attr-defined]
        yield f"\nOne of: {values}"
        return
    described = any("description" in value for value in properties.values())
    yield ""
    yield "| key | type | meaning |" if described else "| key | type |"
    yield "|---|---|---|" if described else "|---|---|"
    for key, value in properties.items():
        meaning = f" {value.get('description', '')} |" if described else ""
        yield f"| `{key}` | {_type(value)} |{meaning}"


def _type(schema: dict[str, object]) -> str:
    """Return a schema's type in words."""
    match schema:
        case {"$ref": str(reference)}:
            name = reference.rpartition("/")[2]
            return f"[{name}](#{name.lower()})"
        case {"anyOf": list(options)}:
            return " or ".join(_type(option) for option in options)
        case {"enum": list(values)}:
            return " or ".join(f"`{value}`" for value in values)
        case {"const": value}:
            return f"`{value}`"
        case {"type": "array", "items": dict(items)}:
            return f"list of {_type(items)}"
        case {"type": "array", "prefixItems": list(items)}:
            return f"({', '.join(_type(item) for item in items)})"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"object of {_type(values)}"
        case {"type": str(kind)}:
            return kind
        case _:
            return msgspec.json.encode(schema).decode()


def main() -> None:
    """Write every generated page."""
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
