"""What did the answers of a run take, where a model was asked?"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from hallmark.bench.entry import Prediction

UNANSWERED = "tool_calls_unanswered"
"""The key of a row that counts its look-ups to which the sources gave no answer."""


class Usage(Struct, frozen=True, kw_only=True):
    """Sums over the rows of a run.

    `calls` counts answers of the model, of which `kept` were there already and cost nothing again;
    `tokens_*` are theirs, but for `uncounted` ones, whose service told no number that can be
    believed; `cost` is their price in US dollars, None where it is unknown; `models` are the ids
    that the service reported; `errors` counts failed rows by kind. Half of the rows took no longer
    than `median_s` seconds, 95 % no longer than `high_s`, by the time of their calls when they were
    first asked. `lookups` counts the calls of tools that were carried out, `lookups_unanswered`
    those to which the sources gave no answer, `rows_unanswered` the rows that had such.
    """

    calls: int
    kept: int
    tokens_in: int
    tokens_out: int
    tokens_reasoning: int
    cost: float | None
    models: tuple[str, ...]
    median_s: float
    high_s: float
    errors: dict[str, int] = {}
    uncounted: int = 0
    lookups: int = 0
    lookups_unanswered: int = 0
    rows_unanswered: int = 0


def usage_of(rows: Iterable[Prediction]) -> Usage | None:
    """Return what the rows took, None where no model was asked for any of them."""
    asked = [row for row in rows if "tokens_in" in row.extra]
    if not asked:
        return None
    costs = [row.cost for row in asked]
    errors: dict[str, int] = {}
    for row in asked:
        if kind := row.extra.get("error"):
            errors[str(kind)] = errors.get(str(kind), 0) + 1
    known = [cost for cost in costs if cost is not None]
    return Usage(
        calls=sum(row.calls or 0 for row in asked),
        kept=_sum(asked, "kept"),
        tokens_in=_sum(asked, "tokens_in"),
        tokens_out=_sum(asked, "tokens_out"),
        tokens_reasoning=_sum(asked, "tokens_reasoning"),
        cost=round(sum(known), 6) if len(known) == len(costs) else None,
        median_s=_quantile(asked, 0.5),
        high_s=_quantile(asked, 0.95),
        models=tuple(sorted({_text(row.extra.get("model")) for row in asked} - {""})),
        errors=errors,
        uncounted=_sum(asked, "uncounted"),
        lookups=_sum(asked, "tool_calls") - _sum(asked, "tool_mistakes"),
        lookups_unanswered=_sum(asked, UNANSWERED),
        rows_unanswered=sum(_whole(row.extra.get(UNANSWERED)) > 0 for row in asked),
    )


def in_words(usage: Usage) -> str:
    """Return what the answers took as one line for people."""
    kept = f", {usage.kept:,} of them kept from before" if usage.kept else ""
    pace = f"{usage.median_s:.1f} s for an entry (95 %: {usage.high_s:.1f} s)"
    return (
        f"{usage.calls:,} calls{kept}: {usage.tokens_in:,} tokens in, {usage.tokens_out:,} out; "
        f"{_cost_in_words(usage)}; {pace}. Model reported: {', '.join(usage.models) or 'none'}."
    )


def outage_in_words(usage: Usage | None) -> str:
    """Return what a reader must know of look-ups that failed; "" where none did."""
    if usage is None or not usage.lookups_unanswered:
        return ""
    share = usage.lookups_unanswered / max(usage.lookups, usage.lookups_unanswered)
    return (
        f"The sources did not answer {usage.lookups_unanswered:,} of {usage.lookups:,} look-ups "
        f"({share:.0%}), for {usage.rows_unanswered:,} entries. Where an entry had no answer at "
        'all, its row is ERROR of the kind "sources"; the others rest on what was answered.'
    )


def _cost_in_words(usage: Usage) -> str:
    if usage.uncounted:
        return f"cost unknown, for the tokens of {usage.uncounted:,} answers were not counted"
    return "price unknown" if usage.cost is None else f"US$ {usage.cost:,.4f} by the listed prices"


def _sum(rows: Iterable[Prediction], name: str) -> int:
    return sum(_whole(row.extra.get(name)) for row in rows)


def _quantile(rows: Sequence[Prediction], share: float) -> float:
    """Return the seconds that so large a share of the rows did not exceed."""
    seconds = sorted(row.seconds or 0.0 for row in rows)
    return seconds[max(0, math.ceil(share * len(seconds)) - 1)]


def _whole(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
