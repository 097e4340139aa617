"""On what does a study run, and what must its report say of that?"""

from collections.abc import Callable
from datetime import date
from pathlib import Path

from msgspec import Struct

from hallmark.bench.dataset import Split
from hallmark.index import LocalIndex, open_index
from hallmark.judge.policy import Policy
from hallmark.study.judged import Judged, judge_all
from hallmark.verifier import Verifier


class Setting(Struct, frozen=True):
    """What a study runs on: a gold file, an index, a policy, and the date of the check."""

    split: Split
    index: Path
    policy: Policy
    today: date


class Origin(Struct, frozen=True, kw_only=True):
    """Where figures come from; travels with them."""

    gold: str
    gold_sha256: str
    entries: int
    valid: int
    hallucinated: int
    index_digest: str
    index_records: int
    index_built: str
    policy: str
    today: str


def origin(setting: Setting) -> Origin:
    """Return where the figures of a study come from.

    Raises:
        IndexMissing, IndexDamaged: there is no index, or it cannot be used.
    """
    about = open_index(setting.index).info()
    return Origin(
        gold=setting.split.name,
        gold_sha256=setting.split.sha256,
        entries=len(setting.split.entries),
        valid=setting.split.valid,
        hallucinated=setting.split.hallucinated,
        index_digest=about.digest,
        index_records=about.records,
        index_built=about.built,
        policy=setting.policy.name,
        today=setting.today.isoformat(),
    )


def told(one: Origin) -> str:
    """Return an origin in a sentence or two."""
    return (
        f"{one.gold}: {one.valid} valid and {one.hallucinated} hallucinated entries, SHA-256 "
        f"{one.gold_sha256[:12]}. Index: {one.index_records:,} records"
        f"{f' of {one.index_built}' if one.index_built else ''}, digest {one.index_digest[:12]}. "
        f"Policy {one.policy}, judged as of {one.today}."
    )


def judge(
    setting: Setting, index: LocalIndex | None = None, step: Callable[[], None] | None = None
) -> list[Judged]:
    """Judge every entry of the gold file against the index, or against another one.

    Raises:
        IndexMissing, IndexDamaged: there is no index, or it cannot be used.
    """
    opened = index or open_index(setting.index)
    verifier = Verifier(opened, policy=setting.policy, today=setting.today)
    return judge_all(setting.split.entries, verifier, step=step)
