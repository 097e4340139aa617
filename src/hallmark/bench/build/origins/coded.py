"""What does a corpus whose references people coded by hand say of each of them?

The rules are those of the paper's appendix C.5: articles only; a work that is itself fabricated
comes first, and of several wrong fields of a real work the most identity-defining one wins (title,
authors, venue); a wrong year or page alone has no type, unless the year lies in the future; what
differs in form only is valid.
"""

import tomllib
from collections.abc import Iterable, Iterator
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from hallmark._files import read_text
from hallmark._registry import Registry
from hallmark.bench.build.origins.entries import entry_of_reference, finished, lacking
from hallmark.bench.build.origins.library import Library, nearest
from hallmark.bench.build.origins.rows import COLUMNS, Row, Table, read_table, reference_of_cell
from hallmark.bench.build.origins.trail import Case, Decision, told
from hallmark.bench.entry import Entry
from hallmark.bench.lines import printable, quoted
from hallmark.bench.perturb.screening import true_record
from hallmark.bench.taxonomy import HallucinationType
from hallmark.errors import InputError
from hallmark.records.reference import FailedEntry, Location, Reference
from hallmark.text import titles


class Fault(StrEnum):
    """What a coder found wrong; the first four in the order in which they decide the type."""

    WORK = "work"
    TITLE = "title"
    AUTHORS = "authors"
    VENUE = "venue"
    YEAR = "year"
    VOLUME = "volume"
    PAGES = "pages"
    FORM = "form"
    NONE = "none"


TYPES = {
    Fault.WORK: HallucinationType.PLAUSIBLE_FABRICATION,
    Fault.TITLE: HallucinationType.NEAR_MISS_TITLE,
    Fault.AUTHORS: HallucinationType.SWAPPED_AUTHORS,
    Fault.VENUE: HallucinationType.WRONG_VENUE,
}
"""The type of each fault that has one, the most identity-defining first (the paper, Table 17)."""
_WITHOUT_TYPE = frozenset({Fault.YEAR, Fault.VOLUME, Fault.PAGES})
_LARGEST_FILE = 1 << 20
_YES = frozenset({"1", "x", "y", "yes", "true", "ja", "✓"})


class Scheme(Struct, frozen=True, forbid_unknown_fields=True):
    """How a corpus is coded.

    `columns` names the columns by role, first choice first; `codes` maps the texts of the column
    of codes, several of them parted by `separator`, to faults; `flags` maps columns of their own,
    with yes or no, to faults. `articles` are the values of the column `kind` that are kept; all
    are where the corpus has no such column. `spared` says what a case without any code means.
    """

    name: str
    method: str = "real_world"
    columns: dict[str, tuple[str, ...]] = {}
    separator: str = ";"
    articles: tuple[str, ...] = ("article",)
    codes: dict[str, Fault] = {}
    flags: dict[str, Fault] = {}
    spared: Literal["open", "valid"] = "open"


def find_scheme(text: str) -> Scheme:
    """Return a scheme of ours by its name, or that of a TOML file.

    Raises:
        InputError: the file cannot be read, or is no scheme.
        UnknownName: we have no scheme of this name.
    """
    if not text.endswith(".toml"):
        return msgspec.convert(tomllib.loads(_ours().get(text)), Scheme)
    where = printable(text, 300)
    try:
        return msgspec.convert(tomllib.loads(read_text(Path(text), limit=_LARGEST_FILE)), Scheme)
    except OSError as error:
        raise InputError(f"The scheme {where} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"The scheme {where} does not fit: {printable(error, 200)}. "
            "See docs/other-origins.md for its keys."
        ) from None


def _ours() -> Registry[str]:
    registry = Registry[str]("scheme")
    for file in sorted(
        (files("hallmark.bench.build.origins") / "schemes").iterdir(), key=lambda one: one.name
    ):
        if file.name.endswith(".toml"):
            registry.add(file.name.removesuffix(".toml"), file.read_text("utf-8"))
    return registry


def read_corpus(path: Path, scheme: Scheme, given: dict[str, str]) -> Table:
    """Read a corpus; `given` names columns by role in place of the scheme's.

    Raises:
        InputError: it cannot be read, or holds no column of references or codes.
    """
    known = {role: [*scheme.columns.get(role, ()), *names] for role, names in COLUMNS.items()}
    needed = ("reference",) if scheme.flags else ("reference", "codes")
    return read_table(path, given, needed, known)


def cases_of(
    table: Table, scheme: Scheme, *, date: str, library: Library | None = None
) -> Iterator[Case]:
    """Decide about each case of a corpus, in order.

    Args:
        table: the corpus.
        scheme: how it is coded.
        date: of the benchmark, "2026-12-02": years after it are future ones.
        library: real works; where they belie a code, the case is left open.
    """
    for row in table.rows:
        yield _Coder(table, scheme, row, date, library).case()


