"""What does `hallmark study labels` do?"""

import sys
from pathlib import Path
from typing import Annotated

import typer

from hallmark.cli.options import IndexOption
from hallmark.cli.output import destination
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


def labels(
    *,
    gold: GoldOption,
    data: DataOption = None,
    index: IndexOption = None,
    ledger: Annotated[
        Path | None,
        typer.Option(
            "--ledger",
            metavar="FILE",
            help="The ledger (JSON Lines): what reviewers wrote in it is kept and used.",
        ),
    ] = None,
    policy: PolicyOption = "default",
    today: TodayOption = None,
    form: FormOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """List the labels that the evidence disputes, both sides shown.

    The gold file is never changed. With --ledger the proposals are written to a file of their own,
    with fields for a reviewer; what a reviewer wrote there before is kept.

    Exit codes: 0 done, 2 misuse or input that cannot be used.
    """
    from hallmark.study.context import judge
    from hallmark.study.labels import document
    from hallmark.study.labels import labels as study
    from hallmark.study.ledger import as_lines, read_ledger

    chosen = setting(gold, data, index, policy, today)
    before = read_ledger(ledger) if ledger is not None and ledger.exists() else []
    progress = Progress(sys.stderr, on=not quiet)
    judged = judge(chosen, step=progress.step)
    progress.end()
    found = study(chosen, judged, before)
    if ledger is not None:
        with destination(ledger, [str(chosen.split.path)]) as stream:
            stream.write(as_lines(found.disputes))
    write(found, lambda: document(found), form, output, [str(chosen.split.path)])
