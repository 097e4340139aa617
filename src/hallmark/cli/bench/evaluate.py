"""What do `bench evaluate`, `bench compare` and `bench leaderboard` do?

NumPy and all that needs it are imported inside the commands, so that help starts at once.
"""

import os
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hallmark.errors import InputError

if TYPE_CHECKING:
    from hallmark.bench.align import Ints, Pairs
    from hallmark.bench.dataset import Split
    from hallmark.bench.resample import Plan


class Form(StrEnum):
    """The formats of an evaluation."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    LATEX = "latex"
    MARKDOWN = "markdown"
    HTML = "html"


class ShortForm(StrEnum):
    """The formats of a comparison and of a leaderboard."""

    TEXT = "text"
    JSON = "json"


class MissingPolicy(StrEnum):
    """What an entry without prediction is."""

    ERROR = "error"
    VALID = "valid"
    ABSTAIN = "abstain"


class StanceName(StrEnum):
    """What an abstention counts as."""

    CONSERVATIVE = "conservative"
    SELECTIVE = "selective"
    AGGRESSIVE = "aggressive"
    FORCED = "forced"


GoldOption = Annotated[
    str, typer.Option("--gold", metavar="SPLIT|FILE", help="A split's name, or a gold file.")
]
DataOption = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Folder of the splits (default: $HALLMARK_DATA)."),
]
MissingOption = Annotated[
    MissingPolicy, typer.Option("--missing", help="What an entry without prediction is.")
]
ResamplesOption = Annotated[int, typer.Option("--resamples", min=1, help="Bootstrap resamples.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Seed of the resamples.")]
LevelOption = Annotated[float, typer.Option("--level", help="Level of the intervals.")]
ClustersOption = Annotated[
    bool, typer.Option("--by-source", help="Resample whole source papers, not single entries.")
]
OutputOption = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write here, not to stdout.")
]
MeasureOption = Annotated[
    list[str] | None, typer.Option("--measure", metavar="NAME", help="Only this; repeatable.")
]


def evaluate(
    predictions: Annotated[Path, typer.Argument(metavar="PREDICTIONS", help="A prediction file.")],
    *,
    gold: GoldOption,
    data: DataOption = None,
    form: Annotated[Form, typer.Option("--format", help="How to write the report.")] = Form.TEXT,
    output: OutputOption = None,
    system: Annotated[
        str | None, typer.Option("--system", metavar="NAME", help="What to call the tool.")
    ] = None,
    missing: MissingOption = MissingPolicy.ERROR,
    measure: MeasureOption = None,
    resamples: ResamplesOption = 10_000,
    seed: SeedOption = 42,
    level: LevelOption = 0.95,
    by_source: ClustersOption = False,
) -> None:
    """Evaluate a prediction file: every measure, with its interval, under every stance.

    Exit codes: 0 evaluated, 2 misuse or input that cannot be used.
    """
    one_thread_for_each_product()
    from hallmark.bench import evaluation
    from hallmark.bench.dataset import load_split
    from hallmark.bench.report import FORMATS

    split = load_split(gold, data)
    result = evaluation.evaluate(
        predictions,
        split,
        system=system,
        missing=missing.value,
        names=measure or None,
        plan=_plan(resamples, seed, level),
        clusters=_clusters(split, wanted=by_source),
        date=_now(),
    )
    _write(FORMATS.get(form)(result), output, [str(predictions), str(split.path)])


def compare(
    predictions: Annotated[
        list[Path], typer.Argument(metavar="A B...", help="Two or more prediction files.")
    ],
    *,
    gold: GoldOption,
    data: DataOption = None,
    form: Annotated[ShortForm, typer.Option("--format", help="How to write it.")] = ShortForm.TEXT,
    output: OutputOption = None,
    stance: Annotated[
        StanceName, typer.Option("--stance", help="What an abstention counts as.")
    ] = StanceName.CONSERVATIVE,
    missing: MissingOption = MissingPolicy.ERROR,
    measure: MeasureOption = None,
    margin: Annotated[
        float | None, typer.Option("--margin", min=0, help="Test equivalence within +-MARGIN.")
    ] = None,
    prevalence: Annotated[
        float, typer.Option("--prevalence", help="Share of bad references, for expected costs.")
    ] = 0.02,
    cost_ratio: Annotated[
        float, typer.Option("--cost-ratio", help="What a miss costs, in false alarms.")
    ] = 10.0,
    capacity: Annotated[
        float, typer.Option("--capacity", help="Share of entries that reviewers can read.")
    ] = 1.0,
    resamples: ResamplesOption = 10_000,
    seed: SeedOption = 42,
    level: LevelOption = 0.95,
    by_source: ClustersOption = False,
) -> None:
    """Compare tools on the same entries, by paired tests that are right two-sided.

    Exit codes: 0 compared, 2 misuse or input that cannot be used.
    """
    one_thread_for_each_product()
    from hallmark.bench import compare as comparing
    from hallmark.bench.align import Stance
    from hallmark.bench.dataset import load_split
    from hallmark.bench.limit import asked_by_all
    from hallmark.bench.report.as_json import render_any
    from hallmark.bench.report.comparison import render

    split = asked_by_all(load_split(gold, data), predictions)
    result = comparing.compare(
        split.name,
        _tools(split, predictions, missing),
        Stance(stance.value),
        measure or comparing.DEFAULT_MEASURES,
        _plan(resamples, seed, level),
        _clusters(split, wanted=by_source),
        margin,
        comparing.Setting(prevalence, cost_ratio, capacity),
    )
    text = render(result) if form is ShortForm.TEXT else render_any(result)
    _write(text, output, [*map(str, predictions), str(split.path)])


def leaderboard(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Holds result files (JSON).")],
    *,
    by: Annotated[str, typer.Option("--by", metavar="MEASURE", help="What to rank by.")] = "f1",
    stance: Annotated[
        StanceName, typer.Option("--stance", help="What an abstention counts as.")
    ] = StanceName.CONSERVATIVE,
    form: Annotated[ShortForm, typer.Option("--format", help="How to write it.")] = ShortForm.TEXT,
    output: OutputOption = None,
    resamples: ResamplesOption = 10_000,
    seed: SeedOption = 42,
    level: LevelOption = 0.95,
) -> None:
    """Rank tools from their result files alone, each place with its interval.

    Exit codes: 0 ranked, 2 misuse or input that cannot be used.
    """
    one_thread_for_each_product()
    from hallmark.bench import leaderboard as ranking
    from hallmark.bench.align import Stance
    from hallmark.bench.report.as_json import render_any
    from hallmark.bench.report.board import render

    plan = _plan(resamples, seed, level)
    result = ranking.leaderboard(folder, by, Stance(stance.value), plan)
    _write(render(result) if form is ShortForm.TEXT else render_any(result), output, [])


def one_thread_for_each_product() -> None:
    """Keep matrix products from starting threads: resamples have theirs, regressions are small.

    Must run before NumPy is imported; has no effect where the user has set it.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _plan(resamples: int, seed: int, level: float) -> "Plan":
    from hallmark.bench.resample import Plan

    return Plan(resamples, seed, level)


def _clusters(split: "Split", *, wanted: bool) -> "Ints | None":
    if not wanted:
        return None
    from hallmark.bench.twins import clusters

    return clusters(split.entries)


def _tools(split: "Split", paths: list[Path], missing: MissingPolicy) -> "dict[str, Pairs]":
    """Align each file; files of one name are told apart by their folders."""
    from hallmark.bench.align import align
    from hallmark.bench.entry import read_predictions

    if len(paths) < 2:  # noqa: PLR2004
        raise InputError("A comparison needs at least two prediction files.")
    plain = len({path.stem for path in paths}) == len(paths)
    names = [path.stem if plain else str(path) for path in paths]
    if len(set(names)) < len(names):
        raise InputError("The same prediction file is given twice.")
    pairs = [align(split.entries, read_predictions(path), missing.value) for path in paths]
    return dict(zip(names, pairs, strict=True))


def _now() -> str:
    """Return the date and time, to the second, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")  # noqa: TID251 - the edge


def _write(text: str, output: Path | None, inputs: list[str]) -> Any:
    from hallmark.cli.output import destination

    with destination(output, inputs) as stream:
        stream.write(text)
