"""What do plain rules over several sources say, with no judgement of evidence?

The deterministic twin of the paper's Table 20: a source confirms an entry when it holds a record
whose title is similar enough (appendix D: 0.85); the rules differ only in how many sources must
confirm. The sources are the collections of the local index. None of them covers all works, so
that the rule alone decides how many true entries are flagged.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from rapidfuzz.fuzz import ratio

from hallmark._registry import Registry
from hallmark.bench.entry import BlindEntry, Prediction
from hallmark.bench.systems.interface import (
    RULE_CONFIDENCE,
    EntrySystem,
    Setting,
    abstain,
    commit,
    fail,
)
from hallmark.bench.systems.verifier import index_settings, open_needed, reference
from hallmark.errors import InputError
from hallmark.index import LocalIndex
from hallmark.match.compare import compare
from hallmark.records.answer import Found, Unavailable
from hallmark.records.evidence import Compared
from hallmark.records.reference import Reference
from hallmark.records.source import Question
from hallmark.records.work import Version
from hallmark.text import titles

# From the number of sources that confirm, and that of all, whether to flag.
Rule: TypeAlias = Callable[[int, int], bool]

RULES = Registry[Rule]("rule")
RULES.add("any-miss", lambda confirming, n: confirming < n)
RULES.add("majority", lambda confirming, n: 2 * confirming < n)
RULES.add("consensus", lambda confirming, _: confirming == 0)
CONTRADICTION = "contradiction"
RULES.add(CONTRADICTION, RULES.get("consensus"))


def resolver_system(
    index: Path | None, rule: str, *, similarity: float, sources: Sequence[str] = ()
) -> EntrySystem:
    """Return the system that applies a rule to the sources of an index.

    Args:
        index: the local index.
        rule: a name of `RULES`; "contradiction" is consensus, and flags also where every record
            with the title contradicts a field.
        similarity: of titles, in [0, 1], from which a source confirms.
        sources: the collections that count; all of the index by default.

    Raises:
        InputError: no index, a similarity outside [0, 1], or a source that the index lacks.
        IndexProblem: the index cannot be opened.
    """
    if not 0.0 <= similarity <= 1.0:
        raise InputError(f"The similarity is {similarity}; give one from 0 to 1.")
    opened = open_needed(index)
    counted = _counted(opened, sources)
    flags = RULES.get(rule)

    def answer(entry: BlindEntry) -> Prediction:
        claimed = reference(entry)
        if not claimed.title:
            return abstain(entry, "no title to look for")
        found = opened.look_up(Question.about(claimed))
        if isinstance(found, Unavailable):
            return fail(entry, found.reason)
        held = found.versions if isinstance(found, Found) else ()
        titled = [v for v in held if v.collection in counted and alike(claimed, v) >= similarity]
        return _verdict(entry, claimed, titled)

    def _verdict(entry: BlindEntry, claimed: Reference, titled: Sequence[Version]) -> Prediction:
        confirming = len({version.collection for version in titled})
        reason = f"{confirming} of {len(counted)} sources have the title"
        flagged = flags(confirming, len(counted))
        if rule == CONTRADICTION and titled and contradicted(opened, claimed, titled):
            flagged, reason = True, f"{reason}, and each record contradicts a field"
        return commit(entry, hallucinated=flagged, confidence=RULE_CONFIDENCE, reason=reason)

    settings: dict[str, Setting] = {
        **index_settings(opened),
        "rule": rule,
        "similarity": similarity,
        "sources": ",".join(sorted(counted)),
    }
    return EntrySystem(answer, settings)


def _counted(index: LocalIndex, wanted: Sequence[str]) -> frozenset[str]:
    held = {source.collection for source in index.info().sources}
    unknown = [name for name in wanted if name not in held]
    if unknown or not held:
        raise InputError(
            f"The index has no source named {', '.join(unknown) or 'anything'}; it has: "
            f"{', '.join(sorted(held)) or 'none'}."
        )
    return frozenset(wanted or held)


def alike(claimed: Reference, version: Version) -> float:
    """Return how similar a record's title is to the claimed one, in [0, 1].

    The best of its titles counts; both are compared as normalised words.
    """
    asked = " ".join(titles.words(claimed.title))
    others = (version.title, *version.title_others)
    return max(ratio(asked, " ".join(titles.words(title))) for title in others) / 100.0


def contradicted(index: LocalIndex, claimed: Reference, versions: Sequence[Version]) -> bool:
    """Tell whether every one of these records contradicts some field of the reference."""
    claim = index.venues.resolve(claimed.venue)
    return all(conflicts(compare(claimed, version, claim)) for version in versions)


def conflicts(compared: Compared) -> bool:
    """Tell whether some field of a record contradicts the claim, and not weakly."""
    return any(field.conflicts and not field.weak for field in compared.fields)
