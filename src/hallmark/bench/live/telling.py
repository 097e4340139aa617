"""What is told of a live study's cells when it ends?"""

import shlex
from collections import defaultdict
from collections.abc import Sequence
from typing import assert_never

from hallmark.bench.live import budget, outcome, recall, strata
from hallmark.bench.live.cells import Cell
from hallmark.bench.live.studies import LiveStudy


def lines(study: LiveStudy, cell: Cell) -> list[str]:
    """Return what came out of a finished cell, as lines for people.

    Raises:
        InputError: its file cannot be read.
    """
    match cell.variant.asks:
        case "recall":
            return [recall.in_words(cell.name, recall.read(cell.file))]
        case "verdict" if study.regimes:
            return budget.in_words(budget.figures(cell))
        case "verdict":
            told = [outcome.in_words(outcome.summary(cell))]
            return [*told, strata.in_words(cell)] if study.by_year else told
        case _ as never:
            assert_never(never)


def comparisons(cells: Sequence[Cell]) -> list[str]:
    """Return the commands that compare a model's verdicts on the same entries, one for each split.

    They work for any model, also where the paper's table has no row for it; one model stands for
    all.
    """
    together = defaultdict[str, list[str]](list)
    for cell in cells:
        if cell.variant.asks == "verdict" and cell.model == cells[0].model:
            together[str(cell.split.path)].append(str(cell.file))
    return [
        shlex.join(["hallmark", "bench", "compare", *files, "--gold", gold])
        for gold, files in together.items()
        if len(files) > 1
    ]
