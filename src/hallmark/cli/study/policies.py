"""What does `hallmark study policies` do?"""

import sys
from typing import Annotated

import typer

from hallmark.cli.options import IndexOption
from hallmark.cli.progress import Progress
from hallmark.cli.study.options import (
    DataOption,
    FormOption,
    OutputOption,
    QuietOption,
    TodayOption,
    setting,
    write,
)

GoldFiles = typer.Option("--gold", metavar="SPLIT|FILE", help="Measure on it; can be repeated.")
Further = typer.Option(
    "--policy", metavar="FILE.toml", help="Compare this one, too; can be repeated."
)


def policies(
    *,
    gold: Annotated[list[str], GoldFiles],
    policy: Annotated[list[str] | None, Further] = None,
    data: DataOption = None,
    index: IndexOption = None,
    today: TodayOption = None,
    form: FormOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Compare the policies on gold files: detection, false alarms, coverage.

    Evidence is gathered once; every policy judges the same.

    Exit codes: 0 done, 2 misuse or input that cannot be used.
    """
    from hallmark.judge.profiles import policy_of, shipped
    from hallmark.study.policies import document
    from hallmark.study.policies import policies as study

    compared = [one for _, one in shipped().items()]
    compared += [policy_of(name) for name in policy or () if name not in shipped()]
    settings = [setting(name, data, index, "default", today) for name in gold]
    progress = Progress(sys.stderr, on=not quiet)
    found = study(settings, compared, progress.step)
    progress.end()
    write(found, lambda: document(found), form, output, [str(one.split.path) for one in settings])
