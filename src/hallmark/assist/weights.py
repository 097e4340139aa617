"""How much is a model's vote worth?

A vote is one piece of evidence. Its weight is a log-likelihood ratio, fitted on labelled entries of
the development data (`fit`), by model, prompt, kind of reference, and whether the reference is from
before the model's training ended. A table of weights is a readable file. Where it has no row for a
vote, the vote weighs nothing.
"""

import math
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, assert_never

import msgspec
from msgspec import Meta, Struct

from hallmark.errors import InputError
from hallmark.records.opinion import Stance, Vote
from hallmark.records.reference import Kind, Reference

FORMAT = "hallmark-llm-weights/1"

LARGEST = 1_000_000
"""Bytes of a table that is read; one of a hundred models has some hundred thousand."""

STRONGEST = 3.0
"""The largest weight, either way, in log-odds: odds of 20 to 1. However well a model did on the
development data, its word on another bibliography is worth no more."""

QUANTILE = 1.645
"""Standard errors by which a fitted ratio is drawn towards nothing: what 95 of 100 samples of that
size would show at least. A model that was tried on few entries so weighs little."""

READ_MONTHS = 6
"""Months before the cutoff by which a year must have ended: until a work is cited and written
about, a model meets it once or never."""

UNDISCLOSED_MONTHS = 12
"""Months more where the vendor did not publish the cutoff: what is known then is an upper bound."""

_HALF = 0.5
_MONTHS = 12
_DIGITS = 4

Count = Annotated[float, Meta(ge=0.0)]


class Group(StrEnum):
    """Kinds of references that are weighed apart, because models know them unequally well."""

    PAPER = "paper"
    PREPRINT = "preprint"
    BOOK = "book"
    OTHER = "other"


class Era(StrEnum):
    """Whether a work can have been among a model's training data."""

    KNOWN = "known"
    PAST = "past"


class Counts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a model voted on entries of either label: flagged, accepted, neither."""

    flagged_bad: Count = 0.0
    flagged_good: Count = 0.0
    accepted_bad: Count = 0.0
    accepted_good: Count = 0.0
    unsure_bad: Count = 0.0
    unsure_good: Count = 0.0

    @property
    def bad(self) -> float:
        """The hallucinated entries."""
        return self.flagged_bad + self.accepted_bad + self.unsure_bad

    @property
    def good(self) -> float:
        """The valid entries."""
        return self.flagged_good + self.accepted_good + self.unsure_good


class Cell(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The weights of one group in one era, with the counts that they were fitted on.

    `flags`, at least 0, is what a vote against the reference adds to the log-odds; `accepts`, at
    most 0, what a vote for it adds.
    """

    group: Group
    era: Era
    flags: Annotated[float, Meta(ge=0.0, le=STRONGEST)]
    accepts: Annotated[float, Meta(ge=-STRONGEST, le=0.0)]
    counts: Counts


