"""What does `hallmark study` offer?

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


COMMANDS = {
    "errors": Lazy(
        "hallmark.cli.study.errors", "errors", "Show every false alarm, miss and abstention."
    ),
    "ablation": Lazy(
        "hallmark.cli.study.ablation", "ablation", "Take rules and sources away, measure again."
    ),
    "noise": Lazy(
        "hallmark.cli.study.noise",
        "noise",
        "Write works sloppily, and falsely; count the verdicts.",
    ),
    "policies": Lazy(
        "hallmark.cli.study.policies", "policies", "Compare the policies on gold files."
    ),
    "labels": Lazy(
        "hallmark.cli.study.labels", "labels", "List the labels that the evidence disputes."
    ),
    "triage": Lazy(
        "hallmark.cli.study.triage", "triage", "Compare what queues state with the labels."
    ),
    "report": Lazy("hallmark.cli.study.report", "report", "Write the page on accuracy."),
}
"""Every command of the group; a study is added by one row."""


class Commands(TyperGroup):
    """The group of the studies, none of which is imported for the help."""

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
def study() -> None:
    """Study the verifier itself: where it errs and why, and what each part of it brings.

    Exit codes: 0 done, 2 misuse or input that cannot be used.
    """


def _load(name: str, lazy: Lazy) -> Any:
    function = getattr(importlib.import_module(lazy.module), lazy.function)
    single = typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    single.command(name, help=None if function.__doc__ else lazy.help)(function)
    return typer.main.get_command(single)
