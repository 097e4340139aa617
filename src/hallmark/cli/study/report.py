"""What does `hallmark study report` do?"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hallmark.cli.options import IndexOption
from hallmark.cli.output import destination
from hallmark.cli.study.options import (
    DataOption,
    OutputOption,
    PolicyOption,
    QuietOption,
    TodayOption,
    counted,
    setting,
)
from hallmark.errors import InputError
from hallmark.study.conditions import Group

if TYPE_CHECKING:
    from hallmark.bench.audit import Leak
    from hallmark.study.ablation import Ablation
    from hallmark.study.accuracy import Run
    from hallmark.study.context import Origin, Setting

SPLITS = ("dev_public", "temporal_supplement")
_GROUPS = (Group.RULES, Group.FACTS, Group.WITHOUT, Group.ONLY, Group.HALF)


def report(
    *,
    gold: Annotated[
        list[str] | None,
        typer.Option(
            "--gold",
            metavar="SPLIT|FILE",
            help="A split or gold file; repeatable (default: dev_public, temporal_supplement).",
        ),
    ] = None,
    data: DataOption = None,
    index: IndexOption = None,
    ablation: Annotated[
        list[Path] | None,
        typer.Option(
            "--ablation",
            metavar="FILE",
            help="What `study ablation -f json` wrote, instead of measuring again; repeatable.",
        ),
    ] = None,
    no_ablation: Annotated[
        bool, typer.Option("--no-ablation", help="Leave the ablations out.")
    ] = False,
    policy: PolicyOption = "default",
    today: TodayOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write the page on accuracy: figures, errors, disputed labels, ablations, leaks.

    Exit codes: 0 done, 2 misuse or input that cannot be used.
    """
    from hallmark.bench.audit import audit_file
    from hallmark.cli.bench.evaluate import one_thread_for_each_product
    from hallmark.study.accuracy import page

    one_thread_for_each_product()
    chosen = [setting(name, data, index, policy, today) for name in gold or SPLITS]
    kept = [_read(path) for path in ablation or ()]
    runs: dict[str, Run] = {}
    for one in chosen:
        found = None if no_ablation else _ablation(one, kept, quiet=quiet)
        runs[one.split.name] = _run(one, found, list(audit_file(one.split.path)))
    text = page(runs)
    with destination(output, [str(one.split.path) for one in chosen]) as stream:
        stream.write(text)


def _run(one: "Setting", found: "Ablation | None", leaks: "Sequence[Leak]") -> "Run":
    from hallmark.study.accuracy import Run
    from hallmark.study.context import judge
    from hallmark.study.errors import errors
    from hallmark.study.labels import labels

    judged = judge(one)
    return Run(
        judged=judged,
        errors=errors(one, judged),
        labels=labels(one, judged),
        ablation=found,
        leaks=leaks,
    )


def _ablation(one: "Setting", kept: "Sequence[Ablation]", *, quiet: bool) -> "Ablation":
    """Return the ablation of a setting: a kept one, where it is of the same, else a new one.

    Raises:
        InputError: ablations are given, and none is of this gold file, index and policy.
    """
    from hallmark.study.ablation import ablation, planned
    from hallmark.study.context import origin

    wanted = origin(one)
    for found in kept:
        if _same(found.origin, wanted):
            return found
    if kept:
        raise InputError(
            f"None of the ablations is of {wanted.gold} with policy {wanted.policy} on the index "
            f"of digest {wanted.index_digest[:12]}. Measure again, or leave --ablation out."
        )
    plan = planned(one, _GROUPS)
    return ablation(one, plan, counted((step.name for step in plan), quiet=quiet))


def _same(one: "Origin", other: "Origin") -> bool:
    facts = ("gold_sha256", "index_digest", "policy")
    return all(getattr(one, fact) == getattr(other, fact) for fact in facts)


def _read(path: Path) -> "Ablation":
    import msgspec

    from hallmark._files import read_bytes
    from hallmark.bench.lines import printable
    from hallmark.study.ablation import Ablation

    try:
        return msgspec.json.decode(read_bytes(path), type=Ablation)
    except OSError as error:
        raise InputError(f"{printable(path, 300)} cannot be read: {error.strerror}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(
            f"{printable(path, 300)} is no ablation ({printable(error)}). Make one: "
            "hallmark study ablation --gold FILE -f json -o FILE.json"
        ) from error
