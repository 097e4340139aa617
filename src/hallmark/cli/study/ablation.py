"""What does `hallmark study ablation` do?"""

from typing import Annotated

import typer

from hallmark.cli.options import IndexOption
from hallmark.cli.study.options import (
    DataOption,
    FormOption,
    GoldOption,
    OutputOption,
    PolicyOption,
    QuietOption,
    TodayOption,
    counted,
    setting,
    write,
)
from hallmark.study.conditions import Group

GroupOption = Annotated[
    list[Group] | None,
    typer.Option("--group", help="Only conditions of this group; repeatable."),
]


def ablation(
    *,
    gold: GoldOption,
    data: DataOption = None,
    index: IndexOption = None,
    policy: PolicyOption = "default",
    group: GroupOption = None,
    today: TodayOption = None,
    form: FormOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Take rules, facts and sources away one by one, and measure again.

    The index stays as it is: what is taken away is hidden, and completeness is judged anew by the
    published counts. Half of all works is drawn by work, three times.

    Exit codes: 0 done, 1 a bound on false alarms was broken, 2 misuse or input that cannot be used.
    """
    from hallmark.study.ablation import ablation as study
    from hallmark.study.ablation import document, planned

    chosen = setting(gold, data, index, policy, today)
    plan = planned(chosen, group or ())
    found = study(chosen, plan, counted((one.name for one in plan), quiet=quiet))
    write(found, lambda: document(found), form, output, [str(chosen.split.path)])
    raise typer.Exit(int(any(one.within is False for one in found.tried)))
