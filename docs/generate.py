# ruff: noqa: INP001 - a script beside the pages, no package
"""Which pages of the documentation follow from the code?

`python docs/generate.py` writes them; tests/test_docs.py fails while they differ.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import msgspec

from hallmark.bench.conformance import guide as external
from hallmark.bench.systems.external.rows import tools
from hallmark.cli.study import COMMANDS as STUDIES
from hallmark.judge.calibrate import packaged
from hallmark.judge.codes import CODES, Code
from hallmark.judge.profiles import shipped
from hallmark.report import wire
from hallmark.sources.interface import Rate, SourceSpec
from hallmark.sources.specs import SOURCES
from hallmark.study import (
    guide,
    models_guide,
    pairs,
    policies_guide,
    prompts_guide,
    tables_guide,
    triage_guide,
)
from hallmark.study.calibration_report import page
from hallmark.study.document import as_markdown
from hallmark.study.policies import Policies
from hallmark.study.triage import TriageStudy

DOCS = Path(__file__).parent

_GROUPS = {
    "1": "The entry itself",
    "2": "Identifiers",
    "3": "Title",
    "4": "Authors",
    "5": "Venue",
    "6": "Year",
    "7": "Absence",
    "8": "What a language model says",
    "9": "The check itself",
}


def pages() -> dict[str, str]:
    """Return the text of every generated page, by its name in docs/."""
    return {
        "external-tools.md": external_tools(),
        "findings.md": findings(),
        "output.md": output(),
        "models.md": as_markdown(models_guide.page()),
        "policies.md": policies(),
        "prompts.md": as_markdown(prompts_guide.page()),
        "sources.md": sources(),
        **matching(),
        "calibration.md": as_markdown(page(packaged().model)),
        "studies.md": as_markdown(guide.page({name: lazy.help for name, lazy in STUDIES.items()})),
        "triage.md": triage(),
        "report.schema.json": json.dumps(wire.schema(), indent=2, ensure_ascii=False) + "\n",
    }


def matching() -> dict[str, str]:
    """Return the pages on what counts as the same: names, titles, and the tables behind."""
    data = DOCS / "data"
    agreement = pairs.read_agreement(data / "author_agreement.json")
    journals = tables_guide.read_journal_names(data / "journal_names.json")
    names = pairs.names_page(pairs.read(data / "name_pairs.tsv"), agreement)
    titles = pairs.titles_page(pairs.read(data / "title_pairs.tsv"))
    return {
        "names.md": as_markdown(names),
        "titles.md": as_markdown(titles),
        "tables.md": as_markdown(tables_guide.tables_page(journals)),
    }


def external_tools() -> str:
    """Return the page about tools of others, with the stored outcomes of their tests."""
    stored = sorted((DOCS / "data" / "conformance").glob("*.json"))
    results = [external.read_result(file.read_bytes()) for file in stored]
    ours = next(result for result in results if result.system == "hallmark")
    others = [result for result in results if result is not ours]
    return external.page([tool for _, tool in tools().items()], ours, others)


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


def policies() -> str:
    """Return the page of the policies, with the figures that were measured last."""
    measured = (DOCS / "data" / "policies.json").read_bytes()
    return as_markdown(
        policies_guide.page(shipped().names(), msgspec.json.decode(measured, type=Policies))
    )


def triage() -> str:
    """Return the page on triage, with the figures that were measured last."""
    measured = sorted((DOCS / "data").glob("triage-*.json"))
    studies = [msgspec.json.decode(path.read_bytes(), type=TriageStudy) for path in measured]
    output = (DOCS / "data" / "queue.txt").read_text(encoding="utf-8")
    return as_markdown(triage_guide.page(output, studies))


def sources() -> str:
    """Return the page of the live sources."""
    specs = [factory(None).spec for _, factory in SOURCES.items()]
    return "\n".join((*_sources(specs), *(line for spec in specs for line in _source(spec)))) + "\n"


def _sources(specs: list[SourceSpec]) -> Iterator[str]:
    yield "# Live sources"
    yield ""
    yield "Generated from the table in `src/hallmark/sources/specs.py` by `make docs`; do not edit."
    yield ""
    yield "Nothing is asked live unless you choose it. What then leaves the machine is said below"
    yield "for each service; keys and a contact address come from the environment or the"
    yield "configuration, and go to the service that they belong to, nowhere else."
    yield ""
    yield "A reply that is not what a service documents (a web page, an error with status 200, a"
    yield "cut body, a field of another type) is a failure of the service and evidence of nothing."
    yield "Only a whole reply that holds nothing near says that the work is absent there; whether"
    yield "that counts depends on whether the source covers works of this kind at all."
    yield ""
    yield "Other packages add sources by an entry point of the group `hallmark.sources`, which"
    yield "names a factory: it takes a spec, or None for its own, and returns the source. A whole"
    yield "one is in `examples/sources/my_source.py`; the suite that it must pass is"
    yield "`src/hallmark/sources/conformance.py`, run as in `tests/sources/test_example.py`."
    yield ""
    yield "| source | asked by | questions per request | limit | key |"
    yield "|---|---|---|---|---|"
    for spec in specs:
        ways = ", ".join(way.value for way in spec.ways)
        batch = ", ".join(f"{way} {size}" for way, size in spec.batch.items() if size > 1) or "1"
        key = f"`{spec.key_variable}`" if spec.key_variable else ""
        name = f"[`{spec.name}`](#{spec.name})"
        yield f"| {name} | {ways} | {batch} | {_rate(spec.rate)} | {key} |"


def _source(spec: SourceSpec) -> Iterator[str]:
    yield ""
    yield f"## {spec.name}"
    yield ""
    yield f"{spec.title}: {spec.covers}."
    yield ""
    yield f"- Host: {', '.join((spec.base, *spec.more_bases))}"
    yield f"- What is sent: {spec.sends}"
    yield f"- Limit kept: {_rates(spec)}"
    yield f"- Kinds of works that it may be expected to hold: {', '.join(sorted(spec.kinds))}"
    if spec.fields:
        yield f"- Fields of study: {', '.join(spec.fields)}"
    if spec.key_variable:
        needed = "needed" if spec.needs_key else "optional"
        yield f"- Key: `{spec.key_variable}` ({needed})"
    if spec.registry_of:
        yield f"- Authority for DOIs registered with {', '.join(spec.registry_of)}"
    yield f"- Terms: {spec.homepage}"
    yield f"- Facts as of {spec.facts_as_of}"
    yield ""
    yield "Peculiarities and how they are met:"
    yield ""
    for quirk in spec.quirks:
        yield f"- {quirk}"


def _rates(spec: SourceSpec) -> str:
    rates = [_rate(spec.rate)]
    if spec.contact_rate:
        rates.append(f"with a contact address {_rate(spec.contact_rate)}")
    if spec.keyed_rate:
        rates.append(f"with a key {_rate(spec.keyed_rate)}")
    return "; ".join(rates)


def _rate(rate: Rate) -> str:
    count = f"{rate.requests:g} request{'s' if rate.requests != 1 else ''}"
    span = "a second" if rate.per_s == 1 else f"in {rate.per_s:g} seconds"
    return f"{count} {span}"


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
    yield "elements of `results`, one a line, each as soon as it is known; with `--queue` a last"
    yield "line of the form [Closing](#closing) follows, which has `summary` and no `key`."
    yield "The version rises when a reader of the old form would err; new keys may be added"
    yield "without that."
    yield ""
    yield "In `work`, keys that have no value are left out."
    yield ""
    yield "Characters that a terminal would obey or not show are written as escapes (`\\u001b`,"
    yield "`\\u202e`); every JSON reader gives the original text back."
    definitions = cast("dict[str, dict[str, object]]", wire.schema()["$defs"])
    for name in _in_reading_order(definitions):
        yield from _definition(name, definitions[name])


def _in_reading_order(definitions: dict[str, dict[str, object]]) -> list[str]:
    first = ["Document", "Totals", "Row", "Closing"]
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