class Fitted(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The weights of one model under one prompt.

    `cutoff` is the last month of the training data, "YYYY-MM", "" where nobody knows; `disclosed`
    whether the vendor published it. `left_out` of the entries that it voted on (`votes`) taught
    nothing: works that it neither surely read nor surely did not.
    """

    model: str
    prompt: str = ""
    cutoff: str = ""
    disclosed: bool = False
    votes: Annotated[int, Meta(ge=0)] = 0
    left_out: Annotated[int, Meta(ge=0)] = 0
    cells: tuple[Cell, ...]


class Data(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table was fitted on: the gold file and the prediction files, by name and digest."""

    name: str
    sha256: str
    rows: int


class Table(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of weights, with where it came from."""

    format: str = FORMAT
    fitted: str = ""
    version: str = ""
    data: tuple[Data, ...] = ()
    models: tuple[Fitted, ...] = ()


class Weighed(Struct, frozen=True):
    """What a vote adds to the log-odds; None, with the reason, where no fitted weight applies."""

    weight: float | None
    why: str = ""


EMPTY = Table()
"""A table without a model: every vote is a note and nothing else."""


def weigh(vote: Vote, reference: Reference, table: Table) -> Weighed:
    """Return what a vote adds to the log-odds of P(hallucinated) of a reference."""
    if vote.stance is Stance.FAILED:
        return Weighed(None, "an answer that cannot be read weighs nothing")
    rows = [one for one in table.models if one.model == vote.model]
    if not rows:
        return Weighed(None, f"no weight was fitted for {vote.model}")
    row = next((one for one in rows if one.prompt == vote.prompt), None)
    if row is None:
        return Weighed(None, f"the weight of {vote.model} was fitted for another prompt")
    group, era = group_of(reference), era_of(reference.year, row.cutoff, disclosed=row.disclosed)
    cell = next((one for one in row.cells if (one.group, one.era) == (group, era)), None)
    if cell is None:
        return Weighed(None, _untried(vote.model, row.cutoff, era))
    match vote.stance:
        case Stance.HALLUCINATED:
            return Weighed(cell.flags)
        case Stance.VALID:
            return Weighed(cell.accepts)
        case Stance.UNSURE:
            return Weighed(0.0)
        case _ as never:
            assert_never(never)


def _untried(model: str, cutoff: str, era: Era) -> str:
    if not cutoff:
        return f"its weights name no cutoff of {model}: fit them with --cutoff YYYY-MM"
    when = " past its cutoff" if era is Era.PAST else ""
    return f"{model} was not tried on references such as this{when}"


def group_of(reference: Reference) -> Group:
    """Return the group that a reference is weighed in."""
    match reference.kind:
        case Kind.PAPER:
            return Group.PAPER
        case Kind.PREPRINT:
            return Group.PREPRINT
        case Kind.BOOK | Kind.CHAPTER:
            return Group.BOOK
        case _:
            return Group.OTHER


def era_of(year: int | None, cutoff: str, *, disclosed: bool) -> Era:
    """Return whether a model can have learnt a work of a year.

    The last months before the cutoff count as past. So do works without a year, and everything
    where no cutoff is known.
    """
    if year is None or not cutoff:
        return Era.PAST
    margin = READ_MONTHS + (0 if disclosed else UNDISCLOSED_MONTHS)
    return Era.KNOWN if _MONTHS * (year + 1) <= _month(cutoff) - margin else Era.PAST


def is_past(year: int | None, cutoff: str) -> bool:
    """Whether a work is surely newer than a model: only such ones show how it votes on them."""
    return year is not None and bool(cutoff) and _MONTHS * year >= _month(cutoff)


def _month(text: str) -> int:
    """Return the number of months from the year 0 to the end of a month, "YYYY-MM"."""
    year, _, month = text.partition("-")
    return _MONTHS * int(year) + int(month)


def fit(counts: Iterable[tuple[Group, Era, Counts]]) -> tuple[Cell, ...]:
    """Return the weights that counts of votes prove.

    The weight of a vote is the log of P(vote | hallucinated) over P(vote | valid), each count
    raised by a half, drawn towards 0 by `QUANTILE` standard errors of a log risk ratio (Katz et
    al., Obtaining confidence intervals for the risk ratio in cohort studies, 1978). A vote against
    a reference never lowers P(hallucinated), one for it never raises it; past the cutoff neither
    weighs more than before it.
    """
    found = {(group, era): one for group, era, one in counts if one.bad and one.good}
    cells = {place: _cell(*place, one) for place, one in sorted(found.items())}
    return tuple(_lowered(cell, cells.get((cell.group, Era.KNOWN))) for cell in cells.values())


def _cell(group: Group, era: Era, one: Counts) -> Cell:
    flags = _ratio(one.flagged_bad, one.bad, one.flagged_good, one.good)
    accepts = _ratio(one.accepted_good, one.good, one.accepted_bad, one.bad)
    return Cell(group=group, era=era, flags=flags, accepts=0.0 - accepts, counts=one)


def _ratio(hits: float, of: float, others: float, of_others: float) -> float:
    """Return the least log ratio of two shares that the counts prove, from 0 to `STRONGEST`."""
    a, n, c, m = hits + _HALF, of + 2 * _HALF, others + _HALF, of_others + 2 * _HALF
    ratio = math.log(a / n) - math.log(c / m)
    error = math.sqrt(max(0.0, 1 / a - 1 / n + 1 / c - 1 / m))
    return round(min(STRONGEST, max(0.0, ratio - QUANTILE * error)), _DIGITS)


def _lowered(cell: Cell, known: Cell | None) -> Cell:
    """Return a cell of works past the cutoff with no more weight than those before it."""
    if cell.era is Era.KNOWN:
        return cell
    flags = 0.0 if known is None else min(cell.flags, known.flags)
    accepts = 0.0 if known is None else max(cell.accepts, known.accepts)
    return msgspec.structs.replace(cell, flags=flags, accepts=accepts)


def load_table(path: Path) -> Table:
    """Read a file of weights; see `read_table` for the errors."""
    try:
        with path.open("rb") as stream:
            text = stream.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"The weights {path} cannot be read: {error.strerror}.") from None
    return read_table(text, str(path))


def read_table(text: bytes, name: str) -> Table:
    """Read a table of weights.

    Args:
        text: the file's content.
        name: how messages name the file.

    Raises:
        InputError: it is no such table, of another format, or breaks the laws of the weights.
    """
    if len(text) > LARGEST:
        raise InputError(
            f"{name} is no table of weights: it is larger than {LARGEST:,} bytes. {_MAKE_ONE}"
        )
    try:
        table = msgspec.json.decode(text, type=Table)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{name} is no table of weights: {error}. {_MAKE_ONE}") from None
    problem = next(_problems(table), None)
    if problem is not None:
        raise InputError(f"{name} cannot be used: {problem} {_MAKE_ONE}")
    return table


_MAKE_ONE = (
    "Fit one: hallmark study llm-weights --from PREDICTIONS --gold dev_public --model NAME "
    "-o WEIGHTS.json"
)


def _problems(table: Table) -> Iterator[str]:
    if table.format != FORMAT:
        yield f"its format is {table.format[:40]!r}, and this version reads {FORMAT!r}."
        return
    seen: set[tuple[str, str]] = set()
    for row in table.models:
        if (row.model, row.prompt) in seen:
            yield f"it has two rows of {row.model[:80]!r} under one prompt."
        seen.add((row.model, row.prompt))
        if row.cutoff and not is_month(row.cutoff):
            yield f"the cutoff {row.cutoff[:20]!r} is no month; write it as YYYY-MM."
        places = [(cell.group, cell.era) for cell in row.cells]
        if len(set(places)) < len(places):
            yield f"it weighs a group of {row.model[:80]!r} twice."


def is_month(text: str) -> bool:
    """Whether a text is a month, "YYYY-MM"."""
    year, dash, month = text.partition("-")
    digits = f"{year}{month}"
    whole = len(year) == len("2026") and len(month) == len("05")
    return (
        bool(dash)
        and whole
        and digits.isascii()
        and digits.isdigit()
        and (1 <= int(month) <= _MONTHS)
    )
