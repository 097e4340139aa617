"""Which prediction belongs to which gold entry, and what does it count as?

The one place that knows what a missing prediction, an abstention and a failure are. Behind it
there are only complete pairs, as parallel arrays in the order of the gold entries.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Literal, Self, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from hallmark.bench.entry import Entry, Label, Prediction, chance
from hallmark.bench.lines import lines_text, printable
from hallmark.bench.taxonomy import TAXONOMY
from hallmark.errors import AlignmentError

Missing: TypeAlias = Literal["error", "valid", "abstain"]
MISSING: tuple[Missing, ...] = ("error", "valid", "abstain")

LABELS = (Label.VALID, Label.HALLUCINATED, Label.UNCERTAIN, Label.ERROR)
VALID, HALLUCINATED, UNCERTAIN, ERROR = range(4)
"""The codes of `Pairs.label`: positions in `LABELS`."""

UNSPECIFIED = "unspecified"
_SHOWN = 20

Bools: TypeAlias = npt.NDArray[np.bool_]
Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Strings: TypeAlias = npt.NDArray[np.str_]


class Stance(StrEnum):
    """What an abstention counts as.

    CONSERVATIVE: as VALID. SELECTIVE: it is left out. AGGRESSIVE: as HALLUCINATED at 0.55.
    FORCED: as the label that the tool gives when it is made to choose, else as VALID.
    """

    CONSERVATIVE = "conservative"
    SELECTIVE = "selective"
    AGGRESSIVE = "aggressive"
    FORCED = "forced"


class Pairs(Struct, frozen=True, eq=False):
    """Gold entries with their predictions; every array has one element for each entry.

    `truth` is true for hallucinated entries. `label` and `forced` hold codes (positions in
    `LABELS`; -1: no forced label). `missing` marks entries without a prediction. `confidence` and
    `p_hallucinated` are in [0, 1]. `tier` is 1 to 3, 0 for valid entries and where it is unknown.
    `type` and `method` are names, "" for valid entries and where they are unknown. `year` is the
    entry's `year` field, else that of its publication date, 0 where neither is a year.
    """

    entries: tuple[Entry, ...]
    predictions: tuple[Prediction | None, ...]
    truth: Bools
    label: Ints
    forced: Ints
    missing: Bools
    confidence: Floats
    p_hallucinated: Floats
    tier: Ints
    type: Strings
    method: Strings
    year: Ints

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the entries."""
        return tuple(entry.bibtex_key for entry in self.entries)

    @property
    def committed(self) -> Bools:
        """Where the tool said VALID or HALLUCINATED itself."""
        return (self.label <= HALLUCINATED) & ~self.missing

    @property
    def failed(self) -> Bools:
        """Where the tool failed."""
        return np.equal(self.label, ERROR)

    @property
    def has_forced(self) -> bool:
        """Whether the tool gave a forced label anywhere."""
        return bool((self.forced >= 0).any())

    def select(self, mask: Bools | Ints) -> Self:
        """Return the pairs of a boolean mask, or of indices in their order."""
        at = np.flatnonzero(mask) if mask.dtype == np.bool_ else mask
        chosen = {
            name: getattr(self, name)[at] for name in self.__struct_fields__ if name not in _TUPLES
        }
        return type(self)(
            tuple(self.entries[i] for i in at), tuple(self.predictions[i] for i in at), **chosen
        )


_TUPLES = frozenset({"entries", "predictions"})


def align(
    gold: Sequence[Entry], predictions: Sequence[Prediction], missing: Missing = "error"
) -> Pairs:
    """Join gold entries and predictions by key, in the order of the gold entries.

    Args:
        gold: entries with distinct keys, at least one.
        predictions: at most one for each entry, and none for anything else.
        missing: what an entry without prediction is: an error, VALID at 0.5, or an abstention.

    Raises:
        AlignmentError: naming every unknown, repeated and missing key, with its lines.
    """
    if missing not in MISSING:
        raise AlignmentError(f"missing must be one of {', '.join(MISSING)}, not {missing!r}.")
    problems = _problems(gold, predictions, forgive=missing != "error")
    if problems:
        raise AlignmentError("\n  ".join(["Gold and predictions do not fit:", *problems]))
    by_key = {prediction.bibtex_key: prediction for prediction in predictions}
    stand_in = Label.VALID if missing == "valid" else Label.UNCERTAIN
    return pair(gold, [by_key.get(entry.bibtex_key) for entry in gold], stand_in)


