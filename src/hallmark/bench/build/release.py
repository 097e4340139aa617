"""Which files is a release made of, and how do they get to their place, whole or not at all?"""

import contextlib
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct, structs

from hallmark._files import write_folder
from hallmark.bench.build import croissant, manifest
from hallmark.bench.build.addition import (
    labels_of,
    refuse_misfits,
    superseded,
    told_as_additions,
)
from hallmark.bench.build.census import Census, directed
from hallmark.bench.build.changelog import changelog, changes
from hallmark.bench.build.datasheet import datasheet
from hallmark.bench.build.earlier import WITHHELD, Earlier
from hallmark.bench.build.leaks import bared, in_order, keyed, leaks_of, level
from hallmark.bench.build.make import Maker
from hallmark.bench.build.plan import Plan, missing
from hallmark.bench.build.pools import Pooled
from hallmark.bench.build.preprints import WithPreprints
from hallmark.bench.build.sample import rules_of, sampled, widest
from hallmark.bench.build.split import crossing
from hallmark.bench.build.tables import data_files
from hallmark.bench.entry import Entry
from hallmark.bench.lines import printable
from hallmark.bench.perturb.interface import Pool
from hallmark.bench.sealing.key import SealKey
from hallmark.bench.validate import flaws_of
from hallmark.errors import HallmarkError, InputError, LabelsGivenAway, OutputError
from hallmark.records.work import Version


class Content(Struct, frozen=True):
    """What a plan was made into: the entries of each split, what was counted, leaks as notes."""

    splits: dict[str, list[Entry]]
    tallies: dict[str, Any]


class Past(Struct, frozen=True):
    """What a release goes back to.

    Attributes:
        earlier: the release before, for the changelog.
        extended: whether that one's splits are part of this one.
        key: seals and opens labels.
    """

    earlier: Earlier | None = None
    extended: bool = False
    key: SealKey | None = None

    @property
    def base(self) -> Earlier | None:
        """The release whose splits are part of this one."""
        return self.earlier if self.extended else None


NO_PAST = Past()
"""A first release, with no sealed labels."""


class Release(Struct, frozen=True):
    """The files of a release, by path inside it, and its manifest."""

    files: dict[str, bytes]
    manifest: dict[str, Any]


def build(
    plan: Plan,
    groups: Iterable[Sequence[Version]] | Census,
    pool: Pool,
    preprints: Sequence[Version] = (),
    past: Past = NO_PAST,
    pooled: Sequence[Pooled] = (),
    draw: int = 0,
) -> Content:
    """Make the entries of a plan.

    Args:
        plan: the plan.
        groups: the records of one title after the other, at random, each title once; or all that
            may be drawn, counted.
        pool: the works that parts are taken from and truth is looked up in.
        preprints: works of arXiv that the groups lack.
        past: the release that is added to, and the key of sealed labels.
        pooled: entries that were made elsewhere.
        draw: throws the dice anew; see `drawn`.

    Raises:
        InputError: there are too few works for the plan, it names unknown venues, does not fit the
            release that it adds to, or there is no key for labels that it seals.
        LabelsGivenAway: what was made gives labels away; the message says how.
        HallmarkError: what was made is flawed; the message says how.
    """
    base, refused = past.base, Counter[str]()
    refuse_misfits(plan, base)
    rules = rules_of(plan, pool.venues)
    knowing = WithPreprints(pool, preprints, whole_lists=plan.whole_lists)
    used, census = base.works() if base else None, groups if isinstance(groups, Census) else None
    maker = Maker(plan, knowing, Random(_dice(plan, past.key, draw)), rules, used, census)
    with told_as_additions(base):
        _refuse_unmet(maker.unmet())
    widest_rules = widest(rules.values())
    works = sampled(([one] for one in preprints), widest_rules, refused)
    if isinstance(groups, Census):
        rng = Random(f"{plan.seed}/sample")
        more = directed(groups, widest_rules, maker, rng, refused)
    else:
        more = sampled(groups, widest_rules, refused)
    with told_as_additions(base):
        made = maker.make(chain(works, more), pooled)
    splits = {name: _finished(plan, name, found, base) for name, found in made.splits.items()}
    splits = {**(base.splits if base else {}), **splits}
    tallies = {"refused": dict(sorted(refused.items())), "attempts": made.attempts}
    tallies["pools"] = made.pools
    tallies["draw"] = draw
    _refuse_flaws(splits)
    return Content(splits, {**tallies, "audit": _audited(splits)})


def _refuse_unmet(problems: Sequence[str]) -> None:
    if problems:
        listed = "\n  ".join(["The index cannot meet the shares of this plan:", *problems])
        raise InputError(
            f"{listed}\nAsk for fewer, change `kind_shares` or `fields`, widen `years`, `venues` "
            "or `kinds`, lower `attested`, or give a larger index."
        )


DRAWS = 5
"""Times that the dice are thrown before a plan is given up.

Of five seeds of the paper's numbers one made a split of 454 entries whose labels a rule on their
form guessed: by chance, but it did.
"""


def drawn(make: Callable[[int], Content], draws: int = DRAWS) -> Content:
    """Return the first content that gives no label away, by ever other dice.

    Args:
        make: makes the content of a draw, from 0.
        draws: how many are tried; the manifest says which one it was.

    Raises:
        LabelsGivenAway: all of them do.
    """
    for draw in range(draws - 1):
        with contextlib.suppress(LabelsGivenAway):
            return make(draw)
    return make(draws - 1)


