"""Does a single mark of form give labels away?

A mark is a property of an entry that no look-up is needed for and that says nothing about the
cited work: the shape of the key, which fields there are and in which order, the year.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from hallmark.bench.audit.leak import LIMITS, Leak, Limits
from hallmark.bench.dataset import Split
from hallmark.bench.entry import BlindEntry, Entry, Label
from hallmark.bench.lines import printable
from hallmark.bench.taxonomy import HallucinationType

_HEX = re.compile(r"[0-9a-f]{6,}")
_YEAR = re.compile(r"\d{4}")
_USUAL = ("title", "author", "year", "booktitle", "journal", "doi")


class Mark(Struct, frozen=True):
    """A property: `check` is its kind, `text` says it of an entry ("the key starts with...")."""

    check: str
    text: str


class Count(Struct, frozen=True):
    """How many entries of each label bear a mark, and how likely that is by accident."""

    mark: Mark
    hallucinated: int
    valid: int
    p_value: float

    @property
    def n(self) -> int:
        """The number of entries that bear the mark."""
        return self.hallucinated + self.valid


def marks_of(entry: BlindEntry) -> Iterator[Mark]:
    """Yield the marks that an entry bears."""
    key = entry.bibtex_key
    yield Mark("key-shape", f"the key starts with a {_kind(key[:1])}")
    yield Mark("key-shape", f"the key has {len(key)} characters")
    yield Mark("key-shape", f"the key is {_alphabet(key)}")
    yield Mark("entry-type", f"the entry type is {entry.bibtex_type}")
    for name in entry.fields:
        yield Mark("field-presence", f"there is a field `{name}`")
    for name in _USUAL:
        if name not in entry.fields:
            yield Mark("field-presence", f"there is no field `{name}`")
    yield Mark("field-order", f"the fields stand in the order {', '.join(entry.fields)}")
    yield Mark("year-range", f"the year is {entry.fields.get('year', 'absent')}")


def _kind(character: str) -> str:
    if character.isdigit():
        return "digit"
    if character.isalpha():
        return "capital letter" if character.isupper() else "small letter"
    return "sign"


def _alphabet(key: str) -> str:
    if _HEX.fullmatch(key):
        return "hexadecimal"
    if key.isalnum():
        return "letters and digits"
    return "letters, digits and signs"


def telling_marks(split: Split, limits: Limits = LIMITS) -> list[Count]:
    """Return the marks whose bearers' labels differ from those of all, the surest first.

    Each mark's counts are tested with Fisher's exact test, two-sided, at `limits.alpha` divided
    by the number of marks. Entries of the type future_date are left out: their year shows by
    design.
    """
    from scipy.stats import fisher_exact  # noqa: PLC0415 - takes a second to load

    entries = [e for e in split.entries if e.hallucination_type is not _FUTURE]
    bearing = _count(entries)
    bad = sum(e.label is Label.HALLUCINATED for e in entries)
    good = len(entries) - bad
    found = list[Count]()
    for mark, (hallucinated, valid) in bearing.items():
        gap = hallucinated / (hallucinated + valid) - bad / len(entries)
        if abs(gap) < limits.gap:
            continue
        table = [[hallucinated, valid], [bad - hallucinated, good - valid]]
        p_value = float(fisher_exact(table).pvalue)
        if p_value * len(bearing) < limits.alpha:
            found.append(Count(mark, hallucinated, valid, p_value))
    return sorted(found, key=lambda count: count.p_value)


_FUTURE = HallucinationType.FUTURE_DATE


def _count(entries: Sequence[Entry]) -> dict[Mark, tuple[int, int]]:
    bad, good = Counter[Mark](), Counter[Mark]()
    for entry in entries:
        side = bad if entry.label is Label.HALLUCINATED else good
        side.update(set(marks_of(entry.blind())))
    return {mark: (bad[mark], good[mark]) for mark in {**bad, **good}}


def mark_leaks(split: Split, limits: Limits = LIMITS) -> Iterator[Leak]:
    """Yield the marks that give labels away, then what all pure ones give together."""
    counts = telling_marks(split, limits)
    for count in counts:
        share = count.hallucinated / count.n
        yield Leak(
            check=count.mark.check,
            where=split.name,
            message=(
                f"{printable(count.mark.text, 160)}: {count.hallucinated} of {count.n} such "
                f"entries are HALLUCINATED ({share:.0%}; {_base(split):.0%} of all)"
            ),
            figures={"n": count.n, "share_hallucinated": share, "p_value": count.p_value},
        )
    yield from _pure_rule(split, counts)
    yield from _years_outside(split)
    yield from _future(split)


def _base(split: Split) -> float:
    return split.hallucinated / len(split.entries)


def _pure_rule(split: Split, counts: Sequence[Count]) -> Iterator[Leak]:
    """What a rule scores that flags the bearers of marks that no valid entry bears."""
    pure = {count.mark for count in counts if not count.valid}
    flagged = sum(not pure.isdisjoint(marks_of(entry.blind())) for entry in split.entries)
    if flagged and split.hallucinated:
        rate = flagged / split.hallucinated
        yield Leak(
            check="marks-together",
            where=split.name,
            message=f"marks that no valid entry bears detect {rate:.1%} at no false positive",
            figures={"detection_rate": rate, "false_positive_rate": 0.0, "marks": len(pure)},
        )


def _years_outside(split: Split) -> Iterator[Leak]:
    """Flag a range of years that holds all valid entries but leaves many others outside."""
    valid = [y for e in split.entries if e.label is Label.VALID and (y := year_of(e)) is not None]
    others = [
        y
        for e in split.entries
        if e.label is Label.HALLUCINATED
        and e.hallucination_type is not _FUTURE
        and (y := year_of(e)) is not None
    ]
    if not valid or not others:
        return
    low, high = min(valid), max(valid)
    outside = sum(not low <= year <= high for year in others)
    # By accident, one more entry lies outside the range of n with a chance of about 2 / (n + 1).
    expected = len(others) * 2 / (len(valid) + 1)
    if outside >= _FEW + 3 * expected:
        yield Leak(
            check="year-range",
            where=split.name,
            message=(
                f"{outside} HALLUCINATED entries have a year outside {low} to {high}, where all "
                "valid ones lie"
            ),
            figures={"n": outside, "low": low, "high": high, "expected": round(expected, 2)},
        )


_FEW = 5


def _future(split: Split) -> Iterator[Leak]:
    n = sum(entry.hallucination_type is _FUTURE for entry in split.entries)
    if n:
        yield Leak(
            check="year-range",
            where=split.name,
            message=f"{n} entries of type future_date show by their year, as they are meant to",
            figures={"n": n},
            note=True,
        )


def year_of(entry: Entry | BlindEntry) -> int | None:
    """Return the four-digit year of an entry's `year` field, None where there is none."""
    found = _YEAR.search(entry.fields.get("year", ""))
    return int(found.group()) if found else None
