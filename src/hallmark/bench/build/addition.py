"""Does a plan fit the release that it adds to, and what becomes of the splits of both?"""

from collections.abc import Iterator
from contextlib import contextmanager

from hallmark.bench.build.earlier import PUBLIC, SEALED, WITHHELD, Earlier
from hallmark.bench.build.plan import Plan, SplitPlan
from hallmark.bench.entry import Label
from hallmark.bench.lines import printable
from hallmark.errors import InputError


def refuse_misfits(plan: Plan, base: Earlier | None) -> None:
    """Refuse a plan that cannot be added to a release.

    Raises:
        InputError: saying all that does not fit.
    """
    problems = [*_unknown(plan, base), *(_misfits(plan, base) if base else ())]
    if problems:
        raise InputError("\n  ".join(["The plan does not fit the earlier release:", *problems]))


@contextmanager
def told_as_additions(base: Earlier | None) -> Iterator[None]:
    """Say of what a plan asks for in vain that it came on top of what a release has.

    Raises:
        InputError: the one that was raised inside, with that at its end.
    """
    try:
        yield
    except InputError as error:
        if base is None:
            raise
        raise InputError(
            f"{error}\nThe numbers of this plan are additions to {printable(base.name)} "
            f"{base.version}, not totals."
        ) from None


def _unknown(plan: Plan, base: Earlier | None) -> Iterator[str]:
    held = base.blind if base else {}
    for name, split in plan.splits.items():
        for old in split.supersedes:
            if old not in held:
                yield f"split {name!r} supersedes {old!r}, which is not there"
        if name in split.supersedes:
            yield f"split {name!r} supersedes itself; leave that out to extend it"


def _misfits(plan: Plan, base: Earlier) -> Iterator[str]:
    if plan.name != base.name:
        yield f"it is of {base.name!r}, the plan of {plan.name!r}"
    if _number(plan.version) <= _number(base.version):
        yield f"`version` is {plan.version}; it must be above {base.version}"
    if plan.date < base.date:
        yield f"`date` is {plan.date}; the earlier release is of {base.date}"
    if base.closed:
        yield (
            f"the labels of {', '.join(base.closed)} are not there: bring back `withheld/`, or "
            "give the key, for no work may cross splits"
        )
    if base.splits and _sizes(plan) == {name: _held(base, name) for name in base.splits}:
        yield (
            "it asks of every split for as many entries as the release has. The numbers of such a "
            "plan are additions: leave out the splits that stay as they are, and give for the "
            "others what is to be added (an example: benchmarks/plans/starter-more.toml)"
        )
    for name, split in plan.splits.items():
        kept = base.labels.get(name, kind_of(split))
        if kind_of(split) != kept:
            yield f"the labels of {name!r} are {kept}; they cannot become {kind_of(split)}"
        if name in base.superseded_by:
            yield f"split {name!r} is superseded by {base.superseded_by[name]!r}: extend that one"


def _sizes(plan: Plan) -> dict[str, tuple[int, int]]:
    return {name: (split.valid, split.hallucinated) for name, split in plan.splits.items()}


def _held(base: Earlier, name: str) -> tuple[int, int]:
    """Return how many valid and how many hallucinated entries a split of a release has."""
    valid = sum(entry.label == Label.VALID for entry in base.splits[name])
    return valid, len(base.splits[name]) - valid


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def kind_of(split: SplitPlan) -> str:
    """Return how the labels of a split are to be kept."""
    if split.sealed:
        return SEALED
    return WITHHELD if split.withheld else PUBLIC


def labels_of(plan: Plan, base: Earlier | None) -> dict[str, str]:
    """Return how the labels of each split are kept, those of the earlier release first."""
    own = {name: kind_of(split) for name, split in plan.splits.items()}
    return {**(base.labels if base else {}), **own}


def superseded(plan: Plan, base: Earlier | None) -> dict[str, str]:
    """Return which split takes the place of which."""
    own = {old: name for name, split in plan.splits.items() for old in split.supersedes}
    return {**(base.superseded_by if base else {}), **own}
