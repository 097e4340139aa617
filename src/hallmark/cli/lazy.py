"""How is a command imported only when it is called?

A group is a table of `Lazy` rows. Its help is written from the rows, so that nothing of a command
is imported before somebody calls it.
"""

import importlib
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import typer
from typer.core import TyperGroup

from hallmark.errors import HallmarkError, how_to_install


class Lazy(NamedTuple):
    """Where a command's function, or a group's app, lives, and its line in the help."""

    module: str
    function: str
    help: str


class LazyGroup(TyperGroup):
    """A group of commands none of which is imported for the help; a subclass names its rows."""

    rows: ClassVar[Mapping[str, Lazy]] = {}
    extra: ClassVar[str] = "bench"

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the library's signature
        """Return the commands' names."""
        return list(self.rows)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - the library's signature
        """Import one command."""
        return _load(cmd_name, self.rows[cmd_name]) if cmd_name in self.rows else None

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
                f"Install it: {how_to_install(self.extra)}"
            ) from None

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - the library's signature
        """Write the list of commands for the help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, row.help) for name, row in self.rows.items()])


def lazy_app(group: type[LazyGroup]) -> typer.Typer:
    """Return the app of a lazy group."""
    return typer.Typer(cls=group, no_args_is_help=True, **_SETTINGS)


_SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


def _load(name: str, row: Lazy) -> Any:
    function = getattr(importlib.import_module(row.module), row.function)
    if isinstance(function, typer.Typer):
        return typer.main.get_command(function)
    single = typer.Typer(**_SETTINGS)
    single.command(name, help=None if function.__doc__ else row.help)(function)
    return typer.main.get_command(single)
