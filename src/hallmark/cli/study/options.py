"""Which options do the commands of `hallmark study` share, and how is a result written?"""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from hallmark.cli.options import POLICY_HELP
from hallmark.cli.output import destination
from hallmark.cli.progress import Lines

if TYPE_CHECKING:
    from hallmark.study.context import Setting
    from hallmark.study.document import Section


class Form(StrEnum):
    """The forms of a study's report."""

    TERMINAL = "terminal"
    MARKDOWN = "markdown"
    JSON = "json"


GoldOption: TypeAlias = Annotated[
    str, typer.Option("--gold", metavar="SPLIT|FILE", help="A split's name, or a gold file.")
]
DataOption: TypeAlias = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Folder of the splits (default: $HALLMARK_DATA)."),
]
PolicyOption: TypeAlias = Annotated[
    str, typer.Option("--policy", metavar="NAME|FILE.toml", help=POLICY_HELP)
]
TodayOption: TypeAlias = Annotated[
    str | None, typer.Option("--today", metavar="YYYY-MM-DD", help="Judge as of this date.")
]
FormOption: TypeAlias = Annotated[
    Form | None,
    typer.Option("--format", "-f", help="The form; by default as the file's name ends."),
]
OutputOption: TypeAlias = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write here, not to stdout.")
]
QuietOption: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")]

_BY_SUFFIX = {".md": Form.MARKDOWN, ".markdown": Form.MARKDOWN, ".json": Form.JSON}


def setting(
    gold: str, data: Path | None, index: Path | None, policy: str, today: str | None
) -> "Setting":
    """Return what a study runs on.

    Raises:
        InputError: the gold file or policy file cannot be used, or `today` is no date.
        IndexMissing: no index is named or found.
        UnknownName: there is no such split or policy.
    """
    from hallmark.bench.dataset import load_split
    from hallmark.cli.locate import needed_index
    from hallmark.cli.run import day
    from hallmark.judge.profiles import policy_of
    from hallmark.study.context import Setting

    chosen: date = day(today)
    return Setting(load_split(gold, data), needed_index(index), policy_of(policy), chosen)


def write(
    value: Any,
    document: "Callable[[], Sequence[Section]]",
    form: Form | None,
    output: Path | None,
    inputs: Sequence[str],
) -> None:
    """Write a study's result: as JSON the value itself, else its document."""
    chosen = form or _BY_SUFFIX.get(output.suffix.lower() if output else "", Form.TERMINAL)
    with destination(output, inputs) as stream:
        stream.write(_text(value, document, chosen, output))


def _text(
    value: Any, document: "Callable[[], Sequence[Section]]", form: Form, output: Path | None
) -> str:
    import shutil

    from hallmark.study.document import WIDTH, as_markdown, as_text

    match form:
        case Form.JSON:
            return as_json(value)
        case Form.MARKDOWN:
            return as_markdown(document())
        case Form.TERMINAL:
            shown = output is None and sys.stdout.isatty()
            return as_text(document(), shutil.get_terminal_size().columns if shown else WIDTH)


def as_json(value: Any) -> str:
    """Return a value as JSON text, unseen characters escaped."""
    import msgspec

    from hallmark.report.escape import json as harmless

    text = json.dumps(msgspec.to_builtins(value), indent=2, ensure_ascii=False)
    return harmless(text) + "\n"


def counted(items: Iterable[str], *, quiet: bool) -> Callable[[str], None]:
    """Return what shows the step's number and name: on a terminal at once, else once a minute."""
    names = list(items)
    seen: list[str] = []
    lines = Lines(sys.stderr, on=not quiet)

    def step(name: str) -> None:
        seen.append(name)
        lines.tell(len(seen), f"steps, now {name}", len(names))
        if not quiet and sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[2K{len(seen)}/{len(names)} {name}")
            sys.stderr.write("\r\x1b[2K" if len(seen) == len(names) else "")
            sys.stderr.flush()

    return step
