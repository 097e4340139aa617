"""What does `hallmark bench` offer?

Commands are imported when they are called, as in `hallmark.cli.main`.
"""

import importlib
from typing import Any, NamedTuple

import typer
from typer.core import TyperGroup

from hallmark.errors import HallmarkError


class Lazy(NamedTuple):
    """Where a command's function lives, and its line in the help."""

    module: str
    function: str
    help: str


_EVALUATE, _DATA = "hallmark.cli.bench.evaluate", "hallmark.cli.bench.data"
_RUN, _STUDIES = "hallmark.cli.bench.run", "hallmark.cli.bench.studies"

COMMANDS = {
    "evaluate": Lazy(_EVALUATE, "evaluate", "Evaluate a prediction file against a gold file."),
    "compare": Lazy(_EVALUATE, "compare", "Compare tools on the same entries."),
    "leaderboard": Lazy(_EVALUATE, "leaderboard", "Rank the tools of a folder of results."),
    "run": Lazy(_RUN, "run", "Run a system over a split; can be resumed."),
    "systems": Lazy(_RUN, "systems", "List the systems that can be run."),
    "stats": Lazy(_DATA, "stats", "Count what a gold file holds."),
    "show": Lazy(_DATA, "show", "Show one entry."),
    "validate": Lazy(_DATA, "validate", "Check a gold or prediction file."),
    "blind": Lazy(_DATA, "blind", "Write what a tool may see of a gold file."),
    "audit": Lazy(_DATA, "audit", "Look for leaks that a cheat could use."),
    "template": Lazy(_DATA, "template", "Write a prediction file to fill in."),
    "table": Lazy(_STUDIES, "table", "Recompute a table of the paper."),
    "reproduce": Lazy(_STUDIES, "reproduce", "Recompute all tables and report differences."),
    "plot": Lazy(_STUDIES, "plot", "Draw a figure."),
    "build": Lazy("hallmark.cli.bench.build", "app", "Make a benchmark of real records."),
    "convert": Lazy(_STUDIES, "convert", "Convert a released file into predictions."),
}


class Commands(TyperGroup):
    """The group of the benchmark's commands, none of which is imported for the help."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the library's signature
        """Return the commands' names."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - the library's signature
        """Import one command."""
        return _load(cmd_name, COMMANDS[cmd_name]) if cmd_name in COMMANDS else None

    def invoke(self, ctx: Any) -> Any:
        """Run a command; a missing part of the extra is named."""
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            missing = (error.name or "").partition(".")[0]
            if missing == "hallmark":
                raise
            raise HallmarkError(
                f"This command needs the package `{missing}`, which is not installed. "
                "Install it: pip install 'hallmark[bench]'"
            ) from None

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - the library's signature
        """Write the list of commands for the help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, lazy.help) for name, lazy in COMMANDS.items()])


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def bench() -> None:
    """Measure how good a citation checker is, and with what certainty.

    Exit codes: 0 done, 1 problems were found, 2 misuse or input that cannot be used.
    """


def _load(name: str, lazy: Lazy) -> Any:
    function = getattr(importlib.import_module(lazy.module), lazy.function)
    if isinstance(function, typer.Typer):
        return typer.main.get_command(function)
    single = typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    single.command(name, help=None if function.__doc__ else lazy.help)(function)
    return typer.main.get_command(single)
