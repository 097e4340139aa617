"""Which characters of an entry change when its wrong fields are put right?

The answer is a list of replacements of stretches of the file; all between them stays, byte by byte.
What cannot be changed without guessing is refused, with the reason.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter

from msgspec import Struct

from hallmark.correct.markup import Script
from hallmark.correct.people import corrected_authors
from hallmark.correct.scan import EntrySpan, FieldSpan, is_literal
from hallmark.correct.vocabulary import Vocabulary
from hallmark.correct.wording import corrected_title
from hallmark.records.reference import Reference
from hallmark.text import identifiers

VENUE_FIELDS = frozenset(
    "booktitle journal journaltitle maintitle eventtitle series howpublished".split()
)
_DATES = ("year", "date")
_LINKS = ("doi", "url", "ee", "link", "eprint", "pdf")
"""Fields in which an identifier may stand."""
_IDS = frozenset({"doi", "eprint"})


class Refusal(Struct, frozen=True):
    """An entry cannot be corrected; `reason` is a sentence that says why."""

    reason: str


class _Refused(Exception):
    """Carries the reason up to `changes_of`."""


class Change(Struct, frozen=True):
    """One replacement: `text[start:end]` becomes `new`; `field` names what it is about."""

    start: int
    end: int
    new: str
    field: str


class Manner(Struct, frozen=True):
    """How the file is written: its script and its names of venues."""

    script: Script
    vocabulary: Vocabulary


def changes_of(
    text: str, entry: EntrySpan, reference: Reference, wanted: Mapping[str, str], manner: Manner
) -> tuple[Change, ...] | Refusal:
    """Return the replacements that make the wanted changes to an entry, in order.

    They do not overlap. An entry that cannot be changed without guessing is refused.

    Args:
        text: the whole file.
        entry: where the entry stands in it.
        reference: what was read from the entry.
        wanted: plain text by field name; an empty one takes the field out.
        manner: how the file is written.
    """
    found: list[Change] = []
    try:
        for name, value in wanted.items():
            found.extend(_one(text, entry, reference, name, value, manner))
    except _Refused as refused:
        return Refusal(str(refused))
    return _merged(sorted(found, key=attrgetter("start", "end")))


def _merged(changes: list[Change]) -> tuple[Change, ...] | Refusal:
    """Join fields that are taken out side by side; refuse changes that touch one place."""
    merged: list[Change] = []
    for one in changes:
        last = merged[-1] if merged else None
        if last is None or last.end <= one.start:
            merged.append(one)
        elif last.new or one.new:
            return Refusal("Two corrections touch the same place of the entry.")
        else:
            end = max(last.end, one.end)
            merged[-1] = Change(last.start, end, "", f"{last.field}, {one.field}")
    return tuple(merged)


def applied(text: str, changes: Iterable[Change]) -> str:
    """Return the text with the changes made, which must not overlap."""
    parts: list[str] = []
    place = 0
    for one in sorted(changes, key=attrgetter("start", "end")):
        parts += [text[place : one.start], one.new]
        place = one.end
    return "".join([*parts, text[place:]])


def _one(
    text: str,
    entry: EntrySpan,
    reference: Reference,
    name: str,
    value: str,
    manner: Manner,
) -> Iterator[Change]:
    if name in _IDS:
        yield from _identifier(text, entry, reference, name, value)
    elif name in _DATES:
        yield from _year(text, entry, reference, value)
    elif name in VENUE_FIELDS:
        yield _venue(text, entry, reference, name, value, manner)
    else:
        yield _words(text, entry, name, value, manner)


def _words(text: str, entry: EntrySpan, name: str, value: str, manner: Manner) -> Change:
    """Correct a title or a list of authors inside of its own braces or quotes."""
    span = entry.field(name)
    source = "" if span is None else text[span.start : span.end]
    correct = corrected_authors if name == "author" else corrected_title
    if span is None:
        return _added(text, entry, name, f"{{{correct('', value, manner.script)}}}")
    if not is_literal(source):
        return _replaced(span, f"{{{correct('', value, manner.script)}}}")
    return _replaced(span, _enclosed(correct(source[1:-1], value, manner.script), source[0]))


def _enclosed(inside: str, mark: str) -> str:
    """Enclose a value as it was; a quote inside of quotes must stand in braces."""
    if mark == "{":
        return f"{{{inside}}}"
    depth = 0
    out = []
    for letter in inside:
        depth += (letter == "{") - (letter == "}")
        out.append('{"}' if letter == '"' and depth == 0 else letter)
    return f'"{"".join(out)}"'


def _venue(
    text: str, entry: EntrySpan, reference: Reference, name: str, value: str, manner: Manner
) -> Change:
    written, is_source = manner.vocabulary.written(value, reference.venue)
    span = entry.field(name)
    if not is_source:
        mark = '"' if span is not None and text[span.start] == '"' else "{"
        written = _enclosed(manner.script.write(written), mark)
    return _added(text, entry, name, written) if span is None else _replaced(span, written)


def _year(text: str, entry: EntrySpan, reference: Reference, value: str) -> Iterator[Change]:
    """Correct the year wherever the entry dates itself, and nothing else of a date."""
    old = re.compile(rf"(?<!\d){reference.year}(?!\d)")
    spans = [span for name in _DATES if (span := entry.field(name)) is not None]
    dated = [span for span in spans if old.search(text, span.start, span.end)]
    if not spans:
        yield _added(text, entry, "year", f"{{{value}}}")
    elif not dated:
        raise _Refused("The year is not written in four digits, or comes from a macro.")
    for span in dated:
        yield _replaced(span, old.sub(value, text[span.start : span.end], count=1))


def _identifier(
    text: str, entry: EntrySpan, reference: Reference, name: str, value: str
) -> Iterator[Change]:
    """Put one identifier instead of the other wherever the entry gives it, or take it out."""
    old = reference.doi if name == "doi" else reference.arxiv
    if not old:
        raise _Refused("The entry has no such identifier.")
    form = re.compile(_loosely(old), re.IGNORECASE)
    names = _LINKS if name == "doi" else (*_LINKS, "journal", "volume", "note", "howpublished")
    spans = [span for one in names if (span := entry.field(one)) is not None]
    holding = [span for span in spans if form.search(text, span.start, span.end)]
    if not holding:
        raise _Refused("The identifier stands in a field that is not to be changed, or in a macro.")
    for span in holding:
        source = text[span.start : span.end]
        if value:
            escaped = value.replace("_", "\\_") if "\\_" in source else value
            yield _replaced(span, escaped.join(form.split(source)))
        else:
            yield _taken_out(entry, span, source, form)
            yield from _beside(entry, name)


def _beside(entry: EntrySpan, name: str) -> Iterator[Change]:
    """Take out what means nothing without the identifier."""
    for one in _BESIDE_EPRINT if name == "eprint" else ():
        if (span := entry.field(one)) is not None:
            yield _out(entry, span)


_BESIDE_EPRINT = ("archiveprefix", "primaryclass", "eprinttype", "eprintclass")


def _loosely(identifier: str) -> str:
    r"""Return a pattern for an identifier as it may be written in LaTeX ("\_" for "_")."""
    return "".join(
        rf"\\?{re.escape(one)}" if one in "_%&#" else re.escape(one) for one in identifier
    )


def _taken_out(entry: EntrySpan, span: FieldSpan, source: str, form: re.Pattern[str]) -> Change:
    """Take a field out that holds nothing but the identifier or a link to it."""
    bare = source.strip('{}" ')
    link = re.sub(r"^(?:https?://)?(?:(?:dx\.)?doi\.org/|arxiv\.org/(?:abs|pdf)/)|^(?:doi|arxiv):\s*",
                  "", bare, flags=re.IGNORECASE)  # fmt: skip
    if not form.fullmatch(link.removesuffix(".pdf")) and (
        identifiers.doi(bare) is None or " " in bare
    ):
        raise _Refused(f"The field {span.name} holds more than the wrong identifier.")
    return _out(entry, span)


def _out(entry: EntrySpan, span: FieldSpan) -> Change:
    at = entry.fields.index(span)
    before = entry.body if at == 0 else entry.fields[at - 1].next
    if span.has_comma:
        return Change(before, span.next, "", span.name)
    start = entry.body if at == 0 else entry.fields[at - 1].end
    return Change(start, span.end, "", span.name)


def _replaced(span: FieldSpan, new: str) -> Change:
    return Change(span.start, span.end, new, span.name)


def _added(text: str, entry: EntrySpan, name: str, value: str) -> Change:
    """Add a field behind the last one, laid out as that one is."""
    last = entry.fields[-1]
    start = _line_start(text, last)
    blank = text[start : last.name_start]
    label = _labelled(text, entry, name)
    if blank.strip() or start <= entry.start:
        return Change(last.end, last.end, f", {label}{value}", name)
    line_end = "\r\n" if text[start - 2 : start] == "\r\n" else text[start - 1]
    return Change(last.end, last.end, f",{line_end}{blank}{label}{value}", name)


def _labelled(text: str, entry: EntrySpan, name: str) -> str:
    """Return a field's name and equals sign as in the last field, in the column of the others'."""
    last = entry.fields[-1]
    before, _, after = text[last.name_end : last.start].partition("=")
    columns = {text.index("=", one.name_end) - _line_start(text, one) for one in entry.fields}
    if len(columns) == 1 and len(entry.fields) > 1:
        name = name.ljust(last.name_end - last.name_start)
    return f"{name}{before}={after}"


def _line_start(text: str, span: FieldSpan) -> int:
    return max(text.rfind("\n", 0, span.name_start), text.rfind("\r", 0, span.name_start)) + 1
