"""What does `hallmark calibrate` do?"""

import itertools
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hallmark.cli.options import IndexOption, TodayOption
from hallmark.cli.output import destination
from hallmark.cli.progress import Lines
from hallmark.cli.study.options import DataOption, PolicyOption, as_json, setting

if TYPE_CHECKING:
    from hallmark.judge.calibrate import Model
    from hallmark.study.calibration import Calibrated
    from hallmark.study.context import Setting

app = typer.Typer(add_completion=False, rich_markup_mode=None)

GoldFiles = typer.Option("--gold", metavar="SPLIT|FILE", help="Train on it; can be repeated.")
ReportFiles = typer.Option("--report", metavar="SPLIT|FILE", help="Measure on it; do not train.")
ModelFile = typer.Option("--output", "-o", metavar="MODEL.json", help="Write the model here.")
Plots = typer.Option("--plots", metavar="DIR", help="Draw reliability and risk-coverage here.")
Rows = typer.Option(
    "--predictions", metavar="DIR", help="Write what the figures rest on, for bench evaluate."
)
Folds = typer.Option("--folds", metavar="N", min=2, max=50, help="Parts for cross-fitting.")
Seed = typer.Option("--seed", metavar="N", help="Seed of the dice.")
Generated = typer.Option("--generated", metavar="N", min=0, help="Entries made of the index.")
Whole = typer.Option("--whole-only", help="Judge with the whole index only, not with less of it.")
Quiet = typer.Option("--quiet", "-q", help="No progress.")


@app.command()
def calibrate(
    *,
    gold: Annotated[list[str], GoldFiles],
    report: Annotated[list[str] | None, ReportFiles] = None,
    index: IndexOption = None,
    data: DataOption = None,
    output: Annotated[Path | None, ModelFile] = None,
    plots: Annotated[Path | None, Plots] = None,
    predictions: Annotated[Path | None, Rows] = None,
    folds: Annotated[int, Folds] = 5,
    seed: Annotated[int, Seed] = 8042,
    generated: Annotated[int, Generated] = 2000,
    whole_only: Annotated[bool, Whole] = False,
    policy: PolicyOption = "default",
    today: TodayOption = None,
    quiet: Annotated[bool, Quiet] = False,
) -> None:
    """Fit P(hallucinated) on gold files, measure it by cross-fitting, and write the model file.

    `hallmark check --calibration MODEL.json` states the probabilities of that model. Fit it on the
    index that you check with.

    Exit codes: 0 fitted, 2 misuse or input that cannot be used.
    """
    from hallmark.bench.dataset import load_split
    from hallmark.study.calibration import Plan
    from hallmark.study.calibration import calibrate as fit

    settings = [setting(name, data, index, policy, today) for name in gold]
    reports = [load_split(name, data) for name in report or []]
    plan = Plan(folds=folds, seed=seed, generated=generated, reduced=not whole_only)
    found = fit(settings, reports, plan, version("hallmark"), _told(quiet=quiet))
    if output is not None:
        _write(found.model, output, settings)
    if plots is not None:
        _draw(found, plots)
    if predictions is not None:
        _save(found, predictions)
    sys.stdout.write(_text(found.model))


def _told(*, quiet: bool) -> Callable[[str], None]:
    lines, seen = Lines(sys.stderr, on=not quiet), itertools.count(1)

    def step(name: str) -> None:
        lines.tell(next(seen), f"steps, now {name}")
        if not quiet and sys.stderr.isatty():
            sys.stderr.write(f"{name} ...\n")
            sys.stderr.flush()

    return step


def _write(model: "Model", output: Path, settings: "list[Setting]") -> None:
    inputs = [str(one.split.path) for one in settings]
    with destination(output, inputs) as stream:
        stream.write(as_json(model))


def _save(found: "Calibrated", folder: Path) -> None:
    from hallmark.bench.entry import write_jsonl
    from hallmark.study.calibration_report import drawn

    for name, pairs in drawn(found):
        write_jsonl(folder / f"{name}.jsonl", [one for one in pairs.predictions if one])


def _draw(found: "Calibrated", folder: Path) -> None:
    from hallmark.bench.plots.catalogue import save
    from hallmark.study.calibration_report import figures

    for name, figure in figures(found):
        save(figure, folder / f"calibration-{name}.svg")


def _text(model: "Model") -> str:
    from hallmark.study.calibration_report import document
    from hallmark.study.document import as_text

    return as_text(document(model))
