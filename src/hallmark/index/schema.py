"""How is a local index laid out on disk?

    DIR/hallmark-index.json   what the index is: schema, date, sources, digests of all files
    DIR/data-XXXXXXXXXXXX/    the data that this description names
        tantivy/              the segments: one document a record
        ledger.msgpack        hashes of the titles held, by collection, venue and year
        coverage.msgpack      which venues and years are held, and which of them completely
        counts.msgpack        the published counts of accepted papers that the ledger used
        venues.msgpack        venue names learnt from the records
        notices.sqlite        retractions, concerns and corrections, where a table was added

A new build is written beside the old data and becomes the index when the description is replaced.
Everything exact (title, head of the title, DOI, arXiv id, DBLP key) is looked up through one field
of 64-bit marks: a hash of the kind and the value. Words of titles and family names are terms of
two further fields; the record itself is one stored field of MessagePack.
"""

import hashlib

import msgspec
import tantivy

from hallmark.text import titles

SCHEMA_VERSION = 1
"""Raised whenever an index of before could not be read, or would be read wrongly."""

DESCRIPTION = "hallmark-index.json"
SEGMENTS = "tantivy"
LEDGER = "ledger.msgpack"
COVERAGE = "coverage.msgpack"
COUNTS = "counts.msgpack"
VENUES = "venues.msgpack"
NOTICES = "notices.sqlite"
DATA_PREFIX = "data-"
FORMAT = "hallmark-index"

RECORD, MARK, WORDS, NAMES = "record", "mark", "words", "names"
"""The fields of a document; see the module's description."""

LENGTH_MARK = "#"
"""Begins the term in the field of words that tells how many words a title has ("#7")."""
MAX_LENGTH = 60
"""Titles of more words than this are held to have this many."""

TITLE, HEAD, DOI, ARXIV, DBLP = "t", "h", "d", "a", "b"
"""Kinds of marks."""


class FileInfo(msgspec.Struct, frozen=True):
    """Size in bytes and digest of one file of an index."""

    size: int
    sha256: str


class SourceInfo(msgspec.Struct, frozen=True):
    """One source that was read: its collection, place and format, and what came of it.

    `place` is the file's or folder's own name, without the directories above it. `skipped` counts
    what was not taken, by reason. `sha256` is the digest of the file as it lay on disk, `digest`
    that of the records as stored.
    """

    collection: str
    place: str
    format: str
    records: int
    skipped: dict[str, int]
    sha256: str
    digest: str


class Description(msgspec.Struct, frozen=True):
    """What an index says of itself. `built` is a date ("2026-05-01"); `digest` leaves it out."""

    format: str
    schema: int
    hallmark: str
    tantivy: str
    built: str
    data: str
    records: int
    digest: str
    sources: tuple[SourceInfo, ...]
    files: dict[str, FileInfo]


def build_schema() -> tantivy.Schema:
    """Return tantivy's schema of a document."""
    builder = tantivy.SchemaBuilder()
    builder.add_bytes_field(RECORD, stored=True)
    builder.add_unsigned_field(MARK, indexed=True)
    for field in (WORDS, NAMES):
        builder.add_text_field(field, tokenizer_name="spaced", index_option="basic")
    return builder.build()


def register_tokenizer(index: tantivy.Index) -> None:
    """Tell tantivy how the fields of words are split: at blanks only."""
    analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer("spaced", analyzer)


def mark(kind: str, value: str) -> int:
    """Return the 64-bit mark under which a value of this kind is found."""
    return hash64(kind + value)


def title_mark(title: str) -> int:
    """Return the mark under which the records of a title are found."""
    return mark(TITLE, titles.key(title))


def hash64(text: str) -> int:
    """Return a stable 64-bit hash of `text`."""
    encoded = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(encoded, digest_size=8).digest(), "little")
