"""What can be seen to be wrong before anything is looked up?

The pre-screening layer of the paper (appendix B.2.1): the form of the DOI and its registrant
prefix, years out of bounds, placeholder names. Everything is decided from the entry and a
reference year; no DOI is resolved.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from hallmark._files import read_text
from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.bench.systems.interface import (
    RULE_CONFIDENCE,
    EntrySystem,
    Setting,
    System,
    abstain,
    commit,
    estimate_of,
)
from hallmark.errors import InputError
from hallmark.llm.estimate import Estimate

OVERRIDE = "[Pre-screening override]"
FIRST_YEAR = 1900

# Registrant codes are handed out in ascending order; among some 860 prefixes of real works the
# highest was 10.82433, so that a five-digit code from here on belongs to nobody yet.
FIRST_UNASSIGNED_REGISTRANT = 85_000
# Prefixes that documentation uses in examples, or that count as placeholders.
EXAMPLE_PREFIXES = frozenset(
    {"10.1234", "10.12345", "10.4321", "10.54321", "10.5555", "10.9999", "10.99999", "10.1111111"}
)
_DOI_LEAD = re.compile(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_DOI = re.compile(r"^(10\.(\d{4,9})(?:\.\d+)*)/\S+$")
_YEAR = re.compile(r"-?\d{1,6}")
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*")

_PLACEHOLDERS = frozenset(
    {
        "a author",
        "a n other",
        "an author",
        "anonymous",
        "anonymous author",
        "anonymous authors",
        "author name",
        "author one",
        "author two",
        "b author",
        "c author",
        "alice bob",
        "first author",
        "first last",
        "first name last name",
        "firstname lastname",
        "foo bar",
        "jane doe",
        "jane q public",
        "jane roe",
        "joe bloggs",
        "john doe",
        "john q public",
        "john roe",
        "last first",
        "max mustermann",
        "name surname",
        "richard roe",
        "second author",
        "some author",
        "test author",
        "test test",
        "unknown author",
        "unknown",
    }
)


def prescreening(*, reference_year: int, prefixes: Path | None = None) -> EntrySystem:
    """Return the pre-screening layer as a system of its own.

    It flags what it can see and abstains on the rest: in the paper the rest goes on to a tool.

    Args:
        reference_year: the last year that is not in the future.
        prefixes: a file of known registrant prefixes, one a line or as the first column of a
            CSV; where it is given, every other prefix is flagged.
    """
    known = read_prefixes(prefixes) if prefixes else None

    def answer(entry: BlindEntry) -> Prediction:
        override = screen(entry, reference_year, known)
        return override or abstain(entry, "nothing to see", forced=Label.VALID)

    settings: dict[str, Setting] = {"reference_year": reference_year}
    if known is not None:
        settings["prefixes"] = len(known)
    return EntrySystem(answer, settings)


class Prescreened:
    """A system behind the pre-screening layer, as in the paper's pipeline (Figure 3)."""

    def __init__(self, inner: System, *, reference_year: int) -> None:
        self._inner = inner
        self._reference_year = reference_year

    @property
    def settings(self) -> dict[str, Setting]:
        """The inner system's settings and the layer's own."""
        return {**self._inner.settings, "prescreen_reference_year": self._reference_year}

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        """Give the layer's verdict where it has one; only the other entries reach the tool."""
        overrides = [screen(entry, self._reference_year) for entry in entries]
        rest = [e for e, override in zip(entries, overrides, strict=True) if override is None]
        answers = iter(self._inner.predict(rest))
        for override in overrides:
            yield override if override is not None else next(answers)

    def estimate(self, entries: Sequence[BlindEntry]) -> Estimate | None:
        """Return what asking the tool about the other entries takes."""
        rest = [entry for entry in entries if screen(entry, self._reference_year) is None]
        return estimate_of(self._inner, rest)


