r"""Does our verifier inherit the three failure modes of the language models that it may hear?

Simulated models (`simulated_models.py`), whose faults are known because they are knobs, run over
labelled splits: alone, as agents over the fake world of the live sources, and behind our verifier
in every way that there is. Weights of votes are fitted on the first split only.

    python benchmarks/llm_failure_modes.py --index FULL.idx \
        --dev dev_public.jsonl --later temporal_supplement.jsonl
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
# The fake world lies among the tests, which are no package of the installation.
from msgspec import Struct, structs
from tests.fakeworld.transport import WorldTransport
from tests.fakeworld.world import World

from dev_online import candidates, knobs, probes, registered, row, unheld
from hallmark.assist.weights import EMPTY, Table
from hallmark.bench.dataset import Split, load_split
from hallmark.bench.entry import BlindEntry, Entry, Label, Prediction, write_jsonl
from hallmark.bench.systems.agent import Agent
from hallmark.bench.systems.agent_desk import Desk, OpenSources
from hallmark.bench.systems.agent_specs import AGENTS
from hallmark.bench.systems.cascade import Assisted, Cascade, Commit, votes_of_model
from hallmark.bench.systems.interface import System
from hallmark.bench.systems.source_tools import SOURCES as ASKED
from hallmark.bench.systems.source_tools import Sources
from hallmark.bench.systems.spec import Request
from hallmark.bench.systems.stages import FirstStage, Judged, first_stage
from hallmark.bench.systems.tool_cache import ToolCache
from hallmark.bench.systems.verifier import reference
from hallmark.bench.systems.verifier_tool import over
from hallmark.bench.systems.zero_shot import ZeroShot, ready_for
from hallmark.index import open_index
from hallmark.llm.interface import Model, ModelSpec
from hallmark.llm.prompts.catalogue import shipped
from hallmark.sources.http import Client
from hallmark.sources.interface import Rate
from hallmark.sources.limits import Limits
from hallmark.sources.turns import Announcing
from hallmark.study.llm_weights import Cutoff, fitted
from hallmark.verifier import Verifier
from live_load import ADDRESS, sources
from simulated_models import Knobs, SimulatedModel

TODAY = "2026-12-02"
CUTOFF = "2023-12"
_FREE = Rate(1_000_000, connections=16)

HARD = {
    "near_miss_title": 0.5,
    "swapped_authors": 0.5,
    "partial_author_list": 0.4,
    "arxiv_version_mismatch": 0.6,
    "plausible_fabrication": 0.6,
}
"""Types of which models recognise less, in the paper's Table 15."""

PROFILES = {
    "cautious": Knobs(recall=0.6, recall_by_type=HARD, false_alarms=0.05, past_false_alarms=(0.25,),
                      any_no_match=0.45, overrules=0.5),
    "middling": Knobs(recall=0.85, recall_by_type=HARD, false_alarms=0.25,
                      past_false_alarms=(0.7, 0.8), any_no_match=0.45, overrules=0.5, stated=0.9),
    "eager": Knobs(recall=0.92, recall_by_type=HARD, false_alarms=0.6, past_false_alarms=(0.9,),
                   any_no_match=1.0, overrules=0.5, stated=0.95, unreadable=0.02),
}  # fmt: skip
"""Three dispositions that the paper finds among models: precise, in the middle, flagging most."""

Predictions = Mapping[str, Prediction]


class Told(Struct, frozen=True, kw_only=True):
    """What one system made of a split; shares in [0, 1], what was left open counts as valid."""

    split: str
    model: str
    system: str
    detection: float
    false_alarms: float
    precision_at_2: float | None
    coverage: float
    errors: int
    asked: int


class Bench:
    """One split with everything that its systems need.

    Args:
        split: the labelled entries.
        index: the folder of the local index.
    """

    def __init__(self, split: Split, index: Path) -> None:
        self.split = split
        self.entries = split.entries
        self.blind = [one.blind() for one in split.entries]
        self.first = _remembered(first_stage(Request(index=index), today=TODAY), self.blind)
        held = candidates(open_index(index), [reference(one) for one in self.blind])
        added = list(unheld(self.entries, held))
        self._records = [*held, *added, *registered(self.entries, [*held, *added]), *probes(held)]
        self._results = ToolCache(Path(tempfile.mkdtemp()) / "tools.sqlite", today=TODAY)
        self._results.close()

    def told(self, name: str, model: str, system: System, asked: Callable[[], int]) -> Told:
        """Run a system and return what it made of the split."""
        before, began = asked(), time.monotonic()
        said = list(system.predict(self.blind))
        made = row(name, self.entries, [one.label for one in said])
        print(f"{self.split.name} {model} {name} {time.monotonic() - began:.0f} s", file=sys.stderr)
        return Told(
            split=self.split.name,
            model=model,
            system=name,
            detection=round(made.detection, 3),
            false_alarms=round(made.false_alarms, 3),
            precision_at_2=_precision(made.detection, made.false_alarms),
            coverage=round(made.coverage, 3),
            errors=sum(one.label is Label.ERROR for one in said),
            asked=asked() - before,
        )

    def desk(self) -> Desk:
        """Return the tools of one agent's run, over the world."""
        return Desk(ToolCache(None), open_sources=self._open_sources)

    def _open_sources(self) -> OpenSources:
        loop = asyncio.get_running_loop()
        world = World(self._records, knobs(), clock=lambda: 1_800_000_000.0 + loop.time())
        found = {name: one for name, one in sources(ADDRESS).items() if name in ASKED}
        specs = [structs.replace(one.spec, rate=_FREE, keyed_rate=None, contact_rate=None)
                 for one in found.values()]  # fmt: skip
        client = Client(
            specs, Limits(Path(tempfile.mkdtemp())), transport=Announcing(WorldTransport(world))
        )
        return OpenSources(Sources(found, client.ask), client.aclose)


