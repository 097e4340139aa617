"""How is a study of language models run live, and what is told before it starts?"""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from hallmark.cli.bench import asking
from hallmark.cli.locate import replies_path
from hallmark.cli.stopping import told
from hallmark.errors import InputError, ModelStopped

if TYPE_CHECKING:
    from hallmark.bench.dataset import Split
    from hallmark.bench.live.cells import Cell
    from hallmark.bench.live.studies import LiveStudy
    from hallmark.bench.run import OnRow
    from hallmark.bench.systems.spec import Request

INCOMPLETE = 3


def live(
    study: Annotated[
        str | None, typer.Argument(metavar="STUDY", help="The study; none lists them.")
    ] = None,
    *,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", metavar="NAME", help="As for `bench run`; repeatable."),
    ] = None,
    gold: Annotated[
        list[str] | None,
        typer.Option(
            "--gold",
            metavar="SPLIT|FILE",
            help="What is drawn from; some studies have a default. A study of several populations "
            "takes one for each, also as NAME=FILE.",
        ),
    ] = None,
    data_out: Annotated[
        Path | None,
        typer.Option("--data-out", metavar="DIR", help="Folder that `bench table --data` reads."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="DIR", help="Folder of the splits (or $HALLMARK_DATA)."),
    ] = None,
    size: Annotated[
        int | None,
        typer.Option("--sample", metavar="N", help="Entries drawn; 0: all. Default: the study's."),
    ] = None,
    number: Annotated[
        int, typer.Option("--run", metavar="K", help="Number of a run of endpoint-drift.")
    ] = 1,
    seed: Annotated[int, typer.Option("--seed", help="What the sample is drawn from.")] = 42,
    max_cost: asking.MaxCostOption = None,
    max_tokens: asking.MaxTokensOption = None,
    max_calls: asking.MaxCallsOption = None,
    cache: asking.CacheOption = None,
    offline: asking.OfflineOption = False,
    dry_run: asking.DryRunOption = False,
    retry_errors: asking.RetryOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no summary.")] = False,
) -> None:
    """Ask language models what a study of the paper asks, into files that `bench table` reads.

    The cost of all cells is told before the first question; caps hold for all of them together. A
    study that was stopped goes on where it was when the same command is given again.

    Exit codes: 0 done, 3 done but some entries have no answer, 4 a model had to stop and the study
    can be resumed, 2 misuse or input that cannot be used.
    """
    from hallmark.bench.live.studies import STUDIES
    from hallmark.bench.systems.spec import Request
    from hallmark.cli.bench.live_gold import Chosen, golds_of, lacking, make_beside, samples, thin

    if study is None:
        typer.echo("\n".join(f"{name:20} {row.varies}" for name, row in STUDIES.items()))
        return
    chosen = STUDIES.get(study)
    named = gold or list(chosen.golds)
    if not named or data_out is None:
        raise InputError("bench live needs --gold SPLIT|FILE, and --data-out DIR to write to.")
    request = Request(
        seed=seed,
        today=_now()[:10],
        caps=asking.caps(max_cost, max_tokens, max_calls),
        cache=cache or replies_path(),
        offline=offline,
        environ=os.environ,
        spent=_spent(data_out, study, model or [], number),
        tell=lambda text: _tell(text, quiet=quiet),
    )
    golds, drawn = golds_of(chosen, named), Chosen(size, seed)
    splits = samples(chosen, golds, data, data_out, drawn, write=False)
    cells = _cells(chosen, model or [], splits, data_out, request, number)
    _check_summaries(chosen, cells, data_out)
    for line in (*lacking(chosen, golds), *thin(chosen, splits)):
        _tell(line, quiet=quiet and not dry_run)
    _tell_estimate(cells, quiet=quiet and not dry_run)
    if dry_run:
        return
    splits = samples(chosen, golds, data, data_out, drawn, write=True)
    make_beside(chosen, splits, data_out)
    cells = _cells(chosen, model or [], splits, data_out, request, number)
    failed = _run(cells, retry=retry_errors, quiet=quiet)
    if request.spent is not None:
        request.spent.unlink(missing_ok=True)
    for one in golds.values():
        _copy_beside(chosen, one, data, data_out, quiet=quiet)
    _write_summaries(chosen, cells, data_out)
    if not quiet:
        _summarise(chosen, cells, data_out, number)
    raise typer.Exit(INCOMPLETE if failed else 0)