def pair(
    gold: Sequence[Entry],
    predictions: Sequence[Prediction | None],
    stand_in: Label = Label.UNCERTAIN,
) -> Pairs:
    """Return the pairs of entries and predictions in parallel order, None being a missing one."""
    label = [stand_in if p is None else p.label for p in predictions]
    confidence = [0.5 if p is None else p.confidence for p in predictions]
    forced = [None if p is None else p.forced_label for p in predictions]
    bad = [entry.label is Label.HALLUCINATED for entry in gold]
    chances = [chance(said, sure) for said, sure in zip(label, confidence, strict=True)]
    return Pairs(
        entries=tuple(gold),
        predictions=tuple(predictions),
        truth=np.array(bad, dtype=np.bool_),
        label=np.array([LABELS.index(x) for x in label], dtype=np.int64),
        forced=np.array([-1 if x is None else LABELS.index(x) for x in forced], dtype=np.int64),
        missing=np.array([p is None for p in predictions], dtype=np.bool_),
        confidence=np.array(confidence, dtype=np.float64),
        p_hallucinated=np.array(chances, dtype=np.float64),
        tier=np.array([_tier(entry) for entry in gold], dtype=np.int64),
        type=np.array([_type(entry) for entry in gold], dtype=np.str_),
        method=np.array([entry.generation_method or "" for entry in gold], dtype=np.str_),
        year=np.array([year_of(entry) for entry in gold], dtype=np.int64),
    )


def year_of(entry: Entry) -> int:
    """Return the entry's `year` field, else the year of its publication date, else 0."""
    for text in (entry.fields.get("year", ""), (entry.publication_date or "")[:4]):
        if len(text.strip()) == 4 and text.strip().isdecimal():  # noqa: PLR2004 - YYYY
            return int(text)
    return 0


def _type(entry: Entry) -> str:
    if entry.label is Label.VALID:
        return ""
    return entry.hallucination_type or UNSPECIFIED


def _tier(entry: Entry) -> int:
    if entry.label is Label.VALID:
        return 0
    if entry.difficulty_tier is not None:
        return entry.difficulty_tier
    kind = entry.hallucination_type
    return 0 if kind is None else int(TAXONOMY[kind].tier)


def _problems(
    gold: Sequence[Entry], predictions: Sequence[Prediction], *, forgive: bool
) -> list[str]:
    if not gold:
        return ["there is no gold entry"]
    known = {entry.bibtex_key for entry in gold}
    answered = {prediction.bibtex_key for prediction in predictions}
    if not known & answered and predictions:
        lines = _lines(predictions)
        return [f"none of the {len(answered)} predicted keys is in the gold file ({lines})"]
    twice = _named("duplicate key in the gold file", _repeated(gold))
    again = _named("duplicate prediction", _repeated(predictions))
    unknown = [p for p in predictions if p.bibtex_key not in known]
    strange = _named("prediction for a key that the gold file lacks", unknown)
    absent = [] if forgive else [e for e in gold if e.bibtex_key not in answered]
    lacking = _named("no prediction for a gold entry (see --missing)", absent, "gold ")
    return [*twice, *again, *strange, *lacking]


def _repeated(rows: Sequence[Entry | Prediction]) -> list[Entry | Prediction]:
    counts = Counter(row.bibtex_key for row in rows)
    return [row for row in rows if counts[row.bibtex_key] > 1]


def _named(what: str, rows: Sequence[Entry | Prediction], where: str = "") -> list[str]:
    if not rows:
        return []
    keys = list(dict.fromkeys(printable(row.bibtex_key) for row in rows))
    more = f" and {len(keys) - _SHOWN} more" if len(keys) > _SHOWN else ""
    return [f"{what}: {', '.join(keys[:_SHOWN])}{more} ({where}{_lines(rows)})"]


def _lines(rows: Iterable[Entry | Prediction]) -> str:
    lines = [row.line for row in rows if row.line]
    return lines_text(lines) if lines else "made in code"
