"""What does `hallmark bench build` do?"""

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from hallmark import _signals
from hallmark.cli.bench import ledger, origins, releases
from hallmark.cli.online import Budget, MaxRequests
from hallmark.cli.progress import Steps
from hallmark.cli.stopping import told
from hallmark.cli.study.options import QuietOption
from hallmark.report.escape import visible

if TYPE_CHECKING:
    from hallmark.bench.build.scrape.recipe import Recipe
    from hallmark.bench.build.scrape.run import Scraped, Step
    from hallmark.bench.journal import Journal

_AGAIN = "Give the same command again to go on."

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


app.command()(releases.release)
app.command()(releases.add)
app.command()(releases.new_key)
app.command()(origins.generate)
app.command()(origins.incidents)
app.command()(origins.coded)
app.command()(ledger.audit)
app.command()(ledger.apply_ledger)


@app.command()
def scrape(
    recipe: Annotated[Path, typer.Argument(help="The recipe: see benchmarks/recipes/.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The records, as JSON lines.")
    ],
    *,
    budget_s: Budget = None,
    max_requests: MaxRequests = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin anew.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Ask the public services for real works, keep those that several agree on.

    Lists of works come from DBLP, arXiv, PubMed and bioRxiv as the recipe says; each work's DOI
    is looked up at its registry, its title at other services. Queries of the recipe and titles,
    first authors' names and DOIs of the works are sent. `hallmark index build` reads the file.

    A run that was stopped, or was not answered, goes on when the same command is given again.

    Exit codes: 0 written, 1 some questions are unanswered, or no work is kept, 2 misuse.
    """
    from hallmark.bench.build.scrape.recipe import read_recipe
    from hallmark.bench.build.scrape.run import Following, Step, journal_of, refuse_finished
    from hallmark.bench.dataset import digest
    from hallmark.bench.journal import Journal

    wanted = read_recipe(recipe)
    if fresh:
        journal_of(out).unlink(missing_ok=True)
    else:
        refuse_finished(out)
    identity = Following(recipe=digest(recipe), version=metadata.version("hallmark"))
    with (
        told(lambda: f"Stopped; the answers are kept in {journal_of(out)}. {_AGAIN}"),
        Journal(journal_of(out), identity, monotonic, Step) as journal,
    ):
        found = _followed(wanted, journal, os.environ, budget_s, max_requests, quiet=quiet)
        _write_scraped(found, wanted, out)
        if not found.open:
            journal.remove()
    if found.open or not found.kept:
        raise typer.Exit(origins.NOTHING)


def _followed(
    recipe: "Recipe",
    journal: "Journal[Step]",
    environ: Mapping[str, str],
    budget_s: float | None,
    max_requests: int | None,
    *,
    quiet: bool,
) -> "Scraped":
    """Follow a recipe with the live sources; say on standard error who was asked."""
    from hallmark.bench.build.scrape.listing import sources_of
    from hallmark.bench.build.scrape.run import Asking, follow
    from hallmark.online import session
    from hallmark.text.venues import VenueTable

    wishes = session.Wishes(budget_s=budget_s, max_requests=max_requests)
    sources = session.chosen(tuple(sources_of(recipe)), environ)
    opened = session.open_client(sources, wishes, environ)

    async def run(tell: "Callable[[int, int], None]") -> "Scraped":
        try:
            asking = Asking(opened.sources, opened.client.ask, VenueTable.curated())
            return await follow(recipe, asking, journal, tell)
        finally:
            await opened.client.aclose()

    with Steps("works kept", sum(one.most for one in recipe.lists), quiet=quiet) as shown:
        found = _signals.run(run(lambda kept, tried: shown.at(kept, f"works kept of {tried:,}")))
    for line in session.traffic_lines(opened.client):
        typer.echo(line, err=True)
    return found


def _write_scraped(found: "Scraped", recipe: "Recipe", out: Path) -> None:
    from hallmark.bench.build.scrape.rows import rows_of, write_rows

    day = datetime.now(UTC).date().isoformat()  # noqa: TID251 - the edge
    written = write_rows(out, rows_of(found, recipe, day))
    for name, counts in found.counts.items():
        typer.echo(name)
        for reason, n in counts.items():
            typer.echo(f"{n:>8,}  {visible(reason)}")
    typer.echo(f"{len(found.kept):,} works in {written:,} records, written to {visible(str(out))}")
    if found.open:
        typer.echo(
            f"{found.open:,} questions are unanswered. Give the same command again to ask them.",
            err=True,
        )
