"""How are the outcomes of the tests of conformance shown?"""

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from hallmark.bench.conformance.judged import Outcome
from hallmark.bench.conformance.run import Finding
from hallmark.report.escape import markdown, visible

_WIDTH = 96


def as_text(name: str, findings: Sequence[Finding]) -> str:
    """Return the table for a terminal: every test with its outcome and what was seen."""
    lines = [f"{visible(name)}: {summary(findings)}", ""]
    for found in findings:
        lines += [f"{found.outcome:<5} {found.case:<20}{found.question}"]
        lines += _indented("seen", found.seen)
        if found.outcome is not Outcome.PASS:
            lines += _indented("right", f"{found.right}: {found.why}")
    return "\n".join(lines)


def as_markdown(name: str, findings: Sequence[Finding]) -> str:
    """Return the table as Markdown."""
    rows = [
        f"| {found.case} | {found.outcome} | {markdown(found.question)} | {markdown(found.right)} "
        f"| {markdown(found.seen)} |"
        for found in findings
    ]
    head = ["| test | outcome | asked | right | seen |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([f"**{markdown(name)}**: {summary(findings)}", "", *head, *rows])


def as_json(
    name: str, findings: Sequence[Finding], settings: Mapping[str, object], date: str
) -> str:
    """Return the findings as JSON, with what the system is and when it was asked."""
    document = {
        "schema": 1,
        "system": name,
        "settings": dict(settings),
        "date": date,
        "counts": dict(Counter(str(found.outcome) for found in findings)),
        "findings": findings,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode()


def summary(findings: Sequence[Finding]) -> str:
    """Return how many tests were passed, failed and left open, in words."""
    counts = Counter(found.outcome for found in findings)
    return (
        f"{counts[Outcome.PASS]} of {len(findings)} passed, {counts[Outcome.FAIL]} failed, "
        f"{counts[Outcome.OPEN]} open"
    )


def exit_code(findings: Sequence[Finding]) -> int:
    """Return 1 where any test was failed, 3 where none was but some stay open, else 0."""
    outcomes = {found.outcome for found in findings}
    if Outcome.FAIL in outcomes:
        return 1
    return 3 if Outcome.OPEN in outcomes else 0


def _indented(label: str, text: str) -> list[str]:
    first, rest = f"      {label}: ", " " * 12
    return textwrap.wrap(visible(text), _WIDTH, initial_indent=first, subsequent_indent=rest)
