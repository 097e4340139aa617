"""What does `hallmark study triage` do?"""

import sys
from typing import Annotated

import typer

from hallmark.cli.options import IndexOption
from hallmark.cli.progress import Progress
from hallmark.cli.study.options import (
    DataOption,
    FormOption,
    GoldOption,
    OutputOption,
    PolicyOption,
    QuietOption,
    TodayOption,
    setting,
    write,
)
from hallmark.errors import InputError
from hallmark.judge.triage import DEFAULT_PREVALENCE


def triage(
    *,
    gold: GoldOption,
    data: DataOption = None,
    index: IndexOption = None,
    policy: PolicyOption = "default",
    today: TodayOption = None,
    prevalence: Annotated[
        float, typer.Option("--prevalence", metavar="P", help="The share of bad references.")
    ] = DEFAULT_PREVALENCE,
    seed: Annotated[int, typer.Option("--seed", help="Of the dice.")] = 8042,
    form: FormOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Draw bibliographies from a gold file, and compare what their queues state with the labels.

    Exit codes: 0 shown, 2 misuse or input that cannot be used.
    """
    from hallmark.judge.triage import Triage
    from hallmark.study.context import judge
    from hallmark.study.triage import Plan, document
    from hallmark.study.triage import triage as study

    chosen = setting(gold, data, index, policy, today)
    Triage(1, prevalence)
    if not chosen.split.valid or not chosen.split.hallucinated:
        raise InputError(f"{gold} holds entries of one label only; bibliographies need both.")
    progress = Progress(sys.stderr, on=not quiet)
    judged = judge(chosen, step=progress.step)
    progress.end()
    found = study(chosen, judged, Plan(prevalence=prevalence, seed=seed))
    write(found, lambda: document(found), form, output, [str(chosen.split.path)])
