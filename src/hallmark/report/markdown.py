"""How does the outcome look in a pull request, an issue or a wiki (GitHub-flavoured Markdown)?"""

from collections.abc import Iterator
from typing import TextIO

from hallmark.records.finding import Finding, Safety, Severity
from hallmark.records.queue import Pick, Queue
from hallmark.records.verdict import Result, Suggestion
from hallmark.report import escape, model_use, ranking
from hallmark.report.diff import Piece, marked
from hallmark.report.holdings import sentences
from hallmark.report.interface import Look, RunInfo
from hallmark.report.sides import BASE, chance, has_sides, needs_base, told_beside
from hallmark.report.spool import Spool
from hallmark.report.summary import STATUSES, Summary, is_problem, is_unreadable


class Markdown:
    """Counts first, then the queue, then problems, each with a table; the rest folded in lists."""

    def __init__(self, out: TextIO, look: Look) -> None:
        self._out = out
        self._look = look
        self._run = RunInfo(files=())
        self._problems = Spool()
        self._others = {status: Spool() for status in ("unresolved", "not_checked", "verified")}

    def begin(self, run: RunInfo) -> None:
        """Remember the run: the counts stand first."""
        self._run = run

    def add(self, result: Result) -> None:
        """Keep the result's lines."""
        if is_problem(result):
            self._problems.add("".join(f"{line}\n" for line in self._problem(result)))
        elif not self._look.only_problems:
            self._others[result.status].add("".join(f"{line}\n" for line in self._item(result)))

    def end(self, summary: Summary) -> None:
        """Write the report."""
        if not self._look.quiet:
            self._out.write("".join(f"{line}\n" for line in _head(self._run, summary)))
        if summary.queue is not None:
            self._out.write("".join(f"{line}\n" for line in _queue(summary.queue)))
        if self._problems.count:
            self._out.write(f"## Problems ({self._problems.count:,})\n\n")
        self._problems.pour(self._out)
        for status, spool in self._others.items():
            if spool.count:
                label = f"{_words(status).capitalize()} ({spool.count:,})"
                self._out.write(f"<details><summary>{label}</summary>\n\n")
                spool.pour(self._out)
                self._out.write("\n</details>\n\n")

    def close(self) -> None:
        """Forget the lines."""
        for spool in (self._problems, *self._others.values()):
            spool.close()

    def _problem(self, result: Result) -> Iterator[str]:
        kind = f", {result.verdict.type}" if result.verdict.type else ""
        outcome = "unreadable" if is_unreadable(result) else _words(result.status)
        yield f"### {_key(result)}: {outcome}{escape.markdown(kind)}"
        yield ""
        title = f"{escape.markdown(result.title)}, " if result.title else ""
        yield f"{title}{_place(result)}, {chance(result)}"
        yield ""
        yield from self._table(result)
        yield ""
        if result.verdict.suggestion is not None:
            yield from _suggestion(result.verdict.suggestion)

    def _item(self, result: Result) -> Iterator[str]:
        """Yield one line, and one beneath it for each finding that is told beside the reason."""
        title = f" {escape.markdown(result.title)}" if result.title else ""
        reason = "" if result.status == "verified" else result.verdict.reason
        said = f": {escape.markdown(reason)}" if reason else ""
        yield f"- {_key(result)}{title} ({_place(result)}){said}"
        for finding in told_beside(result):
            yield f"  - {self._named(finding)}: {escape.markdown(finding.message)}"

    def _named(self, finding: Finding) -> str:
        name = escape.markdown(self._look.names.get(finding.code, ""))
        return f"{escape.markdown(finding.code)} {name}".rstrip()

    def _table(self, result: Result) -> Iterator[str]:
        findings = result.verdict.findings
        if not findings:
            yield escape.markdown(result.verdict.reason)
            return
        yield "| finding | yours | record | held by |"
        yield "|---|---|---|---|"
        shown = [one for one in findings if one.severity is not Severity.NOTE]
        for finding in shown or findings:
            yield self._row(finding)

    def _row(self, finding: Finding) -> str:
        head = self._named(finding)
        held = ", ".join(escape.markdown(one) for one in finding.sources)
        if not has_sides(finding):
            return f"| {head} | {escape.markdown(finding.message)} | | {held} |"
        mine, theirs = marked(escape.visible(finding.claimed), escape.visible(finding.found))
        return f"| {head} | {_bold(mine)} | {_bold(theirs)} | {held} |"


def _head(run: RunInfo, summary: Summary) -> Iterator[str]:
    yield f"# Citations of {', '.join(escape.markdown(name) for name in run.files)}"
    yield ""
    counts = ", ".join(
        f"{summary.count(status):,} {_words(status)}"
        for status in STATUSES
        if summary.count(status)
    )
    plural = "" if summary.references == 1 else "s"
    yield f"**{summary.references:,} reference{plural}**: {counts or 'none'}."
    yield ""
    index = "no index" if run.index is None else escape.markdown(run.index)
    records = f", {run.records:,} records" if run.records is not None else ""
    as_of = f" built {escape.markdown(run.as_of)}" if run.as_of else ""
    yield f"Checked against {index}{records}{as_of}, policy {escape.markdown(run.policy)}."
    yield ""
    if summary.holdings is not None:
        for sentence in sentences(summary.holdings):
            yield escape.markdown(sentence)
        yield ""
    if summary.model is not None:
        yield escape.markdown(model_use.sentence(summary.model))
        yield ""
    if needs_base(summary):
        yield escape.markdown(BASE)
        yield ""
    for failure in summary.failures:
        yield f"- Failed: {escape.markdown(failure)}"
    if summary.failures:
        yield ""


def _queue(queue: Queue) -> Iterator[str]:
    yield f"## {ranking.title(queue)}"
    yield ""
    yield ranking.introduction(queue)
    yield ""
    for number, pick in enumerate(queue.picks, start=1):
        yield f"{number}. {_pick(pick)}"
    if queue.picks:
        yield ""


def _pick(pick: Pick) -> str:
    key = escape.markdown(pick.key) or "(no key)"
    title = f" {escape.markdown(pick.title)}" if pick.title else ""
    place = f"{escape.markdown(pick.file)}:{pick.line}"
    return f"**{key}**{title} ({place}): {ranking.reasons(pick)}"


def _suggestion(suggestion: Suggestion) -> Iterator[str]:
    safe = "safe to apply" if suggestion.safety is Safety.SAFE else "look first"
    yield f"Correction, {safe}:"
    yield ""
    for field, value in suggestion.fields.items():
        shown = f"{escape.markdown(field)} = {escape.markdown(value)}"
        yield f"- {shown}" if value else f"- no {escape.markdown(field)}"
    yield ""


def _key(result: Result) -> str:
    return f"**{escape.markdown(result.key) or '(no key)'}**"


def _place(result: Result) -> str:
    return f"{escape.markdown(result.location.file)}:{result.location.line}"


def _words(status: str) -> str:
    return "cannot be told" if status == "unresolved" else status.replace("_", " ")


def _bold(pieces: tuple[Piece, ...]) -> str:
    return "".join(
        f"**{escape.markdown(piece.text)}**"
        if piece.changed
        else escape.markdown_spaced(piece.text)
        for piece in pieces
    )
