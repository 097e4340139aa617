"""What do a tool's answers mean for each entry that it was asked about?

Answers belong to entries by their keys. An entry that the tool dropped, answered more than once,
or answered with a status that its row does not list, counts as a failure of the tool, with the
reason; it is never taken for a success.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec

from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.bench.lines import quoted
from hallmark.bench.systems.external.readers import Heard, Said, by_key, merged
from hallmark.bench.systems.external.rows import JsonForm, Status, Tool
from hallmark.bench.systems.interface import EVEN, RULE_CONFIDENCE


class Failure(StrEnum):
    """How a tool failed on an entry."""

    CALL = "call"
    """It did not run: it crashed, took too long, or wrote nothing that can be read."""
    DROPPED = "dropped"
    """It ran, but left the entry out."""
    REPEATED = "repeated"
    """It answered more often than it was asked."""
    REFUSED = "refused"
    """It told that it does not take the key twice, and answered one such entry at the most."""
    UNLISTED = "unlisted"
    """Its status is none that its row knows."""
    OUTAGE = "outage"
    """It says that it could not ask its sources, or that it failed."""


class Call(msgspec.Struct, frozen=True):
    """One call as it went: the keys sent, what was heard, and why it failed, if it did."""

    keys: tuple[str, ...]
    heard: Heard
    problem: str = ""
    seconds: float = 0.0

    @property
    def strays(self) -> int:
        """How many answers are for keys that were not sent."""
        sent = set(self.keys)
        return sum(said.key not in sent for said in self.heard.answers)

    @property
    def reordered(self) -> bool:
        """Whether the answers came in another order than the entries were sent in."""
        place = {key: number for number, key in enumerate(dict.fromkeys(self.keys))}
        places = [place[said.key] for said in self.heard.answers if said.key in place]
        return places != sorted(places)


def settle(tool: Tool, entries: Sequence[BlindEntry], call: Call) -> list[Prediction]:
    """Return one prediction for each entry of a call, in order."""
    groups = by_key(call.heard.answers)
    seen = dict.fromkeys(call.keys, 0)
    predictions = list[Prediction]()
    for entry, key in zip(entries, call.keys, strict=True):
        asked, given, nth = call.keys.count(key), groups.get(key, []), seen[key]
        if tool.several and len(given) != asked:
            given = list(merged(given))
        seen[key] += 1
        predictions.append(_settled(tool, entry, call, _Share(key, asked, given, nth)))
    return predictions


class _Share(msgspec.Struct, frozen=True):
    """The answers to one key: how often it was asked, what came back, which entry this is."""

    key: str
    asked: int
    given: list[Said]
    nth: int


def _settled(tool: Tool, entry: BlindEntry, call: Call, share: _Share) -> Prediction:
    count = len(share.given)
    if share.asked > max(1, count) and call.heard.twice:
        reason = f"the tool refuses the key {share.key}, which is given more than once"
        return _failed(entry, call, Failure.REFUSED, reason)
    if not count:
        return _unanswered(tool, entry, call)
    if count != share.asked:
        kind = Failure.REPEATED if count > share.asked else Failure.DROPPED
        times = f"{count} answers to {share.asked} entries of the key {share.key}"
        return _failed(entry, call, kind, f"the tool gave {times}")
    return _meaning(tool, entry, call, share.given[share.nth])


def _unanswered(tool: Tool, entry: BlindEntry, call: Call) -> Prediction:
    problem = call.problem or call.heard.broken
    if problem:
        return _failed(entry, call, Failure.CALL, problem)
    if not tool.silence:
        return _failed(entry, call, Failure.DROPPED, "the tool's output does not name this entry")
    counts = isinstance(tool.output, JsonForm) and tool.output.processed
    if counts and call.heard.processed != len(call.keys):
        told = f"{call.heard.processed} of {len(call.keys)}"
        reason = f"the tool worked on {told} entries and does not name this one"
        return _failed(entry, call, Failure.DROPPED, reason)
    return _meaning(tool, entry, call, Said("", (tool.silence,), "not mentioned"))


def _meaning(tool: Tool, entry: BlindEntry, call: Call, said: Said) -> Prediction:
    rows = [tool.status(native) for native in said.statuses]
    unlisted = [n for n, row in zip(said.statuses, rows, strict=True) if row is None]
    if unlisted or not rows:
        what = f"the status {quoted(unlisted[0])}" if unlisted else "no status"
        words = f": {said.text}" if said.text else ""
        reason = f"the tool gave {what}, which its row does not list{words}"
        return _failed(entry, call, Failure.UNLISTED, reason, said)
    row = strongest(row for row in rows if row is not None)
    told = f"{', '.join(said.statuses)}: {said.text}".removesuffix(": ")
    if row.label is Label.ERROR:
        return _failed(entry, call, Failure.OUTAGE, told, said)
    if row.label is Label.UNCERTAIN and any(mark in said.text for mark in tool.outage):
        return _failed(entry, call, Failure.OUTAGE, told, said)
    return Prediction(
        bibtex_key=entry.bibtex_key,
        label=row.label,
        confidence=confidence(row.label, said.valid),
        reason=told,
        seconds=_seconds(call),
        extra=_extra(call, said),
    )


_ORDER = (Label.HALLUCINATED, Label.ERROR, Label.UNCERTAIN, Label.VALID)


def strongest(rows: Iterable[Status]) -> Status:
    """Return the status that decides: one complaint outweighs all praise, doubt and failure."""
    return min(rows, key=lambda row: _ORDER.index(row.label))


def confidence(label: Label, valid: float | None) -> float:
    """Return P(the label is right) by the tool's own P(valid), both in [0, 1].

    A tool without one gets what every rule that was not fitted gets.
    """
    match label:
        case Label.VALID:
            return RULE_CONFIDENCE if valid is None else valid
        case Label.HALLUCINATED:
            return RULE_CONFIDENCE if valid is None else round(1.0 - valid, 12)
        case Label.UNCERTAIN:
            return EVEN
        case Label.ERROR:
            return 0.0


def _failed(
    entry: BlindEntry, call: Call, kind: Failure, reason: str, said: Said | None = None
) -> Prediction:
    return Prediction(
        bibtex_key=entry.bibtex_key,
        label=Label.ERROR,
        confidence=0.0,
        reason=reason,
        seconds=_seconds(call),
        extra={**_extra(call, said), "failure": str(kind)},
    )


def _extra(call: Call, said: Said | None) -> dict[str, object]:
    extra: dict[str, object] = {"native": list(said.statuses)} if said else {}
    if call.reordered:
        extra["reordered"] = True
    if call.strays:
        extra["strays"] = call.strays
    return extra


def _seconds(call: Call) -> float:
    return round(call.seconds / max(1, len(call.keys)), 6)
