"""How many requests do 10,000 references need, and does any service get more than it allows?

Invented works are served by the fake world of the tests, with the limits that the services state
and latencies as they usually have. One process runs on a virtual clock that jumps over all
waiting; with --processes N, N processes share the limits over real sockets, on a clock that runs
--scale times faster than the real one.

    python benchmarks/live_load.py --references 10000 --settled 0.85
    python benchmarks/live_load.py --references 400 --settled 0 --processes 4 --scale 40
"""

import argparse
import asyncio
import json
import random
import selectors
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
# The fake world lies among the tests, which are no package of the installation.
from tests.fakeworld.knobs import Knobs
from tests.fakeworld.probes import probed_works
from tests.fakeworld.server import serving
from tests.fakeworld.transport import WorldTransport
from tests.fakeworld.wire import Call
from tests.fakeworld.world import Asked, World

from hallmark._waiting import Clock
from hallmark.index import open_index
from hallmark.index.build import build
from hallmark.online.run import Checked, OnlineVerifier
from hallmark.records.reference import Kind, Location, Reference
from hallmark.records.work import Version
from hallmark.sources.http import Client
from hallmark.sources.interface import Ask, LiveSource, Rate
from hallmark.sources.limits import Limits
from hallmark.sources.patience import Settings
from hallmark.sources.specs import SOURCES, relocated
from hallmark.sources.turns import Announcing
from hallmark.text.names import parse_name
from hallmark.verifier import Verifier

TODAY = date(2026, 12, 1)
_ROUNDING = 1e-4
"""Share of a period within which two moments are the same."""
START = 1_800_000_000.0
ADDRESS = "http://world.example"
LATENCIES_S = {
    "crossref": 0.8,
    "datacite": 0.5,
    "doi_org": 0.2,
    "dblp": 0.6,
    "acl": 0.2,
    "openreview": 0.6,
    "openreview-2": 0.6,
    "arxiv": 0.9,
    "openalex": 0.4,
    "semanticscholar": 0.7,
    "europepmc": 0.5,
    "pubmed": 0.4,
    "biorxiv": 0.6,
    "openlibrary": 0.9,
    "googlebooks": 0.3,
}
"""Seconds that an answer usually takes."""

_WORDS = (
    "tidal harbour lantern copper meadow winter signal archive ferry granite willow compass "
    "anchor beacon cellar drift ember fjord glacier hollow island juniper kernel lattice marble "
    "nectar orchard pebble quarry rivet saddle timber umber valley weaver yarrow zephyr basalt "
    "cinder delta estuary furrow gorge heron inlet jetty kelp lagoon mortar nimbus osprey prism"
).split()
_MEETINGS = (("NeurIPS", False), ("ICLR", False), ("ICML", False), ("CVPR", True), ("KDD", True))
_FAMILIES = "Abel Brandt Castro Dietz Eriksen Fenwick Garcia Hoang Ibrahim Jansen Kovacs Lindqvist"
_GIVEN = "Ada Bo Chen Dora Eli Fay Gus Hanna Ivo Jun Kira Leo Mona Nils Ola Pia Quim Rosa"


def works(count: int, dice: random.Random) -> list[Version]:
    """Invent works: meetings with and without DOIs, journals and preprints."""
    return [_work(number, dice) for number in range(count)]


def _work(number: int, dice: random.Random) -> Version:
    title = " ".join([*dice.sample(_WORDS, 6), f"case {number}"]).capitalize()
    people = tuple(
        f"{dice.choice(_GIVEN.split())} {dice.choice(_FAMILIES.split())}"
        for _ in range(dice.randint(1, 5))
    )
    common: dict[str, Any] = {"collection": "world", "title": title, "authors": people}
    year = dice.randint(2016, 2024)
    drawn = dice.random()
    if drawn < 0.15:
        arxiv = f"{year % 100:02}{dice.randint(1, 12):02}.{number % 100_000:05}"
        doi = f"10.48550/arxiv.{arxiv}"
        return Version(**common, venue="arXiv", year=year, arxiv=arxiv, doi=doi, preprint=True)
    if drawn < 0.65:
        name, mints = dice.choice(_MEETINGS)
        doi = f"10.5555/{name.lower()}.{number}" if mints else None
        return Version(**common, venue=name, venue_raw=name, year=year, doi=doi)
    journal = f"Journal of {dice.choice(_WORDS).capitalize()} Studies"
    return Version(**common, venue=journal, year=year, doi=f"10.5555/journal.{number}")


