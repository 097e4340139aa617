"""Does a plan fit the release that it adds to, and what becomes of the splits of both?"""

from collections.abc import Iterator

from hallmark.bench.build.earlier import PUBLIC, SEALED, WITHHELD, Earlier
from hallmark.bench.build.plan import Plan, SplitPlan
from hallmark.errors import InputError


def refuse_misfits(plan: Plan, base: Earlier | None) -> None:
    """Refuse a plan that cannot be added to a release.

    Raises:
        InputError: saying all that does not fit.
    """
    problems = [*_unknown(plan, base), *(_misfits(plan, base) if base else ())]
    if problems:
        raise InputError("\n  ".join(["The plan does not fit the earlier release:", *problems]))


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
    for name, split in plan.splits.items():
        kept = base.labels.get(name, kind_of(split))
        if kind_of(split) != kept:
            yield f"the labels of {name!r} are {kept}; they cannot become {kind_of(split)}"
        if name in base.superseded_by:
            yield f"split {name!r} is superseded by {base.superseded_by[name]!r}: extend that one"


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
