"""How do the packaged policies compare on gold files?

Evidence is gathered once and judged by every policy: they differ in judgement, not in look-ups.
"""

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from hallmark.judge.policy import Policy
from hallmark.study.context import Origin, Setting, judge, origin
from hallmark.study.document import Section, Table, share
from hallmark.study.figures import Figures, figures
from hallmark.study.judged import Outcome, judged_again

SCHEMA = "hallmark-policies/1"


class Compared(Struct, frozen=True, kw_only=True):
    """What one policy comes to on one gold file; the counts are of valid entries that it flags."""

    policy: str
    figures: Figures
    false_alarms: int
    scraped_flagged: int


class Measured(Struct, frozen=True, kw_only=True):
    """All policies on one gold file."""

    origin: Origin
    compared: list[Compared]


class Policies(Struct, frozen=True, kw_only=True):
    """All policies on all gold files."""

    schema: str = SCHEMA
    measured: list[Measured]


def policies(
    settings: Iterable[Setting],
    compared: Iterable[Policy],
    step: Callable[[], None] | None = None,
) -> Policies:
    """Return what each policy comes to on each gold file.

    Args:
        settings: the gold files, each with its index and date.
        compared: the policies.
        step: called after each entry.

    Raises:
        IndexMissing, IndexDamaged: there is no index, or it cannot be used.
    """
    chosen = list(compared)
    return Policies(measured=[_measured(setting, chosen, step) for setting in settings])


def _measured(
    setting: Setting, compared: Iterable[Policy], step: Callable[[], None] | None
) -> Measured:
    judged = judge(setting, step=step)
    rows = []
    for policy in compared:
        again = judged_again(judged, policy)
        alarms = [one for one in again if one.outcome is Outcome.FALSE_ALARM]
        rows.append(
            Compared(
                policy=policy.name,
                figures=figures(again),
                false_alarms=len(alarms),
                scraped_flagged=sum(one.entry.generation_method == "scraped" for one in alarms),
            )
        )
    return Measured(origin=origin(setting), compared=rows)


def document(found: Policies) -> list[Section]:
    """Return the comparison as a document: one table for each gold file."""
    return [Section("Policies compared", (READING,), level=1), *tables(found)]


READING = (
    "DR: share of hallucinated entries flagged; FPR: share of valid entries flagged. An abstention "
    "counts as valid in the first two columns and is left out in the next two; coverage is the "
    "share of entries on which the verifier commits itself, ECE the expected calibration error of "
    "P(hallucinated) over all entries. Of the valid entries flagged, those "
    "that were scraped, not written by a language model, stand in the last column."
)


def tables(found: Policies) -> Iterator[Section]:
    """Yield one table for each gold file."""
    for one in found.measured:
        yield Section(one.origin.gold, (_told(one.origin), Table(_HEAD, tuple(_rows(one)))))


def _told(one: Origin) -> str:
    return (
        f"{one.valid} valid and {one.hallucinated} hallucinated entries, SHA-256 "
        f"{one.gold_sha256[:12]}; index of {one.index_records:,} records, digest "
        f"{one.index_digest[:12]}; judged as of {one.today}."
    )


_HEAD = (
    "policy", "DR", "FPR", "DR, committed", "FPR, committed", "coverage", "ECE", "valid flagged",
    "scraped flagged",
)  # fmt: skip


def _rows(measured: Measured) -> Iterator[tuple[str, ...]]:
    for one in measured.compared:
        found = one.figures
        yield (
            one.policy,
            share(found.conservative.detection),
            share(found.conservative.false_alarms),
            share(found.selective.detection),
            share(found.selective.false_alarms),
            share(found.coverage),
            share(found.forced.ece),
            str(one.false_alarms),
            str(one.scraped_flagged),
        )