def _dice(plan: Plan, key: SealKey | None, draw: int) -> str:
    """Return the seed of what is made of which work.

    Where labels are sealed the key goes into it: else who has plan and index could make them again.
    """
    again = f"/{draw}" if draw else ""
    if not plan.sealed:
        return f"{plan.seed}/make{again}"
    if key is None:
        raise InputError(
            "The plan seals labels, and there is no key: --key-file FILE, or set HALLMARK_SEAL_KEY "
            "or HALLMARK_SEAL_PASSPHRASE. Make one: hallmark bench build new-key FILE"
        )
    return f"{plan.seed}/make/{key.derive('dice').hex()}{again}"


def _finished(plan: Plan, name: str, entries: Sequence[Entry], base: Earlier | None) -> list[Entry]:
    canary = _canary(plan, name, base)
    levelled = level(entries, plan.without_doi, Random(f"{plan.seed}/level/{name}"))
    for fields, share in missing(plan):
        rng = Random(f"{plan.seed}/missing/{sorted(fields)}/{name}")
        levelled = bared(levelled, fields, share, rng)
    marked = (structs.replace(e, extra={**e.extra, "canary": canary}) for e in levelled)
    before = base.splits.get(name, []) if base else []
    return in_order([*before, *(keyed(entry, plan.salted) for entry in marked)])


def _canary(plan: Plan, name: str, base: Earlier | None) -> str:
    """Return a string that is found nowhere else: who knows it has read the labels."""
    if base is not None and name in base.canary:
        return base.canary[name]
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
        raise LabelsGivenAway(
            "\n  ".join(["The entries made give labels away; nothing written:", *leaks])
            + "\nTry another seed, more entries, or narrower `years` and `venues`."
        )
    return [f"{one.where}: {one.check}: {one.message}" for one in found]


def pack(
    plan: Plan,
    content: Content,
    index: Mapping[str, Any],
    inputs: Mapping[str, str],
    past: Past = NO_PAST,
) -> Release:
    """Return all files of a release; `past` as for `build`, the others as for `manifest.manifest`.

    Raises:
        InputError: there is no key for labels that are to be sealed.
        HallmarkError: mlcroissant refuses the description.
    """
    kept, replaced = labels_of(plan, past.base), superseded(plan, past.base)
    data, schemas = data_files(plan, content.splits, kept, past.key)
    apart = {name: text for name, text in data.items() if name.startswith(f"{WITHHELD}/")}
    shown = {name: text for name, text in data.items() if name not in apart}
    described = croissant.croissant(plan, shown, schemas)
    croissant.validate(described)
    found = changes(past.earlier, content.splits, kept) if past.earlier else []
    files = {
        **data,
        "croissant.json": _json(described),
        "metadata.json": _json(_metadata(plan, content.splits, past.base)),
        "datasheet.md": datasheet(
            plan,
            index,
            content.splits,
            content.tallies,
            kept,
            past.base.version if past.base else "",
        ).encode(),
        "CHANGELOG.md": changelog(plan, past.earlier, found, replaced).encode(),
    }
    about = {name: {"labels": kept[name]} for name in content.splits}
    for name, successor in replaced.items():
        about[name]["superseded_by"] = successor
    listed = manifest.manifest(plan, inputs, index, content.splits, content.tallies, files)
    counts = {name: {**row, **about[name]} for name, row in listed["splits"].items()}
    listed = {**listed, "splits": counts, **_origin(past.earlier)}
    return Release({**files, "manifest.json": _json(listed)}, listed)


def relabelled(
    plan: Plan, splits: Mapping[str, list[Entry]], inputs: Mapping[str, str], past: Past
) -> Release:
    """Return the next version of a release, with other labels and no new entries.

    Args:
        plan: names the version; its splits do not matter.
        splits: the entries of all splits of the release, as they are to be.
        inputs: SHA-256 of the plan file and of the ledger, by name.
        past: the release, and the key of sealed labels.

    Raises:
        InputError: the plan does not fit the release.
        HallmarkError: the entries are flawed, or the new labels are given away.
    """
    bare = structs.replace(plan, splits={})
    refuse_misfits(bare, past.base)
    _refuse_flaws(splits)
    tallies = {"refused": {}, "attempts": {}, "audit": _audited(splits)}
    index = past.base.index if past.base else {}
    return pack(bare, Content(dict(splits), tallies), index, inputs, past)


def _origin(earlier: Earlier | None) -> dict[str, Any]:
    if earlier is None:
        return {}
    return {"supersedes": {"version": earlier.version, "manifest_sha256": earlier.sha256}}


def _metadata(
    plan: Plan, splits: Mapping[str, Sequence[Entry]], base: Earlier | None
) -> dict[str, Any]:
    return {
        "name": plan.name,
        "version": plan.version,
        "licence": plan.licence,
        "sources": {
            name: {"licence": note.licence, "attribution": note.attribution}
            for name, note in plan.sources.items()
        },
        "splits": {name: len(entries) for name, entries in splits.items()},
        "superseded_by": superseded(plan, base),
        "canary": {name: _canary(plan, name, base) for name in splits},
    }


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def write(release: Release, place: Path) -> None:
    """Write a release to a new folder, whole or not at all.

    Raises:
        OutputError: there is something at the place, or it cannot be written.
    """
    refuse_taken(place)
    try:
        write_folder(release.files, place)
    except OSError as error:
        raise OutputError(
            f"{printable(place, 300)} cannot be written: {error.strerror}. Nothing was left behind."
        ) from None


def refuse_taken(place: Path) -> None:
    """Raise OutputError where there is anything at the place but an empty folder."""
    if place.is_dir() and not any(place.iterdir()):
        return
    if place.exists() or place.is_symlink():
        raise OutputError(
            f"There is something at {printable(place, 300)}. Name a new folder, or remove it first."
        )
