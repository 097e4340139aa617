"""What is in a release, and out of what was it made?"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from hallmark.bench.build.plan import Plan
from hallmark.bench.entry import Entry, Label
from hallmark.index.schema import Description

SCHEMA = "hallmark-release/1"


def counts_of(entries: Sequence[Entry]) -> dict[str, Any]:
    """Return how many entries there are by label, tier and type, with and without a DOI."""
    false = [entry for entry in entries if entry.label is Label.HALLUCINATED]
    tiers = Counter(str(entry.difficulty_tier) for entry in false)
    types = Counter(str(entry.hallucination_type) for entry in false)
    methods = Counter(str(entry.generation_method) for entry in entries)
    return {
        "total": len(entries),
        "valid": len(entries) - len(false),
        "hallucinated": len(false),
        "tiers": dict(sorted(tiers.items())),
        "types": dict(sorted(types.items())),
        "methods": dict(sorted(methods.items())),
        "without_doi": sum("doi" not in entry.fields for entry in entries),
        "in_a_style": sum(bool(entry.extra["noise"]) for entry in entries),
    }


def index_of(description: Description) -> dict[str, Any]:
    """Return what settles the index's content: digest, size, and the digests of its sources."""
    return {
        "digest": description.digest,
        "records": description.records,
        "sources": [
            {"collection": one.collection, "place": one.place, "records": one.records,
             "sha256": one.sha256}
            for one in description.sources
        ],
    }  # fmt: skip


def manifest(
    plan: Plan,
    inputs: Mapping[str, str],
    index: Mapping[str, Any],
    splits: Mapping[str, Sequence[Entry]],
    tallies: Mapping[str, Any],
    files: Mapping[str, bytes],
) -> dict[str, Any]:
    """Return the manifest of a release.

    Args:
        plan: the plan.
        inputs: SHA-256 of the plan file and of the files that it names, by name.
        index: the index, as `index_of` describes it.
        splits: the entries of each split.
        tallies: what came of sampling and of all attempts, by reason.
        files: all other files of the release.
    """
    return {
        "schema": SCHEMA,
        "name": plan.name,
        "version": plan.version,
        "date": plan.date,
        "hallmark": version("hallmark"),
        "seed": plan.seed,
        "inputs": dict(inputs),
        "index": dict(index),
        "attested": plan.attested,
        "splits": {name: counts_of(entries) for name, entries in splits.items()},
        **tallies,
        "files": {name: _described(data) for name, data in sorted(files.items())},
    }


def _described(data: bytes) -> dict[str, Any]:
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
