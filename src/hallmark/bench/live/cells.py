"""How do the cells of a live study (each a model asked in one way) become runs and files?

Each cell is a run of the system that its variant names, with its own journal and manifest, so that
a study that was stopped goes on where it was. Caps hold for all cells together, over all sittings:
`Request.spent` names the file that tells what was spent. What is released in a layout of its own is
written from the run's file when the run is done.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import assert_never

from msgspec import Struct, structs

from hallmark.bench import run as running
from hallmark.bench.dataset import Split
from hallmark.bench.entry import read_predictions
from hallmark.bench.live import recall
from hallmark.bench.live.studies import LiveStudy, Variant, file_of
from hallmark.bench.systems.asking import is_of_service
from hallmark.bench.systems.opening import opener
from hallmark.bench.systems.recall import PROMPT, RECALL, WITHOUT
from hallmark.bench.systems.spec import Request
from hallmark.bench.systems.zero_shot import ZeroShot, ready_for
from hallmark.errors import InputError
from hallmark.llm.estimate import NOTHING, Estimate
from hallmark.llm.interface import ModelSpec
from hallmark.llm.models import find
from hallmark.llm.prompts.catalogue import shipped
from hallmark.llm.prompts.catalogue import variant as prompt_of

PREDICTIONS = "predictions"
RUNS = "runs"
"""The folder of runs whose rows are not in the layout of a release."""
_SYSTEMS = {"verdict": "zero-shot", "recall": "recall-probe"}
_REPEATED = 10_000
"""Added to the number of a run, so that replies kept from other repeated runs are not taken."""


class Cell(Struct, frozen=True, kw_only=True):
    """A model, a way of asking it, and the entries.

    `out` is the run's file, `file` the one that the replay reads; for verdicts they are the same.
    """

    model: ModelSpec
    variant: Variant
    request: Request
    split: Split
    out: Path
    file: Path
    run: int = 1

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return f"{self.model.name} {self.variant.name}"

    @property
    def job(self) -> running.Job:
        """Its run."""
        return running.Job(
            name=_SYSTEMS[self.variant.asks],
            system=_system(self),
            split=self.split,
            out=self.out,
            seed=self.request.seed,
        )


def cells_of(
    study: LiveStudy,
    models: Sequence[str],
    splits: Mapping[str, Split],
    root: Path,
    request: Request,
    run: int,
) -> tuple[Cell, ...]:
    """Return the cells of a study, model by model.

    Args:
        study: its row.
        models: texts of --model.
        splits: the samples by their names in the data folder; what has none is not asked.
        root: the data folder that the files are written to.
        request: seed, caps, folder of kept replies, environment; its model is not looked at.
        run: the number of the run, from 1, for studies that are made to be repeated.

    Raises:
        InputError: the models, or the number, do not fit the study.
        UnknownName: there is no such model.
    """
    _check(study, models, run)
    cells = [
        _cell(study, variant, splits[name], root, structs.replace(request, model=text), run)
        for text in models
        for variant in study.of(find(text))
        if (name := variant.split or study.split) in splits
    ]
    if len({cell.out for cell in cells}) < len(cells):
        raise InputError("Two of the models would write the same file; give each model once.")
    return tuple(cells)


def _cell(
    study: LiveStudy, variant: Variant, split: Split, root: Path, request: Request, run: int
) -> Cell:
    model = _limited(find(request.model), variant)
    file = file_of(study, variant, model.name, run)
    folder = PREDICTIONS if variant.asks == "verdict" else RUNS
    return Cell(
        model=model,
        variant=variant,
        request=request,
        split=split,
        out=root / folder / file,
        file=root / PREDICTIONS / file,
        run=run,
    )


def estimate(cells: Sequence[Cell]) -> Estimate:
    """Return what the entries without an answer take in all cells, kept replies not counted."""
    total = NOTHING
    for cell in cells:
        rest = [entry.blind() for entry in cell.split.entries[_answered(cell) :]]
        total += _system(cell).estimate(rest)
    return total


def run_cells(
    cells: Sequence[Cell],
    clock: running.Clock,
    on_cell: Callable[[Cell], running.OnRow | None] = lambda _: None,
    *,
    retry: bool = False,
) -> list[running.Manifest]:
    """Run what is not finished of the cells, in order.

    Args:
        cells: of one study.
        clock: the clocks of the runs.
        on_cell: called before each cell; what it returns is called for each of its rows.
        retry: whether finished cells ask again where the service failed.

    Raises:
        InputError: a file exists that another run made.
        ModelStopped: a model cannot go on, or a cap is reached; what is answered is kept.
        OutputError: a file cannot be written.
    """
    for cell in cells:
        _finished(cell)
    found = []
    for cell in cells:
        manifest = _finished(cell)
        failed = _failed(cell) if retry and manifest is not None else frozenset[str]()
        if failed:
            running.reopen(cell.job, clock)
        if failed or manifest is None:
            cell.out.parent.mkdir(parents=True, exist_ok=True)
            again = is_of_service if failed else None
            manifest = running.run(cell.job, clock, on_cell(cell), again)
        _release(cell)
        found.append(manifest)
    return found


def _release(cell: Cell) -> None:
    """Write what a finished cell is read from, where that is not the file of the run itself."""
    match cell.variant.asks:
        case "verdict":
            return
        case "recall":
            cell.file.parent.mkdir(parents=True, exist_ok=True)
            recall.write(cell.file, cell.split.entries, read_predictions(cell.out))
        case _ as never:
            assert_never(never)


def _finished(cell: Cell) -> running.Manifest | None:
    try:
        manifest = running.finished_manifest(cell.job)
    except InputError as error:
        raise InputError(_not_ours(cell.out)) from error
    if manifest is None and cell.file != cell.out and cell.file.exists():
        raise InputError(_not_ours(cell.file))
    return manifest


def _not_ours(path: Path) -> str:
    return (
        f"{path} exists and was not made by this study; move it away, or choose another --data-out."
    )


def _failed(cell: Cell) -> frozenset[str]:
    """Return the keys of a finished cell's rows that asking again may mend."""
    return frozenset(row.bibtex_key for row in read_predictions(cell.out) if is_of_service(row))


