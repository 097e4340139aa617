"""Which files is a release made of, and how do they get to their place, whole or not at all?"""

import hashlib
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct, structs

from hallmark.bench.build import croissant, manifest
from hallmark.bench.build.datasheet import datasheet
from hallmark.bench.build.leaks import in_order, keyed, leaks_of, level
from hallmark.bench.build.make import Maker
from hallmark.bench.build.plan import Plan
from hallmark.bench.build.preprints import WithPreprints
from hallmark.bench.build.sample import rules_of, sampled, widest
from hallmark.bench.build.split import crossing
from hallmark.bench.entry import BlindEntry, Entry
from hallmark.bench.lines import printable
from hallmark.bench.perturb.interface import Pool
from hallmark.bench.validate import flaws_of
from hallmark.errors import HallmarkError, OutputError
from hallmark.records.work import Version

WITHHELD = "withheld"
"""The folder of labels that are not for release."""


class Content(Struct, frozen=True):
    """What a plan was made into: the entries of each split, what was counted, leaks as notes."""

    splits: dict[str, list[Entry]]
    tallies: dict[str, Any]


class Release(Struct, frozen=True):
    """The files of a release, by path inside it, and its manifest."""

    files: dict[str, bytes]
    manifest: dict[str, Any]


def build(
    plan: Plan,
    groups: Iterable[Sequence[Version]],
    pool: Pool,
    preprints: Sequence[Version] = (),
) -> Content:
    """Make the entries of a plan.

    Args:
        plan: the plan.
        groups: the records of one title after the other, at random, each title once.
        pool: the works that parts are taken from and truth is looked up in.
        preprints: works of arXiv that the groups lack.

    Raises:
        InputError: there are too few works for the plan, or it names unknown venues.
        HallmarkError: what was made is flawed or gives labels away; the message says how.
    """
    refused = Counter[str]()
    rules = rules_of(plan, pool.venues)
    works = sampled(chain(([one] for one in preprints), groups), widest(rules.values()), refused)
    knowing = WithPreprints(pool, preprints, whole_lists=plan.whole_lists)
    made = Maker(plan, knowing, Random(f"{plan.seed}/make"), rules).make(works)
    splits = {name: _finished(plan, name, entries) for name, entries in made.splits.items()}
    tallies = {"refused": dict(sorted(refused.items())), "attempts": made.attempts}
    _refuse_flaws(splits)
    return Content(splits, {**tallies, "audit": _audited(splits)})


def _finished(plan: Plan, name: str, entries: Sequence[Entry]) -> list[Entry]:
    canary = _canary(plan, name)
    levelled = level(entries, plan.without_doi, Random(f"{plan.seed}/level/{name}"))
    marked = (structs.replace(e, extra={**e.extra, "canary": canary}) for e in levelled)
    return in_order([keyed(entry, plan.salted) for entry in marked])


def _canary(plan: Plan, name: str) -> str:
    """Return a string that is found nowhere else: who knows it has read the labels."""
    digest = hashlib.sha256(f"canary/{plan.salted}/{name}".encode()).hexdigest()
    return f"hallmark-canary-{digest[:8]}-{digest[8:16]}-{digest[16:32]}"


def _refuse_flaws(splits: Mapping[str, Sequence[Entry]]) -> None:
    flaws = [
        f"{name}: {flaw.check}: {flaw.message}"
        for name, entries in splits.items()
        for flaw in flaws_of(entries)
        if not flaw.warning
    ]
    flaws += [
        f"{' and '.join(names)} share a work: {key}" for key, names in crossing(splits).items()
    ]
    if flaws:
        raise HallmarkError("\n  ".join(["The entries made are flawed; nothing written:", *flaws]))


def _audited(splits: Mapping[str, Sequence[Entry]]) -> list[str]:
    """Return the notes of the audit; refuse what gives labels away."""
    found = list(leaks_of(splits))
    leaks = [f"{one.where}: {one.check}: {one.message}" for one in found if not one.note]
    if leaks:
        raise HallmarkError(
            "\n  ".join(["The entries made give labels away; nothing written:", *leaks])
            + "\nTry another seed, more entries, or narrower `years` and `venues`."
        )
    return [f"{one.where}: {one.check}: {one.message}" for one in found]


def pack(
    plan: Plan, content: Content, index: Mapping[str, Any], inputs: Mapping[str, str]
) -> Release:
    """Return all files of a release; arguments as those of `manifest.manifest`.

    Raises:
        HallmarkError: mlcroissant refuses the description.
    """
    data, columns = dict[str, bytes](), dict[str, tuple[str, ...]]()
    for name, rows in _tables(plan, content.splits):
        data[name] = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
        columns[name] = tuple(rows[0])
    described = croissant.croissant(plan, data, columns)
    croissant.validate(described)
    sheet = datasheet(plan, index, content.splits, content.tallies)
    files = {
        **data,
        "croissant.json": _json(described),
        "metadata.json": _json(_metadata(plan, content.splits)),
        "datasheet.md": sheet.encode(),
    }
    found = manifest.manifest(plan, inputs, index, content.splits, content.tallies, files)
    return Release({**files, "manifest.json": _json(found)}, found)


def _tables(
    plan: Plan, splits: Mapping[str, Sequence[Entry]]
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for name, entries in splits.items():
        folder = f"{WITHHELD}/" if plan.splits[name].withheld else ""
        yield f"{folder}{name}.jsonl", [entry.row() for entry in entries]
        yield f"{name}_blind.jsonl", [_blind(entry.blind()) for entry in entries]


def _blind(entry: BlindEntry) -> dict[str, Any]:
    shown = structs.asdict(entry)
    return {name: value for name, value in shown.items() if value is not None}


def _metadata(plan: Plan, splits: Mapping[str, Sequence[Entry]]) -> dict[str, Any]:
    return {
        "name": plan.name,
        "version": plan.version,
        "licence": plan.licence,
        "splits": {name: len(entries) for name, entries in splits.items()},
        "canary": {name: _canary(plan, name) for name in splits},
    }


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def write(release: Release, place: Path) -> None:
    """Write a release to a new folder, whole or not at all.

    Raises:
        OutputError: there is something at the place, or it cannot be written.
    """
    refuse_taken(place)
    draft = None
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
        for name, data in release.files.items():
            file = draft / name
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(data)
        draft.chmod(0o755)
        draft.replace(place)
    except OSError as error:
        raise OutputError(
            f"{printable(place, 300)} cannot be written: {error.strerror}. Nothing was left behind."
        ) from None
    finally:
        if draft is not None:
            shutil.rmtree(draft, ignore_errors=True)


def refuse_taken(place: Path) -> None:
    """Raise OutputError where there is anything at the place but an empty folder."""
    if place.is_dir() and not any(place.iterdir()):
        return
    if place.exists() or place.is_symlink():
        raise OutputError(
            f"There is something at {printable(place, 300)}. Name a new folder, or remove it first."
        )
