"""What does an author claim?

A `Reference` is one entry of the input, typed; a `FailedEntry` is one that could not be read.
Every entry of a file becomes one of the two, in order.
"""

from enum import StrEnum

from msgspec import Struct

from hallmark.text.names import PersonName


class Kind(StrEnum):
    """What sort of thing is cited: decides which sources could hold it."""

    PAPER = "paper"
    PREPRINT = "preprint"
    BOOK = "book"
    CHAPTER = "chapter"
    THESIS = "thesis"
    REPORT = "report"
    STANDARD = "standard"
    PATENT = "patent"
    LEGAL = "legal"
    SOFTWARE = "software"
    DATASET = "dataset"
    WEB = "web"
    NEWS = "news"
    PERIODICAL = "periodical"
    OTHER = "other"


class Location(Struct, frozen=True):
    """Where an entry stands: the file as the user named it ("-" is standard input), and the line.

    `line` counts from 1.
    """

    file: str
    line: int


class ParseNote(Struct, frozen=True):
    """Something that was repaired or lost while an entry was read.

    `code` names the kind of repair in kebab-case ("missing-comma"); `message` is a sentence.
    """

    code: str
    message: str
    line: int | None = None


class Reference(Struct, frozen=True, kw_only=True, tag="reference"):
    """One cited work as its author describes it; every text is Unicode, not LaTeX.

    `fields` keeps every field of the entry under its lower-case name, macros expanded and parents
    inherited, in LaTeX as written; the typed attributes are derived from it by the parsers.
    `authors_truncated` says that the list ends in "and others" or "et al.".
    `venue` is the journal, proceedings or book that holds the work, whichever field named it.
    `doi` and `arxiv` are normalised ("10.1000/xyz" in lower case; "2101.00001" with no version);
    `claimed_doi` is the text of the DOI field as written, kept where it is no DOI.
    """

    key: str
    location: Location
    entry_type: str = "misc"
    kind: Kind = Kind.PAPER
    title: str = ""
    subtitle: str = ""
    authors: tuple[PersonName, ...] = ()
    authors_truncated: bool = False
    editors: tuple[PersonName, ...] = ()
    venue: str = ""
    series: str = ""
    publisher: str = ""
    year: int | None = None
    year_text: str = ""
    month: int | None = None
    day: int | None = None
    volume: str = ""
    number: str = ""
    pages: str = ""
    doi: str | None = None
    claimed_doi: str = ""
    arxiv: str | None = None
    arxiv_version: int | None = None
    pmid: str | None = None
    isbn: str | None = None
    url: str = ""
    note: str = ""
    fields: dict[str, str] = {}
    raw: str = ""
    notes: tuple[ParseNote, ...] = ()


class FailedEntry(Struct, frozen=True, kw_only=True, tag="failed"):
    """An entry that could not be read; `reason` is a sentence that says why."""

    location: Location
    reason: str
    key: str | None = None
    raw: str = ""


Entry = Reference | FailedEntry
