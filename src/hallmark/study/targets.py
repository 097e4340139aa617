"""Which figures were aimed at, and what had the prototype reached?

The targets stand in `targets.tsv`. The prototype was a throw-away in pure Python over 1.09 million
of the same records; its figures are those noted when it was measured.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Literal

from msgspec import Struct, convert

from hallmark.bench.align import Stance
from hallmark.bench.evaluation import estimate
from hallmark.bench.measures.groups import Estimate
from hallmark.bench.resample import Plan
from hallmark.study.document import Table, share
from hallmark.study.figures import figures
from hallmark.study.judged import Judged, Outcome, pairs_of

Better = Literal["higher", "lower"]


class Target(Struct, frozen=True):
    """One figure of one split under one stance: the prototype's, and what is aimed at."""

    split: str
    stance: str
    measure: str
    prototype: str
    target: float
    better: Better

    def reached(self, value: float | None) -> bool | None:
        """Whether a value is at least as good as the target; None where it is undefined."""
        if value is None:
            return None
        return value >= self.target if self.better == "higher" else value <= self.target


def targets() -> list[Target]:
    """Return all targets, in the order of their table."""
    lines = files("hallmark.study").joinpath("targets.tsv").read_text(encoding="utf-8")
    head, *rows = (line.split("\t") for line in lines.splitlines())
    return [convert(dict(zip(head, row, strict=True)), Target, strict=False) for row in rows]


def main_table(runs: Mapping[str, Sequence[Judged]], plan: Plan | None = None) -> Table:
    """Return every target beside the prototype's figure and what was measured.

    Args:
        runs: the judged entries of each split, by its name.
        plan: how intervals are resampled; 10,000 times with seed 42 by default.
    """
    rows: list[tuple[str, ...]] = []
    for name, judged in runs.items():
        mine = [one for one in targets() if one.split == name]
        rows.extend(_rows(mine, judged, plan or Plan()))
    head = ("data", "stance", "figure", "prototype", "target", "measured", "reached")
    return Table(head, tuple(rows))


def _rows(
    wanted: Iterable[Target], judged: Sequence[Judged], plan: Plan
) -> Iterator[tuple[str, ...]]:
    measured = _measured(judged, plan)
    for one in wanted:
        value = measured.get((one.stance, one.measure), Estimate(None))
        sign = "≥" if one.better == "higher" else "≤"
        reached = one.reached(value.value)
        yield (
            one.split,
            one.stance,
            one.measure.replace("_", " "),
            one.prototype,
            f"{sign} {one.target:g}",
            _text(one, value),
            {True: "yes", False: "no", None: "–"}[reached],
        )


def _text(one: Target, found: Estimate) -> str:
    if one.measure == SCRAPED:
        return f"{found.value or 0:g}"
    low_high = f" [{found.ci[0]:.3f}, {found.ci[1]:.3f}]" if found.ci else ""
    return f"{share(found.value)}{low_high}"


SCRAPED = "scraped_flagged"
"""Valid entries that were scraped, not written by a language model, and flagged: a count."""
_MEASURES = ("detection_rate", "false_positive_rate", "ece", "ece_equal_mass")


def _measured(judged: Sequence[Judged], plan: Plan) -> dict[tuple[str, str], Estimate]:
    """Return what targets speak of, by stance and measure."""
    pairs = pairs_of(judged)
    stances = (Stance.CONSERVATIVE, Stance.SELECTIVE, Stance.FORCED)
    estimates = estimate(pairs, stances, _MEASURES, plan)
    found = {
        (stance, name): one
        for stance, by_name in estimates.items()
        for name, one in by_name.items()
    }
    whole = figures(judged)
    scraped = sum(
        one.outcome is Outcome.FALSE_ALARM and one.entry.generation_method == "scraped"
        for one in judged
    )
    conservative = str(Stance.CONSERVATIVE)
    found[conservative, "coverage"] = Estimate(whole.coverage)
    found[conservative, "type_accuracy"] = Estimate(whole.type_accuracy)
    found[conservative, SCRAPED] = Estimate(float(scraped))
    return found
