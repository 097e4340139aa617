"""A bibliography over the fake world, checked with the real client on a virtual clock."""

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from msgspec import structs

from hallmark._waiting import Clock
from hallmark.online.health import PROBES
from hallmark.online.run import OnlineVerifier
from hallmark.records.reference import Location, Reference
from hallmark.records.verdict import Result
from hallmark.records.work import Version
from hallmark.sources import specs
from hallmark.sources.http import Client
from hallmark.sources.interface import LiveSource
from hallmark.sources.limits import Limits
from hallmark.sources.patience import Settings
from hallmark.sources.turns import Announcing
from hallmark.text.names import split_authors
from hallmark.verifier import Verifier
from tests.fakeworld.knobs import Knobs
from tests.fakeworld.transport import WorldTransport
from tests.fakeworld.world import World
from tests.online.warp import WarpLoop

ADDRESS = "http://world.example"
TODAY = date(2026, 12, 2)
START = 1_796_000_000.0

_ADJECTIVES = "Sparse Robust Slow Tidal Hidden Modular Gentle Curved Brittle Distant".split()
_NOUNS = (
    "Harbours Lanterns Kernels Orchards Signals Glaciers Ladders Rivers Mirrors Engines".split()
)
_VERBS = "Counting Bending Mapping Tracing Weighing Naming Sorting Folding Heating Timing".split()
_GIVEN = "Ada Bo Chen Dora Eli Fay Gus Hana Ivo Jun".split()
_FAMILY = "Fenwick Lindqvist Meinhardt Ibrahim Okafor Sato Petrov Alvarez Novak Kaya".split()
_VENUES = ("Journal of Tides", "Annals of Invention", "Neural Computation", "Machine Learning")


def works(count: int) -> list[Version]:
    """Return so many works, all different."""
    dice = random.Random(3)
    made = []
    for number in range(count):
        title = (
            f"{dice.choice(_VERBS)} {dice.choice(_ADJECTIVES)} {dice.choice(_NOUNS)} "
            f"with {dice.choice(_ADJECTIVES)} {dice.choice(_NOUNS)} in Series {number}"
        )
        people = dice.sample([f"{g} {f}" for g in _GIVEN for f in _FAMILY], 3)
        venue = _VENUES[number % len(_VENUES)]
        made.append(
            Version(
                collection="world",
                title=title,
                authors=tuple(people),
                venue=venue,
                venue_raw=venue,
                year=2005 + number % 15,
                doi=f"10.5555/tides.{number}",
                kind="article",
            )
        )
    return made


PROBED = [
    Version(
        collection="world",
        title=probe.question.title,
        authors=tuple(name.display for name in probe.question.authors),
        venue="Known Works",
        venue_raw="Known Works",
        year=2016,
        doi=probe.question.doi,
        arxiv=probe.question.arxiv,
        preprint=probe.question.arxiv is not None,
        kind="book" if "Programming" in probe.question.title else "article",
    )
    for probe in PROBES.values()
]
"""The works that sources are probed for, which every world holds."""


def cited(work: Version, key: str, **changed: object) -> Reference:
    """Return a right reference to a work, or one with changed fields."""
    made = Reference(
        key=key,
        location=Location("refs.bib", 1),
        title=work.title,
        authors=split_authors(" and ".join(work.authors))[0],
        venue=work.venue_raw,
        year=work.year,
        doi=work.doi,
    )
    return structs.replace(made, **changed)


def bibliography(held: list[Version]) -> list[Reference]:
    """Return references, half of them with a DOI.

    An eighth have wrong authors, and an eighth are invented.
    """
    strangers = split_authors("Wanda Quist and Xeno Yule and Zora Thorn")[0]
    entries = []
    for number, work in enumerate(held):
        match number % 8:
            case 3:
                entries.append(cited(work, f"swapped-{number}", authors=strangers))
            case 5:
                title = f"An Invented Theory of {work.title.split()[-1]} Clouds and Nothing"
                entries.append(cited(work, f"invented-{number}", title=title, doi=None))
            case rest:
                doi = work.doi if rest % 2 else None
                entries.append(cited(work, f"right-{number}", doi=doi))
    return entries


@dataclass
class Run:
    """What came of a run."""

    results: list[Result]
    world: World
    online: OnlineVerifier
    client: Client
    passed_s: float

    @property
    def accused(self) -> set[str]:
        """The keys of the references that are contradicted or not found."""
        bad = {"contradicted", "not_found"}
        return {row.key for row in self.results if row.status in bad}

    def count(self, status: str) -> int:
        """Return how many rows have a status."""
        return sum(row.status == status for row in self.results)


def run(
    entries: list[Reference],
    records: list[Version],
    folder: Path,
    *,
    knobs: Mapping[str, Knobs] | None = None,
    settings: Settings | None = None,
    verifier: Verifier | None = None,
    names: tuple[str, ...] | None = None,
) -> Run:
    """Check references over a world."""
    with asyncio.Runner(loop_factory=WarpLoop) as runner:
        loop = runner.get_loop()
        world = World([*records, *PROBED], knobs, clock=lambda: START + loop.time())
        return runner.run(_run(entries, world, folder, settings, verifier, names))


async def _run(
    entries: list[Reference],
    world: World,
    folder: Path,
    settings: Settings | None,
    verifier: Verifier | None,
    names: tuple[str, ...] | None,
) -> Run:
    loop = asyncio.get_running_loop()
    sources: dict[str, LiveSource] = {
        name: factory(specs.relocated(factory(None).spec, ADDRESS))
        for name, factory in specs.SOURCES.items()
        if names is None or name in names
    }
    client = Client(
        [source.spec for source in sources.values()],
        Limits(folder),
        settings=settings or Settings(),
        clock=Clock(now=loop.time, shared=lambda: START + loop.time(), dice=random.Random(1)),
        transport=Announcing(WorldTransport(world)),
    )
    online = OnlineVerifier(verifier or Verifier(None, today=TODAY), sources, client.ask)
    results = [checked.result async for checked in online.stream(entries)]
    await client.aclose()
    return Run(results, world, online, client, loop.time())
