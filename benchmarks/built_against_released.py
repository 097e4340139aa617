"""Is a split that we built easier or harder than the released one, by type and system?

    python benchmarks/built_against_released.py --index INDEX --built BUILT.jsonl
        --released RELEASED.jsonl [--half] [--today 2026-12-02] [--json FILE]

Each system runs over both splits. A type's figure is the share of its entries that are flagged;
abstentions count as not flagged. `--half` runs our verifier once more over the same index without
half of its works, drawn at random: entries made from an index are easier for who holds it.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

import msgspec

from hallmark.bench.entry import Entry, Label, read_entries
from hallmark.bench.systems.interface import System
from hallmark.bench.systems.spec import Request, read_options
from hallmark.bench.systems.specs import SYSTEMS
from hallmark.bench.systems.verifier import VerifierSystem
from hallmark.bench.taxonomy import TAXONOMY
from hallmark.index import open_index
from hallmark.study.reduced import ReducedIndex, Reduction, take_census

TRIVIAL = ("prescreening", "format-tell", "doi-presence", "random")
SEED = 8042
VALID = "valid (false alarms)"
ALL = "all hallucinated"
ABSTAINED = "abstained, of all"


class Score(msgspec.Struct, frozen=True):
    """What one system flags of one split: by group, numbers flagged and of all."""

    system: str
    split: str
    flagged: dict[str, int]
    of: dict[str, int]
    seconds: float


def score(name: str, system: System, split: str, entries: Sequence[Entry]) -> Score:
    """Run a system over a split."""
    began = time.perf_counter()
    predictions = list(system.predict([entry.blind() for entry in entries]))
    seconds = time.perf_counter() - began
    flagged, of = Counter[str](), Counter[str]()
    for entry, prediction in zip(entries, predictions, strict=True):
        for group in groups_of(entry):
            of[group] += 1
            flagged[group] += prediction.label is Label.HALLUCINATED
        of[ABSTAINED] += 1
        flagged[ABSTAINED] += prediction.label is Label.UNCERTAIN
    return Score(name, split, dict(flagged), dict(of), round(seconds, 2))


def groups_of(entry: Entry) -> Iterator[str]:
    """Yield the rows in which an entry counts."""
    if entry.label is Label.VALID:
        yield VALID
    else:
        yield ALL
        yield str(entry.hallucination_type)


def trivial(name: str) -> System:
    """Return a system that looks nothing up, with its default options."""
    spec = SYSTEMS.get(name)
    return spec.make(Request(seed=SEED), read_options(name, spec.options, {}))


def systems(index: Path, today: date, *, half: bool) -> Iterator[tuple[str, Callable[[], System]]]:
    """Yield the systems, each made when it is its turn."""
    yield "hallmark", lambda: VerifierSystem(open_index(index), "default", today)
    if half:
        yield "hallmark, half the works", lambda: VerifierSystem(halved(index), "default", today)
    for name in TRIVIAL:
        yield name, lambda name=name: trivial(name)  # type: ignore[misc]


def halved(index: Path) -> ReducedIndex:
    """Return an index without half of its works."""
    reduction = Reduction(name="half", share=0.5, seed=SEED)
    return ReducedIndex(index, reduction, take_census(index))


def table(scores: Sequence[Score], splits: Sequence[str]) -> Iterator[str]:
    """Yield the table in Markdown: for each system, built and released side by side."""
    names = list(dict.fromkeys(one.system for one in scores))
    by = {(one.system, one.split): one for one in scores}
    head = " | ".join(f"{name}: {split}" for name in names for split in splits)
    yield f"| group | n {splits[0]} | n {splits[1]} | {head} |"
    yield "|---|" + "---|" * (2 + len(names) * len(splits))
    for group in (VALID, ALL, *map(str, TAXONOMY), ABSTAINED):
        counts = [str(by[names[0], split].of.get(group, 0)) for split in splits]
        cells = [_percent(by[name, split], group) for name in names for split in splits]
        yield f"| {group} | {' | '.join((*counts, *cells))} |"


def _percent(one: Score, group: str) -> str:
    n = one.of.get(group, 0)
    return f"{100 * one.flagged.get(group, 0) / n:.1f}" if n else "none"


def main() -> None:
    """Run all systems over both splits and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--built", type=Path, required=True)
    parser.add_argument("--released", type=Path, required=True)
    parser.add_argument("--half", action="store_true")
    parser.add_argument("--today", type=date.fromisoformat, default=date(2026, 12, 2))
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    splits: Mapping[str, Sequence[Entry]] = {
        "built": read_entries(given.built),
        "released": read_entries(given.released),
    }
    scores = []
    for name, made in systems(given.index, given.today, half=given.half):
        system = made()
        for split, entries in splits.items():
            scores.append(score(name, system, split, entries))
            print(f"{name}, {split}: {scores[-1].seconds} s", flush=True)
    print("\n".join(table(scores, list(splits))))
    if given.json:
        given.json.write_bytes(msgspec.json.format(msgspec.json.encode(scores), indent=1) + b"\n")


if __name__ == "__main__":
    main()
