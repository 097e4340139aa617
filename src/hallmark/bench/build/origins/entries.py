"""Which benchmark entry does a reference make, once it is known what is wrong with it?"""

from collections.abc import Sequence

from msgspec import structs

from hallmark.bench.build.dress import canonical
from hallmark.bench.build.leaks import keyed
from hallmark.bench.entry import Entry, Label
from hallmark.bench.perturb.drafts import (
    join_names,
    subtests_of,
    subtests_of_valid,
    venue_field,
)
from hallmark.bench.taxonomy import HallucinationType
from hallmark.bench.validate import ENTRY_TYPES
from hallmark.records.reference import Reference
from hallmark.text import titles

SCHEMA = "hallmark-entry/1"
_BRACES = str.maketrans("", "", "{}")


def entry_of_reference(reference: Reference) -> Entry:
    """Return a reference as a benchmark entry, label and sub-tests still those of a valid one."""
    kind = reference.entry_type if reference.entry_type in ENTRY_TYPES else "misc"
    venue = reference.venue
    if reference.arxiv and not venue:
        kind, venue = "article", f"arXiv preprint arXiv:{reference.arxiv}"
    if kind == "misc" and venue:
        kind = "article"
    names = [author.display for author in reference.authors]
    fields = {
        "title": titles.plain(reference.title),
        "author": join_names(names, truncated=reference.authors_truncated),
        venue_field(kind): venue or reference.publisher,
        "volume": reference.volume,
        "number": reference.number,
        "pages": reference.pages,
        "year": "" if reference.year is None else str(reference.year),
        "doi": reference.doi or "",
    }
    shown = {name: text.translate(_BRACES) for name, text in fields.items() if text}
    entry = Entry(bibtex_key="", bibtex_type=kind, label=Label.VALID, fields=shown)
    return canonical(structs.replace(entry, subtests=subtests_of_valid(reference.doi)))


def lacking(entry: Entry) -> list[str]:
    """Return which of the fields that an entry needs are not there."""
    return [name for name in ("title", "author", "year") if not entry.fields.get(name)]


def finished(
    entry: Entry,
    kind: HallucinationType | None,
    *,
    method: str,
    source: str,
    explanation: str,
    date: str,
    works: Sequence[str] = (),
    doi_resolves: bool | None = None,
) -> Entry:
    """Return an entry with its truth, under a key that is a hash of what it says.

    Args:
        entry: what is claimed.
        kind: its type, None for a valid entry.
        method: how it was made, in the benchmark's words ("llm_generated", "real_world").
        source: the corpus, or the model.
        explanation: why it is what it is.
        date: the day it was added, "2026-12-02".
        works: title keys of the real works in it.
        doi_resolves: what is known of the DOI where the type leaves that open.
    """
    passed = subtests_of(kind, entry) if kind else subtests_of_valid(entry.fields.get("doi"))
    if doi_resolves is not None and "doi" in entry.fields:
        passed["doi_resolves"] = doi_resolves
    told = structs.replace(
        entry,
        label=Label.HALLUCINATED if kind else Label.VALID,
        hallucination_type=kind,
        difficulty_tier=int(kind.info.tier) if kind else None,
        explanation=explanation,
        generation_method=method,
        source=source,
        added_to_benchmark=date,
        subtests=passed,
        schema_version=SCHEMA,
        extra={"works": list(dict.fromkeys(works))},
    )
    return keyed(told, method)
