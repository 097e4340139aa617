"""What is a model asked about a reference that evidence left open?

Two blocks of data, the reference and the evidence, under instructions that are a file.
"""

from functools import cache
from typing import Any, assert_never

import msgspec

from hallmark.llm import answers
from hallmark.llm.interface import Request, User
from hallmark.llm.prompts.catalogue import shipped
from hallmark.llm.prompts.quoting import quoted
from hallmark.llm.prompts.template import Prompt
from hallmark.records.answer import Absent, Found, Registered, SourceAnswer, Unavailable, VenueYear
from hallmark.records.evidence import Compared, Evidence, Relation
from hallmark.records.finding import Severity
from hallmark.records.reference import Reference
from hallmark.records.verdict import Verdict

PROMPT = "open-reference"

FIELDS = (
    "type", "title", "authors", "venue", "year", "volume", "number", "pages", "publisher", "doi",
    "arxiv",
)  # fmt: skip
"""What is sent of a reference. Keys, notes, links and files stay here."""

TYPES = (
    "fabricated_doi", "nonexistent_venue", "placeholder_authors", "future_date", "chimeric_title",
    "wrong_venue", "swapped_authors", "preprint_as_published", "hybrid_fabrication",
    "merged_citation", "partial_author_list", "near_miss_title", "plausible_fabrication",
    "arxiv_version_mismatch",
)  # fmt: skip
"""The types that a verdict can have, and that an answer may name."""

MOST_WORKS = 3
MOST_VERSIONS = 3
MOST_AUTHORS = 50
LONGEST = 500
"""Characters of any one text; longer ones are cut."""


@cache
def prompt() -> Prompt:
    """Return the prompt; its digest goes with every weight and result."""
    return shipped(PROMPT).filled({"type_names": ", ".join(TYPES)})


def question(reference: Reference, verdict: Verdict, evidence: Evidence) -> Request:
    """Return what a model is asked about one reference."""
    entry, found = shown(reference, verdict, evidence)
    filled = prompt().user.replace("{evidence}", found).replace("{entry}", entry)
    schema = answers.schema(TYPES)
    return Request(system=prompt().system, messages=(User(filled.strip()),), schema=schema)


def shown(reference: Reference, verdict: Verdict, evidence: Evidence) -> tuple[str, str]:
    """Return the two blocks of data: the reference, and the evidence."""
    return (
        quoted("reference", as_json(claim(reference))),
        quoted("evidence", as_json(account(verdict, evidence))),
    )


def as_json(value: Any) -> str:
    """Return a value as indented JSON; lone surrogates, which no request can hold, are replaced."""
    text = msgspec.json.format(msgspec.json.encode(_sendable(value)), indent=1)
    return text.decode()


def claim(reference: Reference) -> dict[str, Any]:
    """Return what is sent of a reference, without what it does not say."""
    names = [name.display for name in reference.authors]
    values = {
        "type": reference.entry_type,
        "title": ": ".join(part for part in (reference.title, reference.subtitle) if part),
        "authors": _people(names, truncated=reference.authors_truncated),
        "venue": reference.venue,
        "year": reference.year_text or reference.year,
        "volume": reference.volume,
        "number": reference.number,
        "pages": reference.pages,
        "publisher": reference.publisher,
        "doi": reference.doi or reference.claimed_doi,
        "arxiv": reference.arxiv,
    }
    return {name: values[name] for name in FIELDS if values[name]}


def account(verdict: Verdict, evidence: Evidence) -> dict[str, Any]:
    """Return what is sent of the evidence: who was asked, what is held, what was found."""
    works = [
        [_record(one) for one in work.versions[:MOST_VERSIONS]]
        for work in evidence.works[:MOST_WORKS]
    ]
    told = [one.message for one in verdict.findings if one.severity is not Severity.NOTE]
    return {
        "date": evidence.today,
        "sources": [_source(one) for one in evidence.answers],
        "lists": [_list(row) for row in evidence.coverage[:MOST_WORKS]],
        "works_found": works,
        "program": {"reason": verdict.reason, "findings": told},
    }


def _source(given: SourceAnswer) -> dict[str, Any]:
    return {"name": given.source, "answered": _answer(given)}


def _answer(given: SourceAnswer) -> str:
    match given.answer:
        case Found(versions):
            return f"{len(versions)} records that may be of this work"
        case Absent():
            return "no record (by itself no evidence of anything)"
        case Registered():
            return "the DOI exists"
        case Unavailable(reason):
            return f"nothing, it failed: {reason}"
        case _ as never:
            assert_never(never)


def _list(row: VenueYear) -> dict[str, Any]:
    state = "complete" if row.complete else "not known to be complete"
    held = "no edition in that year" if row.not_held else f"{row.held} papers held, {state}"
    return {"venue": row.venue_id, "year": row.year, "list": held}


def _record(one: Compared) -> dict[str, Any]:
    held = one.version
    values = {
        "held_by": held.collection,
        "title": held.title,
        "authors": _people(list(held.authors), truncated=held.authors_truncated),
        "venue": held.venue_raw or held.venue,
        "year": held.year,
        "doi": held.doi,
        "arxiv": held.arxiv,
        "differs_in": [
            str(field.field) for field in one.fields if field.relation is Relation.CONFLICT
        ],
    }
    return {name: value for name, value in values.items() if value}


def _people(names: list[str], *, truncated: bool) -> list[str]:
    cut = truncated or len(names) > MOST_AUTHORS
    return [*names[:MOST_AUTHORS], *(["and others"] if cut and names else [])]


def _sendable(value: Any) -> Any:
    """Return a value with every text cut to `LONGEST` and fit for UTF-8."""
    if isinstance(value, str):
        short = value if len(value) <= LONGEST else f"{value[: LONGEST - 1]}…"
        return short.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {name: _sendable(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_sendable(each) for each in value]
    return value
