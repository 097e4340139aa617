"""How is an author told, politely and from both sides, what the records say of a reference?

The letter is plain text or Markdown. It names the record, sets both values side by side with what
differs marked, says which differences do not count and why, and accuses nobody.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from hallmark.records.evidence import Compared, Evidence
from hallmark.records.finding import Finding, Severity
from hallmark.records.reference import Reference
from hallmark.records.verdict import Result
from hallmark.report import escape
from hallmark.report.benign import Benign, benign
from hallmark.report.diff import Piece, marked
from hallmark.report.letter_words import CLOSING, OPENING, OTHERWISE, WORDS
from hallmark.report.paint import Span, lines_text, wrap
from hallmark.report.people import Pair, Standing, shortened, side_by_side
from hallmark.report.provenance import record_lines

_WIDTH = 78
_LABEL = 10
_PEOPLE = frozenset({"HM401", "HM402", "HM403", "HM404", "HM406", "HM102"})
"""Codes about lists of authors, which are shown person by person."""
_HARMLESS = frozenset({"HM304", "HM405", "HM506", "HM603"})
"""Codes of notes on differences that do not count; they are told with the others of their kind."""
_SIGNS = {
    Standing.SAME: "=",
    Standing.OTHERWISE: "~",
    Standing.MOVED: "^",
    Standing.DIFFERENT: "#",
    Standing.YOURS: "<",
    Standing.RECORD: ">",
}


class Form(Struct, frozen=True):
    """How a letter is marked up; each function returns whole lines."""

    heading: Callable[[str], list[str]]
    paragraph: Callable[[str], list[str]]
    labelled: Callable[[str, str], list[str]]
    sides: Callable[[str, str], list[str]]
    people: Callable[[Sequence[Pair]], list[str]]
    item: Callable[[str], list[str]]


def letter(
    reference: Reference, evidence: Evidence, result: Result, *, markdown: bool = False
) -> str:
    """Return a letter to the author of a reference.

    Args:
        reference: what was cited.
        evidence: what the verdict rests on.
        result: the verdict.
        markdown: whether to write GitHub-flavoured Markdown instead of plain text.
    """
    form = MARKDOWN if markdown else TEXT
    record = _matched(evidence, result)
    parts = [
        form.heading(f"Reference {result.key or '(no key)'}"),
        form.paragraph(OPENING[result.status]),
        form.heading("As cited"),
        *(form.labelled(*pair) for pair in _cited(reference)),
    ]
    if record is not None:
        parts.append(form.heading("Our record"))
        parts += [form.labelled(*pair) for pair in record_lines(record.version)]
    parts += _points(reference, record, result, form)
    parts += _unmarked(record, result, form)
    parts += _agreeing(result, form)
    if result.status in {"contradicted", "not_found"}:
        parts.append(form.paragraph(CLOSING))
    parts.append(form.paragraph(_basis(evidence)))
    return _joined(line for part in parts for line in part)


def _joined(lines: Iterable[str]) -> str:
    """Join lines; one empty line parts two blocks, and none stands at the beginning."""
    out: list[str] = []
    for line in lines:
        if line or (out and out[-1]):
            out.append(line)
    return "".join(f"{line}\n" for line in out)


def _matched(evidence: Evidence, result: Result) -> Compared | None:
    """Return the record that the reference was matched with, as it was compared."""
    for work in evidence.works:
        for one in work.versions:
            if one.version == result.verdict.work:
                return one
    return None


def _cited(reference: Reference) -> Iterator[tuple[str, str]]:
    authors = "; ".join(name.display for name in reference.authors)
    cut = " and others" if reference.authors_truncated else ""
    for label, value in (
        ("title", ": ".join(part for part in (reference.title, reference.subtitle) if part)),
        ("authors", f"{authors}{cut}"),
        ("venue", reference.venue),
        ("year", reference.year_text or str(reference.year or "")),
        ("DOI", reference.doi or reference.claimed_doi),
        ("arXiv", reference.arxiv or ""),
        ("place", f"{reference.location.file}, line {reference.location.line}"),
    ):
        if value:
            yield label, value


def _points(
    reference: Reference, record: Compared | None, result: Result, form: Form
) -> Iterator[list[str]]:
    """Yield what there is to say, the weightiest first, each kind of list of authors once."""
    shown_people = False
    findings = [one for one in result.verdict.findings if one.code not in _HARMLESS]
    for number, finding in enumerate(_weighty(findings), start=1):
        words = WORDS.get(finding.code, OTHERWISE)
        yield form.heading(f"{number}. {words.heading}")
        yield form.paragraph(words.sentence)
        if finding.code in _PEOPLE and record is not None and record.version.authors:
            if not shown_people:
                yield form.people(_people(reference, record))
            shown_people = True
        elif finding.claimed and finding.found:
            yield form.sides(finding.claimed, finding.found)
        elif finding.message:
            yield form.labelled("details", finding.message)
        if finding.sources:
            yield form.labelled("held by", ", ".join(finding.sources))


def _weighty(findings: Sequence[Finding]) -> list[Finding]:
    """Return the problems and warnings; where there are none, the notes."""
    heavy = [one for one in findings if one.severity is not Severity.NOTE]
    return heavy or list(findings)


def _people(reference: Reference, record: Compared) -> Sequence[Pair]:
    names = [name.display for name in reference.authors]
    rows = side_by_side(names, record.version.authors)
    if reference.authors_truncated:
        return [row for row in rows if row.standing is not Standing.RECORD]
    return rows


def _unmarked(record: Compared | None, result: Result, form: Form) -> Iterator[list[str]]:
    if record is None:
        return
    found = list(dict.fromkeys(benign(record, result.verdict.findings)))
    if found:
        yield form.heading("Differences that do not count")
        for one in found:
            yield form.item(_sentence(one))


def _sentence(one: Benign) -> str:
    sides = ""
    if one.claimed and one.found:
        sides = f" “{one.claimed}” for “{one.found}”:"
    elif one.claimed or one.found:
        sides = f" “{one.claimed or one.found}”:"
    return f"{one.field}:{sides} {one.why}."


def _agreeing(result: Result, form: Form) -> Iterator[list[str]]:
    suggestion = result.verdict.suggestion
    if suggestion is not None:
        yield form.heading("What would agree with our record")
        for field, value in suggestion.fields.items():
            yield form.item(f"{field} = {{{value}}}" if value else f"{field}: left out")


def _basis(evidence: Evidence) -> str:
    asked = ", ".join(
        f"{one.source} (of {one.as_of})" if one.as_of else one.source for one in evidence.answers
    )
    day = f" on {evidence.today}" if evidence.today else ""
    return f"Checked{day} against: {asked or 'no source'}."


def _text_lines(text: str, indent: str = "", hanging: str = "") -> list[str]:
    lines = wrap((Span(indent), Span(escape.visible(text))), _WIDTH, len(hanging))
    return lines_text(lines, colour=False).splitlines()


def _text_heading(text: str) -> list[str]:
    shown = _text_lines(text)
    return ["", *shown, "-" * min(_WIDTH, max(map(len, shown)))]


def _text_labelled(label: str, value: str) -> list[str]:
    head = f"  {label}".ljust(_LABEL + 2)
    return _text_lines(value, head, " " * (_LABEL + 2))


def _text_side(label: str, pieces: Sequence[Piece]) -> list[str]:
    head = Span(f"  {label}".ljust(_LABEL + 2))
    spans = [Span(one.text, caret=one.changed) for one in pieces]
    return lines_text(wrap((head, *spans), _WIDTH, _LABEL + 2), colour=False).splitlines()


def _text_sides(claimed: str, found: str) -> list[str]:
    mine, theirs = marked(escape.visible(claimed), escape.visible(found))
    return [*_text_side("yours", mine), *_text_side("record", theirs)]


def _text_people(rows: Sequence[Pair]) -> list[str]:
    width = max((len(escape.visible(row.claimed)) for row in rows), default=0)
    width = max(len("yours"), min(width, _WIDTH // 2 - 8))
    out = ["", f"        {'yours'.ljust(width)}        record"]
    for row in shortened(rows):
        if isinstance(row, int):
            out.append(f"        ... {row:,} alike ...")
            continue
        mine, theirs = escape.visible(row.claimed), escape.visible(row.found)
        out.append(
            f"  {row.place or '-':>4}  {mine.ljust(width)}  {_SIGNS[row.standing]}"
            f"  {row.record_place or '-':>4} {theirs}".rstrip()
        )
    used = dict.fromkeys(row.standing for row in rows)
    out.append("  " + "; ".join(f"{_SIGNS[one]} {one}" for one in used))
    return out


TEXT = Form(
    heading=_text_heading,
    paragraph=lambda text: ["", *_text_lines(text)],
    labelled=_text_labelled,
    sides=_text_sides,
    people=_text_people,
    item=lambda text: _text_lines(text, "- ", "  "),
)
"""Plain text of at most 78 columns, where names allow; what differs has carets beneath it."""


def _bold(pieces: Sequence[Piece]) -> str:
    return "".join(
        f"**{escape.markdown(one.text)}**" if one.changed else escape.markdown_spaced(one.text)
        for one in pieces
    )


def _markdown_sides(claimed: str, found: str) -> list[str]:
    mine, theirs = marked(escape.visible(claimed), escape.visible(found))
    return ["", f"- yours: {_bold(mine)}", f"- record: {_bold(theirs)}"]


def _markdown_people(rows: Sequence[Pair]) -> list[str]:
    out = ["", "| | yours | | record | |", "|---|---|---|---|---|"]
    for row in shortened(rows):
        if isinstance(row, int):
            out.append(f"| | … | | … | {row:,} alike |")
            continue
        mine, theirs = escape.markdown(row.claimed), escape.markdown(row.found)
        if row.standing is not Standing.SAME:
            mine, theirs = (f"**{one}**" if one else "" for one in (mine, theirs))
        out.append(
            f"| {row.place or ''} | {mine} | {row.record_place or ''} | {theirs} | {row.standing} |"
        )
    return [*out, ""]


MARKDOWN = Form(
    heading=lambda text: ["", f"### {escape.markdown(text)}", ""],
    paragraph=lambda text: ["", escape.markdown(text), ""],
    labelled=lambda label, value: [f"- {escape.markdown(label)}: {escape.markdown(value)}"],
    sides=_markdown_sides,
    people=_markdown_people,
    item=lambda text: [f"- {escape.markdown(text)}"],
)
"""GitHub-flavoured Markdown, in which nothing from outside forms markup; what differs is bold."""
