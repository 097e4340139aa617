"""What do `bench tools install` and `bench tools list` do?

Modules are imported inside the commands, so that help starts at once.
"""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hallmark.cli.lazy import Lazy, LazyGroup, lazy_app
from hallmark.cli.locate import tools_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hallmark.bench.systems.external.install import State

_SELF = "hallmark.cli.bench.tools"
COMMANDS = {
    "install": Lazy(_SELF, "install", "Install a tool in an environment of its own."),
    "list": Lazy(_SELF, "list_tools", "List the tools: installed or not, usable or why not."),
    "statuses": Lazy(_SELF, "statuses", "Show what each status of a tool counts as, and why."),
}
NOT_USABLE = 1


class ToolCommands(LazyGroup):
    """The group of the commands for tools that others wrote."""

    rows = COMMANDS


app = lazy_app(ToolCommands)


@app.callback()
def tools() -> None:
    """Install tools that others wrote, each apart from all else, to run and compare them.

    They live in $HALLMARK_TOOLS, or in the user's folder of data. `bench run tool:NAME` and
    `bench conformance tool:NAME` use them.
    """


def install(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name of `bench tools list`.")],
    *,
    version: Annotated[
        str, typer.Option("--version", metavar="V", help="Another version than the row's first.")
    ] = "",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not tell what is done.")] = False,
) -> None:
    """Install a tool with pip in a virtual environment of its own, its version pinned.

    It is then started once with --help; a tool that does not start is reported with its words.

    Exit codes: 0 it is installed and starts, 1 it is installed and does not start, 2 it cannot be
    installed.
    """
    from hallmark.bench.systems.external import install as installing
    from hallmark.report.escape import visible

    def tell(text: str) -> None:
        if not quiet:
            typer.echo(visible(text), err=True)

    state = installing.install(name, version, tools_path(), _now(), tell=tell)
    typer.echo(visible(_line(state)))
    raise typer.Exit(0 if state.usable else NOT_USABLE)


def list_tools(
    *,
    json_form: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """List the tools that can be installed, with what is installed and whether it can be run."""
    from hallmark.report.escape import visible

    found = tool_states()
    if json_form:
        import json

        typer.echo(json.dumps([as_row(state) for state in found], indent=2))
        return
    for state in found:
        typer.echo(visible(_line(state)))


def statuses(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name of `bench tools list`.")],
) -> None:
    """Show what each native status of a tool counts as in the benchmark, and why."""
    from hallmark.bench.systems.external.rows import named
    from hallmark.report.escape import visible

    tool = named(name).tool
    for status in tool.statuses:
        typer.echo(visible(f"{status.native}: {status.label} ({status.seen}): {status.why}"))
    typer.echo("any other: ERROR: a status that the row does not list is a failure, with its text")


def tool_states() -> "list[State]":
    """Return the state of every tool, in the user's folder of tools."""
    from hallmark.bench.systems.external.install import states
    from hallmark.bench.systems.external.rows import tools as known

    return states(tools_path(), [tool for _, tool in known().items()])


def tool_lines(state: "State") -> "Iterator[str]":
    """Yield the lines of a tool in the list of systems."""
    yield f"{f'tool:{state.named.name}':<24} {state.named.tool.summary}"
    if state.problem:
        yield f"{'':<26}not usable here: {state.problem}"


def as_row(state: "State") -> dict[str, Any]:
    """Return a state as a row of the list of systems in JSON."""
    from hallmark.bench.systems.external.system import OPTIONS

    return {
        "name": f"tool:{state.named.name}",
        "kind": "external",
        "summary": state.named.tool.summary,
        "needs": [],
        "cheat": False,
        "options": [{"name": o.name, "default": o.default, "help": o.help} for o in OPTIONS],
        "package": state.named.tool.package,
        "version": state.named.version,
        "installed": state.note is not None,
        "usable": state.usable,
        "missing": state.problem,
        "packages_digest": state.note.digest if state.note else None,
    }


def _line(state: "State") -> str:
    which = f"{state.named.tool.name} {state.named.version}".strip()
    if state.note is None or not state.usable:
        return f"{which}: not usable: {state.problem}"
    count = len(state.note.freeze)
    return f"{which}: usable ({count} packages, digest {state.note.digest[:12]})"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")  # noqa: TID251 - the edge reads the clock
