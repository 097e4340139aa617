"""What does the page on the tables of knowledge say?"""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from hallmark._files import read_bytes
from hallmark.errors import InputError
from hallmark.study.document import Section, Table
from hallmark.text import knowledge
from hallmark.text.table_forms import TABLES


class JournalNames(Struct, frozen=True):
    """How pairs of a full and an abbreviated name of a journal compare, measured.

    `rows` hold what was compared, the number of pairs, and the share of each relation in [0, 1].
    """

    command: str
    date: str
    data: str
    rows: tuple[tuple[str, int, dict[str, float]], ...]


def read_journal_names(path: Path) -> JournalNames:
    """Return stored figures.

    Raises:
        InputError: the file cannot be read or is of another form.
    """
    try:
        return msgspec.json.decode(read_bytes(path), type=JournalNames)
    except (OSError, msgspec.MsgspecError) as error:
        raise InputError(f"{path} holds no figures of journal names: {error}.") from None


def tables_page(journals: JournalNames) -> list[Section]:
    """Return the page on the tables of knowledge."""
    return [
        Section("Tables of knowledge", (_MADE, _WHAT, _overview()), level=1),
        Section("Your own tables", (_OWN, _EXAMPLE, _MERGED)),
        Section("Cells", (_CELLS,)),
        *_cells(),
        Section("Abbreviated names of journals", tuple(_journals(journals))),
    ]


def _overview() -> Table:
    rows = []
    for name in TABLES:
        origin = knowledge.origin(name)
        count = f"{len(knowledge.rows(name)):,}"
        rows.append((name, count, origin.title, origin.provenance, origin.as_of))
    return Table(("table", "rows", "what it holds", "where it comes from", "as of"), tuple(rows))


def _cells() -> Iterator[Section]:
    for table in TABLES.values():
        rows = tuple(
            (column.name, "key" if place < table.key else "", column.meaning)
            for place, column in enumerate(table.columns)
        )
        yield Section(table.file, (Table(("cell", "", "meaning"), rows),), level=3)


def _journals(journals: JournalNames) -> Iterator[str | Table]:
    yield _JOURNALS
    yield (
        f"Measured by `{journals.command}` on {journals.date} with {journals.data}. The journals "
        "are of all fields; hardly one of them stands in the table of venues."
    )
    kinds = ("equal", "variant", "silent", "conflict (weak)", "conflict")
    rows = tuple(
        (name, f"{count:,}", *(f"{shares.get(kind, 0.0):.2%}" for kind in kinds))
        for name, count, shares in journals.rows
    )
    yield Table(("compared", "pairs", *kinds), rows)


_MADE = (
    "Generated from `src/hallmark/text/table_forms.py` and the tables by `make docs`; do not edit."
)
_WHAT = (
    "What is known about the world lies in tables, not in code: files in "
    "`src/hallmark/text/tables/`, each with its provenance and date in its first lines. "
    "`hallmark tables` lists those of your version."
)
_OWN = (
    "A folder with files of the same names and form adds to the tables. Name it by `--tables DIR` "
    "of `hallmark check`, `explain`, `index build` and `index add`, by `hallmark --tables DIR "
    "COMMAND` for every other command, or once for all by the environment variable "
    "`HALLMARK_TABLES`. Identities of venues are stored in an index, so build it with the same "
    "tables. `hallmark tables DIR` checks a folder; a row that cannot be used is an error that "
    "names the file, the line and what was expected."
)
_EXAMPLE = """```text
# my-tables/venues.tsv: cells are parted by tabs, "." is an empty cell
walrus	conference	2019-	10.5555 -	walrus	Workshop on All Relevant Uses of Seals | WALRUS

# my-tables/venue_aliases.tsv
neurips	Neural Info Conf

# my-tables/placeholders.tsv
jane q reviewer	always
```"""
_MERGED = (
    "A row with the key of a packaged row replaces it; any other is added. Trailing empty cells "
    "may be left out. From Python: `hallmark.text.knowledge.use(Path(...))`, before an index is "
    "opened; it holds for the whole process."
)
_CELLS = (
    "A lone `.` is an empty cell; lines that begin with `#` are comments. Words are folded: lower "
    "case, without accents."
)
_JOURNALS = (
    "A cited abbreviation matches a record's full name, and the reverse, by the rules of ISO 4 "
    "(`src/hallmark/text/journal_names.py`): small words go, every other word may be cut, "
    "subtitles and places in brackets may be left out; numbers and the letters of sections must "
    "agree. Irregular short forms stand in `venue_words` under `cut`. Two names contradict each "
    "other firmly only where the table of venues knows both; otherwise a difference is at most a "
    "weak conflict, which never counts alone. The list of title word abbreviations (LTWA), as the "
    "package pyiso4 holds it, serves the tests as an oracle: the ISO 4 abbreviation of every "
    "journal in the table means that journal."
)
