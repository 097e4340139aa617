"""A little plan, and little works to build it from."""

from msgspec import structs

from hallmark.bench.build.plan import Plan, SplitPlan
from hallmark.bench.perturb.pool import ListPool
from hallmark.bench.taxonomy import HallucinationType
from hallmark.records.work import Version
from tests.metamorphic.made import records

SCARCE = {
    HallucinationType.PREPRINT_AS_PUBLISHED: 2,
    HallucinationType.ARXIV_VERSION_MISMATCH: 2,
}
TYPES = dict.fromkeys(HallucinationType, 3) | SCARCE


def plan(**changes: object) -> Plan:
    """Return a plan of two splits over all types."""
    asked = Plan(
        name="little",
        version="1.0.0",
        date="2026-12-02",
        attested=1,
        years=(2013, 2024),
        without_doi=0.5,
        splits={
            "dev": SplitPlan(valid=40, types=TYPES),
            "hidden": SplitPlan(valid=20, types=TYPES, withheld=True),
        },
    )
    return structs.replace(asked, **changes)


def preprints(count: int, seed: int) -> list[Version]:
    """Return works of arXiv alone."""
    return [
        structs.replace(
            one,
            title=f"{one.title} on arXiv",
            venue="arXiv",
            venue_raw="arXiv",
            venue_id="arxiv",
            preprint=True,
            doi=None,
            year=2020,
            arxiv=f"2001.{number:05}",
        )
        for number, one in enumerate(records(count, seed))
    ]


def published(count: int, seed: int) -> list[Version]:
    """Return published works, one in ten with an arXiv number."""
    return [
        structs.replace(one, arxiv=f"1901.{n:05}") if n % 10 == 0 else one
        for n, one in enumerate(records(count, seed))
    ]


WORKS = [*published(600, seed=5), *preprints(40, seed=6)]
GROUPS = [(one,) for one in WORKS]
POOL = ListPool(WORKS)
