"""What do rules over partial sources flag on a labelled split, and what does our judge?

The fake world of the tests serves the records that a local index holds of a split's entries, with
coverage as it is in reality: Crossref lacks ICLR, NeurIPS and ICML, arXiv holds preprints alone,
DBLP has all of computing, and the others have 80 to 95 %. Every source is asked about every entry
(`thorough`), and the rules of the paper's Table 20 vote over the answers. Our judge runs over the
same world as `hallmark check --online` does, with the index and without one.

Two facts come from the split's labels, for no record at hand tells them: which DOIs are registered
(its sub-test), and that an entry labelled valid exists where the index lacks it.

    python benchmarks/dev_online.py --index FULL.idx --split dev_public.jsonl
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
# The fake world lies among the tests, which are no package of the installation.
from msgspec import Struct, structs
from tests.fakeworld.knobs import Knobs
from tests.fakeworld.probes import probed_works
from tests.fakeworld.transport import WorldTransport
from tests.fakeworld.world import World

from hallmark._waiting import Clock
from hallmark.bench.entry import Entry, Label, read_entries
from hallmark.bench.systems.recorded import recorded_rule
from hallmark.bench.systems.verifier import reference
from hallmark.cli.evidence import Keeper, Kept
from hallmark.index import LocalIndex, open_index
from hallmark.online.run import Checked, OnlineVerifier
from hallmark.records.answer import Found
from hallmark.records.reference import Reference
from hallmark.records.source import Question
from hallmark.records.verdict import Contradicted, NotFound, Verdict, Verified
from hallmark.records.work import Quality, Version
from hallmark.sources.http import Client
from hallmark.sources.limits import Limits
from hallmark.sources.specs import SOURCES
from hallmark.sources.turns import Announcing
from hallmark.text import titles
from hallmark.text.identifiers import arxiv_of_doi
from hallmark.text.venue_facts import VenueType, venues
from hallmark.text.venue_tracks import split as split_track
from hallmark.verifier import Verifier
from live_load import ADDRESS, START, VirtualLoop, sources

TODAY = date(2026, 12, 2)
RULES = ("any-miss", "majority", "consensus", "contradiction")
TABLE_20 = ("crossref", "openalex", "arxiv")
"""The sources whose votes the paper joined."""
VOTING = ("crossref", "openalex", "arxiv", "dblp", "semanticscholar")
WITHOUT_DOIS = frozenset({"iclr", "neurips", "icml"})
SHARES = {"openalex": 0.95, "semanticscholar": 0.9, "crossref": 0.95, "openreview": 0.9,
          "europepmc": 0.8, "pubmed": 0.8, "datacite": 0.95, "openlibrary": 0.8,
          "googlebooks": 0.8, "arxiv": 0.95, "acl": 0.95, "biorxiv": 0.95}  # fmt: skip
_PROBED = "world"
"""The collection of the works that sources are probed for."""
_REGISTRY = "registry"
"""The collection of records that only the resolver of DOIs holds."""


class Row(Struct, frozen=True):
    """What one way of judging made of the split; shares in [0, 1]."""

    name: str
    detection: float
    false_alarms: float
    detection_committed: float
    false_alarms_committed: float
    coverage: float


def candidates(index: LocalIndex, cited: Iterable[Reference]) -> list[Version]:
    """Return what an index holds of the works that references may mean, each place once.

    Lists of authors that the index knows to be cut are left out: services have whole ones.
    """
    places: dict[tuple[object, ...], list[Version]] = defaultdict(list)
    for one in cited:
        answer = index.look_up(Question.about(one))
        for version in answer.versions if isinstance(answer, Found) else ():
            places[_place(version)].append(version)
    joined = [_joined(list(dict.fromkeys(held))) for held in places.values()]
    return [one for one in joined if not one.authors_truncated]


def _place(version: Version) -> tuple[object, ...]:
    venue = version.venue_id or titles.key(version.venue_raw or version.venue)
    return titles.key(version.title), version.preprint or venue, version.year


def _joined(held: Sequence[Version]) -> Version:
    """Return the best of several records of one publication, with the identifiers of all."""

    def rank(one: Version) -> tuple[bool, bool, int]:
        return not one.authors_truncated, one.quality is Quality.CURATED, len(one.authors)

    best = max(held, key=rank)
    arxiv = best.arxiv or next((one.arxiv for one in held if one.arxiv), None)
    doi = best.doi or next((one.doi for one in held if one.doi), None)
    if best.preprint and arxiv is not None and doi is None:
        doi = f"10.48550/arxiv.{arxiv}"
    return structs.replace(best, doi=doi, arxiv=arxiv)


def unheld(entries: Iterable[Entry], held: Iterable[Version]) -> Iterator[Version]:
    """Yield, as records, the entries labelled valid of which the index has none."""
    known = {titles.key(one.title) for one in held}
    for entry in entries:
        cited = reference(entry.blind())
        if entry.label is Label.VALID and titles.key(cited.title) not in known:
            arxiv = cited.arxiv or arxiv_of_doi(cited.doi or "")
            yield Version(
                collection="split",
                title=cited.title,
                authors=tuple(name.display for name in cited.authors),
                authors_truncated=cited.authors_truncated,
                venue=cited.venue,
                venue_raw=cited.venue,
                year=cited.year,
                doi=cited.doi,
                arxiv=None if arxiv is None else str(getattr(arxiv, "id", arxiv)),
                preprint=arxiv is not None,
            )


def registered(entries: Iterable[Entry], held: Iterable[Version]) -> Iterator[Version]:
    """Yield the DOIs that exist by the split's sub-test, and that no record bears."""
    known = {one.doi for one in held}
    for entry in entries:
        doi = reference(entry.blind()).doi
        if doi is not None and doi not in known and entry.subtests.get("doi_resolves") is not False:
            yield Version(collection=_REGISTRY, title="", doi=doi)