def _remembered(first: FirstStage, entries: Sequence[BlindEntry]) -> FirstStage:
    """Return the first stage with its answers about these entries looked up once."""
    known = {id(one): first.judge(one) for one in entries}

    def judge(entry: BlindEntry) -> Judged:
        return known.get(id(entry)) or first.judge(entry)

    return structs.replace(first, judge=judge)


def _precision(detection: float, false_alarms: float) -> float | None:
    """Return the share of flags that are right where 2 % of all references are bad."""
    flagged = 0.02 * detection + 0.98 * false_alarms
    return round(0.02 * detection / flagged, 3) if flagged else None


class Player:
    """One simulated model, and the systems that it plays in."""

    def __init__(self, name: str, knobs: Knobs, entries: Sequence[Entry]) -> None:
        self.name = name
        self.spec = ModelSpec(name=f"simulated-{name}", id=f"simulated-{name}", cutoff=CUTOFF,
                              cutoff_disclosed=True, at_once=8)  # fmt: skip
        self.model = SimulatedModel(self.spec, knobs, entries)

    def opened(self) -> AbstractContextManager[Model]:
        """Open the model."""
        return nullcontext(self.model)

    def zero_shot(self) -> ZeroShot:
        """Return the model asked once."""
        return ZeroShot(self.spec, self.opened, self._ready("default"))

    def agent(self, name: str, desk: Callable[[], Desk]) -> Agent:
        """Return the model with the tools of a row of agents."""
        spec = next(one for one in AGENTS if one.name == name)
        return Agent(spec, self.spec, self.opened, desk, self._ready(spec.prompt),
                     shipped("agent-closing"), settings={})  # fmt: skip

    def assisted(self, first: FirstStage, table: Table, commit: Commit) -> Assisted:
        """Return our verifier that hears the model."""
        return Assisted(first, votes_of_model(self.spec, self.opened), table, commit, {})

    def _ready(self, prompt: str) -> Any:
        return ready_for(shipped(prompt), self.spec, TODAY)


def systems(bench: Bench, player: Player, careful: Player, table: Table
            ) -> Iterator[tuple[str, Player, System]]:  # fmt: skip
    """Yield every way in which a model is used, with the one that plays in it."""
    first = bench.first
    agent = player.agent("agent-sources", bench.desk)

    def report() -> Desk:
        return Desk(ToolCache(None), verifier=over(first, fixed=False), offers_verifier=False)

    yield "zero-shot", player, player.zero_shot()
    yield "agent, any no match flags", player, agent
    yield "agent, told what absence is", careful, careful.agent("agent-sources-careful", bench.desk)
    yield "always-call: the model overrules", player, player.agent("always-call", report)
    yield "cascade, model alone second", player, Cascade(first, player.zero_shot())
    yield "cascade, agent second", player, Cascade(first, agent)
    yield "cascade, careful", player, Cascade(first, player.zero_shot(), careful=True)
    yield "cascade, aggressive", player, Cascade(first, player.zero_shot(), aggressive=True)
    yield "assisted, no weights", player, player.assisted(first, EMPTY, Commit())
    yield "assisted, fitted weights", player, player.assisted(first, table, Commit())
    half = Commit(prevalence=0.5)
    yield "assisted, at a share of 50 %", player, player.assisted(first, table, half)


def weights(bench: Bench, player: Player) -> Table:
    """Return what a model's votes are worth, fitted on a split with the index and without one."""
    nothing = Verifier(None)

    def judge(entry: BlindEntry) -> Judged:
        cited = reference(entry)
        return Judged(entry, cited, *nothing.explain(cited))

    bare = FirstStage(judge, bench.first.policy, {})
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, first in enumerate((bench.first, bare)):
            path = Path(folder) / f"{number}.jsonl"
            write_jsonl(path, player.assisted(first, EMPTY, Commit()).predict(bench.blind))
            files.append(path)
        return fitted(bench.split, files, lambda _: Cutoff(CUTOFF, disclosed=True))


def main() -> None:
    """Measure, and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--dev", required=True, help="the split that weights are fitted on")
    parser.add_argument("--later", required=True, help="a split of later works")
    parser.add_argument("--only", help="one profile")
    given = parser.parse_args()
    splits = [load_split(given.dev), load_split(given.later)]
    benches = [Bench(split, given.index) for split in splits]
    every = [entry for split in splits for entry in split.entries]
    rows = [one.told("our verifier alone", "none", Cascade(one.first, _Silent()), lambda: 0)
            for one in benches]  # fmt: skip
    tables: dict[str, Any] = {}
    for name, chosen in PROFILES.items():
        if given.only not in {None, name}:
            continue
        player = Player(name, chosen, every)
        told = structs.replace(chosen, any_no_match=0.0, reads_records=0.9)
        careful = Player(name, told, every)
        table = weights(benches[0], player)
        tables[name] = [structs.asdict(cell) for one in table.models for cell in one.cells]
        for bench in benches:
            for system, who, made in systems(bench, player, careful, table):
                rows.append(bench.told(system, name, made, lambda who=who: who.model.asked))
    print(json.dumps({"rows": [structs.asdict(one) for one in rows], "weights": tables},
                     indent=1, default=str))  # fmt: skip


class _Silent:
    """A second stage that abstains: the first one alone."""

    settings: Mapping[str, Any] = {}

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        """Abstain everywhere."""
        return (Prediction(bibtex_key=one.bibtex_key, label=Label.UNCERTAIN) for one in entries)


if __name__ == "__main__":
    main()