def reference(number: int, version: Version, dice: random.Random) -> Reference:
    """Cite a work; half of the DOIs are left out."""
    cites_doi = not version.preprint and dice.random() < 0.5
    return Reference(
        key=f"r{number}",
        location=Location("load.bib", number + 1),
        entry_type="inproceedings",
        kind=Kind.PREPRINT if version.preprint else Kind.PAPER,
        title=version.title,
        authors=tuple(parse_name(name) for name in version.authors),
        venue=version.venue,
        year=version.year,
        doi=version.doi if cites_doi else None,
        arxiv=version.arxiv,
    )


def references(held: list[Version], fabricated: float, dice: random.Random) -> Iterator[Reference]:
    """Cite every work once, in random order; a share of the works does not exist."""
    order = list(held)
    dice.shuffle(order)
    for number, version in enumerate(order):
        invented = dice.random() < fabricated
        yield reference(number, _work(10_000_000 + number, dice) if invented else version, dice)


def knobs() -> dict[str, Knobs]:
    """Return every service with its own limit and latency; those of meetings lack some."""
    found = {}
    for name, factory in SOURCES.items():
        spec = factory(None).spec
        for service in (name, *(f"{name}-2" for _ in spec.more_bases)):
            found[service] = Knobs(rate=spec.rate, latency_s=LATENCIES_S[service])
    return found


def sources(address: str) -> dict[str, LiveSource]:
    """Return all sources at an address."""
    return {
        name: factory(relocated(factory(None).spec, address)) for name, factory in SOURCES.items()
    }


def _wall_s() -> float:
    return time.time()  # noqa: TID251 - the clock that processes have in common


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes only while everybody waits."""

    def __init__(self) -> None:
        self._now = 0.0
        super().__init__(_Jumping(self))

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._now

    def jump(self, seconds: float) -> None:
        """Let time pass."""
        self._now += seconds


class _Jumping(selectors.DefaultSelector):
    """Waits for nothing: what would be waited for has passed."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[Any]:
        """Return what is ready now."""
        if timeout is None:
            raise RuntimeError("Everybody waits, and nobody for the time.")
        self._loop.jump(max(0.0, timeout))
        return super().select(0)


MakeVerifier = Callable[[Mapping[str, LiveSource], Ask], OnlineVerifier]


async def run(
    made: OnlineVerifier, cited: Iterable[Reference], every: int
) -> tuple[Counter[str], list[float]]:
    """Check all references; return the counts of verdicts, and the memory in MB as it grew."""
    statuses: Counter[str] = Counter()
    memory: list[float] = []
    async for checked in _stream(made, cited):
        statuses[checked.result.status] += 1
        if statuses.total() % every == 0:
            memory.append(round(private_mb(), 1))
    return statuses, memory


def _stream(made: OnlineVerifier, cited: Iterable[Reference]) -> AsyncIterator[Checked]:
    return made.stream(cited)


