"""Which corrections can be made in a .bib file, and do they stand up to a new check?

The file is read twice: once to find the entries, once more, corrected, to check them again. A
correction is made only if its entry is then verified, and no other entry says anything else.
"""

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from hallmark.correct.document import Document, opened
from hallmark.correct.edit import Change, Manner, Refusal, applied, changes_of
from hallmark.correct.markup import Script, writes_unicode
from hallmark.correct.scan import EntrySpan, Lines, find_entry
from hallmark.correct.vocabulary import Vocabulary
from hallmark.parse.bibtex import read_bibtex
from hallmark.parse.fields import LONGEST_RAW
from hallmark.parse.input import Input
from hallmark.records.finding import Safety
from hallmark.records.reference import Entry, Reference
from hallmark.records.verdict import Result, Suggestion
from hallmark.text.venues import VenueTable

Check = Callable[[Reference], Result]
"""Checks one reference."""


class State(StrEnum):
    """What became of a correction: made, left because it is unsafe, or impossible."""

    MADE = "made"
    LEFT = "left"
    REFUSED = "refused"


class Row(Struct, frozen=True):
    """One entry's correction; `edits` pairs the old source text of each place with the new."""

    key: str
    line: int
    state: State
    safety: Safety
    fields: tuple[str, ...]
    edits: tuple[tuple[str, str], ...] = ()
    reason: str = ""


class Mended(Struct, frozen=True):
    """A file before and after its corrections, and what became of each."""

    before: str
    after: str
    data: bytes
    rows: tuple[Row, ...]


class _Fix(Struct):
    """A correction on its way."""

    number: int
    reference: Reference
    suggestion: Suggestion
    changes: tuple[Change, ...] = ()
    reason: str = ""


def mend(
    name: str,
    data: bytes,
    results: Sequence[Result],
    *,
    check: Check,
    venues: VenueTable,
    unsafe: bool = False,
) -> Mended:
    """Make the corrections that the results suggest in the bytes of a .bib file.

    Args:
        name: the file, as results name it.
        data: its bytes.
        results: those of its entries that carry a suggestion.
        check: checks a corrected entry again.
        venues: resolves names of venues.
        unsafe: whether to make those too that a person should look at first.
    """
    source = Input(name, io.BytesIO(data))
    document = opened(data, source.encoding.name)
    if document is None:
        reason = f"The file's encoding ({source.encoding.name}) cannot be written back unchanged."
        return Mended("", "", data, tuple(_refused(one, reason) for one in results))
    work = _Work(name, document, results, venues)
    chosen = [fix for fix in work.fixes if not fix.reason and (unsafe or _is_safe(fix))]
    text, changed = work.stand_up(chosen, check)
    rows = [work.row(fix, made=fix in chosen) for fix in work.fixes]
    return Mended(document.text, text, changed, (*rows, *work.lost))


def _is_safe(fix: _Fix) -> bool:
    return fix.suggestion.safety is Safety.SAFE


def _refused(result: Result, reason: str) -> Row:
    fields = tuple(result.verdict.suggestion.fields) if result.verdict.suggestion else ()
    return Row(result.key, result.location.line, State.REFUSED, Safety.NONE, fields, reason=reason)


