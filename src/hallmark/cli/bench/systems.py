"""Which systems and models can be run, and which of them from here?"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from hallmark.bench.systems.spec import Spec
    from hallmark.llm.interface import ModelSpec


def systems(
    *,
    json_form: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """List the systems that can be run, with their options, and why one cannot be run here."""
    from hallmark.bench.systems.specs import SYSTEMS
    from hallmark.cli.bench.tools import as_row, tool_lines, tool_states

    specs, states = [spec for _, spec in SYSTEMS.items()], tool_states()
    if json_form:
        rows = [_system_row(spec, os.environ) for spec in specs]
        typer.echo(json.dumps([*rows, *map(as_row, states)], indent=2))
        return
    for spec in specs:
        typer.echo("\n".join(_lines(spec, os.environ)))
    for state in states:
        typer.echo("\n".join(tool_lines(state)))
    typer.echo(f"{'FILE.py:FUNCTION':<24}your own verifier in Python: see docs/write-a-verifier.md")
    typer.echo(f"{'exec:COMMAND':<24}your own verifier in any language, JSON Lines in and out")


def models(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE.toml", help="List the models of this file of your own."),
    ] = None,
    *,
    json_form: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """List the language models that have a name, and why one cannot be asked from here.

    Prices are US dollars per million tokens, in and out. Any other model is named by its address:
    openai:ID@BASE_URL or anthropic:ID@BASE_URL.
    """
    from hallmark.llm.models import rows_of, table
    from hallmark.report.escape import visible

    specs = [spec for _, spec in table().items()] if file is None else rows_of(file)
    if json_form:
        typer.echo(json.dumps([_model_row(spec, os.environ) for spec in specs], indent=2))
        return
    typer.echo(f"{'name':<26}{'cutoff':<12}{'price in/out':<16}here")
    for spec in specs:
        row = _model_row(spec, os.environ)
        here = row["missing"] or "usable"
        name = visible(spec.name)
        typer.echo(f"{name:<26}{_cutoff(spec):<12}{_price(spec):<16}{here}")


def _lines(spec: "Spec", environ: Mapping[str, str]) -> Iterator[str]:
    mark = " (a cheat)" if spec.cheat else ""
    yield f"{spec.name:<24}{spec.summary}{mark}"
    for need in spec.needs:
        hint = " NAME: one of `bench models`, or any other" if need == "--model" else ""
        yield f"{'':<26}needs {need}{hint}"
    for option in spec.options:
        default = "" if option.default == "" else f" (default: {option.default})"
        yield f"{'':<26}--option {option.name}=...  {option.help}{default}"
    if missing := spec.missing(environ):
        yield f"{'':<26}not usable here: {missing}"


def _system_row(spec: "Spec", environ: Mapping[str, str]) -> dict[str, Any]:
    options = [{"name": o.name, "default": o.default, "help": o.help} for o in spec.options]
    missing = spec.missing(environ)
    return {
        "name": spec.name,
        "kind": spec.kind,
        "summary": spec.summary,
        "needs": list(spec.needs),
        "cheat": spec.cheat,
        "options": options,
        "usable": not missing,
        "missing": missing,
    }


def _model_row(spec: "ModelSpec", environ: Mapping[str, str]) -> dict[str, Any]:
    import msgspec

    from hallmark.llm.ready import why_not

    missing = why_not(spec, environ)
    return {**msgspec.to_builtins(spec), "usable": not missing, "missing": missing}


def _cutoff(spec: "ModelSpec") -> str:
    if not spec.cutoff:
        return "unknown"
    return spec.cutoff if spec.cutoff_disclosed else f"<= {spec.cutoff}"


def _price(spec: "ModelSpec") -> str:
    if spec.input_price is None or spec.output_price is None:
        return "unknown"
    return f"{spec.input_price:g} / {spec.output_price:g}"
