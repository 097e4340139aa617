"""What does all the evidence for one reference look like to a person?"""

from collections.abc import Iterator

from hallmark.records.answer import (
    Absent,
    Found,
    Registered,
    SourceAnswer,
    Unavailable,
    VenueYear,
)
from hallmark.records.evidence import Compared, Comparison, Evidence, Nuance, Relation
from hallmark.records.finding import Finding, Severity
from hallmark.records.reference import Reference
from hallmark.records.verdict import Result
from hallmark.records.work import Version
from hallmark.report.benign import benign
from hallmark.report.diff import marked
from hallmark.report.escape import visible
from hallmark.report.interface import Look
from hallmark.report.paint import Line, Span, Style, lines_text, wrap
from hallmark.report.people import Standing, shortened, side_by_side
from hallmark.report.provenance import record_lines

_MOST_WORKS = 3
_MOST_VERSIONS = 8
_INDENT = 13
_RELATION_STYLES = {
    Relation.EQUAL: Style.GOOD,
    Relation.VARIANT: Style.GOOD,
    Relation.CONFLICT: Style.BAD,
    Relation.SILENT: Style.DIM,
}


def explanation(reference: Reference, evidence: Evidence, result: Result, look: Look) -> str:
    """Return the claim, the answers, the records compared field by field, and the verdict."""
    lines: list[Line] = []
    for title, part in (
        ("Claimed", _claim(reference)),
        ("Asked", _asked(evidence)),
        ("Compared", _compared(evidence)),
        ("Record", _record(result)),
        ("Said", _said(reference, result, look)),
        ("Not counted", _not_counted(evidence, result)),
    ):
        block = [one for line in part for one in wrap(line, look.width, _INDENT)]
        if block:
            lines += [(Span(title, Style.BOLD),), *block, ()]
    return lines_text(lines[:-1], colour=look.colour)


def _claim(reference: Reference) -> Iterator[Line]:
    authors = "; ".join(name.display for name in reference.authors)
    cut = " and others" if reference.authors_truncated else ""
    place = f"{reference.location.file}:{reference.location.line}"
    for label, value in (
        ("key", f"{reference.key} ({place}, {reference.entry_type}, {reference.kind})"),
        ("title", reference.title),
        ("subtitle", reference.subtitle),
        ("authors", f"{authors}{cut}"),
        ("venue", reference.venue),
        ("year", reference.year_text or str(reference.year or "")),
        ("doi", reference.doi or reference.claimed_doi),
        ("arxiv", reference.arxiv or ""),
    ):
        if value:
            yield _labelled(label, Span(visible(value)))
    for note in reference.notes:
        yield _labelled("repaired", Span(visible(note.message), Style.UNSURE))


def _asked(evidence: Evidence) -> Iterator[Line]:
    venue = evidence.venue
    means = ", ".join(venue.ids) or "no known identity"
    yield _labelled("venue", Span(visible(f"“{venue.name}” is {venue.kind}: {means}")))
    for answer in evidence.answers:
        yield _labelled(visible(answer.source), Span(visible(_answer(answer))))
    for row in evidence.coverage:
        yield _labelled("list", Span(visible(_coverage(row)), Style.DIM))
    for fact in evidence.doi_facts:
        yield _labelled("doi", Span(visible(_nuance(fact))))


def _answer(given: SourceAnswer) -> str:
    dated = f" (index built {given.as_of})" if given.as_of else ""
    match given.answer:
        case Found(versions, searched):
            return f"{len(versions)} records, by {', '.join(searched) or 'nothing'}{dated}"
        case Absent(searched):
            return f"no record, by {', '.join(searched) or 'nothing'}{dated}"
        case Registered(agency):
            return f"the DOI exists, registered with {agency or 'an agency that is not named'}"
        case Unavailable(reason):
            return f"did not answer: {reason}"


def _coverage(row: VenueYear) -> str:
    if row.not_held:
        return f"{row.venue_id} {row.year}: not held in that year ({row.basis})"
    expected = f" of {row.expected}" if row.expected is not None else ""
    complete = "complete" if row.complete else "not known to be complete"
    basis = f" ({row.basis})" if row.basis else ""
    return f"{row.venue_id} {row.year}: {row.held}{expected} works, {complete}{basis}"


def _compared(evidence: Evidence) -> Iterator[Line]:
    if not evidence.works:
        yield (Span("  no record", Style.DIM),)
    for number, work in enumerate(evidence.works[:_MOST_WORKS], start=1):
        yield (Span(f"  work {number}", Style.BOLD),)
        for one in work.versions[:_MOST_VERSIONS]:
            yield from _version(one)
        yield from _more(len(work.versions) - _MOST_VERSIONS, "records of this work")
    yield from _more(len(evidence.works) - _MOST_WORKS, "works")


def _more(count: int, what: str) -> Iterator[Line]:
    if count > 0:
        yield (Span(f"  and {count} more {what}", Style.DIM),)


def _version(one: Compared) -> Iterator[Line]:
    held = one.version
    place = held.venue_raw or held.venue
    year = f", {held.year}" if held.year is not None else ""
    yield (Span("  "), Span(visible(f"{held.collection}: {held.title} ({place}{year})")))
    for field in one.fields:
        if field.relation is not Relation.SILENT or field.nuances:
            yield _field(field)


