"""What comes of pairs of names and pairs of titles that differ, and why?

The pairs are written by us, in files of rows parted by tabs: section, one, the other, what must
come of them, the reason. A test holds every row against the matching; the pages show them all.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import assert_never

import msgspec
from msgspec import Struct

from hallmark._files import read_bytes, read_text
from hallmark.errors import InputError
from hallmark.match.given_match import Fit
from hallmark.match.name_forms import form_of_text
from hallmark.match.name_match import fit_names
from hallmark.match.title import compare_title
from hallmark.records.evidence import Relation
from hallmark.records.reference import Location, Reference
from hallmark.records.work import Version
from hallmark.study.document import Items, Part, Section, Table

_CELLS = 5


class Pair(Struct, frozen=True):
    """Two writings, what must come of them, and why."""

    section: str
    one: str
    other: str
    expected: str
    reason: str


class Judged(Struct, frozen=True):
    """What came of a pair: the outcome, and the codes of the differences that were seen."""

    outcome: str
    codes: tuple[str, ...] = ()


Judge = Callable[[str, str], Judged]


def read(path: Path) -> tuple[Pair, ...]:
    """Return the pairs of a file.

    Raises:
        InputError: the file cannot be read, or a row has another number of cells.
    """
    try:
        lines = read_text(path).splitlines()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is no UTF-8 text. Save it as UTF-8.") from None
    pairs = []
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            cells = line.split("\t")
            if len(cells) != _CELLS:
                raise InputError(f"{path}, line {number}: {len(cells)} cells, not {_CELLS}.")
            pairs.append(Pair(*cells))
    return tuple(pairs)


def judge_names(one: str, other: str) -> Judged:
    """Return whether two names could be one person's: accepted, doubt or rejected."""
    fit = fit_names(form_of_text(one), form_of_text(other))
    codes = (fit.code,) if fit.code else ()
    match fit.fit:
        case Fit.SAME | Fit.VARIANT:
            return Judged("accepted", codes)
        case Fit.DOUBT:
            return Judged("doubt", codes)
        case Fit.SLIP | Fit.OTHER | Fit.NONE:
            return Judged("rejected", codes)
        case _:
            assert_never(fit.fit)


def judge_titles(claimed: str, found: str) -> Judged:
    """Return how an entry's title stands to a record's: equal, variant, weak or conflict."""
    reference = Reference(key="", location=Location("", 1), title=claimed)
    comparison = compare_title(reference, Version(collection="", title=found))
    codes = tuple(nuance.code for nuance in comparison.nuances)
    weak = comparison.relation is Relation.CONFLICT and comparison.weak
    return Judged("weak" if weak else comparison.relation.value, tuple(dict.fromkeys(codes)))


class Agreement(Struct, frozen=True):
    """Measured figures about lists of authors, with their origin.

    `rows` hold a kind of damage, the number of pairs, and the share of each relation in [0, 1].
    """

    command: str
    date: str
    data: str
    pairs: int
    rows: tuple[tuple[str, int, dict[str, float]], ...]
    conflicts: dict[str, int] = {}


def read_agreement(path: Path) -> Agreement:
    """Return stored figures.

    Raises:
        InputError: the file cannot be read or is of another form.
    """
    try:
        return msgspec.json.decode(read_bytes(path), type=Agreement)
    except (OSError, msgspec.MsgspecError) as error:
        raise InputError(f"{path} holds no figures of author lists: {error}.") from None


def names_page(pairs: Sequence[Pair], agreement: Agreement) -> list[Section]:
    """Return the page on names."""
    return [
        Section(
            "Names",
            (_made("name_pairs"), _NAMES, Table(("outcome", "meaning"), _OUTCOMES)),
            level=1,
        ),
        Section("Lists of authors", (_LISTS, Items(_RULES))),
        Section("Measured on real records", tuple(_measured(agreement))),
        Section("Pairs", (_counted(pairs),)),
        *_sections(pairs, judge_names, ("one name", "the other", "outcome", "seen as", "reason")),
    ]


def titles_page(pairs: Sequence[Pair]) -> list[Section]:
    """Return the page on titles."""
    return [
        Section(
            "Titles",
            (_made("title_pairs"), _TITLES, Table(("relation", "meaning"), _RELATIONS)),
            level=1,
        ),
        Section("Pairs", (_counted(pairs),)),
        *_sections(pairs, judge_titles, ("entry", "record", "relation", "seen as", "reason")),
    ]


