"""What does `hallmark study llm-weights` do?"""

from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hallmark.cli.study.options import (
    DataOption,
    FormOption,
    GoldOption,
    OutputOption,
    TodayOption,
    write,
)

if TYPE_CHECKING:
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
        str, typer.Option("--model", metavar="NAME", help="Whose answers a file holds.")
    ] = "",
    cutoff: Annotated[
        str | None,
        typer.Option(
            "--cutoff",
            metavar="YYYY-MM",
            help="Last month of the training data, as published; that of the table of models by "
            "default.",
        ),
    ] = None,
    today: TodayOption = None,
    form: FormOption = None,
    output: OutputOption = None,
) -> None:
    """Fit what a model's vote is worth on labelled entries; JSON is a file for --llm-weights.

    Fit on development data only. Votes are best taken where they will be used: run `assisted`
    over the split with the index that you check with, and once more with a smaller one.

    Exit codes: 0 shown, 2 misuse or input that cannot be used.
    """
    from hallmark.bench.dataset import load_split
    from hallmark.cli.run import day
    from hallmark.study.llm_weights import Cutoff, document, fitted

    def cutoff_of(name: str) -> Cutoff:
        return _of_table(name) if cutoff is None else Cutoff(cutoff, disclosed=True)

    split = load_split(gold, data)
    made = day(today).isoformat()
    table = fitted(split, files, cutoff_of, model=model, today=made, version=version("hallmark"))
    write(table, lambda: document(table), form, output, [str(split.path), *map(str, files)])


def _of_table(name: str) -> "Cutoff":
    """Return the cutoff of a model of the table; none for one that it does not have."""
    from hallmark.errors import HallmarkError
    from hallmark.llm import models
    from hallmark.study.llm_weights import Cutoff

    try:
        spec = models.find(name)
    except HallmarkError:
        return Cutoff()
    return Cutoff(spec.cutoff, spec.cutoff_disclosed)
