"""What does `hallmark study noise` do?"""

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any

import typer

from hallmark.cli.options import IndexOption
from hallmark.cli.progress import Steps
from hallmark.cli.study.options import (
    FormOption,
    OutputOption,
    PolicyOption,
    QuietOption,
    TodayOption,
    write,
)

CountOption = typer.Option("--valid", metavar="N", min=0, help="Valid entries to write in styles.")
CorruptedOption = typer.Option("--corrupted", metavar="N", min=0, help="Entries to corrupt.")
SeedOption = typer.Option("--seed", metavar="N", help="Seed of the dice.")
WorkersOption = typer.Option("--workers", metavar="N", min=1, max=61, help="Processes.")


def noise(
    *,
    index: IndexOption = None,
    valid: Annotated[int, CountOption] = 10_000,
    corrupted: Annotated[int, CorruptedOption] = 10_000,
    seed: Annotated[int, SeedOption] = 8042,
    policy: PolicyOption = "default",
    workers: Annotated[int, WorkersOption] = 1,
    today: TodayOption = None,
    form: FormOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write works of the index sloppily, and falsely; count false alarms and misses by kind.

    No gold file is needed: valid entries are records written in realistic citation styles,
    corrupted ones come from the perturbations of the benchmark.

    Exit codes: 0 done, 2 misuse or an index that cannot be used.
    """
    from hallmark.cli.locate import needed_index
    from hallmark.cli.run import day
    from hallmark.index import open_index
    from hallmark.judge.profiles import policy_of
    from hallmark.study.noise import Plan
    from hallmark.study.noise import noise as study
    from hallmark.study.noise_report import document
    from hallmark.verifier import Verifier

    opened = open_index(needed_index(index))
    chosen = policy_of(policy)
    verifier = Verifier(opened, policy=chosen, today=day(today), workers=workers)
    plan = Plan(valid, corrupted, seed)
    found = study(opened, verifier, chosen.name, plan, _watching(quiet=quiet))
    write(found, lambda: document(found), form, output, [])


def _watching(*, quiet: bool) -> Callable[[str, int, Iterable[Any]], Iterator[Any]]:
    """Return what yields the items of a part of the study, and shows how many are done."""

    def watch(label: str, total: int, items: Iterable[Any]) -> Iterator[Any]:
        with Steps(label, total, quiet=quiet) as shown:
            yield from shown.each(items)

    return watch
