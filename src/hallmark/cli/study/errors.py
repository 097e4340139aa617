"""What does `hallmark study errors` do?"""

import sys

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


def errors(
    *,
    gold: GoldOption,
    data: DataOption = None,
    index: IndexOption = None,
    policy: PolicyOption = "default",
    today: TodayOption = None,
    form: FormOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Show every false alarm, miss and abstention with both sides and the reason.

    The reason comes from the evidence of the verdict; a label's explanation is shown beside, and
    never used.

    Exit codes: 0 shown, 2 misuse or input that cannot be used.
    """
    from hallmark.study.context import judge
    from hallmark.study.errors import document
    from hallmark.study.errors import errors as study

    chosen = setting(gold, data, index, policy, today)
    progress = Progress(sys.stderr, on=not quiet)
    judged = judge(chosen, step=progress.step)
    progress.end()
    found = study(chosen, judged)
    write(found, lambda: document(found), form, output, [str(chosen.split.path)])
