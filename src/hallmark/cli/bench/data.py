"""What do `bench stats`, `show`, `validate`, `blind`, `audit` and `template` do?

Modules are imported inside the commands, so that help starts at once.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hallmark.cli.bench.evaluate import one_thread_for_each_product
from hallmark.cli.output import destination, tell_written
from hallmark.errors import InputError

if TYPE_CHECKING:
    from hallmark.bench.entry import Prediction


class Form(StrEnum):
    """The formats of these commands."""

    TEXT = "text"
    JSON = "json"


GoldArgument = Annotated[
    str, typer.Argument(metavar="SPLIT|FILE", help="A split's name, or a gold file.")
]
DataOption = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Folder of the splits (default: $HALLMARK_DATA)."),
]
FormOption = Annotated[Form, typer.Option("--format", "-f", help="How to write it.")]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", "--output", "-o", metavar="FILE", help="Write here, not to stdout."),
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="Do not tell which file was written.")
]
PROBLEMS = 1
LONGEST = 5_000


def stats(
    gold: GoldArgument,
    *,
    data: DataOption = None,
    form: FormOption = Form.TEXT,
    output: OutOption = None,
) -> None:
    """Count a gold file by label, type, tier, method, segment, year; and who has a DOI.

    Exit codes: 0 counted, 2 misuse or input that cannot be used.
    """
    from hallmark.bench.census import census
    from hallmark.bench.census_text import as_builtins, lines
    from hallmark.bench.dataset import departures, load_split

    split = load_split(gold, data)
    counts = census(split)
    if form is Form.JSON:
        _write_json({**as_builtins(counts), "departures": departures(split)}, output)
        return
    _write([*lines(counts), *(f"note: {text}" for text in departures(split))], output)


def show(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The entry's BibTeX key.")],
    *,
    gold: Annotated[
        str | None,
        typer.Option("--gold", metavar="SPLIT|FILE", help="Look here only (default: all splits)."),
    ] = None,
    data: DataOption = None,
    predictions: Annotated[
        list[Path] | None,
        typer.Option("--predictions", metavar="FILE", help="Show what it says; repeatable."),
    ] = None,
    form: FormOption = Form.TEXT,
) -> None:
    """Show one entry with its truth, and what prediction files say of it.

    Exit codes: 0 shown, 2 there is no such entry, misuse or input that cannot be used.
    """
    from hallmark.bench.show import as_builtins, find, lines

    places = find(key, gold, data)
    said = [(path.name, row) for path in predictions or () for row in _said(path, key)]
    if form is Form.JSON:
        _write_json(as_builtins(places, said), None)
        return
    _write(lines(places, said), None)


def _said(path: Path, key: str) -> "list[Prediction]":
    from hallmark.bench.entry import read_predictions

    return [row for row in read_predictions(path) if row.bibtex_key == key]


def validate(
    file: Annotated[
        str, typer.Argument(metavar="FILE|SPLIT", help="A gold or prediction file, or a split.")
    ],
    *,
    data: DataOption = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings count as errors.")] = False,
    form: FormOption = Form.TEXT,
) -> None:
    """Check a gold or prediction file: schema, BibTeX, sub-tests, duplicates, years.

    Exit codes: 0 fit to use, 1 errors were found, 2 misuse or no JSON Lines file at all.
    """
    from hallmark.bench.dataset import find
    from hallmark.bench.validate import validate as look

    flaws = look(find(file, data))
    errors = [flaw for flaw in flaws if strict or not flaw.warning]
    if form is Form.JSON:
        _write_json({"file": file, "fit": not errors, "flaws": _builtins(flaws)}, None)
    else:
        rows = [
            f"{'warning' if flaw.warning else 'error'}  {flaw.check}: {flaw.message}"
            + (f" ({flaw.where})" if flaw.lines else "")
            for flaw in flaws
        ]
        warned = len(flaws) - len(errors)
        found = f"{_kinds(errors)} of error" if errors else "fit to use"
        also = f", {_kinds(flaws[len(errors) :])} of warning" if warned else ""
        _write([*rows, f"{file}: {found}{also}"], None)
    raise typer.Exit(PROBLEMS if errors else 0)


def _kinds(flaws: Sequence[object]) -> str:
    return f"{len(flaws)} kind{'' if len(flaws) == 1 else 's'}"


def blind(
    gold: GoldArgument,
    *,
    data: DataOption = None,
    output: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write what a tool may see of a gold file: key, type and fields without url.

    Exit codes: 0 written, 2 misuse or input that cannot be used.
    """
    from hallmark.bench.dataset import load_split
    from hallmark.bench.prepare import blind as hide

    split = load_split(gold, data)
    _write(_json_lines(hide(split.entries)), output, [str(split.path)], escape=False)
    tell_written(output, quiet=quiet)