class _Work:
    """What is known of a file while it is corrected."""

    def __init__(
        self, name: str, document: Document, results: Sequence[Result], venues: VenueTable
    ) -> None:
        self._name = name
        self._document = document
        self._lines = Lines(document.text)
        self._prints: list[int] = []
        self._parents: set[str] = set()
        vocabulary = Vocabulary(venues)
        wanted = {(one.key, one.location.line): one for one in results}
        self.fixes = list(self._found(wanted, vocabulary))
        self.lost = tuple(
            _refused(one, "The file was changed during the check.") for one in wanted.values()
        )
        script = Script(document.encoding, unicode=writes_unicode(document.text))
        for fix in self.fixes:
            self._prepare(fix, Manner(script, vocabulary))

    def _entries(self, data: bytes) -> Iterator[Entry]:
        return read_bibtex(Input(self._name, io.BytesIO(data)))

    def _found(
        self, wanted: dict[tuple[str, int], Result], vocabulary: Vocabulary
    ) -> Iterator[_Fix]:
        """Yield the entries to correct; learn on the way what the file says elsewhere."""
        for number, entry in enumerate(
            self._entries(self._document.write(self._document.text) or b"")
        ):
            self._prints.append(_print_of(entry))
            if not isinstance(entry, Reference):
                continue
            self._parents.update(_pointed_to(entry.fields))
            result = wanted.pop((entry.key, entry.location.line), None)
            suggestion = result.verdict.suggestion if result is not None else None
            if result is not None and suggestion is not None and result.title == entry.title:
                yield _Fix(number, entry, suggestion)
            elif result is None:
                self._learn(entry, vocabulary)

    def _learn(self, reference: Reference, vocabulary: Vocabulary) -> None:
        span = self._span(reference) if reference.venue else None
        for name in ("booktitle", "journal", "journaltitle") if span is not None else ():
            field = span.field(name) if span is not None else None
            if field is not None:
                source = self._document.text[field.start : field.end]
                if "\n" not in source:
                    vocabulary.see(reference.venue, source)
                return

    def _span(self, reference: Reference) -> EntrySpan | None:
        """Return where an entry stands, if it reads there just as it was read."""
        text = self._document.text
        span = find_entry(text, self._lines, reference.key, reference.location.line)
        if span is None:
            return None
        here = re.sub(r"\r\n?", "\n", text[span.start : span.end])[:LONGEST_RAW]
        return span if here == reference.raw.strip()[: len(here)] else None

    def _prepare(self, fix: _Fix, manner: Manner) -> None:
        span = self._span(fix.reference)
        if span is None:
            fix.reason = "The entry breaks a rule of BibTeX; correct it by hand."
        elif fix.reference.key.lower() in self._parents:
            fix.reason = "Other entries inherit from it; correct it by hand."
        else:
            found = changes_of(
                self._document.text, span, fix.reference, fix.suggestion.fields, manner
            )
            if isinstance(found, Refusal):
                fix.reason = found.reason
            else:
                fix.changes = found

    def stand_up(self, chosen: list[_Fix], check: Check) -> tuple[str, bytes]:
        """Return text and bytes with the corrections that stand up; take out the others."""
        while True:
            text = applied(self._document.text, [one for fix in chosen for one in fix.changes])
            data = self._document.write(text)
            failed = self._fallen(chosen, data, check)
            if not failed and data is not None:
                return text, data
            for fix in failed:
                chosen.remove(fix)

    def _fallen(self, chosen: Sequence[_Fix], data: bytes | None, check: Check) -> list[_Fix]:
        """Return the corrections that cannot be written or do not stand up, with the reasons."""
        if data is None:
            return [fix for fix in chosen if self._cannot_write(fix)]
        by_number = {fix.number: fix for fix in chosen}
        failed: list[_Fix] = []
        others = 0
        for number, entry in enumerate(self._entries(data)) if chosen else ():
            fix = by_number.get(number)
            if fix is None:
                others += number < len(self._prints) and self._prints[number] == _print_of(entry)
            elif self._fails(fix, entry, check):
                failed.append(fix)
        if chosen and others != len(self._prints) - len(chosen):
            return [_because(fix, "Other entries would read otherwise.") for fix in chosen]
        return failed

    def _cannot_write(self, fix: _Fix) -> bool:
        alone = applied(self._document.text, fix.changes)
        if self._document.write(alone) is not None:
            return False
        _because(fix, f"The file's encoding ({self._document.encoding}) lacks a letter of it.")
        return True

    def _fails(self, fix: _Fix, entry: Entry, check: Check) -> bool:
        if not isinstance(entry, Reference) or entry.key != fix.reference.key:
            _because(fix, "The corrected entry cannot be read.")
            return True
        status = check(entry).status
        if status != "verified":
            _because(fix, f"Checked again, the corrected entry is not verified ({status}).")
        return status != "verified"

    def row(self, fix: _Fix, *, made: bool) -> Row:
        """Return what became of a correction."""
        state = State.MADE if made else State.REFUSED if fix.reason else State.LEFT
        edits = [(self._document.text[one.start : one.end], one.new) for one in fix.changes]
        reference = fix.reference
        return Row(
            reference.key,
            reference.location.line,
            state,
            fix.suggestion.safety,
            tuple(fix.suggestion.fields),
            tuple(edits),
            fix.reason,
        )


def _because(fix: _Fix, reason: str) -> _Fix:
    fix.reason = reason
    return fix


def _pointed_to(fields: Mapping[str, str]) -> Iterator[str]:
    for name in ("crossref", "xdata"):
        for key in fields.get(name, "").split(","):
            if key.strip():
                yield key.strip().lower()


def _print_of(entry: Entry) -> int:
    """Return a number for all that an entry says, wherever in the file it stands."""
    if isinstance(entry, Reference):
        return hash((entry.key, entry.entry_type, tuple(sorted(entry.fields.items()))))
    return hash((entry.key, entry.reason))
