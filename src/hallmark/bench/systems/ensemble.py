"""What do several systems say together?

Members are prediction files. A member that abstained or failed does not vote. An entry that a
member has no row for is an ERROR, unless absent members are said not to vote. Where nobody votes,
the ensemble abstains; where all members failed, it failed.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import structs

from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.bench.systems.interface import EVEN, EntrySystem, Setting, abstain, commit, fail
from hallmark.bench.systems.replay import load_by_key
from hallmark.errors import InputError

ABSENT_FAILS, ABSENT_SILENT = "error", "no-vote"
"""What an entry is that a member has no row for: an ERROR, or one about which it does not vote."""

Votes = Sequence[Prediction | None]
Rule = Callable[[Sequence[bool | None]], bool]


def k_of_n(
    members: Sequence[Path], k: int, *, repeated: str = "error", absent: str = ABSENT_FAILS
) -> EntrySystem:
    """Return the ensemble that flags an entry where at least `k` members flag it.

    Raises:
        InputError: there are no members, or `k` is not in 1..n.
    """
    _need_members(members)
    if not 1 <= k <= len(members):
        raise InputError(f"k is {k}, but there are {len(members)} members; give 1 to that number.")

    def flags(votes: Sequence[bool | None]) -> bool:
        return sum(vote is True for vote in votes) >= k

    return _ensemble(members, [1.0] * len(members), flags, {"k": k}, repeated, absent)


def any_vote(
    members: Sequence[Path], *, repeated: str = "error", absent: str = ABSENT_FAILS
) -> EntrySystem:
    """Return the ensemble that flags an entry where any member flags it."""
    return k_of_n(members, 1, repeated=repeated, absent=absent)


def majority(
    members: Sequence[Path], *, repeated: str = "error", absent: str = ABSENT_FAILS
) -> EntrySystem:
    """Return the ensemble that flags where more than half of all members flag.

    A member that does not vote still counts in the half: silence does not help a flag.
    """
    _need_members(members)
    return k_of_n(members, len(members) // 2 + 1, repeated=repeated, absent=absent)


def weighted(
    members: Sequence[Path],
    weights: Sequence[float],
    threshold: float = 0.5,
    *,
    repeated: str = "error",
    absent: str = ABSENT_FAILS,
) -> EntrySystem:
    """Return the ensemble that flags where the flagging share of weight exceeds `threshold`.

    The share is taken of the weight of those members that vote.

    Raises:
        InputError: not one weight per member, a weight that is negative or not finite, all of
            them 0, or a threshold outside [0, 1).
    """
    _need_members(members)
    _check_weights(members, weights)
    if not 0.0 <= threshold < 1.0:
        raise InputError(f"The threshold is {threshold}; give one from 0 to below 1.")

    def flags(votes: Sequence[bool | None]) -> bool:
        pairs = [(w, v) for w, v in zip(weights, votes, strict=True) if v is not None]
        total = math.fsum(w for w, _ in pairs)
        return total > 0.0 and math.fsum(w for w, v in pairs if v) / total > threshold

    listed = ",".join(f"{weight:g}" for weight in weights)
    told: dict[str, Setting] = {"weights": listed, "threshold": threshold}
    return _ensemble(members, weights, flags, told, repeated, absent)


def _need_members(members: Sequence[Path]) -> None:
    if not members:
        raise InputError("An ensemble needs members: give prediction files with --from FILE.")


def _check_weights(members: Sequence[Path], weights: Sequence[float]) -> None:
    if len(weights) != len(members):
        raise InputError(f"There are {len(weights)} weights for {len(members)} members.")
    if any(not math.isfinite(w) or w < 0.0 for w in weights) or not any(weights):
        raise InputError(f"Weights must be 0 or more and not all 0; got {list(weights)}.")


def _ensemble(
    members: Sequence[Path],
    weights: Sequence[float],
    flags: Rule,
    settings: Mapping[str, Setting],
    repeated: str,
    absent: str,
) -> EntrySystem:
    if absent not in (ABSENT_FAILS, ABSENT_SILENT):
        raise InputError(
            f"The option absent is {absent[:80]!r}; give {ABSENT_FAILS} or {ABSENT_SILENT}."
        )
    files = [load_by_key(path, repeated=repeated) for path in members]

    def answer(entry: BlindEntry) -> Prediction:
        votes = [rows.get(entry.bibtex_key) for rows in files]
        lacking = [path.name for path, vote in zip(members, votes, strict=True) if vote is None]
        if lacking and absent == ABSENT_FAILS:
            return fail(entry, f"no row for this key in {', '.join(lacking)}")
        return combine(entry, votes, weights, flags)

    names = ",".join(path.stem for path in members)
    return EntrySystem(
        answer, {"members": names, **settings, "repeated": repeated, "absent": absent}
    )


def combine(entry: BlindEntry, votes: Votes, weights: Sequence[float], flags: Rule) -> Prediction:
    """Return what the members say together.

    With p the mean P(hallucinated) of the members that vote, by their weights, the confidence is p
    for a flag and 1 - p for VALID, but not below 0.5: where a rule flags against the mean, as any
    vote does, or clears against it, since silent members count in the half, it claims no more than
    an even chance. The row keeps p itself as `mean_probability`.
    """
    if all(vote is None or vote.label is Label.ERROR for vote in votes):
        return fail(entry, "no member answered")
    stances = [_stance(vote) for vote in votes]
    if all(stance is None for stance in stances):
        return abstain(entry, "no member committed itself")
    hallucinated = flags(stances)
    probability = _mean_probability(votes, weights)
    reason = (
        f"{sum(s is True for s in stances)} flag, {sum(s is False for s in stances)} accept, "
        f"{sum(s is None for s in stances)} do not vote"
    )
    confidence = max(EVEN, probability if hallucinated else 1.0 - probability)
    row = commit(entry, hallucinated=hallucinated, confidence=confidence, reason=reason)
    return structs.replace(row, extra={**row.extra, "mean_probability": round(probability, 9)})


def _stance(vote: Prediction | None) -> bool | None:
    if vote is None or vote.label in (Label.UNCERTAIN, Label.ERROR):
        return None
    return vote.label is Label.HALLUCINATED


def _mean_probability(votes: Votes, weights: Sequence[float]) -> float:
    pairs = [
        (weight, vote.p_hallucinated)
        for weight, vote in zip(weights, votes, strict=True)
        if vote is not None and _stance(vote) is not None
    ]
    total = math.fsum(weight for weight, _ in pairs)
    if total <= 0.0:
        return 0.5
    return min(1.0, max(0.0, math.fsum(w * p for w, p in pairs) / total))