def _answered(cell: Cell) -> int:
    done = _finished(cell) is not None
    return len(cell.split.entries) if done else running.rows_answered(cell.job)


def _system(cell: Cell) -> ZeroShot:
    request, variant = cell.request, cell.variant
    opened = opener(request, cell.model)
    sample = _REPEATED + cell.run if variant.sample is None else variant.sample
    match variant.asks:
        case "verdict":
            return ZeroShot(
                cell.model,
                opened,
                ready_for(prompt_of(variant.prompt), cell.model, request.today),
                shape=variant.shape,
                without=variant.without,
                sample=sample,
                seed=request.seed,
            )
        case "recall":
            return ZeroShot(
                cell.model,
                opened,
                ready_for(shipped(PROMPT), cell.model, request.today),
                shape="fields",
                without=WITHOUT,
                sample=sample,
                seed=request.seed,
                contract=RECALL,
            )
        case _ as never:
            assert_never(never)


def _limited(spec: ModelSpec, variant: Variant) -> ModelSpec:
    return structs.replace(
        spec,
        max_tokens=variant.max_tokens or spec.max_tokens,
        effort=variant.effort or spec.effort,
    )


def _check(study: LiveStudy, models: Sequence[str], run: int) -> None:
    if not models:
        raise InputError(f"The study {study.name} asks a language model; name one with --model.")
    if study.one_model and len(models) > 1:
        raise InputError(
            f"Files of the study {study.name} do not name a model; give one --model, and another "
            "--data-out for each."
        )
    if run < 1 or (run > 1 and not study.repeated):
        raise InputError(
            f"--run is {run}; the study {study.name} takes "
            f"{'numbers from 1' if study.repeated else 'no number of a run'}."
        )