def probes(held: Iterable[Version]) -> Iterator[Version]:
    """Yield the works that sources are probed for, as the index describes those that it holds."""
    known = {titles.key(one.title): one for one in held}
    for one in probed_works():
        real = known.get(titles.key(one.title))
        if real is None:
            yield one
        else:
            yield structs.replace(one, authors=real.authors, venue=real.venue,
                                  venue_raw=real.venue_raw, year=real.year)  # fmt: skip


def knobs() -> dict[str, Knobs]:
    """Return what each service holds."""
    made = {name: Knobs(share=SHARES.get(name, 1.0), holds=_described) for name in SOURCES.names()}
    made["crossref"] = Knobs(share=SHARES["crossref"], holds=_in_crossref)
    made["dblp"] = Knobs(holds=_in_dblp)
    made["openreview"] = Knobs(share=SHARES["openreview"], holds=_in_openreview)
    made["doi_org"] = Knobs()
    return made


def _described(version: Version) -> bool:
    return version.collection != _REGISTRY


def _series(version: Version) -> str:
    return "" if version.venue_id is None else split_track(version.venue_id)[0]


def _in_crossref(version: Version) -> bool:
    return _described(version) and not version.preprint and _series(version) not in WITHOUT_DOIS


def _in_openreview(version: Version) -> bool:
    return _series(version) in WITHOUT_DOIS or version.collection == _PROBED


def _in_dblp(version: Version) -> bool:
    """Whether DBLP has it: all meetings of computing, and their preprints."""
    fact = venues().get(_series(version))
    meeting = fact is not None and fact.type is VenueType.CONFERENCE
    return _described(version) and (meeting or version.preprint or version.dblp is not None)


class Asked(Struct):
    """What came of one run over the world."""

    rows: list[Checked]
    requests: int
    doubts: dict[str, str]
    seconds: float


def asked(world_of: Callable[[Callable[[], float]], World], verifier: Verifier,
          cited: Sequence[Reference], *, thorough: bool = False) -> Asked:  # fmt: skip
    """Check references over a world, on a virtual clock."""
    loop = VirtualLoop()
    world = world_of(lambda: START + loop.time())
    found = sources(ADDRESS)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        client = Client(
            [one.spec for one in found.values()],
            Limits(Path(folder)),
            clock=Clock(now=loop.time, shared=lambda: START + loop.time(), dice=random.Random(1)),
            transport=Announcing(WorldTransport(world)),
        )
        online = OnlineVerifier(verifier, found, client.ask, thorough=thorough)

        async def go() -> list[Checked]:
            rows = [row async for row in online.stream(cited)]
            await client.aclose()
            return rows

        rows = loop.run_until_complete(go())
    loop.close()
    return Asked(rows, len(world.log), online.health.doubts(), time.monotonic() - began)


