"""Is a gold or prediction file fit to be used?

Errors make a file unfit: a row that does not have its schema, BibTeX that no parser would accept,
repeated keys or entries, sub-tests that contradict the label or the type. Warnings tell what is
odd but possible.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from hallmark.bench.audit.marks import year_of
from hallmark.bench.entry import Entry, Label, read_blind, read_entries, read_predictions
from hallmark.bench.lines import lines_text, printable, quoted, read_rows
from hallmark.bench.taxonomy import SUBTESTS, TAXONOMY, HallucinationType
from hallmark.errors import InputError
from hallmark.text.titles import key as title_key


class Flaw(Struct, frozen=True):
    """Something wrong; `lines` count from 1, `check` is the kind in kebab-case."""

    check: str
    message: str
    lines: tuple[int, ...] = ()
    warning: bool = False

    @property
    def where(self) -> str:
        """The lines in words, "" where the flaw is of the whole file."""
        return lines_text(self.lines) if self.lines else ""


_KEY = re.compile(r"[^\s,{}\"#%~'=()\\@]+")
_LONGEST_KEY = 200
_TOO_LONG_KEY = 1000
"""Characters of a key that nobody writes, and of one that nothing can show."""
_NAME = re.compile(r"[A-Za-z][\w:-]*")
_YEAR = re.compile(r"\{?\d{4}\}?")
ENTRY_TYPES = frozenset(
    "article book booklet collection conference dataset electronic inbook incollection "
    "inproceedings manual mastersthesis misc online phdthesis proceedings report software "
    "techreport thesis unpublished".split()
)
_REQUIRED = ("title", "author", "year")
_VENUES = {"inproceedings": ("booktitle", "journal"), "article": ("journal", "booktitle")}
# A failing one of these contradicts the label VALID; the others fail for want of a DOI too.
_DECISIVE = ("title_exists", "authors_match", "venue_correct")
_FIRST_YEAR = 1500


def validate(path: Path) -> list[Flaw]:
    """Return what is wrong with a gold, blind or prediction file, errors first.

    Raises:
        InputError: the file cannot be read, or is no JSON Lines at all.
    """
    rows = read_rows(path)
    is_gold = "fields" in rows[0][1]
    is_blind = is_gold and not any("label" in row for _, row in rows)
    try:
        entries = read_entries(path) if is_gold and not is_blind else []
        keys = [(e.bibtex_key, e.line) for e in entries]
        if is_blind:
            shown = zip(read_blind(path), rows, strict=True)
            keys = [(entry.bibtex_key, line) for entry, (line, _) in shown]
        elif not is_gold:
            keys = [(p.bibtex_key, p.line) for p in read_predictions(path)]
    except InputError as problem:
        return [Flaw("schema", line.strip()) for line in str(problem).splitlines()[1:]]
    flaws = [*_repeated_keys(keys), *_odd_keys(keys), *flaws_of(entries)]
    return sorted(flaws, key=lambda flaw: flaw.warning)


def flaws_of(entries: Sequence[Entry]) -> Iterator[Flaw]:
    """Yield what is wrong with entries; equal flaws share one row that lists their lines."""
    yield from _repeated_entries(entries)
    found = defaultdict[tuple[str, str, bool], list[int]](list)
    for entry in entries:
        for check in _CHECKS:
            for flaw in check(entry):
                found[flaw.check, flaw.message, flaw.warning].append(entry.line)
    for (check_name, message, warning), lines in found.items():
        yield Flaw(check_name, message, tuple(lines), warning)


def _repeated_keys(keys: Sequence[tuple[str, int]]) -> Iterator[Flaw]:
    lines = defaultdict[str, list[int]](list)
    for key, line in keys:
        lines[key].append(line)
    for key, places in lines.items():
        if len(places) > 1:
            message = f"the key {quoted(key)} stands for several rows"
            yield Flaw("duplicate-key", message, tuple(places))


def _odd_keys(keys: Sequence[tuple[str, int]]) -> Iterator[Flaw]:
    """Yield keys that would do harm where they are shown, or become the name of a file."""
    for key, line in keys:
        shown = quoted(key)
        if not key.isprintable():
            message = f"the key {shown} holds a character that cannot be printed"
            yield Flaw("key", message, (line,))
        if len(key) > _LONGEST_KEY:
            message = f"the key {shown} has {len(key):,} characters, and {_LONGEST_KEY} are many"
            yield Flaw("key", message, (line,), warning=len(key) <= _TOO_LONG_KEY)
        if key.startswith(("/", "~")) or ".." in key.split("/"):
            yield Flaw("key", f"the key {shown} is a path of a file", (line,), warning=True)


def _repeated_entries(entries: Sequence[Entry]) -> Iterator[Flaw]:
    lines = defaultdict[tuple[tuple[str, str], ...], list[int]](list)
    for entry in entries:
        visible = entry.blind().fields
        lines[tuple(sorted((k, " ".join(v.split())) for k, v in visible.items()))].append(
            entry.line
        )
    for places in lines.values():
        if len(places) > 1:
            yield Flaw("duplicate-entry", "the same fields occur again", tuple(places))


def _bibtex(entry: Entry) -> Iterator[Flaw]:
    if not _KEY.fullmatch(entry.bibtex_key):
        yield Flaw("bibtex", f"{quoted(entry.bibtex_key)} cannot be a BibTeX key")
    if entry.bibtex_type.lower() not in ENTRY_TYPES:
        yield Flaw("bibtex", f"{quoted(entry.bibtex_type)} is no BibTeX entry type")
    for name, value in entry.fields.items():
        if not _NAME.fullmatch(name):
            yield Flaw("bibtex", f"{quoted(name)} cannot be a field name")
        if not balanced(value):
            yield Flaw("bibtex", f"the braces of `{printable(name)}` do not pair")
    if entry.raw_bibtex and not _whole(entry.raw_bibtex):
        yield Flaw("bibtex", "`raw_bibtex` is not one whole BibTeX entry")


def balanced(text: str) -> bool:
    """Tell whether braces pair, as BibTeX demands of a value; escaped ones count too."""
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0


def _whole(raw: str) -> bool:
    text = raw.strip()
    opening = re.match(r"@\s*\w+\s*\{\s*[^\s,{}]+\s*,", text)
    return bool(opening) and text.endswith("}") and balanced(text)


def _fields(entry: Entry) -> Iterator[Flaw]:
    for name in _REQUIRED:
        if not entry.fields.get(name, "").strip():
            # People do leave out the year, and plans may; nobody cites without title and author.
            message = f"the field `{name}` is missing or empty"
            yield Flaw("fields", message, warning=name == "year")
    if not title_key(entry.fields.get("title", "x")):
        yield Flaw("fields", "the title holds no letter or digit", warning=True)
    venues = _VENUES.get(entry.bibtex_type.lower(), ())
    if venues and not any(entry.fields.get(name, "").strip() for name in venues):
        yield Flaw("fields", f"an @{entry.bibtex_type} without a venue", warning=True)


def _years(entry: Entry) -> Iterator[Flaw]:
    text = entry.fields.get("year", "").strip()
    if not text:
        return
    if not _YEAR.fullmatch(text):
        yield Flaw("year", f"the year {quoted(text)} is not four digits")
        return
    year, added = year_of(entry) or 0, (entry.added_to_benchmark or "")[:4]
    if year < _FIRST_YEAR:
        yield Flaw("year", f"the year {year} lies before {_FIRST_YEAR}")
    if not added.isdigit():
        return
    future = year > int(added)
    if future and entry.label is Label.VALID:
        yield Flaw("year", f"VALID, but its year {year} lies after {added}, when it was added")
    if entry.hallucination_type is HallucinationType.FUTURE_DATE and not future:
        message = f"type future_date, but its year {year} does not lie after {added}"
        yield Flaw("year", message)


def _truth(entry: Entry) -> Iterator[Flaw]:
    kind = entry.hallucination_type
    if entry.label is Label.VALID and kind is not None:
        yield Flaw("label", f"VALID, but with the type {kind}")
    if entry.label is Label.HALLUCINATED and kind is None:
        yield Flaw("label", "HALLUCINATED without a type", warning=True)
    if kind and entry.difficulty_tier not in (None, int(TAXONOMY[kind].tier)):
        message = f"tier {entry.difficulty_tier}, but {kind} is of tier {int(TAXONOMY[kind].tier)}"
        yield Flaw("label", message)


def _subtests(entry: Entry) -> Iterator[Flaw]:
    for name in entry.subtests:
        if name not in SUBTESTS:
            yield Flaw("subtests", f"there is no sub-test {quoted(name)}")
    if entry.label is Label.VALID:
        for name in SUBTESTS:
            if entry.subtests.get(name) is False:
                decisive = name in _DECISIVE
                message = f"VALID, but the sub-test {name} fails"
                yield Flaw("subtests", message, warning=not decisive)
    if entry.hallucination_type:
        yield from _against_signature(entry, entry.hallucination_type)
    if entry.subtests.get("doi_resolves") is not None and not entry.fields.get("doi"):
        message = "doi_resolves is given, but there is no DOI"
        yield Flaw("subtests", message, warning=True)


def _against_signature(entry: Entry, kind: HallucinationType) -> Iterator[Flaw]:
    """Compare sub-tests with the type's row in Table 1; what varies there may be anything.

    Of a compound fault, what either type fails or leaves open may fail.
    """
    named = entry.extra.get("compound_types")
    others = {str(one) for one in named} if isinstance(named, list) else set()
    rows = [info.signature for other, info in TAXONOMY.items() if str(other) in others]
    for name, expected in TAXONOMY[kind].signature.items():
        found = entry.subtests.get(name)
        excused = found is False and any(row[name] is not True for row in rows)
        if expected is not None and found is not None and found is not expected and not excused:
            passes = "pass" if found else "fail"
            yield Flaw("subtests", f"{name} must not {passes} for the type {kind}")


_CHECKS: tuple[Callable[[Entry], Iterator[Flaw]], ...] = (
    _bibtex,
    _fields,
    _years,
    _truth,
    _subtests,
)


def count_by_check(flaws: Sequence[Flaw]) -> dict[str, int]:
    """Return how many rows suffer from each kind of error."""
    counts = Counter[str]()
    for flaw in flaws:
        if not flaw.warning:
            counts[flaw.check] += max(1, len(flaw.lines))
    return dict(counts)
