"""What do `hallmark bench build release`, `add` and `new-key` do?"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hallmark.cli.bench.evaluate import one_thread_for_each_product
from hallmark.cli.bench.score import KeyOption
from hallmark.cli.locate import needed_index
from hallmark.cli.options import IndexOption
from hallmark.cli.study.options import QuietOption
from hallmark.report.escape import visible

if TYPE_CHECKING:
    from hallmark.bench.build.earlier import Earlier
    from hallmark.bench.build.plan import Plan
    from hallmark.bench.build.release import Content, Past, Release
    from hallmark.bench.sealing.key import SealKey

PlanOption = Annotated[
    Path, typer.Option("--plan", metavar="FILE", help="The plan: see benchmarks/plans/.")
]
OutOption = Annotated[
    Path, typer.Option("--out", "-o", metavar="DIR", help="A new folder for the release.")
]


def release(
    plan: PlanOption,
    out: OutOption,
    *,
    index: IndexOption = None,
    previous: Annotated[
        Path | None,
        typer.Option(
            "--previous", metavar="DIR", help="The release before this one, for the changelog."
        ),
    ] = None,
    key_file: KeyOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write all splits of a plan with manifest, datasheet, changelog and Croissant description.

    Entries are real records of the index, valid or made false by rule, audited for leaks. The
    folder appears whole or not at all; the same plan, index, version and key give the same bytes.

    Exit codes: 0 written, 2 misuse, or a plan that cannot be built.
    """
    from hallmark.bench.build.plan import read_plan
    from hallmark.bench.build.release import Past

    one_thread_for_each_product()
    asked = read_plan(plan)
    key = _key(asked, key_file)
    _write(plan, asked, out, index, Past(_earlier(previous, key), key=key), quiet=quiet)


def add(
    plan: PlanOption,
    out: OutOption,
    *,
    to: Annotated[
        Path, typer.Option("--to", metavar="DIR", help="The release that is added to; it stays.")
    ],
    index: IndexOption = None,
    key_file: KeyOption = None,
    quiet: QuietOption = False,
) -> None:
    """Write a release's next version: its splits as they are, with new entries or new splits.

    Numbers of the plan are what is added; splits that it does not name stay as they are. A split
    that the release has is extended; a further one is new, and takes the place
    of those that it `supersedes`. No work of one split comes into another.

    Exit codes: 0 written, 2 misuse, or a plan that does not fit the release or cannot be built.
    """
    from hallmark.bench.build.plan import read_plan
    from hallmark.bench.build.release import Past

    one_thread_for_each_product()
    asked = read_plan(plan)
    key = _key(asked, key_file)
    _write(plan, asked, out, index, Past(_earlier(to, key), extended=True, key=key), quiet=quiet)


def new_key(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file, outside the release.")],
) -> None:
    """Write a new key for sealed labels to a file that only its owner may read.

    Exit codes: 0 written, 2 there is something at the place, or it cannot be written.
    """
    from hallmark.bench.sealing.key import write_key

    write_key(file)
    typer.echo(f"written to {visible(str(file))}: who has it can read sealed labels; keep a copy")


def _key(plan: "Plan", file: Path | None) -> "SealKey | None":
    from hallmark.bench.sealing.key import find_key

    return find_key(os.environ, file, plan.name)


def _earlier(folder: Path | None, key: "SealKey | None") -> "Earlier | None":
    from hallmark.bench.build.earlier import read_earlier

    return None if folder is None else read_earlier(folder, key)


def _write(
    file: Path, plan: "Plan", out: Path, index: Path | None, past: "Past", *, quiet: bool
) -> None:
    """Make a plan's release, write it, and say what is in it."""
    from hallmark.bench.build.addition import refuse_misfits
    from hallmark.bench.build.release import refuse_taken, write

    refuse_taken(out)
    refuse_misfits(plan, past.base)
    place = needed_index(index)
    made = _made(file, plan, place, past, quiet=quiet)
    write(made, out)
    for line in _summary(made):
        typer.echo(line)
    typer.echo(f"written to {visible(str(out))}")


def _made(file: Path, plan: "Plan", place: Path, past: "Past", *, quiet: bool) -> "Release":
    from random import Random

    from hallmark.bench.build.census import Watched, is_due, take_census
    from hallmark.bench.build.manifest import index_of
    from hallmark.bench.build.pools import read_pools
    from hallmark.bench.build.preprints import read_preprints
    from hallmark.bench.build.release import build as make
    from hallmark.bench.build.release import drawn, pack
    from hallmark.bench.build.sample import rules_of
    from hallmark.bench.dataset import digest
    from hallmark.bench.perturb.pool import IndexPool
    from hallmark.cli.progress import Steps
    from hallmark.index import open_index

    table = file.parent / plan.preprints if plan.preprints else None
    preprints = read_preprints(table) if table else []
    pooled = read_pools(plan, file.parent)
    held = open_index(place)
    with Steps("records of the index", quiet=quiet) as bar:
        stock = Watched(held, lambda records: bar.over(records, held.records))
        census = take_census(stock, rules_of(plan, held.venues)) if is_due(plan) else None

        def content_of(draw: int) -> "Content":
            groups = census or bar.over(held.sample(Random(f"{plan.seed}/sample")))
            pool = IndexPool(held, Random(f"{plan.seed}/donors"))
            return make(plan, groups, pool, preprints, past, pooled, draw)

        content = drawn(content_of)
    inputs = {one.name: digest(one) for one in (file, table) if one is not None}
    inputs |= {one.file: digest(file.parent / one.file) for one in plan.pools}
    return pack(plan, content, index_of(held.info()), inputs, past)


def _summary(made: "Release") -> list[str]:
    rows = [
        f"{name}: {n['valid']} valid, {n['hallucinated']} hallucinated of {len(n['types'])} types"
        for name, n in made.manifest["splits"].items()
    ]
    tried = made.manifest["attempts"].values()
    rejected = sum(
        n for counts in tried for why, n in counts.items() if why.startswith("accidentally true")
    )
    return [*rows, f"{rejected} perturbed entries were rejected as true; audited: no leak"]
