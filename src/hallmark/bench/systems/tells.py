"""How much of the labels shows in the form of the released development split?

A cheat, kept to measure the leak: no rule here looks at what is cited. The marks were read off
the development split (key shape, field order, the `journal` field, years ahead); they say nothing
about other data.
"""

import re

from hallmark.bench.entry import BlindEntry, Prediction
from hallmark.bench.systems.interface import RULE_CONFIDENCE, EntrySystem, commit

_YEAR = re.compile(r"\d{4}")


def format_tells(*, reference_year: int) -> EntrySystem:
    """Return the system that flags an entry by marks of form alone."""

    def answer(entry: BlindEntry) -> Prediction:
        tell = find_tell(entry, reference_year)
        return commit(
            entry,
            hallucinated=tell is not None,
            confidence=RULE_CONFIDENCE,
            reason=tell or "no mark of form",
        )

    return EntrySystem(answer, {"reference_year": reference_year})


def find_tell(entry: BlindEntry, reference_year: int) -> str | None:
    """Return the first mark of form that gives the entry away, None where there is none."""
    if entry.bibtex_key[:1].isdigit():
        return "the key starts with a digit"
    if "journal" in entry.fields:
        return "has a field `journal`"
    if entry.bibtex_type == "inproceedings" and "booktitle" not in entry.fields:
        return "an @inproceedings without a field `booktitle`"
    names = list(entry.fields)
    if names[:2] == ["author", "title"]:
        return "the author stands before the title"
    if names == ["title", "author", "booktitle", "year"]:
        return "the year stands last"
    year = _YEAR.search(entry.fields.get("year", ""))
    if year and int(year.group()) > reference_year:
        return f"the year lies after {reference_year}"
    return None