def _field(field: Comparison) -> Line:
    relation = f"{field.relation}{' (weak)' if field.weak else ''}"
    spans = [Span(relation, _RELATION_STYLES[field.relation])]
    if field.relation is Relation.CONFLICT:
        sides = visible(f"yours “{field.claimed}”, record “{field.found}”")
        spans.append(Span(f" {sides}"))
    if field.nuances:
        reasons = ", ".join(dict.fromkeys(_nuance(each) for each in field.nuances))
        spans.append(Span(f" {visible(f'[{reasons}]')}", Style.DIM))
    return _labelled(f"  {field.field}", *spans)


def _nuance(nuance: Nuance) -> str:
    sides = " / ".join(part for part in (nuance.claimed, nuance.found) if part)
    return f"{nuance.code}: {sides}" if sides else nuance.code


def _record(result: Result) -> Iterator[Line]:
    """Yield what identifies the record that the reference was matched with."""
    if result.verdict.work is not None:
        for label, value in record_lines(result.verdict.work):
            yield _labelled(label, Span(visible(value)))


def _said(reference: Reference, result: Result, look: Look) -> Iterator[Line]:
    verdict = result.verdict
    kind = f", {verdict.type}" if verdict.type else ""
    yield _labelled("verdict", Span(f"{result.status}{kind}", Style.BOLD))
    yield _labelled("P", Span(f"{verdict.probability:.4f} that it is hallucinated"))
    yield _labelled("because", Span(visible(verdict.reason)))
    people = False
    for finding in verdict.findings:
        yield _labelled(finding.code, *_finding(finding, look))
        if finding.field == "author" and finding.code != _ONE_NAME and verdict.work is not None:
            yield from () if people else _people(reference, verdict.work)
            people = True
        elif finding.claimed and finding.found:
            yield from _sides(finding)
    tests = ", ".join(f"{name} {_mark(passed)}" for name, passed in verdict.subtests.items())
    yield _labelled("sub-tests", Span(tests))
    if verdict.suggestion is not None:
        for field, value in verdict.suggestion.fields.items():
            shown = f"{field} = {{{value}}}" if value else f"{field} left out"
            text = f"{shown} ({verdict.suggestion.safety})"
            yield _labelled("correction", Span(visible(text), Style.GOOD))


def _finding(finding: Finding, look: Look) -> Iterator[Span]:
    style = {Severity.PROBLEM: Style.BAD, Severity.WARNING: Style.UNSURE}.get(
        finding.severity, Style.DIM
    )
    yield Span(f"{finding.severity} {look.names.get(finding.code, '')}", style)
    held = f" [{', '.join(finding.sources)}]" if finding.sources else ""
    yield Span(visible(f": {finding.message}{held}"))


_ONE_NAME = "HM405"
"""The code of a note on the writing of a single name."""


def _sides(finding: Finding) -> Iterator[Line]:
    """Yield both values, what differs marked by colour or by carets beneath."""
    mine, theirs = marked(visible(finding.claimed), visible(finding.found))
    for label, pieces, style in (("yours", mine, Style.WRONG), ("record", theirs, Style.RIGHT)):
        spans = (
            Span(one.text, style if one.changed else Style.PLAIN, caret=one.changed)
            for one in pieces
        )
        yield _labelled(f"  {label}", *spans)


_STANDINGS = {
    Standing.SAME: Style.DIM,
    Standing.OTHERWISE: Style.PLAIN,
    Standing.MOVED: Style.UNSURE,
    Standing.DIFFERENT: Style.BAD,
    Standing.YOURS: Style.BAD,
    Standing.RECORD: Style.BAD,
}


def _people(reference: Reference, work: Version) -> Iterator[Line]:
    """Yield the authors of both sides, person by person; long runs of the same are counted."""
    rows = side_by_side([name.display for name in reference.authors], work.authors)
    if reference.authors_truncated:
        rows = tuple(row for row in rows if row.standing is not Standing.RECORD)
    for row in shortened(rows):
        if isinstance(row, int):
            yield _labelled("", Span(f"... {row:,} alike ...", Style.DIM))
            continue
        mine = f"{row.place}. {visible(row.claimed)}" if row.claimed else "nobody"
        theirs = f"{row.record_place}. {visible(row.found)}" if row.found else "nobody"
        yield _labelled(
            "", Span(f"{mine} | {theirs}"), Span(f" ({row.standing})", _STANDINGS[row.standing])
        )


def _not_counted(evidence: Evidence, result: Result) -> Iterator[Line]:
    """Yield the differences from the matched record that are not held against the entry."""
    versions = (one for work in evidence.works for one in work.versions)
    record = next((one for one in versions if one.version == result.verdict.work), None)
    if record is None:
        return
    for one in dict.fromkeys(benign(record, result.verdict.findings)):
        sides = " / ".join(f"“{part}”" for part in (one.claimed, one.found) if part)
        yield _labelled(one.field, Span(visible(f"{sides}{': ' if sides else ''}{one.why}")))


def _mark(passed: bool | None) -> str:
    return {True: "yes", False: "no", None: "?"}[passed]


def _labelled(label: str, *spans: Span) -> Line:
    return (Span(f"  {label}".ljust(_INDENT), Style.DIM), *spans)