def private_mb() -> float:
    """Return the memory that this process has for itself: no pages of files."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("RssAnon"))


class SlimLog(list[Asked]):
    """What a world was asked, without the words: the log of a long run weighs nothing."""

    def append(self, one: Asked, /) -> None:
        """Keep when whom something was asked."""
        super().append(structs.replace(one, call=Call(one.service, "GET", "")))


def over(log: Iterable[Asked], rates: Mapping[str, Rate]) -> dict[str, int]:
    """Return, by service, the requests beyond its limit in any period of the limit."""
    times: dict[str, list[float]] = {}
    for one in log:
        times.setdefault(one.service, []).append(one.at)
    return {
        name: sum(
            later - earlier < rates[name].per_s * (1 - _ROUNDING)
            for earlier, later in zip(at, at[int(rates[name].requests) :], strict=False)
        )
        for name, at in times.items()
    }


def closest(log: Iterable[Asked], rates: Mapping[str, Rate]) -> dict[str, float]:
    """Return, by service, the least distance of two requests in shares of the allowed one."""
    times: dict[str, list[float]] = {}
    for one in log:
        times.setdefault(one.service, []).append(one.at)
    return {
        name: round(
            min(b - a for a, b in pairwise(at)) * rates[name].requests / rates[name].per_s,
            3,
        )
        for name, at in times.items()
        if len(at) > 1
    }


def index_of(held: list[Version], folder: Path) -> Path | None:
    """Build an index of works, None for none."""
    if not held:
        return None
    file = folder / "works.jsonl"
    file.write_bytes(b"".join(msgspec.json.encode(_row(one)) + b"\n" for one in held))
    build(folder / "index", [str(file)], built="2026-11-01")
    return folder / "index"


def _row(one: Version) -> dict[str, Any]:
    return {
        "title": one.title,
        "authors": one.authors,
        "venue": one.venue,
        "year": one.year,
        "doi": one.doi,
        "arxiv": one.arxiv,
    }


def verifier_maker(index: Path | None) -> MakeVerifier:
    """Return what makes the verifier that is measured."""
    verifier = Verifier(open_index(index) if index else None, today=TODAY)
    return lambda found, ask: OnlineVerifier(verifier, found, ask)


def alone(given: argparse.Namespace, make: MakeVerifier, held: list[Version]) -> dict[str, Any]:
    """Measure one process on a virtual clock."""
    loop = VirtualLoop()
    world = World([*held, *probed_works()], knobs(), clock=lambda: START + loop.time())
    world.warm()
    world.log = SlimLog()
    found = sources(ADDRESS)
    with tempfile.TemporaryDirectory() as folder:
        client = Client(
            [one.spec for one in found.values()],
            Limits(Path(folder)),
            settings=Settings(budget_s=given.budget_s),
            clock=Clock(now=loop.time, shared=lambda: START + loop.time(), dice=random.Random(1)),
            transport=Announcing(WorldTransport(world)),
        )
        began, before = time.monotonic(), private_mb()
        cited = references(held, given.fabricated, random.Random(2))
        statuses, memory = loop.run_until_complete(
            run(make(found, client.ask), cited, max(1, given.references // 10))
        )
        real_s, virtual_s = time.monotonic() - began, loop.time()
        loop.run_until_complete(client.aclose())
    loop.close()
    return {
        **told(world, given.references, virtual_s),
        "statuses": statuses,
        "virtual_s": round(virtual_s, 1),
        "real_s": round(real_s, 1),
        "memory_mb": {"before": round(before, 1), "as_it_grew": memory},
    }


def told(world: World, count: int, seconds: float) -> dict[str, Any]:
    """Return what the world saw."""
    rates = {name: one.rate for name, one in knobs().items() if one.rate is not None}
    return {
        "references": count,
        "requests": len(world.log),
        "requests_per_reference": round(len(world.log) / count, 3),
        "references_per_minute": round(60 * count / seconds, 1) if seconds else None,
        "by_service": Counter(one.service for one in world.log),
        "refused": len(world.over_limit()),
        "over_limit": {name: number for name, number in over(world.log, rates).items() if number},
        "closest": closest(world.log, rates),
    }


def together(given: argparse.Namespace, index: Path | None, held: list[Version]) -> dict[str, Any]:
    """Measure several processes that share the limits, over sockets."""
    scale = given.scale
    world = World([*held, *probed_works()], knobs(), clock=lambda: _wall_s() * scale)
    world.warm()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, serving(world, scale=scale) as address:
        children = [
            subprocess.Popen(
                [sys.executable, __file__, *sys.argv[1:], "--part", str(part), "--at", address,
                 "--folder", folder, *(["--index", str(index)] if index else [])],
            )
            for part in range(given.processes)
        ]  # fmt: skip
        codes = [child.wait() for child in children]
    seconds = (time.monotonic() - began) * scale
    return {"exit_codes": codes, "processes": given.processes, "scale": scale,
            **told(world, given.references, seconds)}  # fmt: skip


def part(given: argparse.Namespace, make: MakeVerifier, held: list[Version]) -> None:
    """Check one process's share of the references."""
    scale = given.scale

    def sleep(seconds: float) -> Awaitable[None]:
        return asyncio.sleep(seconds / scale)

    found = sources(given.at)
    client = Client(
        [one.spec for one in found.values()],
        Limits(given.folder),
        clock=Clock(
            now=lambda: time.monotonic() * scale, shared=lambda: _wall_s() * scale, sleep=sleep
        ),
    )
    cited = list(references(held, given.fabricated, random.Random(2)))
    mine = cited[given.part :: given.processes]

    async def go() -> Counter[str]:
        statuses, _ = await run(make(found, client.ask), mine, len(mine))
        await client.aclose()
        return statuses

    print(json.dumps({"part": given.part, "statuses": asyncio.run(go())}), file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--references", type=int, default=10_000)
    parser.add_argument("--settled", type=float, default=0.85, help="share that the index holds")
    parser.add_argument("--fabricated", type=float, default=0.02, help="share that nobody holds")
    parser.add_argument("--budget-s", type=float, default=None)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--scale", type=float, default=20.0, help="times faster than real time")
    parser.add_argument("--part", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--at", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--index", type=Path, help=argparse.SUPPRESS)
    return parser


def main() -> None:
    """Measure, and print JSON."""
    given = _parser().parse_args()
    held = works(given.references, random.Random(1))
    if given.part is not None:
        part(given, verifier_maker(given.index), held)
        return
    with tempfile.TemporaryDirectory() as folder:
        known = held[: round(given.settled * len(held))]
        index = index_of(known, Path(folder))
        if given.processes > 1:
            found = together(given, index, held)
        else:
            found = alone(given, verifier_maker(index), held)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
