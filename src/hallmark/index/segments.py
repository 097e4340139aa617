"""How are documents written to tantivy, and its segments opened?"""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import tantivy

from hallmark.errors import OutputError
from hallmark.index import schema
from hallmark.index.prepare import Prepared
from hallmark.records.work import Version

WRITER_MEMORY = 400_000_000
"""Bytes that tantivy may use for terms before it writes a segment; fewer segments search faster."""

_ALMOST_NOTHING = 16 << 20
"""Free bytes below which a failed write is put down to a full disk."""

_VERSION = msgspec.msgpack.Decoder(Version)


def opened(directory: Path) -> tantivy.Index:
    """Open segments for reading, in a place that may be read only.

    Tantivy locks the directory that it opens. Where it may not write there, it is given links to
    the files; they can go once it has the files open.

    Raises:
        ValueError: the segments are damaged.
    """
    try:
        return tantivy.Index.open(str(directory))
    except ValueError as error:
        if "Lockfile" not in str(error):
            raise
    with tempfile.TemporaryDirectory(prefix="hallmark-", ignore_cleanup_errors=True) as links:
        for path in directory.iterdir():
            if path.suffix != ".lock":
                Path(links, path.name).symlink_to(path.absolute())
        return tantivy.Index.open(links)


class Segments:
    """The segments of an index that is being built, in a directory of its own.

    Errors of tantivy's writer, a full disk above all, come as OutputError. One thread indexes, so
    that documents keep their order.
    """

    def __init__(self, directory: Path) -> None:
        directory.mkdir(exist_ok=True)
        self._directory = directory
        self._index = tantivy.Index(schema.build_schema(), path=str(directory))
        schema.register_tokenizer(self._index)
        self._writer: tantivy.IndexWriter | None = self._index.writer(WRITER_MEMORY, 1)

    def add(self, document: Prepared) -> None:
        """Add one document."""
        if self._writer is None:
            raise OutputError(f"The segments at `{self._directory}` are finished already.")
        made = tantivy.Document()
        made.add_bytes(schema.RECORD, document.record)
        for mark in document.marks:
            made.add_unsigned(schema.MARK, mark)
        made.add_text(schema.WORDS, document.words)
        made.add_text(schema.NAMES, document.names)
        try:
            self._writer.add_document(made)
        except ValueError as error:
            raise self._failure(error) from error

    def finish(self) -> int:
        """Write everything out; returns the number of documents held."""
        writer, self._writer = self._writer, None
        try:
            if writer is not None:
                writer.commit()
                writer.wait_merging_threads()
            self._index.reload()
            return int(self._index.searcher().num_docs)
        except ValueError as error:
            raise self._failure(error) from error

    def versions(self) -> Iterator[Version]:
        """Yield the records that were there when the segments were opened."""
        searcher = self._index.searcher()
        every = tantivy.Query.all_query()
        for _, address in searcher.search(every, max(searcher.num_docs, 1), count=False).hits:
            record = searcher.doc(address).get_first(schema.RECORD)
            if record is not None:
                yield _VERSION.decode(record)

    def _failure(self, error: ValueError) -> OutputError:
        full = shutil.disk_usage(self._directory).free < _ALMOST_NOTHING
        reason = "the disk is full" if full else str(error).rstrip(".")
        return OutputError(
            f"The index cannot be written in `{self._directory.parent.parent}`: {reason}. Nothing "
            "was changed; make room, or give another folder (--out)."
        )