def template(
    gold: GoldArgument,
    *,
    data: DataOption = None,
    full: Annotated[bool, typer.Option("--full", help="Also the optional fields.")] = False,
    output: OutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write a prediction file to fill in: one row for each entry, label and confidence empty.

    Exit codes: 0 written, 2 misuse or input that cannot be used.
    """
    from hallmark.bench.dataset import load_split
    from hallmark.bench.entry import read_blind
    from hallmark.bench.prepare import template as prepare

    path = Path(gold)
    if path.is_file():
        rows = prepare(read_blind(path), full=full)
        source = gold
    else:
        split = load_split(gold, data)
        rows, source = prepare(split.entries, full=full), str(split.path)
    _write(_json_lines(rows), output, [source], escape=False)
    tell_written(output, quiet=quiet)


def audit(
    place: Annotated[
        str, typer.Argument(metavar="FILE|FOLDER|SPLIT", help="A gold or blind file, or a folder.")
    ],
    *,
    data: DataOption = None,
    predictions: Annotated[
        list[Path] | None,
        typer.Option("--predictions", metavar="FILE", help="Look for canaries here; repeatable."),
    ] = None,
    canary: Annotated[
        list[str] | None,
        typer.Option("--canary", metavar="TOKEN", help="A planted token; repeatable."),
    ] = None,
    form: FormOption = Form.TEXT,
) -> None:
    """Look for what a cheat can learn without looking anything up.

    Marks of form (key shape, fields and their order, year range), twins within a split, titles
    and keys shared between splits, a regression on metadata alone, canaries in predictions.

    Exit codes: 0 no leak, 1 a leak was found, 2 misuse or input that cannot be used.
    """
    one_thread_for_each_product()
    from hallmark.bench.audit import audit_file, audit_folder
    from hallmark.bench.dataset import load_split

    path = Path(place)
    if path.is_dir():
        if predictions:
            raise InputError("A folder's own predictions/ are looked through; name a file instead.")
        found = list(audit_folder(path, canary or ()))
    else:
        file = path if path.is_file() else load_split(place, data).path
        found = list(audit_file(file, predictions or (), canary or ()))
    leaks = [one for one in found if not one.note]
    if form is Form.JSON:
        _write_json({"place": place, "leaks": len(leaks), "findings": _builtins(found)}, None)
    else:
        rows = [
            f"{'note' if one.note else 'LEAK'}  {one.where}: {one.check}: {one.message}"
            for one in found
        ]
        _write([*rows, f"{place}: {len(leaks)} leaks"], None)
    raise typer.Exit(PROBLEMS if leaks else 0)


def _builtins(value: Any) -> Any:
    import msgspec

    return msgspec.to_builtins(value)


def _write_json(value: Any, output: Path | None) -> None:
    import json

    _write([json.dumps(value, indent=2, ensure_ascii=False)], output, escape=False)


def _json_lines(rows: Iterable[Any]) -> Iterator[str]:
    import json

    for row in rows:
        yield json.dumps(_builtins(row), ensure_ascii=False)


def _write(
    lines: Iterable[str], output: Path | None, inputs: Sequence[str] = (), *, escape: bool = True
) -> None:
    from hallmark.bench.lines import printable

    with destination(output, inputs) as stream:
        for line in lines:
            stream.write((printable(line, LONGEST) if escape else line) + "\n")
