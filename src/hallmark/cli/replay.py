"""How are stored verdicts judged again?"""

import sys
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from hallmark.cli.calibration_file import calibration_of
from hallmark.cli.evidence import Kept, read_kept
from hallmark.cli.options import (
    CalibrationOption,
    Format,
    FormatOption,
    OnlyOption,
    OutputOption,
    QuietOption,
)
from hallmark.cli.queue import PrevalenceOption, QueueOption, triage_of
from hallmark.cli.run import Wish, exit_code, first_read, report
from hallmark.errors import InputError
from hallmark.judge.calibrate import Calibration
from hallmark.judge.decide import decide_failed
from hallmark.judge.policy import Policy
from hallmark.judge.profiles import NAMES, policy_of
from hallmark.records.verdict import Result
from hallmark.report.interface import RunInfo
from hallmark.verifier import replay as judge_again

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def replay(
    evidence: Annotated[
        Path, typer.Argument(metavar="EVIDENCE", help="A file written by check --store-evidence.")
    ],
    *,
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy",
            metavar="NAME|FILE.toml",
            help="Judge by this policy; by that of the check if not given.",
        ),
    ] = None,
    form: FormatOption = Format.TERMINAL,
    output: OutputOption = None,
    only: OnlyOption = None,
    quiet: QuietOption = False,
    calibration: CalibrationOption = None,
    queue: QueueOption = None,
    prevalence: PrevalenceOption = None,
) -> None:
    """Judge stored EVIDENCE again; no source is asked, and exit codes are those of check."""
    differ: Counter[bool] = Counter()
    chosen = None if policy is None else policy_of(policy)
    model = calibration_of(calibration)
    triage = triage_of(queue, prevalence, model)
    results = first_read(
        _judged(evidence, chosen, differ, model),
        f"There is no evidence in {evidence}.",
    )
    name = "as stored" if chosen is None else chosen.name
    run = RunInfo(files=(str(evidence),), policy=name, version=version("hallmark"))
    wish = Wish(form=form, output=output, only=only, quiet=quiet)
    summary = report(results, run, wish, triage)
    if not quiet:
        told = f"{differ[True]:,} of {differ.total():,} verdicts differ from the stored ones."
        print(told, file=sys.stderr)  # noqa: T201 - the edge
    raise typer.Exit(exit_code(summary))


def _judged(
    path: Path,
    policy: Policy | None,
    differ: "Counter[bool]",
    calibration: Calibration | None,
) -> Iterator[Result]:
    for kept in read_kept(path):
        result = _judge(kept, policy or _stored(kept.policy, path), calibration)
        differ[result.verdict != kept.result.verdict] += 1
        yield result


def _stored(name: str, path: Path) -> Policy:
    """Return the policy of the check; what a file of evidence says never names a file to read.

    Raises:
        InputError: it is none of those that come with the program.
    """
    if name not in NAMES:
        raise InputError(
            f"{path} was judged by the policy `{name[:60]}`, which does not come with the "
            "program. Name its file: --policy FILE.toml"
        )
    return policy_of(name)


def _judge(kept: Kept, policy: Policy, calibration: Calibration | None) -> Result:
    if kept.failed is not None:
        return Result(kept.failed.key or "", kept.failed.location, decide_failed(kept.failed))
    if kept.reference is None or kept.evidence is None:
        return kept.result
    return judge_again(kept.reference, kept.evidence, policy, calibration)
