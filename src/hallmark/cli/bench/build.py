"""What does `hallmark bench build` do?"""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hallmark.cli.bench.evaluate import one_thread_for_each_product
from hallmark.cli.locate import index_path
from hallmark.cli.options import IndexOption
from hallmark.errors import IndexMissing

if TYPE_CHECKING:
    from hallmark.bench.build.plan import Plan
    from hallmark.bench.build.release import Release

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def build() -> None:
    """Make a benchmark of real records, so that anyone can make it again, byte for byte.

    Exit codes: 0 done, 2 misuse, or a plan that cannot be built.
    """


@app.command()
def release(
    plan: Annotated[
        Path, typer.Option("--plan", metavar="FILE", help="The plan: see benchmarks/plans/.")
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="A new folder for the release.")
    ],
    *,
    index: IndexOption = None,
) -> None:
    """Write all splits of a plan with manifest, datasheet and Croissant description.

    Entries are real records of the index, valid or made false by rule, audited for leaks. The
    folder appears whole or not at all; the same plan, index and version give the same bytes.

    Exit codes: 0 written, 2 misuse, or a plan that cannot be built.
    """
    one_thread_for_each_product()
    from hallmark.bench.build.plan import read_plan
    from hallmark.bench.build.release import refuse_taken, write

    asked = read_plan(plan)
    refuse_taken(out)
    place = index_path(index)
    if place is None:
        raise IndexMissing(
            "There is no local index to draw works from. Make one: "
            "hallmark index build --out .hallmark/starter starter"
        )
    made = _made(plan, asked, place)
    write(made, out)
    for line in _summary(made):
        typer.echo(line)
    typer.echo(f"written to {out}")


def _made(file: Path, plan: "Plan", place: Path) -> "Release":
    from random import Random

    from hallmark.bench.build.manifest import index_of
    from hallmark.bench.build.preprints import read_preprints
    from hallmark.bench.build.release import build as make
    from hallmark.bench.build.release import pack
    from hallmark.bench.perturb.pool import IndexPool
    from hallmark.index import open_index

    table = file.parent / plan.preprints if plan.preprints else None
    preprints = read_preprints(table) if table else []
    held = open_index(place)
    pool = IndexPool(held, Random(f"{plan.seed}/donors"))
    content = make(plan, held.sample(Random(f"{plan.seed}/sample")), pool, preprints)
    inputs = {one.name: _digest(one) for one in (file, table) if one is not None}
    return pack(plan, content, index_of(held.info()), inputs)


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


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
