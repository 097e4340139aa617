"""What do several systems say together?

Members are prediction files. A member that abstained, failed or has no row does not vote. Where
nobody votes, the ensemble abstains; where all members failed, it failed.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.bench.systems.interface import EntrySystem, Setting, abstain, commit, fail
from hallmark.bench.systems.replay import load_by_key
from hallmark.errors import InputError

Votes = Sequence[Prediction | None]
Rule = Callable[[Sequence[bool | None]], bool]


def k_of_n(members: Sequence[Path], k: int, *, repeated: str = "error") -> EntrySystem:
    """Return the ensemble that flags an entry where at least `k` members flag it.

    Raises:
        InputError: there are no members, or `k` is not in 1..n.
    """
    _need_members(members)
    if not 1 <= k <= len(members):
        raise InputError(f"k is {k}, but there are {len(members)} members; give 1 to that number.")

    def flags(votes: Sequence[bool | None]) -> bool:
        return sum(vote is True for vote in votes) >= k

    return _ensemble(members, [1.0] * len(members), flags, {"k": k}, repeated)


def any_vote(members: Sequence[Path], *, repeated: str = "error") -> EntrySystem:
    """Return the ensemble that flags an entry where any member flags it."""
    return k_of_n(members, 1, repeated=repeated)


def majority(members: Sequence[Path], *, repeated: str = "error") -> EntrySystem:
    """Return the ensemble that flags where more than half of all members flag.

    A member that does not vote still counts in the half: silence does not help a flag.
    """
    _need_members(members)
    return k_of_n(members, len(members) // 2 + 1, repeated=repeated)


def weighted(
    members: Sequence[Path],
    weights: Sequence[float],
    threshold: float = 0.5,
    *,
    repeated: str = "error",
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
    return _ensemble(members, weights, flags, {"weights": listed, "threshold": threshold}, repeated)


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
) -> EntrySystem:
    files = [load_by_key(path, repeated=repeated) for path in members]

    def answer(entry: BlindEntry) -> Prediction:
        return combine(entry, [rows.get(entry.bibtex_key) for rows in files], weights, flags)

    names = ",".join(path.stem for path in members)
    return EntrySystem(answer, {"members": names, **settings, "repeated": repeated})


def combine(entry: BlindEntry, votes: Votes, weights: Sequence[float], flags: Rule) -> Prediction:
    """Return what the members say together; the confidence comes from their mean probability."""
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
    confidence = probability if hallucinated else 1.0 - probability
    return commit(entry, hallucinated=hallucinated, confidence=confidence, reason=reason)


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
