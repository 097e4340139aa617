"""What should a person know before using a release?

The questions follow Gebru et al., "Datasheets for Datasets"; every figure is counted from the data.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hallmark.bench.build.earlier import SEALED, WITHHELD
from hallmark.bench.build.manifest import counts_of
from hallmark.bench.build.plan import Plan
from hallmark.bench.entry import Entry, Label
from hallmark.bench.taxonomy import TAXONOMY, HallucinationType


def datasheet(
    plan: Plan,
    index: Mapping[str, Any],
    splits: Mapping[str, Sequence[Entry]],
    tallies: Mapping[str, Any],
    labels: Mapping[str, str],
    since: str = "",
) -> str:
    """Return the datasheet as Markdown.

    Args:
        plan: the plan.
        index: the index, as `manifest.index_of` describes it.
        splits: the entries of each split.
        tallies: what came of sampling and of all attempts, by reason.
        labels: how the labels of each split are kept: "public", "withheld" or "sealed".
        since: the version that is added to, "" where the release is a new one.
    """
    parts = (
        _head(plan), _composition(splits, labels), _types(splits), _collection(plan, index, since),
        _making(plan, tallies["attempts"]), _pools(plan, splits, tallies.get("pools", {})),
        _writing(plan, splits), _use(plan),
    )  # fmt: skip
    return "\n".join(line for part in parts for line in part) + "\n"


def _head(plan: Plan) -> Iterator[str]:
    yield f"# Datasheet of {plan.name} {plan.version}"
    yield ""
    yield plan.description or "A benchmark for tools that tell real citations from false ones."
    yield ""
    yield f"Dated {plan.date}, under {plan.licence}. Written by `hallmark bench build release`."


def _composition(splits: Mapping[str, Sequence[Entry]], labels: Mapping[str, str]) -> Iterator[str]:
    yield from ("", "## Composition", "")
    yield (
        "| split | valid | hallucinated | total | tier 1 | tier 2 | tier 3 | types | no DOI | "
        "years of the valid |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for name, entries in splits.items():
        n = counts_of(entries)
        tiers = " | ".join(str(n["tiers"].get(str(tier), 0)) for tier in (1, 2, 3))
        yield (
            f"| {name} | {n['valid']} | {n['hallucinated']} | {n['total']} | {tiers} | "
            f"{len(n['types'])} | {n['without_doi']} | {_years(entries)} |"
        )
    for kept, told in _KEPT.items():
        held = [name for name in splits if labels[name] == kept]
        if held:
            yield from ("", f"Labels of {', '.join(held)} are {told}")
    yield from ("", "No work, and no twin of a work, is in two splits; no title is used twice.")


def _years(entries: Sequence[Entry]) -> str:
    years = sorted(e.fields.get("year", "") for e in entries if e.label is Label.VALID)
    return f"{years[0]} to {years[-1]}" if years else "none"


_KEPT = {
    WITHHELD: "withheld: they are in `withheld/`, to keep apart.",
    SEALED: "sealed: they are in `sealed/`, encrypted; `hallmark bench score` tells shares of "
    "large groups alone.",
}


def _types(splits: Mapping[str, Sequence[Entry]]) -> Iterator[str]:
    found = {
        name: Counter(e.hallucination_type for e in entries) for name, entries in splits.items()
    }
    yield from ("", "## Kinds of fault", "")
    yield f"| type | tier | what is false | {' | '.join(splits)} |"
    yield "|---|---|---|" + "---|" * len(splits)
    for kind in HallucinationType:
        info = TAXONOMY[kind]
        counts = " | ".join(str(found[name][kind]) for name in splits)
        yield f"| {kind} | {int(info.tier)} | {info.description} | {counts} |"


def _collection(plan: Plan, index: Mapping[str, Any], since: str) -> Iterator[str]:
    ranges = [plan.years_of(name) for name in plan.splits] or [plan.years]
    first, last = min(low for low, _ in ranges), max(high for _, high in ranges)
    yield from ("", "## Collection", "")
    if since:
        yield from (f"What follows is of what was added to version {since}; see its datasheet.", "")
    yield (
        f"Works of {first} to {last} were drawn at random (seed {plan.seed}) from an index of "
        f"{index['records']:,} records (digest `{index['digest']}`)."
    )
    if plan.attested == 1:
        yield "Each is as one collection has it: no second one was asked to agree."
    else:
        yield (
            f"Each is held by {plan.attested} collections or more that agree on title, authors, "
            "venue and year; collections may have copied from each other."
        )
    yield from ("", "| collection | records | licence | attribution |", "|---|---|---|---|")
    for name, records in _records_by_collection(index).items():
        note = plan.sources.get(name)
        licence = note.licence if note else "not stated in the plan"
        yield f"| {name} | {records:,} | {licence} | {note.attribution if note else ''} |"


def _records_by_collection(index: Mapping[str, Any]) -> dict[str, int]:
    found = Counter[str]()
    for one in index["sources"]:
        found[one["collection"]] += one["records"]
    return dict(sorted(found.items()))


def _making(plan: Plan, attempts: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    yield from ("", "## Making", "")
    yield (
        f"Faults were put in by rule (severity {plan.severity}, difficulty {plan.difficulty}). "
        "What equals a record of any work in all fields was rejected."
    )
    yield from ("", "| type | made | inapplicable | no-op | accidentally true | passed over |")
    yield "|---|---|---|---|---|---|"
    for kind, counts in attempts.items():
        cells = " | ".join(
            str(sum(n for reason, n in counts.items() if reason.startswith(starts)))
            for starts in (("made",), ("inapplicable",), ("no-op",), ("accidentally",),
                           ("out of plan", "passed over"))
        )  # fmt: skip
        yield f"| {kind} | {cells} |"


def _pools(
    plan: Plan, splits: Mapping[str, Sequence[Entry]], pools: Mapping[str, Mapping[str, int]]
) -> Iterator[str]:
    """Say which entries were made elsewhere, and what became of all others of their files."""
    if not plan.pools:
        return
    methods = Counter(str(e.generation_method) for found in splits.values() for e in found)
    by_method = ", ".join(f"{method} {n}" for method, n in sorted(methods.items()))
    yield from ("", "## Entries of other origin", "")
    yield (
        "Entries of these files took places of their types. They were screened, written, levelled "
        f"and split like all others. By method: {by_method}."
    )
    yield from ("", "| file | method | outcome | entries |", "|---|---|---|---|")
    for pool in plan.pools:
        for reason, n in pools.get(pool.file, {}).items():
            yield f"| {pool.file} | {pool.method} | {reason} | {n} |"


def _writing(plan: Plan, splits: Mapping[str, Sequence[Entry]]) -> Iterator[str]:
    every = [entry for entries in splits.values() for entry in entries]
    kinds = Counter(kind for entry in every for kind in entry.extra["noise"])
    yield from ("", "## Writing", "")
    yield (
        f"A share of {plan.noise:.0%} of both labels is written in a citation style; "
        f"{sum(bool(e.extra['noise']) for e in every)} of {len(every)} entries differ by that. "
        "Titles have capitals, fields one order, the same share of each label has each optional "
        "field, no entry has a url, keys are salted hashes of the content."
    )
    if kinds:
        yield from ("", "| kind of noise | entries |", "|---|---|")
        yield from (f"| {kind} | {n} |" for kind, n in sorted(kinds.items()))


def _use(plan: Plan) -> Iterator[str]:
    yield from ("", "## Use", "")
    yield "For measuring verifiers; not for training them. Faults are not as frequent as in papers;"
    yield "those made by rule are not all that language models make up."
    yield ""
    yield (
        f"`manifest.json` holds digests, seed and counts: the same plan, index and program give "
        f"the same bytes. Errors are corrected in a later version than {plan.version}."
    )
