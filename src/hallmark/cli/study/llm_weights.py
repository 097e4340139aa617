"""What does `hallmark study llm-weights` do?"""

from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hallmark.cli.output import tell_written
from hallmark.cli.study.options import (
    DataOption,
    FormOption,
    GoldOption,
    OutputOption,
    QuietOption,
    TodayOption,
    write,
)
from hallmark.errors import HallmarkError, UnknownName
from hallmark.report.escape import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hallmark.llm.interface import ModelSpec
    from hallmark.study.llm_weights import Cutoff


def llm_weights(
    *,
    files: Annotated[
        list[Path],
        typer.Option(
            "--from",
            metavar="FILE",
            help="Predictions of the system `assisted`, or of a model alone; repeatable.",
        ),
    ],
    gold: GoldOption,
    data: DataOption = None,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="NAME",
            help="Whose answers a file holds: a name of the table, or FILE.toml#NAME for a row of "
            "your own.",
        ),
    ] = "",
    cutoff: Annotated[
        str | None,
        typer.Option(
            "--cutoff",
            metavar="YYYY-MM",
            help="Last month of the training data, as published. Default: that of the row that "
            "--model names, of the manifest beside the answers, or of the table of models.",
        ),
    ] = None,
    today: TodayOption = None,
    form: FormOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Fit what a model's vote is worth on labelled entries; JSON is a file for --llm-weights.

    Fit on development data only. Votes are best taken where they will be used: run `assisted`
    over the split with the index that you check with, and once more with a smaller one.

    Exit codes: 0 shown, 2 misuse, input that cannot be used, or no vote that teaches anything.
    """
    from hallmark.bench.dataset import load_split
    from hallmark.cli.run import day
    from hallmark.study.llm_weights import Cutoff, account, document, fitted

    spec = _named(model)

    def cutoff_of(name: str) -> Cutoff:
        if cutoff is not None:
            return Cutoff(cutoff, disclosed=True)
        if spec is not None and spec.name == name:
            return Cutoff(spec.cutoff, spec.cutoff_disclosed)
        return _found(name, files)

    split = load_split(gold, data)
    whose = model if spec is None else spec.name
    made = day(today).isoformat()
    table = fitted(split, files, cutoff_of, model=whose, today=made, version=version("hallmark"))
    for line in () if quiet else account(table):
        typer.echo(visible(line), err=True)
    write(table, lambda: document(table), form, output, [str(split.path), *map(str, files)])
    tell_written(output, quiet=quiet)


def _named(text: str) -> "ModelSpec | None":
    """Return the model that --model means; None for a name that is the user's own.

    Raises:
        InputError: a file of models cannot be used.
        UnknownName: it has no such model.
    """
    from hallmark.llm import models

    try:
        return models.find(text) if text else None
    except UnknownName:
        if ".toml" in text:
            raise
        return None


def _found(name: str, files: "Sequence[Path]") -> "Cutoff":
    """Return the cutoff of a model by the manifests beside its answers, else by the table."""
    from hallmark.llm import models
    from hallmark.study.llm_weights import Cutoff, cutoff_of_runs

    try:
        spec = models.find(name)
    except HallmarkError:
        known = Cutoff()
    else:
        known = Cutoff(spec.cutoff, spec.cutoff_disclosed)
    stated = cutoff_of_runs(name, files)
    return known if stated in ("", known.month) else Cutoff(stated)
