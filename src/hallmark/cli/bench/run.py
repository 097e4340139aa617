"""What do `bench run` and `bench systems` do?

Modules are imported inside the commands, so that help starts at once.
"""

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from hallmark.cli.options import PolicyOption
from hallmark.errors import InputError

if TYPE_CHECKING:
    from hallmark.bench.dataset import BlindSplit, Split
    from hallmark.bench.entry import Prediction
    from hallmark.bench.run import Job, Manifest
    from hallmark.bench.systems.spec import Spec

INCOMPLETE = 3
_PATIENCE_S = 1.0


def run(
    system: Annotated[
        str,
        typer.Argument(
            metavar="SYSTEM",
            help="A name of `bench systems`, FILE.py:FUNCTION, or exec:COMMAND.",
        ),
    ],
    *,
    gold: Annotated[str, typer.Option("--gold", metavar="SPLIT|FILE", help="What to run over.")],
    out: Annotated[
        Path, typer.Option("--out", "--output", "-o", metavar="FILE", help="The predictions.")
    ],
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="DIR", help="Folder of the splits (or $HALLMARK_DATA)."),
    ] = None,
    index: Annotated[
        Path | None, typer.Option("--index", metavar="DIR", help="The local index.")
    ] = None,
    policy: PolicyOption = "default",
    files: Annotated[
        list[Path] | None,
        typer.Option("--from", metavar="FILE", help="A member's prediction file; repeatable."),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="An option of it; repeatable."),
    ] = None,
    prescreen: Annotated[
        bool, typer.Option("--prescreen", help="Put the paper's pre-screening layer before it.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="What dice are thrown from.")] = 42,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start anew, even where there are answers already.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no summary.")] = False,
) -> None:
    """Run a system over a split or a blind file; it sees blind entries only.

    A run that was stopped goes on where it was when the same command is given again. Beside the
    predictions, FILE.manifest.json tells how they came about.

    Exit codes: 0 done, 3 done but the system failed on some entries, 2 misuse or input that
    cannot be used.
    """
    from hallmark.bench import run as running
    from hallmark.bench.dataset import Split
    from hallmark.bench.systems.prescreen import Prescreened
    from hallmark.bench.systems.spec import Request
    from hallmark.bench.systems.specs import REFERENCE_YEAR, build, is_cheat

    split = _questions(gold, data, system)
    _must_not_be_input(out, [split.path, *(files or ())])
    request = Request(
        seed=seed,
        options=_options(option or ()),
        files=tuple(files or ()),
        index=index,
        policy=policy,
        today=_now()[:10],
        gold=split.entries if isinstance(split, Split) and is_cheat(system) else (),
    )
    chosen = build(system, request)
    if prescreen:
        chosen = Prescreened(chosen, reference_year=REFERENCE_YEAR)
    job = running.Job(
        name=system, system=chosen, split=split, out=out, seed=seed, cheat=is_cheat(system)
    )
    manifest = _run(job, fresh=fresh, quiet=quiet)
    if not quiet:
        _summarise(job, manifest)
    raise typer.Exit(INCOMPLETE if manifest.predictions.labels.get("ERROR") else 0)


def _questions(gold: str, data: Path | None, system: str) -> "Split | BlindSplit":
    from hallmark.bench.dataset import is_blind, load_blind, load_split
    from hallmark.bench.systems.specs import is_cheat

    if not is_blind(gold, data):
        return load_split(gold, data)
    if is_cheat(system):
        raise InputError(f"The cheat `{system}` needs labels, and {gold} is blind.")
    return load_blind(gold, data)