class _Coder:
    """Decides about one case."""

    def __init__(
        self, table: Table, scheme: Scheme, row: Row, date: str, library: Library | None
    ) -> None:
        self._scheme, self._row, self._date, self._library = scheme, row, date, library
        self._raw = table.cell(row, "reference")
        self._id = table.cell(row, "id") or str(row.line)
        self._kind = table.cell(row, "kind")
        self._has_kind = "kind" in table.columns
        self._codes = table.cell(row, "codes")
        flagged = [f"{name}: {row.cells.get(name, '').strip()}" for name in scheme.flags]
        self._shown = {"kind": self._kind, "codes": self._codes or "; ".join(flagged)}

    def case(self) -> Case:
        articles = {one.casefold() for one in self._scheme.articles}
        if self._has_kind and self._kind.casefold() not in articles:
            return self._left(Decision.EXCLUDED, "not an article")
        faults = self._faults()
        if isinstance(faults, str):
            return self._left(Decision.OPEN, faults)
        read = reference_of_cell(self._raw, self._id, Location(self._id, self._row.line))
        if isinstance(read, FailedEntry):
            return self._left(Decision.OPEN, "the reference cannot be read")
        entry = entry_of_reference(read)
        missing = lacking(entry)
        if missing:
            reason = f"no {' and no '.join(missing)} could be read"
            return self._left(Decision.OPEN, reason, read)
        return self._decided(entry, read, faults)

    def _faults(self) -> frozenset[Fault] | str:
        """Return the faults that are coded, or what cannot be understood of the codes."""
        known = {name.casefold(): fault for name, fault in self._scheme.codes.items()}
        texts = [one.strip() for one in self._codes.split(self._scheme.separator)]
        said = [one.casefold() for one in texts if one]
        unknown = [one for one in said if one not in known] if self._scheme.codes else []
        if unknown:
            return f"the scheme does not know the code {quoted(unknown[0])}"
        found = {known[one] for one in said if one in known}
        found |= {
            fault
            for name, fault in self._scheme.flags.items()
            if self._row.cells.get(name, "").strip().casefold() in _YES
        }
        if not found:
            return frozenset({Fault.NONE}) if self._scheme.spared == "valid" else "it has no code"
        if Fault.NONE in found and found - {Fault.NONE, Fault.FORM}:
            return "it is coded as faultless and as faulty"
        return frozenset(found)

    def _decided(self, entry: Entry, read: Reference, faults: frozenset[Fault]) -> Case:
        grounds = tuple((str(TYPES[one]), f"coded: {one}") for one in TYPES if one in faults)
        if grounds:
            kind = HallucinationType(grounds[0][0])
            more = f", of {len(grounds)} the most identity-defining" if len(grounds) > 1 else ""
            return self._taken(entry, read, kind, grounds[0][1] + more, grounds)
        if Fault.YEAR in faults and (read.year or 0) > int(self._date[:4]):
            kind = HallucinationType.FUTURE_DATE
            return self._taken(entry, read, kind, "coded: year, and it lies in the future")
        if faults & _WITHOUT_TYPE:
            return self._left(Decision.EXCLUDED, "only year, volume or pages are wrong", read)
        return self._taken(entry, read, None, "coded: no fault of substance")

    def _taken(
        self,
        entry: Entry,
        read: Reference,
        kind: HallucinationType | None,
        reason: str,
        grounds: Iterable[tuple[str, str]] = (),
    ) -> Case:
        near = nearest(entry, self._library) if self._library else None
        held = true_record(entry, self._library) if self._library else None
        if kind and held:
            reason = f"coded as {kind}, but a record of {held.collection} says the same"
            return self._left(Decision.OPEN, reason, read)
        made = finished(
            entry,
            kind,
            method=self._scheme.method,
            source=self._scheme.name,
            explanation=reason[0].upper() + reason[1:],
            date=self._date,
            works=[titles.key(entry.fields["title"])],
        )
        return Case(
            id=self._id,
            line=self._row.line,
            decision=Decision.TAKEN,
            reason=reason,
            raw=self._raw,
            label=str(made.label),
            type=str(kind) if kind else None,
            tier=made.difficulty_tier,
            grounds=tuple(grounds),
            record=told(near.version) if near and near.is_same else None,
            shown=self._shown,
            read=made.fields,
            notes=tuple(note.message for note in read.notes),
            entry=made,
        )

    def _left(self, decision: Decision, reason: str, read: Reference | None = None) -> Case:
        return Case(
            id=self._id,
            line=self._row.line,
            decision=decision,
            reason=reason,
            raw=self._raw,
            shown=self._shown,
            read=entry_of_reference(read).fields if read else {},
            notes=tuple(note.message for note in read.notes) if read else (),
        )
