"""What does a split look like with the flips that reviewers accepted, and what changed?

The old split stays: flips make a new version of it. A decision holds for an entry whose content and
label are those that the reviewer saw, and for no other.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, structs

from hallmark.bench.build.changelog import said
from hallmark.bench.content import content
from hallmark.bench.entry import Entry, Label
from hallmark.bench.lines import printable
from hallmark.bench.perturb.drafts import subtests_of, subtests_of_valid
from hallmark.bench.taxonomy import TAXONOMY, HallucinationType, parse_type
from hallmark.errors import InputError
from hallmark.study.ledger import Dispute


class Flip(Struct, frozen=True):
    """One accepted proposal, carried out: the entry before and after it."""

    row: Dispute
    before: Entry
    after: Entry


def accepted(rows: Iterable[Dispute]) -> list[Dispute]:
    """Return the rows that a reviewer accepted."""
    return [row for row in rows if row.decision == "accept"]


def flips(entries: Iterable[Entry], rows: Iterable[Dispute], version: str) -> list[Flip]:
    """Return the flips that the accepted rows make of entries.

    Args:
        entries: of one split or of several; rows about other entries are left out.
        rows: of a ledger.
        version: of the split that is made.

    Raises:
        InputError: naming all rows that do not fit: the entry or its label is another one than the
            reviewer saw, the date is missing, or no type is given for what becomes hallucinated.
    """
    by_key = {row.key: row for row in accepted(rows)}
    pairs = [(entry, by_key[entry.bibtex_key]) for entry in entries if entry.bibtex_key in by_key]
    problems = [f"{printable(e.bibtex_key)}: {why}" for e, row in pairs for why in _misfits(e, row)]
    if problems:
        raise InputError("\n  ".join(["The ledger cannot be applied:", *problems]))
    return [Flip(row, entry, _flipped(entry, row, version)) for entry, row in pairs]


def _misfits(entry: Entry, row: Dispute) -> Iterator[str]:
    if content(entry) != row.content:
        yield "the entry is not the one that was reviewed; audit the split again"
    if (str(entry.label), str(entry.hallucination_type or "")) != (row.label, row.type):
        yield f"it is {said(entry)}, and the row is about another label or type"
    if row.proposed == Label.HALLUCINATED and not row.proposed_type:
        yield "what becomes hallucinated needs a `proposed_type`"
    if not row.date:
        yield "a decision needs a `date`"


def _flipped(entry: Entry, row: Dispute, version: str) -> Entry:
    kind: HallucinationType | None = None
    if row.proposed == Label.HALLUCINATED:
        kind = parse_type(row.proposed_type)
    reason = row.note or row.evidence
    return structs.replace(
        entry,
        label=Label(row.proposed),
        hallucination_type=kind,
        difficulty_tier=int(TAXONOMY[kind].tier) if kind else None,
        subtests=subtests_of(kind, entry) if kind else subtests_of_valid(entry.fields.get("doi")),
        explanation=f"{reason} (relabelled in {version}, was {said(entry)})",
        extra={**entry.extra, "relabelled_in": version},
    )


def applied(entries: Sequence[Entry], made: Sequence[Flip]) -> list[Entry]:
    """Return the entries of a split with the flips carried out, in the same order."""
    after = {flip.before.bibtex_key: flip.after for flip in made}
    return [after.get(entry.bibtex_key, entry) for entry in entries]


def section(name: str, version: str, date: str, made: Sequence[Flip]) -> str:
    """Return the section of a split's changelog that tells these flips."""
    lines = [
        f"## {version} ({date})",
        "",
        f"Labels of {name} changed after review: {len(made)}.",
        "",
    ]
    for flip in made:
        row = flip.row
        why = " ".join((row.note or row.evidence).split())
        lines.append(
            f"- {flip.before.bibtex_key}: {said(flip.before)}, now {said(flip.after)}. {why} "
            f"(proposed by {row.proposed_by or 'a person'}; reviewed by {row.reviewer}, {row.date})"
        )
    return "\n".join(lines) + "\n"