def _run(job: "Job", *, fresh: bool, quiet: bool) -> "Manifest":
    from hallmark.bench import run as running

    journal = running.journal_path(job.out)
    if fresh:
        for path in (job.out, journal, running.manifest_path(job.out)):
            path.unlink(missing_ok=True)
    finished = running.finished_manifest(job)
    if finished is not None:
        _tell(f"{job.out} is finished already; --fresh runs it again.", quiet=quiet)
        return finished
    with _progress(len(job.split.entries), quiet=quiet) as step:
        try:
            return running.run(job, running.Clock(monotonic, _now), step)
        except KeyboardInterrupt:
            _tell(
                f"Stopped; what was answered is kept in {journal}. Give the same command again "
                "to go on.",
                quiet=False,
            )
            raise


def systems(
    *,
    json_form: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """List the systems that can be run, with their options."""
    from hallmark.bench.systems.specs import SYSTEMS

    specs = [spec for _, spec in SYSTEMS.items()]
    if json_form:
        typer.echo(_as_json(specs))
        return
    for spec in specs:
        mark = " (a cheat)" if spec.cheat else ""
        typer.echo(f"{spec.name:<24}{spec.summary}{mark}")
        for need in spec.needs:
            typer.echo(f"{'':<26}needs {need}")
        for option in spec.options:
            default = "" if option.default == "" else f" (default: {option.default})"
            typer.echo(f"{'':<26}--option {option.name}=...  {option.help}{default}")
    typer.echo(f"{'FILE.py:FUNCTION':<24}your own verifier in Python: see docs/write-a-verifier.md")
    typer.echo(f"{'exec:COMMAND':<24}your own verifier in any language, JSON Lines in and out")


def _as_json(specs: "Sequence[Spec]") -> str:
    import json

    rows = [
        {
            "name": spec.name,
            "kind": spec.kind,
            "summary": spec.summary,
            "needs": list(spec.needs),
            "cheat": spec.cheat,
            "options": [
                {"name": o.name, "default": o.default, "help": o.help} for o in spec.options
            ],
        }
        for spec in specs
    ]
    return json.dumps(rows, indent=2)


def _options(texts: Sequence[str]) -> dict[str, str]:
    options = dict[str, str]()
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise InputError(f"--option takes NAME=VALUE, not {text[:80]!r}.")
        if name in options:
            raise InputError(f"The option {name} is given twice.")
        options[name] = value
    return options


def _must_not_be_input(out: Path, inputs: Sequence[Path]) -> None:
    if out.is_dir():
        raise InputError(f"--out {out} is a folder; name a file in it.")
    for path in inputs:
        if out.exists() and path.exists() and out.samefile(path):
            raise InputError(f"--out {out} is one of the inputs, which are never written over.")


@contextlib.contextmanager
def _progress(total: int, *, quiet: bool) -> "Iterator[Callable[[int, Prediction], None] | None]":
    """Show a bar on the standard error stream, on a terminal, of runs over a second."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

    shown = Progress(
        *Progress.get_default_columns()[:2],
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task, start = shown.add_task("entries", total=total), monotonic()

    def step(count: int, _: "Prediction") -> None:
        if not shown.live.is_started and monotonic() - start > _PATIENCE_S:
            shown.start()
        shown.update(task, completed=count)

    try:
        yield step
    finally:
        if shown.live.is_started:
            shown.stop()


def _summarise(job: "Job", manifest: "Manifest") -> None:
    labels = ", ".join(f"{n:,} {label}" for label, n in sorted(manifest.predictions.labels.items()))
    _tell(f"{job.name} over {job.split.name}: {labels}. Predictions: {job.out}", quiet=False)
    if not manifest.predictions.labels.get("ERROR"):
        return
    from hallmark.bench.entry import Label, read_predictions

    failed = next(row for row in read_predictions(job.out) if row.label is Label.ERROR)
    _tell(f"It failed first on {failed.bibtex_key}: {failed.reason}", quiet=False)


def _tell(text: str, *, quiet: bool) -> None:
    from hallmark.report.escape import visible

    if not quiet:
        typer.echo(visible(text), err=True)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")  # noqa: TID251 - the edge reads the clock