def _sections(pairs: Sequence[Pair], judge: Judge, head: tuple[str, ...]) -> Iterator[Section]:
    for title, group in groupby(pairs, key=lambda pair: pair.section):
        rows = tuple(_row(pair, judge(pair.one, pair.other)) for pair in group)
        yield Section(title, (Table(head, rows),), level=3)


def _row(pair: Pair, judged: Judged) -> tuple[str, ...]:
    return (pair.one, pair.other, judged.outcome, ", ".join(judged.codes), pair.reason)


def _counted(pairs: Sequence[Pair]) -> str:
    outcomes = dict.fromkeys(pair.expected for pair in pairs)
    counts = (f"{sum(p.expected == one for p in pairs)} {one}" for one in outcomes)
    return f"{len(pairs)} pairs: {', '.join(counts)}."


def _measured(agreement: Agreement) -> Iterator[Part]:
    yield (
        f"{agreement.pairs:,} pairs of records of one DOI in two collections ({agreement.data}), "
        f"compared by `{agreement.command}` on {agreement.date}: as they stand, and with one "
        "list changed."
    )
    kinds = ("equal", "variant", "silent", "conflict (weak)", "conflict")
    rows = tuple(
        (name, f"{count:,}", *(f"{shares.get(kind, 0.0):.3%}" for kind in kinds))
        for name, count, shares in agreement.rows
    )
    yield Table(("list", "pairs", *kinds), rows)
    yield (
        "What stands behind the conflicts that are not weak, of lists as they stand. They are "
        "errors of one of the two sources: a person left out or added, another order on the "
        "publisher's page, a mistyped name."
    )
    yield Items(tuple(f"{code}: {count}" for code, count in agreement.conflicts.items()))


def _made(name: str) -> str:
    return (
        f"Generated from `docs/data/{name}.tsv` and `src/hallmark/study/pairs.py` by `make docs`; "
        "do not edit. A test holds every pair against the code."
    )


_NAMES = (
    "Two names are compared as parts: given names, particles, family name, suffix. Sources split "
    "and order them differently, so each name has several readings, and the best fit of any two "
    "counts. Comparison is symmetric. What can come of it:"
)
_DOUBT = (
    "nothing certain, because letters are lost, the script does not say how it is read, or an "
    "initial stands where a name should; it never counts against an entry"
)
_REJECTED = (
    "another person; one letter of a family name, or other given names with the same family name, "
    "are weak evidence alone"
)
_OUTCOMES = (
    ("accepted", "the same name, or a documented form of it; the difference is noted"),
    ("doubt", _DOUBT),
    ("rejected", _REJECTED),
)
_LISTS = (
    "Lists are aligned person by person, the same place first, then the best fit, so that repeated "
    "family names pair by their given names. The time grows with the length of the lists, not with "
    "its square."
)
_RULES = (
    "“And others” excuses who is missing, never who is foreign.",
    "A record's list that is known to be cut excuses who may stand beyond the cut.",
    "People's own bibliographies and lists read by a machine never reject by a missing name.",
    "A claimed group stands for its members; a group that only the record names need not be cited.",
    "Order counts from three authors on, and not where either list is sorted by family name.",
    "A name under which the source knows the person too (DBLP's aliases) fits like the listed one.",
    "A record whose list is no list of names (affiliations, logins, markup) rejects nobody.",
)
_TITLES = (
    "One symmetric normaliser (`src/hallmark/text/titles.py`) takes away what means nothing: case, "
    "accents, markup, quotation marks, punctuation, the way maths is written. What is left is "
    "compared as it stands. The relations:"
)
_VARIANT = (
    "a documented equivalence, named by the code; a policy may object to spelling, hyphens and "
    "blanks"
)
_CONFLICT = (
    "another title; it is held against an entry only where the record's form is attested by two "
    "collections, or by the venue's own list and an identifier, and where no record has the "
    "entry's form"
)
_RELATIONS = (
    ("equal", "the same words in the same order"),
    ("variant", _VARIANT),
    ("weak", "a conflict that never counts alone"),
    ("conflict", _CONFLICT),
)