def screen(
    entry: BlindEntry, reference_year: int, known: frozenset[str] | None = None
) -> Prediction | None:
    """Return the layer's verdict on an entry, None where it has none."""
    fault = find_fault(entry, reference_year, known)
    if fault is None:
        return None
    reason = f"{OVERRIDE} {fault}"
    return commit(entry, hallucinated=True, confidence=RULE_CONFIDENCE, reason=reason)


def find_fault(
    entry: BlindEntry, reference_year: int, known: frozenset[str] | None = None
) -> str | None:
    """Return a sentence on the first fault that can be seen, None where there is none."""
    return (
        doi_fault(entry.fields.get("doi", ""), known)
        or year_fault(entry.fields.get("year", ""), reference_year)
        or name_fault(entry.fields.get("author", ""))
    )


def doi_fault(text: str, known: frozenset[str] | None = None) -> str | None:
    """Return what is wrong with the form or the registrant of a DOI; an empty one is not wrong.

    `known` is the set of registrant prefixes that exist; without it only prefixes that cannot
    exist (see DOI Handbook, 2.2.2) and those of examples are wrong.
    """
    doi = _DOI_LEAD.sub("", text.strip())
    if not doi:
        return None
    form = _DOI.match(doi)
    if form is None:
        return f"the DOI {doi[:80]!r} does not have the form 10.XXXX/..."
    prefix, registrant = f"10.{form[2]}", form[2]
    if known is not None and not {prefix, form[1]} & known:
        return f"the DOI prefix {prefix} is not among the known registrants"
    if prefix in EXAMPLE_PREFIXES:
        return f"the DOI prefix {prefix} is used in examples only"
    if registrant.startswith("0") or int(registrant) >= FIRST_UNASSIGNED_REGISTRANT:
        return f"the DOI prefix {prefix} has not been given to any registrant"
    return None


def year_fault(text: str, reference_year: int) -> str | None:
    """Return what is wrong with a year: in the future, or before 1900; no year is not wrong."""
    found = _YEAR.search(text)
    if found is None:
        return None
    year = int(found.group())
    if year > reference_year:
        return f"the year {year} lies after {reference_year}"
    if year < FIRST_YEAR:
        return f"the year {year} lies before {FIRST_YEAR}"
    return None


def name_fault(text: str) -> str | None:
    """Return what is wrong with a list of authors: placeholders, single words, repetitions.

    A name in braces is a group and may be one word; "and others" is no name.
    """
    names = [name for name in _AND.split(text.strip()) if name.strip()]
    seen = set[str]()
    for name in names:
        if name.strip().casefold() == "others":
            continue
        plain = plain_name(name)
        if plain in _PLACEHOLDERS:
            return f"the author {name.strip()[:80]!r} is a placeholder"
        if " " not in plain and "{" not in name:
            return f"the author {name.strip()[:80]!r} has a single name"
        if plain in seen:
            return f"the author {name.strip()[:80]!r} is named twice"
        seen.add(plain)
    return None


def plain_name(name: str) -> str:
    """Return a name's words in the order given-family, in lower case, dots and commas dropped."""
    family, comma, given = name.partition(",")
    ordered = f"{given} {family}" if comma else name
    return " ".join(word.rstrip(".") for word in _WORD.findall(ordered)).casefold()


def read_prefixes(path: Path) -> frozenset[str]:
    """Return the DOI prefixes that a file lists in its first column.

    Raises:
        InputError: the file cannot be read, or lists no prefix.
    """
    try:
        lines = read_text(path, "utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"Cannot read the DOI prefixes in {path}: {problem}") from problem
    firsts = (re.split(r"[,;\t]", line, maxsplit=1)[0].strip().strip('"') for line in lines)
    prefixes = frozenset(first for first in firsts if first.startswith("10."))
    if not prefixes:
        raise InputError(f"{path} lists no DOI prefix; give one a line, such as 10.1145.")
    return prefixes
