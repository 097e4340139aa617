"""How is a system run over a split, and how is such a run seen, stopped and gone on with?"""

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from hallmark.cli.bench import asking
from hallmark.cli.locate import index_path, replies_path, tools_path
from hallmark.cli.options import IndexOption, PolicyOption
from hallmark.cli.output import must_be_file
from hallmark.cli.progress import Steps
from hallmark.cli.stopping import told
from hallmark.errors import InputError, ModelStopped, OutputError

if TYPE_CHECKING:
    from hallmark.bench.dataset import BlindSplit, Split
    from hallmark.bench.entry import Prediction
    from hallmark.bench.run import Job, Manifest
    from hallmark.bench.systems.spec import Request

INCOMPLETE = 3


def run(
    system: Annotated[
        str,
        typer.Argument(
            metavar="SYSTEM",
            help="A name of `bench systems` (tool:NAME too), FILE.py:FUNCTION, or exec:COMMAND.",
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
    index: IndexOption = None,
    policy: PolicyOption = "default",
    files: Annotated[
        list[Path] | None,
        typer.Option("--from", metavar="FILE", help="A member's prediction file; repeatable."),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="An option of it; repeatable."),
    ] = None,
    model: asking.ModelOption = "",
    prompt: asking.PromptOption = None,
    max_cost: asking.MaxCostOption = None,
    max_tokens: asking.MaxTokensOption = None,
    max_calls: asking.MaxCallsOption = None,
    cache: asking.CacheOption = None,
    offline: asking.OfflineOption = False,
    repeat: asking.RepeatOption = 0,
    old_repeat: asking.OldRepeatOption = None,
    dry_run: asking.DryRunOption = False,
    retry_errors: asking.RetryOption = False,
    prescreen: Annotated[
        bool, typer.Option("--prescreen", help="Put the paper's pre-screening layer before it.")
    ] = False,
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", help="Only N entries, drawn by --seed: a quick look."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="What dice are thrown from.")] = 42,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start anew, even where there are answers already.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no summary.")] = False,
) -> None:
    """Run a system over a split or a blind file; it sees blind entries only.

    A run that was stopped goes on where it was when the same command is given again. Beside the
    predictions, FILE.manifest.json tells how they came about; where --limit drew a sample, `bench
    evaluate` and `bench compare` know it from there. A language model's replies are kept apart from
    that, so that none is paid for twice.

    Exit codes: 0 done, 3 done but the system failed on some entries, 4 a model's run had to stop
    and can be resumed, 2 misuse or input that cannot be used.
    """
    from hallmark.bench.dataset import Split
    from hallmark.bench.systems.spec import Request
    from hallmark.bench.systems.specs import is_cheat

    split = _questions(gold, data, system)
    _must_not_be_input(out, [split.path, *(files or ()), *((prompt,) if prompt else ())])
    request = Request(
        seed=seed,
        options=read_pairs(option or ()),
        files=tuple(files or ()),
        index=index_path(index),
        policy=policy,
        today=_now()[:10],
        gold=split.entries if isinstance(split, Split) and is_cheat(system) else (),
        model=model,
        prompt=prompt,
        caps=asking.caps(max_cost, max_tokens, max_calls),
        cache=cache or replies_path(),
        offline=offline,
        sample=asking.repeat_of(repeat, old_repeat),
        environ=os.environ,
        tools=tools_path(),
        spent=spent_path(out),
        tell=lambda text: _tell(text, quiet=quiet),
    )
    asking.tell_misspelt(prompt, lambda text: _tell(text, quiet=quiet and not dry_run))
    job = _job(system, request, split, out, prescreen=prescreen, limit=limit)
    if dry_run:
        _dry_run(job)
    else:
        manifest = _run(job, fresh=fresh, retry=retry_errors, quiet=quiet)
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


def _job(
    system: str,
    request: "Request",
    split: "Split | BlindSplit",
    out: Path,
    *,
    prescreen: bool,
    limit: int | None,
) -> "Job":
    from hallmark.bench.limit import limited
    from hallmark.bench.run import Job
    from hallmark.bench.systems.prescreen import Prescreened
    from hallmark.bench.systems.specs import REFERENCE_YEAR, build, is_cheat

    chosen = build(system, request)
    if prescreen:
        chosen = Prescreened(chosen, reference_year=REFERENCE_YEAR)
    part = split if limit is None else limited(split, limit, request.seed)
    return Job(
        name=system,
        system=chosen,
        split=part,
        out=out,
        seed=request.seed,
        cheat=is_cheat(system),
        drawn_from=len(split.entries) if len(part.entries) < len(split.entries) else None,
    )