def _spent(root: Path, study: str, models: Sequence[str], number: int) -> Path:
    """Return where an unfinished study keeps what it spent, for its caps."""
    from hashlib import sha256

    asked = sha256("\n".join((*sorted(models), str(number))).encode()).hexdigest()[:12]
    return root / "runs" / f"{study}-{asked}.spent"


def _cells(
    study: "LiveStudy",
    models: Sequence[str],
    splits: "Mapping[str, Split]",
    root: Path,
    request: "Request",
    number: int,
) -> "tuple[Cell, ...]":
    from hallmark.bench.live.cells import cells_of

    return cells_of(study, models, splits, root, request, number)


def _tell_estimate(cells: "Sequence[Cell]", *, quiet: bool) -> None:
    from hallmark.bench.live.cells import estimate
    from hallmark.llm.estimate import in_words

    found = estimate(cells)
    sizes = list(dict.fromkeys(f"{len(cell.split.entries):,}" for cell in cells))
    numbers = " and ".join(filter(None, (", ".join(sizes[:-1]), sizes[-1])))
    _tell(
        f"Estimate for what is left of {len(cells):,} cells of {numbers} "
        f"entries, before kept replies are counted: {in_words(found)}.",
        quiet=quiet,
    )


def _run(cells: "Sequence[Cell]", *, retry: bool, quiet: bool) -> bool:
    """Run the cells; tell whether entries were left without an answer."""
    from hallmark.bench.live.cells import run_cells
    from hallmark.bench.run import Clock

    again = "what was answered is kept. Give the same command again to go on."
    try:
        with (
            told(lambda: f"Stopped; {again}"),
            _bar(sum(len(cell.split.entries) for cell in cells), quiet=quiet) as on_cell,
        ):
            manifests = run_cells(cells, Clock(monotonic, _now), on_cell, retry=retry)
    except ModelStopped as stopped:
        raise ModelStopped(f"{stopped}\nThe study stopped; {again}") from stopped
    return any(manifest.predictions.labels.get("ERROR") for manifest in manifests)


def _bar(total: int, *, quiet: bool) -> "AbstractContextManager[Callable[[Cell], OnRow]]":
    from hallmark.cli.bench.live_bar import bar

    return bar(total, quiet=quiet)


def _copy_beside(
    study: "LiveStudy", gold: str, data: Path | None, root: Path, *, quiet: bool
) -> None:
    """Copy what the replay needs from beside the gold split, where it is there."""
    from hallmark._files import write_whole
    from hallmark.bench.dataset import find

    for name in study.beside:
        source, copy = find(gold, data).parent / name, root / name
        if source.is_file() and not copy.exists():
            write_whole(copy, source.read_bytes())
        elif not copy.exists():
            _tell(f"The replay also needs {name}, which does not lie beside {gold}.", quiet=quiet)


def _check_summaries(study: "LiveStudy", cells: "Sequence[Cell]", root: Path) -> None:
    """Refuse a folder with summaries that the study may not add to, before anything is asked."""
    if study.regimes:
        from hallmark.bench.live import budget

        budget.check(cells, root)


def _write_summaries(study: "LiveStudy", cells: "Sequence[Cell]", root: Path) -> None:
    if study.regimes:
        from hallmark.bench.live import budget

        budget.write([budget.figures(cell) for cell in cells], root)


def _summarise(study: "LiveStudy", cells: "Sequence[Cell]", root: Path, number: int) -> None:
    from hallmark.bench.live.cells import PREDICTIONS
    from hallmark.bench.live.outcome import drift_in_words, drifts
    from hallmark.bench.live.studies import file_of
    from hallmark.bench.live.telling import comparisons, lines

    for cell in cells:
        for line in lines(study, cell):
            _tell(line, quiet=False)
        before = [
            root / PREDICTIONS / file_of(study, cell.variant, cell.model.name, run)
            for run in range(1, number)
        ]
        for found in drifts(cell, [path for path in before if path.is_file()]):
            _tell(drift_in_words(f"{cell.name}, run {number},", found), quiet=False)
    for command in filter(None, study.replay.split(", ")):
        _tell(f"Read it with: hallmark {command} --data {root}", quiet=False)
    for command in comparisons(cells):
        _tell(f"Compare the cells with: {command}", quiet=False)


def _tell(text: str, *, quiet: bool) -> None:
    from hallmark.report.escape import visible

    if not quiet:
        typer.echo(visible(text), err=True)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")  # noqa: TID251 - the edge reads the clock
