"""What is there to draw: the systems of the paper, and the prediction files of the user?"""

from collections.abc import Sequence

import msgspec

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.studies.cells import Origin
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.results import Result, pairs_of, recovered, result, scored, stance_of
from hallmark.bench.studies.roster import SYSTEMS, System

SPLIT = "dev_public"


class Subject(msgspec.Struct, frozen=True, eq=False):
    """One verifier to draw.

    Attributes:
        name: Name to write beside its mark.
        group: Kind of system, which decides its colour and mark.
        result: Its measures.
        pairs: Its predictions, where they are at hand.
        stance: How abstentions count in `result`.
        seconds: Mean time for one entry, where it is known.
    """

    name: str
    group: str
    result: Result
    pairs: Pairs | None
    stance: Stance
    seconds: float | None


def paper_subjects(folder: Folder, split: str = SPLIT) -> list[Subject]:
    """The systems of the paper, as far as the folder holds anything of them."""
    found = (_subject(folder, tool, split) for tool in SYSTEMS)
    return [subject for subject in found if subject is not None]


def own_subject(name: str, pairs: Pairs) -> Subject:
    """A prediction file of the user, abstentions counted as VALID."""
    stance = Stance.CONSERVATIVE
    return Subject(name, "yours", scored(pairs, stance), pairs, stance, mean_seconds(pairs))


def mean_seconds(pairs: Pairs) -> float | None:
    """Mean time for one entry in seconds, or None where no prediction tells it."""
    known = [p.seconds for p in pairs.predictions if p is not None and p.seconds is not None]
    return sum(known) / len(known) if known else None


def with_pairs(subjects: Sequence[Subject]) -> list[tuple[Subject, Pairs]]:
    """Those subjects whose predictions are at hand, with them."""
    return [(subject, subject.pairs) for subject in subjects if subject.pairs is not None]


def _subject(folder: Folder, tool: System, split: str) -> Subject | None:
    pairs = pairs_of(folder, tool, split)
    if pairs is None and split == SPLIT:
        pairs = recovered(folder, tool)
    found = result(folder, tool, split) if pairs is None else scored(pairs, stance_of(tool))
    if found is None:
        return None
    seconds = _seconds(folder, tool, split, pairs)
    return Subject(tool.name, _group(tool, found), found, pairs, stance_of(tool), seconds)


def _seconds(folder: Folder, tool: System, split: str, pairs: Pairs | None) -> float | None:
    measured = None if pairs is None else mean_seconds(pairs)
    aggregate = folder.aggregate(tool.tool, split)
    if measured is not None or aggregate is None or not aggregate.cost_efficiency:
        return measured
    return 1.0 / aggregate.cost_efficiency


def _group(tool: System, found: Result) -> str:
    if "agentic" in tool.tool:
        return "agentic"
    if tool.tool.startswith("llm_open"):
        return "zero-shot"
    return "database" if found.origin is not Origin.MISSING else "other"
