"""A world of services with works to list, and a recipe that lists them."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from msgspec import structs

from hallmark.bench.build.scrape.recipe import Listing, Recipe
from hallmark.bench.build.scrape.run import Asking, Following, Scraped, Step, follow
from hallmark.bench.journal import Journal
from hallmark.records.work import Version
from hallmark.sources.interface import Ask
from hallmark.text.venues import VenueTable
from tests.fakeworld.direct import asking, source
from tests.fakeworld.world import World
from tests.metamorphic.made import records

NAMES = ("dblp", "arxiv", "pubmed", "biorxiv", "crossref", "datacite", "openalex")
FOLLOWING = Following(recipe="0" * 64, version="1")


def at_neurips(count: int, seed: int = 3) -> list[Version]:
    """Return works of one conference, one in three without DOI."""
    return [
        structs.replace(
            one,
            venue="NeurIPS",
            venue_raw="Conference on Neural Information Processing Systems",
            venue_id="neurips",
            year=2021 + n % 3,
            doi=None if n % 3 == 0 else f"10.5555/nips.{seed}.{n}",
            kind="inproceedings",
        )
        for n, one in enumerate(records(count, seed))
    ]


def in_a_journal(count: int, seed: int = 4) -> list[Version]:
    """Return articles of one journal."""
    return [
        structs.replace(
            one,
            venue="PLoS One",
            venue_raw="PloS one",
            venue_id="plos-one",
            year=2023,
            doi=f"10.1371/journal.pone.{seed}{n:04}",
            kind="article",
        )
        for n, one in enumerate(records(count, seed))
    ]


def posted(count: int, seed: int = 5) -> list[Version]:
    """Return preprints of bioRxiv and, every second, of arXiv."""
    made: list[Version] = []
    for n, one in enumerate(records(count, seed)):
        kept = structs.replace(one, venue_id=None, preprint=True, year=2023, kind="preprint")
        if n % 2:
            arxiv = f"2301.{n:05}"
            made.append(structs.replace(
                kept, venue="arXiv", venue_raw="arXiv", arxiv=arxiv, doi=f"10.48550/arxiv.{arxiv}",
            ))  # fmt: skip
        else:
            made.append(structs.replace(
                kept, venue="bioRxiv", venue_raw="bioRxiv", doi=f"10.1101/2023.01.01.{n:06}",
            ))  # fmt: skip
    return made


RECIPE = Recipe(
    lists=(
        Listing(source="dblp", venue="NeurIPS", years=(2021, 2022), most=6),
        Listing(source="arxiv", category="cs.LG", since="2023-01-01", until="2023-12-31", most=3),
        Listing(source="pubmed", since="2023-01-01", until="2023-12-31", most=5),
        Listing(source="biorxiv", since="2023-01-01", until="2023-12-31", most=4),
    ),
    years=(2021, 2024),
    confirm=("crossref", "openalex", "dblp"),
)


def world_of(*more: Version) -> World:
    """Return a world that holds works for every list of `RECIPE`."""
    return World([*at_neurips(24), *in_a_journal(12), *posted(16), *more])


def followed(
    world: World,
    journal: Path,
    recipe: Recipe = RECIPE,
    wrapped: Callable[[Ask], Ask] = lambda ask: ask,
    names: tuple[str, ...] = NAMES,
) -> Scraped:
    """Follow a recipe in a world, with the sources named; `wrapped` stands before every request."""
    opened = {name: source(name) for name in names}
    who = Asking(opened, wrapped(asking(world)), VenueTable.curated())
    with Journal(journal, FOLLOWING, lambda: 0.0, Step) as kept:
        return asyncio.run(follow(recipe, who, kept))