def row(name: str, entries: Sequence[Entry], said: Sequence[Label]) -> Row:
    """Return the rates of labels that were given; what was left open counts as valid."""
    counts = Counter(zip((one.label for one in entries), said, strict=True))

    def share(truth: Label, *, committed: bool) -> float:
        flagged = counts[truth, Label.HALLUCINATED]
        of = flagged + counts[truth, Label.VALID]
        of += 0 if committed else counts[truth, Label.UNCERTAIN] + counts[truth, Label.ERROR]
        return round(flagged / of, 4) if of else 0.0

    given = sum(one in {Label.VALID, Label.HALLUCINATED} for one in said)
    return Row(
        name,
        share(Label.HALLUCINATED, committed=False),
        share(Label.VALID, committed=False),
        share(Label.HALLUCINATED, committed=True),
        share(Label.VALID, committed=True),
        round(given / len(said), 4),
    )


def label(verdict: Verdict) -> Label:
    """Return what a verdict says of an entry."""
    match verdict:
        case Contradicted() | NotFound():
            return Label.HALLUCINATED
        case Verified():
            return Label.VALID
        case _:
            return Label.UNCERTAIN


def ruled(path: Path, entries: Sequence[Entry]) -> Iterator[Row]:
    """Yield the rates of each rule over what every source answered."""
    blind = [one.blind() for one in entries]
    for sources_of in (TABLE_20, VOTING):
        for rule in RULES:
            system = recorded_rule(path, rule, similarity=0.85, sources=sources_of)
            said = [one.label for one in system.predict(blind)]
            yield row(f"{rule} of {', '.join(sources_of)}", entries, said)


def keep(path: Path, rows: Iterable[Checked]) -> None:
    """Write what every row rests on."""
    with Keeper(path, policy="default") as keeper:
        for one in rows:
            keeper.add(Kept.checked(one.entry, one.evidence, one.result))


def alarms(entries: Sequence[Entry], before: Sequence[Label], after: Asked) -> Iterator[str]:
    """Yield the valid entries that are flagged now and were not before, with the reasons."""
    for entry, old, checked in zip(entries, before, after.rows, strict=True):
        verdict = checked.result.verdict
        flagged = label(verdict) is Label.HALLUCINATED
        if entry.label is not Label.VALID or not flagged or old is Label.HALLUCINATED:
            continue
        yield f"{entry.bibtex_key} {checked.result.status} (was {old.lower()}): {verdict.reason}"
        yield from (f"    {one.code} {one.severity}: {one.message} {one.sources}"
                    for one in verdict.findings)  # fmt: skip
        yield f"    entry: {json.dumps(entry.fields, ensure_ascii=False)}"
        yield f"    asked: {[(one.name, one.outcome) for one in checked.result.sources]}"
        if checked.evidence is not None:
            for work in checked.evidence.works:
                yield from (f"    record: {one.version}" for one in work.versions)


def main() -> None:
    """Measure, and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--split", type=Path, required=True)
    parser.add_argument("--alarms", type=Path, help="where new false alarms are told")
    given = parser.parse_args()
    index, entries = open_index(given.index), list(read_entries(given.split))
    cited = [reference(one.blind()) for one in entries]
    held = candidates(index, cited)
    added = list(unheld(entries, held))
    records = [*held, *added, *registered(entries, [*held, *added]), *probes(held)]

    def world(clock: Callable[[], float]) -> World:
        return World(records, knobs(), clock=clock)

    full, bare = Verifier(index, today=TODAY), Verifier(None, today=TODAY)
    alone = [label(full.check_one(one).verdict) for one in cited]
    thorough = asked(world, bare, cited, thorough=True)
    runs = {"ours, index and online": asked(world, full, cited), "ours, online alone":
            asked(world, bare, cited), "ours, every source asked, no index": thorough}  # fmt: skip
    rows = [row("ours, index alone", entries, alone)]
    for name, run in runs.items():
        rows.append(row(name, entries, [label(one.result.verdict) for one in run.rows]))
    with tempfile.TemporaryDirectory() as folder:
        evidence = Path(folder) / "evidence.jsonl"
        keep(evidence, thorough.rows)
        rows += ruled(evidence, entries)
    told: dict[str, Any] = {
        "entries": len(entries),
        "records": len(held),
        "valid entries added as records": len(added),
        "rows": [structs.asdict(one) for one in rows],
        "requests": {name: run.requests for name, run in runs.items()},
        "seconds": {name: round(run.seconds, 1) for name, run in runs.items()},
        "doubts": {name: run.doubts for name, run in runs.items()},
    }
    print(json.dumps(told, indent=1))
    if given.alarms is not None:
        lines = [line for name, run in runs.items()
                 for line in (f"== {name}", *alarms(entries, alone, run))]  # fmt: skip
        given.alarms.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
