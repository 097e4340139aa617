"""What did a tool say of each entry, by its output?

Pure readers, one for each form of output. A row that has no key, or whose parts are not where
they should be, is no answer; what is then missing is found by `settle`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, assert_never

import msgspec

from hallmark.bench.lines import printable
from hallmark.bench.systems.external.rows import JsonForm, TextForm

LONGEST_TEXT = 400
"""Characters of a tool's own words that a prediction keeps."""


class Said(msgspec.Struct, frozen=True):
    """One answer: the key as the tool wrote it, its native statuses, its words.

    `valid` is the tool's P(valid) in [0, 1], where it gives one.
    """

    key: str
    statuses: tuple[str, ...]
    text: str = ""
    valid: float | None = None


class Heard(msgspec.Struct, frozen=True):
    """All answers of one call, in the tool's order.

    `processed` is how many entries the tool says it worked on. `broken` tells why the output, or
    a part of it, could not be read; empty where all of it could. `twice` says whether the tool
    told of a key that is given twice.
    """

    answers: tuple[Said, ...]
    processed: int | None = None
    broken: str = ""
    twice: bool = False


def read(form: JsonForm | TextForm, output: str) -> Heard:
    """Return what a tool's output says, whatever it holds."""
    match form:
        case JsonForm(lines=True):
            return _json_lines(form, output)
        case JsonForm():
            return _json(form, output)
        case TextForm():
            return _text(form, output)
        case _ as never:
            assert_never(never)


def _json(form: JsonForm, output: str) -> Heard:
    try:
        document = msgspec.json.decode(output)
    except (msgspec.DecodeError, RecursionError) as problem:
        return Heard((), broken=f"the output is no JSON ({printable(problem)})")
    rows = _follow(document, form.rows) if form.rows else [document]
    if len(rows) != 1 or not isinstance(rows[0], list):
        return Heard((), broken=f"the output has no list at {form.rows or 'its top'!r}")
    answers = tuple(_said(form, row) for row in rows[0])
    found = next(iter(_follow(document, form.processed)), None) if form.processed else None
    processed = found if isinstance(found, int) and not isinstance(found, bool) else None
    return Heard(answers, processed=processed)


def _json_lines(form: JsonForm, output: str) -> Heard:
    answers, broken = list[Said](), ""
    for number, line in enumerate(output.split("\n"), 1):
        if not line.strip():
            continue
        try:
            answers.append(_said(form, msgspec.json.decode(line)))
        except (msgspec.DecodeError, RecursionError) as problem:
            broken = broken or f"line {number} of the output is no JSON ({printable(problem)})"
    return Heard(tuple(answers), broken=broken)


def _said(form: JsonForm, row: object) -> Said:
    keys = _texts(row, (form.key,))
    statuses = next((s for paths in form.status if (s := _texts(row, paths))), ())
    words = "; ".join(dict.fromkeys(_texts(row, form.text)))
    valid = next(iter(_follow(row, form.valid)), None) if form.valid else None
    return Said(
        keys[0] if keys else "",
        tuple(dict.fromkeys(statuses)),
        printable(words, LONGEST_TEXT),
        _probability(valid),
    )


def _probability(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None


def _texts(row: object, paths: Sequence[str]) -> tuple[str, ...]:
    found = (value for path in paths for value in _follow(row, path))
    return tuple(str(v) for v in found if isinstance(v, str | int) and v != "")


def _follow(value: object, path: str) -> list[Any]:
    """Return everything that a dotted path leads to; `[]` branches into a list."""
    reached = [value]
    for step in path.split("."):
        name, every = step.removesuffix("[]"), step.endswith("[]")
        reached = [v[name] for v in reached if isinstance(v, dict) and v.get(name) is not None]
        if every:
            reached = [member for v in reached if isinstance(v, list) for member in v]
    return reached


def _text(form: TextForm, output: str) -> Heard:
    answers = list[Said]()
    entry, status = re.compile(form.entry), re.compile(form.status or "(?!)")
    for line in output.split("\n"):
        if begun := entry.search(line):
            answers.append(_joined(Said(begun["key"], ()), begun))
        elif answers and (found := status.search(line)):
            answers[-1] = _joined(answers[-1], found)
    return Heard(tuple(answers))


def _joined(said: Said, found: re.Match[str]) -> Said:
    """Return an answer with the status and the text that a line adds to it."""
    parts = found.groupdict()
    texts = [text for text in (said.text, parts.get("text")) if text]
    statuses = dict.fromkeys((*said.statuses, *filter(None, [parts.get("status")])))
    return Said(said.key, tuple(statuses), printable("; ".join(texts), LONGEST_TEXT))


def by_key(answers: Sequence[Said]) -> dict[str, list[Said]]:
    """Return the answers of each key, in the tool's order."""
    groups = dict[str, list[Said]]()
    for said in answers:
        groups.setdefault(said.key, []).append(said)
    return groups


def merged(answers: Sequence[Said]) -> Iterator[Said]:
    """Yield one answer for each key, of tools that give an entry several findings."""
    for key, group in by_key(answers).items():
        statuses = tuple(dict.fromkeys(s for said in group for s in said.statuses))
        words = "; ".join(dict.fromkeys(said.text for said in group if said.text))
        yield Said(key, statuses, printable(words, LONGEST_TEXT), group[0].valid)
