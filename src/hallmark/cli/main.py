"""What happens when somebody types `hallmark`?

Commands are imported when they are called, so that help and small commands start at once. Here,
and only here, errors become one message and an exit code:

    0    nothing to report
    1    problems were found
    2    misuse, unreadable input, an index that cannot be used, output that cannot be written
    3    some references could not be checked because a source failed, whatever else was found
    4    a language model could not be asked any further; the same command goes on from there
    130  stopped by Ctrl-C
    141  the reader of the output went away
    128 + n  ended by signal n (143: SIGTERM, 129: SIGHUP)
"""

import contextlib
import importlib
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperGroup

from hallmark.cli.options import use_tables
from hallmark.cli.stopping import StoppedAndTold
from hallmark.errors import HallmarkError, how_to_install

INTERRUPTED = 130
READER_GONE = 141
INTERNAL = 70
_BY_SIGNAL = 128


class Lazy(NamedTuple):
    """A command that is imported when it is called; `needs` names the extra it may lack."""

    module: str
    help: str
    needs: str = ""


COMMANDS = {
    "check": Lazy("hallmark.cli.check", "Check the references of files."),
    "explain": Lazy("hallmark.cli.explain", "Show the whole evidence for one reference."),
    "replay": Lazy("hallmark.cli.replay", "Judge stored evidence again, without any source."),
    "tables": Lazy("hallmark.cli.tables", "List the tables of knowledge, or check your own."),
    "policy": Lazy("hallmark.cli.policy", "List the policies of the judge, or show one."),
    "index": Lazy("hallmark.cli.index", "Build, extend and query the local index."),
    "sources": Lazy("hallmark.cli.sources", "List the live sources: limits, keys, what is sent."),
    "cache": Lazy("hallmark.cli.cache", "Show or empty the cache of live answers."),
    "bench": Lazy("hallmark.cli.bench", "Measure how good a citation checker is.", needs="bench"),
    "calibrate": Lazy(
        "hallmark.cli.calibrate", "Fit P(hallucinated) on gold files.", needs="bench"
    ),
    "study": Lazy("hallmark.cli.study", "Study where the verifier errs, and why.", needs="bench"),
}


class Commands(TyperGroup):
    """The group of all commands, none of which is imported for the help."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the library's signature
        """Return the commands' names."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - the library's signature
        """Import one command."""
        return _load(COMMANDS[cmd_name]) if cmd_name in COMMANDS else None

    def invoke(self, ctx: Any) -> Any:
        """Run a command; Ctrl-C and a vanished reader become exit codes."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except KeyboardInterrupt as stopped:
            raise SystemExit(INTERRUPTED) from stopped
        except BrokenPipeError:
            raise SystemExit(_reader_gone()) from None
        return result

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


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hallmark {version('hallmark')}")
        raise typer.Exit


@app.callback()
def hallmark(
    *,
    show_version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Show the version and exit.",
            callback=_show_version,
            is_eager=True,
        ),
    ] = False,
    tables: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            envvar="HALLMARK_TABLES",
            show_envvar=False,
            callback=use_tables,
            help="A folder of your own tables of knowledge. Default: $HALLMARK_TABLES.",
        ),
    ] = None,
    debug: Annotated[bool, typer.Option("--debug", hidden=True)] = False,
) -> None:
    """Find fabricated and corrupted citations, and measure the tools that claim to."""


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and exit; an error is one message, never a traceback."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_what_is_closed()
    _never_fail_to_print()
    try:
        with _ending_in_order():
            code = _run(arguments)
        sys.stdout.flush()
    except Exception as error:
        if "--debug" in arguments[:1] or os.environ.get("HALLMARK_DEBUG"):
            raise
        code = _told(error)
    except StoppedAndTold:
        code = INTERRUPTED
    except KeyboardInterrupt:
        print("Interrupted; nothing half-done was left behind.", file=sys.stderr)  # noqa: T201
        code = INTERRUPTED
    sys.exit(code)


@contextlib.contextmanager
def _ending_in_order() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the work like Ctrl-C does, so that nothing half-done is left."""
    before: dict[int, Any] = {}
    with contextlib.suppress(ValueError):  # not the main thread: signals are somebody else's
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, _end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(number: int, _frame: object) -> None:
    raise SystemExit(_BY_SIGNAL + number)


def _run(arguments: list[str]) -> int:
    """Run the command line; return its exit code."""
    try:
        typer.main.get_group(app)(args=arguments, prog_name="hallmark")
    except SystemExit as stop:
        if stop.code == INTERRUPTED:
            told = isinstance(stop.__cause__, StoppedAndTold)
            raise (StoppedAndTold if told else KeyboardInterrupt) from None
        return stop.code if isinstance(stop.code, int) else 2
    return 0


def _told(error: Exception) -> int:
    """Tell the user what went wrong; return the exit code."""
    match error:
        case HallmarkError():
            code, message = error.exit_code, str(error)
        case BrokenPipeError():
            return _reader_gone()
        case MemoryError():
            code, message = 2, "There is not enough memory. Check fewer or smaller files at once."
        case OSError():
            place = f"{error.filename}: " if error.filename else ""
            code, message = 2, f"{place}{error.strerror or error}."
        case _:
            kind = type(error).__name__
            code, message = (
                INTERNAL,
                (
                    f"This is a fault of hallmark ({kind}: {error}). Please report it; "
                    "`hallmark --debug ...` shows where it happened."
                ),
            )
    print(f"hallmark: {_harmless(message)}", file=sys.stderr)  # noqa: T201 - the edge
    return code


def _reader_gone() -> int:
    """Send what is still to be written nowhere, so that leaving raises nothing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return READER_GONE


def _harmless(message: str) -> str:
    """Return a message with control characters written out; lines are kept."""
    from hallmark.report.escape import visible  # noqa: PLC0415 - not needed for the help

    return "\n".join(visible(line) for line in message.splitlines())


def _open_what_is_closed() -> None:
    """Print into nothing where the caller closed a stream (`>&-`)."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the exit
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the exit


def _never_fail_to_print() -> None:
    """Let streams write out what their encoding lacks, rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _load(lazy: Lazy) -> Any:
    """Import a command; a missing extra is named."""
    try:
        module = importlib.import_module(lazy.module)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if not lazy.needs or missing == "hallmark":
            raise
        raise HallmarkError(
            f"This command needs the package `{missing}`, which is not installed. "
            f"Install it: {how_to_install(lazy.needs)}"
        ) from None
    return typer.main.get_command(module.app)