def _dry_run(job: "Job") -> None:
    entries = [entry.blind() for entry in job.split.entries]
    answered = asking.tell_estimate(job.system, entries, lambda text: _tell(text, quiet=False))
    if not answered:
        _tell(f"{job.name} asks no model about {len(entries):,} entries.", quiet=False)


def _run(job: "Job", *, fresh: bool, retry: bool, quiet: bool) -> "Manifest":
    from hallmark.bench import run as running
    from hallmark.bench.systems.asking import is_of_service
    from hallmark.bench.systems.external.rows import PREFIX

    clock = running.Clock(monotonic, _now)
    if fresh:
        _forget(job)
    finished = running.finished_manifest(job)
    if finished is not None and not (retry and _failed_of_service(job)):
        _tell(f"{job.out} is finished already; --fresh runs it again.", quiet=quiet)
        return finished
    if finished is not None:
        running.reopen(job, clock)
    if not running.journal_path(job.out).exists():
        spent_path(job.out).unlink(missing_ok=True)  # a new run has spent nothing
    _tell_rest(job, quiet=quiet)
    if job.name.startswith(PREFIX):
        count = len(job.split.entries) - running.rows_answered(job)
        _tell(f"Asking {job.name} about {count:,} entries; it answers in groups.", quiet=quiet)
    with _resumable(job), _progress(len(job.split.entries), quiet=quiet) as step:
        manifest = running.run(job, clock, step, again=is_of_service if retry else None)
    spent_path(job.out).unlink(missing_ok=True)
    return manifest


def spent_path(out: Path) -> Path:
    """Return where an unfinished run keeps what it spent, for its caps."""
    return out.with_name(out.name + ".spent")


def _forget(job: "Job") -> None:
    from hallmark.bench import run as running

    journal, manifest = running.journal_path(job.out), running.manifest_path(job.out)
    for path in (job.out, journal, manifest, spent_path(job.out)):
        path.unlink(missing_ok=True)


def _failed_of_service(job: "Job") -> bool:
    """Tell whether a finished run has rows that asking again may mend."""
    from hallmark.bench.entry import read_predictions
    from hallmark.bench.systems.asking import is_of_service

    return any(map(is_of_service, read_predictions(job.out)))


def _tell_rest(job: "Job", *, quiet: bool) -> None:
    """Tell what the rest of a run will take, where it asks a model."""
    from hallmark.bench.run import rows_answered

    rest = [entry.blind() for entry in job.split.entries[rows_answered(job) :]]
    if rest and not quiet:
        asking.tell_estimate(job.system, rest, lambda text: _tell(text, quiet=False))


@contextlib.contextmanager
def _resumable(job: "Job") -> "Iterator[None]":
    """Tell how to go on where a run is stopped."""
    from hallmark.bench.run import journal_path, rows_answered

    kept = f"what was answered is kept in {journal_path(job.out)}"
    try:
        with told(lambda: f"Stopped; {kept}. Give the same command again to go on."):
            yield
    except OutputError as problem:
        if not rows_answered(job) or str(journal_path(job.out)) in str(problem):
            raise
        raise OutputError(
            f"{problem}\nThe run stopped; {kept}. Put this right and give the same command again."
        ) from problem
    except ModelStopped as stopped:
        if not rows_answered(job):  # then only what the message itself says is to be done
            raise
        raise ModelStopped(
            f"{stopped}\nThe run stopped; {kept}, and a run into the same file goes on from there."
        ) from stopped


def read_pairs(texts: Sequence[str]) -> dict[str, str]:
    """Return the options that --option NAME=VALUE gives, by name.

    Raises:
        InputError: one is written in another way, or given twice.
    """
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
    must_be_file(out)
    for path in inputs:
        if out.exists() and path.exists() and out.samefile(path):
            raise InputError(f"--out {out} is one of the inputs, which are never written over.")


@contextlib.contextmanager
def _progress(total: int, *, quiet: bool) -> "Iterator[Callable[[int, Prediction], None]]":
    """Show on the standard error stream how many entries are answered."""
    with Steps("entries", total, quiet=quiet) as shown:
        yield lambda count, _: shown.at(count)


def _summarise(job: "Job", manifest: "Manifest") -> None:
    from hallmark.bench.usage import in_words, outage_in_words

    labels = ", ".join(f"{n:,} {label}" for label, n in sorted(manifest.predictions.labels.items()))
    _tell(f"{job.name} over {job.split.name}: {labels}. Predictions: {job.out}", quiet=False)
    if manifest.usage is not None:
        _tell(in_words(manifest.usage), quiet=False)
    if outage := outage_in_words(manifest.usage):
        _tell(f"Warning: {outage}", quiet=False)
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
