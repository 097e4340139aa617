"""What did a run ask of a model, how long did that take, and what did it cost?"""

import math
from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from hallmark.llm.book import Amount
from hallmark.llm.interface import Failure, ModelSpec, Reply, Usage

_MEDIAN, _HIGH = 0.5, 0.95


class Totals(Struct, frozen=True, kw_only=True):
    """What a run asked of one model.

    Attributes:
        model: its name.
        kept: questions that were answered from what was kept.
        replies: questions that were answered anew.
        requests: attempts that were sent for that.
        failures: questions without a reply, by the kind of trouble.
        usage: tokens of the new replies, as far as they were counted.
        uncounted: new replies whose tokens the service did not count, or not credibly.
        cost: US dollars of the new replies at the listed price, or what the service says where that
            is more; None where the price is unknown; the most that it can be for those that were
            not counted.
        doubtful: US dollars at most, and requests, that may be on the bill although no reply came.
        median_s: half of the new replies took no longer; None without any.
        high_s: 95 % of the new replies took no longer; None without any.
    """

    model: str
    kept: int
    replies: int
    requests: int
    failures: dict[str, int]
    usage: Usage
    uncounted: int
    cost: float | None
    doubtful: Amount
    median_s: float | None
    high_s: float | None


class Tally:
    """Counts what a run asks of one model."""

    def __init__(self, spec: ModelSpec) -> None:
        self._spec = spec
        self._usage = Usage()
        self._cost = 0.0
        self._uncounted = 0
        self._seconds: list[float] = []
        self._failures = Counter[str]()
        self.kept = 0
        self.requests = 0
        self.doubtful = Amount()

    def replied(self, reply: Reply, cost: float) -> None:
        """Count a new reply and what it cost."""
        told, sum_ = reply.usage, self._usage
        self._usage = Usage(
            sum_.input + told.input,
            sum_.cached_input + told.cached_input,
            sum_.output + told.output,
            sum_.reasoning + told.reasoning,
            cost=sum_.cost + told.cost,
        )
        self._cost += cost
        self._uncounted += not told.counted
        self._seconds.append(reply.seconds)

    def failed(self, failure: Failure) -> None:
        """Count a question without a reply."""
        self._failures[failure.trouble.value] += 1

    def totals(self) -> Totals:
        """Return what was counted so far."""
        priced = self._spec.input_price is not None and self._spec.output_price is not None
        return Totals(
            model=self._spec.name,
            kept=self.kept,
            replies=len(self._seconds),
            requests=self.requests,
            failures=dict(sorted(self._failures.items())),
            usage=self._usage,
            uncounted=self._uncounted,
            cost=self._cost if priced else None,
            doubtful=self.doubtful,
            median_s=_quantile(self._seconds, _MEDIAN),
            high_s=_quantile(self._seconds, _HIGH),
        )


def lines(spec: ModelSpec, totals: Totals) -> Iterator[str]:
    """Yield, as lines, what a run asked of a model."""
    failures = ", ".join(f"{count} {name}" for name, count in totals.failures.items())
    yield (
        f"{spec.name}: {totals.replies:,} new replies to {totals.requests:,} requests, "
        f"{totals.kept:,} kept ones" + (f"; without a reply: {failures}." if failures else ".")
    )
    usage = totals.usage
    if totals.replies:
        yield (
            f"Tokens: {usage.input:,} in ({usage.cached_input:,} of them kept by the service), "
            f"{usage.output:,} out ({usage.reasoning:,} of them reasoning)."
        )
        if totals.cost is None:
            yield f"Cost: not known, for {spec.name} has no price in the table."
        else:
            yield f"Cost: ${totals.cost:.4f} by the prices of {spec.priced or 'your file'}."
        if usage.cost:
            yield f"By the service's own count they cost ${usage.cost:.4f}."
        if totals.uncounted:
            yield (
                f"The service counted no tokens of {totals.uncounted:,} replies, or none that can "
                "be believed: the most that they can be counts."
            )
        yield f"A reply took {totals.median_s:.1f} s (median; 95 %: {totals.high_s:.1f} s)."
    if totals.doubtful.calls:
        most = f", ${totals.doubtful.cost:.4f} at the most" if totals.cost is not None else ""
        yield f"Perhaps on the bill without a reply: {totals.doubtful.calls:,} requests{most}."


def _quantile(values: list[float], share: float) -> float | None:
    """Return the smallest value that so large a share of the values does not exceed."""
    if not values:
        return None
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]
