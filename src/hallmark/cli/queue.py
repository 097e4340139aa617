"""Which queue of references did the user ask for?"""

from typing import Annotated, TypeAlias

import typer

from hallmark.errors import InputError
from hallmark.judge.calibrate import Calibration
from hallmark.judge.triage import DEFAULT_PREVALENCE, Triage

QueueOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--queue",
        metavar="N",
        help="Add the N references most worth a person's time: probable, grave, and soon seen.",
    ),
]
PrevalenceOption: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--prevalence",
        metavar="P",
        help="The share of bad references that you expect, between 0 and 1, for the queue. "
        f"Default: {DEFAULT_PREVALENCE:g}.",
    ),
]


def triage_of(
    size: int | None, prevalence: float | None, calibration: Calibration | None
) -> Triage | None:
    """Return what collects the queue; None where none is wished.

    Raises:
        InputError: the size or the prevalence is out of range, or there is a prevalence alone.
    """
    if size is None:
        if prevalence is not None:
            raise InputError("--prevalence is for the queue. Ask for one: --queue 20")
        return None
    chosen = DEFAULT_PREVALENCE if prevalence is None else prevalence
    return Triage(size, chosen, calibration)
