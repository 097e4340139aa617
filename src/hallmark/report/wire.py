"""How does a result look as JSON?

The classes below are the documented form: the schema in docs is generated from them.
"""

from typing import Annotated, Literal, cast

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from hallmark.records.finding import Finding
from hallmark.records.opinion import ModelUse, Opinion
from hallmark.records.queue import Queue
from hallmark.records.verdict import SUBTESTS, Result, SourceStatus, Suggestion
from hallmark.records.work import Version
from hallmark.report import escape
from hallmark.report.holdings import Holdings
from hallmark.report.interface import RunInfo
from hallmark.report.summary import SourceCount, Summary

SCHEMA: Literal["hallmark.report/1"] = "hallmark.report/1"
"""Name and version of the form; the version rises when a reader of the old one would err."""

Status = Literal["verified", "contradicted", "not_found", "unresolved", "not_checked"]


class Row(Struct, frozen=True, kw_only=True):
    """One reference of the input; every entry of a file has one, in the file's order."""

    key: Annotated[str, Meta(description="The entry's citation key, as written.")]
    file: Annotated[str, Meta(description='The file as the user named it; "-" is standard input.')]
    line: Annotated[int, Meta(description="The line on which the entry starts, from 1.")]
    status: Annotated[Status, Meta(description="The verdict; see docs/verdicts.md.")]
    probability: Annotated[float, Meta(ge=0, le=1, description="P(hallucinated).")]
    type: Annotated[
        str | None, Meta(description="The most likely of the 14 types, null if nothing is wrong.")
    ]
    subtests: Annotated[
        dict[str, bool | None],
        Meta(description="The six sub-tests by name: true, false, or null where unknown."),
    ]
    findings: Annotated[
        tuple[Finding, ...], Meta(description="What there is to say; see docs/findings.md.")
    ]
    work: Annotated[
        Version | None, Meta(description="The record that the reference was matched with.")
    ]
    suggestion: Annotated[
        Suggestion | None, Meta(description="A corrected entry: the fields to change.")
    ]
    sources: Annotated[
        tuple[SourceStatus, ...], Meta(description="Who was asked, and what came of it.")
    ]
    opinion: Annotated[
        Opinion | UnsetType,
        Meta(description="What a language model added; only with `--llm`, where one was asked."),
    ] = UNSET


class Totals(Struct, frozen=True, kw_only=True):
    """Counts over all references of the run, shown or not, and the run itself."""

    references: Annotated[int, Meta(ge=0, description="Entries in the input.")]
    verified: int
    contradicted: int
    not_found: int
    unresolved: int
    not_checked: int
    problems: Annotated[
        int, Meta(description="Contradicted, not found, and entries that could not be read.")
    ]
    unreadable: Annotated[int, Meta(description="Entries that could not be read.")]
    incomplete: Annotated[int, Meta(description="References left open because a source failed.")]
    types: Annotated[dict[str, int], Meta(description="Problems by type.")]
    codes: Annotated[dict[str, int], Meta(description="Problems by finding code.")]
    sources: tuple[SourceCount, ...]
    failures: Annotated[
        tuple[str, ...], Meta(description="Up to five different reasons why a source failed.")
    ]
    run: Annotated[RunInfo, Meta(description="What was run, on what, with which index.")]
    holdings: Annotated[
        Holdings | None,
        Meta(
            description="What the index holds of the venues that are cited; null where no "
            "reference names one, or no index was asked."
        ),
    ] = None
    model: Annotated[
        ModelUse | UnsetType,
        Meta(description="What was asked of a language model, and its cost; only with `--llm`."),
    ] = UNSET


class Document(Struct, frozen=True, kw_only=True):
    """A whole report, as written by `hallmark check --format json`."""

    schema: Annotated[
        Literal["hallmark.report/1"], Meta(description="Name and version of this form.")
    ]
    summary: Totals
    queue: Annotated[
        Queue | UnsetType,
        Meta(description="The references most worth a person's time; only with `--queue`."),
    ] = UNSET
    results: tuple[Row, ...]


class Closing(Struct, frozen=True, kw_only=True):
    """The last line of `check --format jsonl --queue N`, after one line for each result."""

    schema: Annotated[
        Literal["hallmark.report/1"], Meta(description="Name and version of this form.")
    ]
    summary: Totals
    queue: Annotated[
        Queue | UnsetType,
        Meta(description="The references most worth a person's time; only with `--queue`."),
    ] = UNSET


def totals(run: RunInfo, summary: Summary) -> Totals:
    """Return the documented form of a run's counts."""
    return Totals(
        references=summary.references,
        verified=summary.count("verified"),
        contradicted=summary.count("contradicted"),
        not_found=summary.count("not_found"),
        unresolved=summary.count("unresolved"),
        not_checked=summary.count("not_checked"),
        problems=summary.problems,
        unreadable=summary.unreadable,
        incomplete=summary.incomplete,
        types=summary.types,
        codes=summary.codes,
        sources=summary.sources,
        failures=summary.failures,
        run=run,
        holdings=summary.holdings,
        model=UNSET if summary.model is None else summary.model,
    )


def closing(run: RunInfo, summary: Summary) -> Closing:
    """Return the documented form of the last of the JSON lines."""
    return Closing(schema=SCHEMA, summary=totals(run, summary), queue=summary.queue or UNSET)


def row(result: Result) -> Row:
    """Return the documented form of one result."""
    verdict = result.verdict
    return Row(
        key=result.key,
        file=result.location.file,
        line=result.location.line,
        status=cast("Status", result.status),
        probability=round(verdict.probability, 6),
        type=verdict.type,
        subtests={name: verdict.subtests.get(name) for name in SUBTESTS},
        findings=verdict.findings,
        work=verdict.work,
        suggestion=verdict.suggestion,
        sources=result.sources,
        opinion=UNSET if result.opinion is None else result.opinion,
    )


def dumps(value: Struct) -> str:
    """Return a value as JSON on one line; unseen characters are escaped, lone surrogates too."""
    try:
        text = msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        text = msgspec.json.encode(_without_surrogates(msgspec.to_builtins(value))).decode()
    return escape.json(text)


def schema() -> dict[str, object]:
    """Return the JSON Schema (draft 2020-12) of a report."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Hallmark report",
        **_schemas(),
    }


def _schemas() -> dict[str, object]:
    """Return the schema of a document, with the definition of the last of the JSON lines."""
    (document, _), definitions = msgspec.json.schema_components(
        (Document, Closing), ref_template="#/$defs/{name}"
    )
    return {**document, "$defs": definitions}


def _without_surrogates(value: object) -> object:
    """Write out lone surrogates, which no JSON text in UTF-8 can hold."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {
            _without_surrogates(name): _without_surrogates(each) for name, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [_without_surrogates(each) for each in value]
    return value
