"""How does a person read the outcome on a terminal?

Problems first, yours against the record's with the changed words marked; then what cannot be
told, what was not checked, and what is verified; then the queue where one is wished; then counts,
sources, the index's date, and how much of the bibliography it knows.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TextIO

from hallmark.records.finding import Finding, Safety, Severity
from hallmark.records.queue import Pick, Queue
from hallmark.records.verdict import Result, Suggestion
from hallmark.report import model_use, ranking
from hallmark.report.diff import Piece, marked
from hallmark.report.escape import visible
from hallmark.report.holdings import sentences
from hallmark.report.interface import Look, RunInfo
from hallmark.report.paint import Line, Span, Style, fit, lines_text, width_of, wrap
from hallmark.report.sides import BASE, chance, has_sides, needs_base, says_the_same, told_beside
from hallmark.report.spool import Spool
from hallmark.report.summary import Summary, is_incomplete, is_problem, is_unreadable

_SIGNS = {"problem": "✗", "unsure": "?", "skipped": "–", "warning": "!"}
_ASCII_SIGNS = {"problem": "x", "unsure": "?", "skipped": "-", "warning": "!"}
_LABEL = 10
"""Cells of a label such as "record" with the blanks around it."""
_WIDEST = 100
"""Cells of a line of text on a wide terminal; longer lines are hard to read."""
_NARROWEST = 40


class Keys:
    """Keys that stand side by side, as many as a line of `width` cells holds."""

    def __init__(self, width: int) -> None:
        self.rows = Spool()
        self._width = width
        self._column = 0

    def add(self, key: str) -> None:
        """Add one key, with the blanks or the new line that must stand before it."""
        size = 2 + width_of(key)
        fits = self._column + size <= self._width
        self.rows.add(f"  {key}" if fits or not self._column else f"\n  {key}")
        self._column = self._column + size if fits else size


class Terminal:
    """The report for people; sections wait in spools until the last result is in."""

    def __init__(self, out: TextIO, look: Look) -> None:
        self._out = out
        self._look = look
        self._width = max(_NARROWEST, min(look.width, _WIDEST))
        self._signs = _ASCII_SIGNS if look.ascii else _SIGNS
        self._problems, self._unsure, self._skipped = Spool(), Spool(), Spool()
        self._warned = Spool()
        self._open, self._verified = Keys(self._width), Keys(self._width)
        self._notes: Counter[str] = Counter()

    def begin(self, run: RunInfo) -> None:
        """Write the head: what is checked against what."""
        self._run = run
        if self._look.quiet:
            return
        files = ", ".join(visible(name) for name in run.files)
        self._write(wrap((Span(files, Style.BOLD),), self._width, 0))
        self._write(wrap((Span(_index_line(run), Style.DIM),), self._width, 0))
        self._out.write("\n")

    def add(self, result: Result) -> None:
        """Paint one result into its section."""
        if is_problem(result):
            self._problems.add(self._text(self._problem(result)) + "\n")
        elif not self._look.only_problems:
            self._add_other(result)

    def end(self, summary: Summary) -> None:
        """Write the sections and the counts."""
        self._problems.pour(self._out)
        for title, style, rows in (
            ("Cannot be told", Style.UNSURE, self._unsure),
            ("Left open: a source failed", Style.UNSURE, self._open.rows),
            ("Not checked", Style.DIM, self._skipped),
            ("Verified, with a warning", Style.UNSURE, self._warned),
            ("Verified", Style.GOOD, self._verified.rows),
        ):
            if rows.count:
                self._write([(Span(f"{title} ({rows.count:,})", style),)])
                rows.pour(self._out)
                self._out.write("\n\n" if rows in (self._open.rows, self._verified.rows) else "\n")
        if summary.queue is not None:
            self._write(self._queue(summary.queue))
        if not self._look.quiet:
            self._counts(summary)

    def close(self) -> None:
        """Forget the rows."""
        for spool in (
            self._problems,
            self._unsure,
            self._skipped,
            self._warned,
            self._open.rows,
            self._verified.rows,
        ):
            spool.close()

    def _add_other(self, result: Result) -> None:
        match result.status:
            case "verified":
                self._add_verified(result)
            case "not_checked":
                self._skipped.add(self._text(self._row(result, "skipped", Style.DIM)))
            case "unresolved" if is_incomplete(result) and not told_beside(result):
                self._open.add(visible(result.key))
            case _:
                self._unsure.add(self._text(self._row(result, "unsure", Style.UNSURE)))

    def _add_verified(self, result: Result) -> None:
        findings = result.verdict.findings
        self._notes.update({one.code for one in findings if one.severity is Severity.NOTE})
        if any(one.severity is not Severity.NOTE for one in findings):
            self._warned.add(self._text(self._row(result, "warning", Style.UNSURE)))
        else:
            self._verified.add(visible(result.key))

    def _problem(self, result: Result) -> Iterator[Line]:
        """Yield the lines of one problem."""
        yield from self._headline(result, "problem", Style.BAD)
        if result.title:
            yield from wrap((Span("  "), Span(visible(result.title), Style.BOLD)), self._width, 2)
        yield from wrap((Span("  "), Span(_outcome(result), Style.BAD)), self._width, 2)
        shown = [one for one in result.verdict.findings if one.severity is not Severity.NOTE]
        for finding in shown or result.verdict.findings:
            yield from self._finding(finding)
        if not result.verdict.findings:
            yield from wrap((Span("  "), Span(visible(result.verdict.reason))), self._width, 2)
        if result.verdict.suggestion is not None:
            yield from self._suggestion(result.verdict.suggestion)

    def _headline(self, result: Result, sign: str, style: Style) -> Iterator[Line]:
        """Yield sign and key, and the place at the right edge where there is room for it."""
        key = visible(result.key) or "(no key)"
        place = f"{visible(result.location.file)}:{result.location.line}"
        gap = self._width - 2 - width_of(key) - width_of(place)
        head = (Span(f"{self._signs[sign]} ", style), Span(key, Style.BOLD))
        if gap >= 2:  # noqa: PLR2004 (two blanks part them)
            yield (*head, Span(" " * gap), Span(place, Style.DIM))
        else:
            yield from wrap(head, self._width, 2)
            yield from wrap((Span("  "), Span(place, Style.DIM)), self._width, 2)

    def _finding(self, finding: Finding) -> Iterator[Line]:
        name = self._look.names.get(finding.code, "")
        style = Style.UNSURE if finding.severity is not Severity.PROBLEM else Style.PLAIN
        sides = has_sides(finding)
        message = visible(finding.message)
        head = Span(f"  {finding.code} {visible(name)}".rstrip(), style)
        told = not message or (sides and says_the_same(finding))
        yield from wrap((head, Span("" if told else f": {message}")), self._width, 4)
        if sides:
            mine, theirs = marked(visible(finding.claimed), visible(finding.found))
            yield from self._side("yours", mine, Style.WRONG)
            yield from self._side("record", theirs, Style.RIGHT)
        if finding.sources:
            held = ", ".join(visible(one) for one in finding.sources)
            yield from self._labelled("held by", (Span(held, Style.DIM),))

    def _side(self, label: str, pieces: tuple[Piece, ...], style: Style) -> Iterator[Line]:
        spans = tuple(
            Span(piece.text, style if piece.changed else Style.PLAIN, caret=piece.changed)
            for piece in pieces
        )
        yield from self._labelled(label, spans)

    def _labelled(self, label: str, spans: tuple[Span, ...]) -> Iterator[Line]:
        head = Span(f"    {label}".ljust(_LABEL + 2), Style.DIM)
        yield from wrap((head, *spans), self._width, _LABEL + 2)

    def _suggestion(self, suggestion: Suggestion) -> Iterator[Line]:
        safe = suggestion.safety is Safety.SAFE
        yield (Span("  Correction" + (", safe to apply" if safe else ", look first")),)
        for field, value in suggestion.fields.items():
            text = f"{visible(field)} = {{{visible(value)}}}" if value else f"no {visible(field)}"
            yield from wrap((Span("    "), Span(text, Style.GOOD)), self._width, 8)

    def _row(self, result: Result, sign: str, style: Style) -> Iterator[Line]:
        """Yield a result that needs no block: key, place, title and the reason."""
        yield from self._headline(result, sign, style)
        if result.title:
            title = fit(visible(result.title), self._width - 2)
            yield (Span("  "), Span(title))
        for text in _reasons(result):
            yield from wrap((Span("  "), Span(visible(text), Style.DIM)), self._width, 2)

    def _queue(self, queue: Queue) -> Iterator[Line]:
        yield from wrap((Span(ranking.title(queue), Style.BOLD),), self._width, 2)
        yield from wrap((Span(f"  {ranking.introduction(queue)}", Style.DIM),), self._width, 2)
        size = len(f"{len(queue.picks)}")
        for number, pick in enumerate(queue.picks, start=1):
            yield from self._pick(f"{number:>{size}}", pick)
        yield ()

    def _pick(self, number: str, pick: Pick) -> Iterator[Line]:
        """Yield a reference of the queue: number, key and place; title; the reasons."""
        indent = len(number) + 1
        key, place = visible(pick.key) or "(no key)", f"{visible(pick.file)}:{pick.line}"
        gap = self._width - indent - width_of(key) - width_of(place)
        head = (Span(f"{number} ", Style.UNSURE), Span(key, Style.BOLD))
        blanks = " " * gap if gap >= 2 else "  "  # noqa: PLR2004 (two blanks part them)
        yield from wrap((*head, Span(blanks, whole=True), Span(place, Style.DIM)), self._width, 2)
        if pick.title:
            title = fit(visible(pick.title), self._width - indent)
            yield (Span(" " * indent), Span(title))
        yield from wrap((Span(f"{' ' * indent}{ranking.reasons(pick)}"),), self._width, indent)

    def _counts(self, summary: Summary) -> None:
        self._write(wrap(tuple(_count_spans(summary)), self._width, 2))
        if self._notes:
            notes = ", ".join(
                f"{count:,} {visible(self._look.names.get(code, code))}"
                for code, count in self._notes.most_common()
            )
            self._write(wrap((Span(f"Notes: {notes}", Style.DIM),), self._width, 2))
        for line in _source_lines(summary):
            self._write(wrap((Span(line, Style.DIM),), self._width, 2))
        if summary.model is not None:
            self._write(
                wrap((Span(visible(model_use.sentence(summary.model)), Style.DIM),), self._width, 2)
            )
        if summary.holdings is not None:
            style = Style.DIM if summary.holdings.fits else Style.UNSURE
            for line in sentences(summary.holdings):
                self._write(wrap((Span(visible(line), style),), self._width, 2))
        if needs_base(summary):
            self._write(wrap((Span(BASE, Style.DIM),), self._width, 2))

    def _text(self, lines: Iterator[Line]) -> str:
        return lines_text(lines, colour=self._look.colour)

    def _write(self, lines: "Iterator[Line] | list[Line]") -> None:
        self._out.write(lines_text(lines, colour=self._look.colour))


def _index_line(run: RunInfo) -> str:
    if run.index is None:
        return f"without an index, policy {visible(run.policy)}"
    records = f", {run.records:,} records" if run.records is not None else ""
    as_of = f" built {visible(run.as_of)}" if run.as_of else ""
    return f"against {visible(run.index)}{records}{as_of}, policy {visible(run.policy)}"


_WORDS: Mapping[str, str] = {
    "verified": "verified",
    "contradicted": "contradicted",
    "not_found": "not found",
    "unresolved": "cannot be told",
    "not_checked": "not checked",
}
_STYLES: Mapping[str, Style] = {
    "verified": Style.GOOD,
    "contradicted": Style.BAD,
    "not_found": Style.BAD,
    "unresolved": Style.UNSURE,
    "not_checked": Style.DIM,
}


def _outcome(result: Result) -> str:
    """Return the verdict in words, with its type and probability."""
    if is_unreadable(result):
        return "unreadable"
    kind = f": {result.verdict.type}" if result.verdict.type else ""
    return f"{_WORDS[result.status]}{kind} ({chance(result)})"


def _reasons(result: Result) -> list[str]:
    """Return what to say of a result that is no problem."""
    told = [f"{one.code} {one.message}" for one in told_beside(result)]
    if result.status == "verified" and told:
        return told
    return [result.verdict.reason, *told]


def _count_spans(summary: Summary) -> Iterator[Span]:
    plural = "" if summary.references == 1 else "s"
    counts = [(status, summary.count(status)) for status in _WORDS if summary.count(status)]
    yield Span(f"{summary.references:,} reference{plural}{':' if counts else ''}", Style.BOLD)
    for at, (status, count) in enumerate(counts, start=1):
        comma = "," if at < len(counts) else ""
        yield Span(" ")
        yield Span(f"{count:,} {_WORDS[status]}{comma}", _STYLES[status], whole=True)


def _source_lines(summary: Summary) -> Iterator[str]:
    """Yield who was asked and what came of it, then why who failed."""
    for source in summary.sources:
        as_of = f", built {visible(source.as_of)}" if source.as_of else ""
        parts = [
            f"{count:,} {word}"
            for count, word in (
                (source.found, "found"),
                (source.absent, "absent"),
                (source.unavailable, "not answered"),
            )
            if count
        ]
        yield f"Asked: {visible(source.name)}{as_of}: {', '.join(parts)}"
    for failure in summary.failures:
        yield f"Failed: {visible(failure)}"
