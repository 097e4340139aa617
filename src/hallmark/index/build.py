"""How do dumps become an index, or more of one?

read -> prepare -> tantivy, ledger, venue learner -> publish. Records keep the order of their
sources, so that the same sources give the same digest.
"""

import hashlib
from collections.abc import Mapping, Sequence
from importlib.metadata import version as installed_version
from pathlib import Path

import msgspec

from hallmark.errors import InputError
from hallmark.index import schema, storage
from hallmark.index.counts import not_held, published_counts, stored_counts
from hallmark.index.coverage import Counts, Ledger, Tally
from hallmark.index.loaders import formats
from hallmark.index.loaders.opening import Place, Silent, Watcher, find_place
from hallmark.index.notice_file import Table, read_table
from hallmark.index.notices import SOURCE, write_notices
from hallmark.index.prepare import Prepared
from hallmark.index.reading import Account, Reader
from hallmark.index.schema import Description, SourceInfo
from hallmark.index.segments import Segments
from hallmark.index.venue_learning import VenueLearner
from hallmark.records.work import Version

_ENCODER = msgspec.msgpack.Encoder()
_VERSION = msgspec.msgpack.Decoder(Version)
_TALLIES = msgspec.msgpack.Decoder(list[Tally])


def build(
    out: Path | str,
    sources: Sequence[str],
    *,
    built: str = "",
    counts: Counts | None = None,
    workers: int = 1,
    watcher: Watcher | None = None,
) -> Description:
    """Build an index at `out` from `sources`, and return its description.

    An index that is there stays as it is until the new one is whole.

    Args:
        out: the folder of the index; new, empty or an index.
        sources: files, folders or "format:path".
        built: the date of the data ("2026-05-01"), "" for none.
        counts: published counts of accepted papers, further to those that the package knows.
        workers: processes that prepare records; one does without further processes.
        watcher: told about the progress.

    Raises:
        InputError: a source is missing, empty, of no known format, or there is no record at all.
        SourceProblem: a source is damaged.
        IndexBusy: another process is writing there.
        OutputError: the place cannot be written.
    """
    out = Path(out)
    places = _places(sources)
    with storage.writing(out) as work:
        return _Build(out, work, built, counts or {}, watcher or Silent()).run(places, workers)


def add(
    out: Path | str,
    sources: Sequence[str],
    *,
    built: str = "",
    counts: Counts | None = None,
    workers: int = 1,
    watcher: Watcher | None = None,
) -> Description:
    """Add the records of `sources` to the index at `out`; see `build`.

    Raises:
        IndexMissing, IndexDamaged: there is no index, or it cannot be used.
        InputError: as for `build`, and where a source is in the index already.
    """
    out = Path(out)
    storage.read_description(out)
    places = _places(sources)
    with storage.writing(out) as work:
        old = storage.read_description(out)
        task = _Build(out, work, built, counts or {}, watcher or Silent(), old)
        return task.run(places, workers)


def _places(sources: Sequence[str]) -> list[Place]:
    """Return the places of the sources, each file once."""
    if not sources:
        raise InputError("No source was given. Name files, folders, FORMAT:PATH or `starter`.")
    formats.load_all()
    places = [find_place(source) for source in sources]
    return list({place.path.resolve(): place for place in places}.values())


class _Build:
    """One build from its start to its end."""

    def __init__(
        self,
        out: Path,
        work: Path,
        built: str,
        counts: Counts,
        watcher: Watcher,
        old: Description | None = None,
    ) -> None:
        self._out = out
        self._work = work
        self._built = built
        self._counts = {**published_counts(), **counts}
        self._watcher = watcher
        self._old = old
        self._learner = VenueLearner()
        self._ledger = Ledger()

    def run(self, places: Sequence[Place], workers: int) -> Description:
        """Read everything, write everything, publish, and return the new description."""
        segments = self._segments()
        reader = Reader(places, self._watcher)
        for account, document in reader.documents(workers):
            segments.add(document)
            self._note(account, document)
        added = [account.info() for account in reader.accounts]
        self._check(added)
        total = segments.finish()
        description = self._describe(added, total)
        storage.publish(self._out, self._work, description)
        return description

    def _segments(self) -> Segments:
        """Create the segments, or begin with those of the old index."""
        directory = self._work / schema.SEGMENTS
        if self._old is None:
            return Segments(directory)
        data = self._out / self._old.data
        storage.link_data(data, self._work)
        storage.link_file(data, self._work, schema.NOTICES)
        self._ledger = Ledger(_TALLIES.decode((data / schema.LEDGER).read_bytes()))
        self._counts.update(stored_counts(data / schema.COUNTS))
        segments = Segments(directory)
        for version in segments.versions():
            self._learner.see(version)
        return segments

    def _note(self, account: Account, document: Prepared) -> None:
        self._ledger.see(
            account.collection,
            document.venue_id,
            document.year,
            document.title,
            toc=document.toc,
            number=document.number,
        )
        self._learner.see(_VERSION.decode(document.record))
        self._watcher.records(1)

    def _check(self, added: Sequence[SourceInfo]) -> None:
        """Refuse to publish an index of nothing, and one that holds a file twice."""
        if not any(info.records for info in added):
            raise InputError(_no_records(added))
        known = {info.sha256: info for info in self._old.sources} if self._old else {}
        for info in added:
            if info.records and info.sha256 in known:
                raise InputError(
                    f"`{info.place}` is in the index already, as `{info.collection}` with "
                    f"{known[info.sha256].records} records. Nothing was added."
                )

    def _describe(self, added: Sequence[SourceInfo], total: int) -> Description:
        """Write ledger, coverage and venues beside the segments, and describe the whole."""
        sources = (*(self._old.sources if self._old else ()), *added)
        contents = {
            schema.LEDGER: self._ledger.tallies(),
            schema.COVERAGE: self._ledger.rows(self._counts, not_held),
            schema.COUNTS: sorted((*place, count) for place, count in self._counts.items()),
            schema.VENUES: self._learner.rows(),
        }
        packed = {name: _ENCODER.encode(content) for name, content in contents.items()}
        for name, data in packed.items():
            (self._work / name).write_bytes(data)
        digest = _digest(sources, packed)
        return Description(
            format=schema.FORMAT,
            schema=schema.SCHEMA_VERSION,
            hallmark=installed_version("hallmark"),
            tantivy=installed_version("tantivy"),
            built=self._built,
            data=storage.data_name(digest, self._old.data if self._old else ""),
            records=total,
            digest=digest,
            sources=sources,
            files=storage.describe_files(self._work),
        )


def add_notices(out: Path | str, path: Path | str, watcher: Watcher | None = None) -> Description:
    """Add a table of retractions to the index at `out`; a table that is there is replaced.

    Args:
        out: the folder of the index.
        path: the table, see `index.notice_file`.
        watcher: told about the progress.

    Raises:
        IndexMissing, IndexDamaged: there is no index, or it cannot be used.
        InputError: the file is missing, no such table, or empty.
        SourceProblem: the file is damaged.
        IndexBusy: another process is writing there.
        OutputError: the place cannot be written.
    """
    out, path = Path(out), Path(path)
    storage.read_description(out)
    table = read_table(path, watcher or Silent())
    with storage.writing(out) as work:
        old = storage.read_description(out)
        data = out / old.data
        storage.link_data(data, work)
        for name in _PACKED:
            storage.link_file(data, work, name)
        write_notices(work / schema.NOTICES, table.rows)
        description = _with_notices(old, work, _info_of(table, path))
        storage.publish(out, work, description)
    return description


_PACKED = (schema.LEDGER, schema.COVERAGE, schema.COUNTS, schema.VENUES)
NOTICES_FORMAT = "retractions"


def _info_of(table: Table, path: Path) -> SourceInfo:
    return SourceInfo(
        collection=SOURCE,
        place=path.name,
        format=NOTICES_FORMAT,
        records=len(table.rows),
        skipped=table.skipped,
        sha256=table.sha256,
        digest=hashlib.sha256(_ENCODER.encode(table.rows)).hexdigest(),
    )


def _with_notices(old: Description, work: Path, info: SourceInfo) -> Description:
    """Describe an index whose table of notices is new."""
    kept = (one for one in old.sources if one.format != NOTICES_FORMAT)
    sources = (*kept, info)
    digest = _digest(sources, {name: (work / name).read_bytes() for name in _PACKED})
    return msgspec.structs.replace(
        old,
        data=storage.data_name(digest, old.data),
        digest=digest,
        sources=sources,
        files=storage.describe_files(work),
    )


def _digest(sources: Sequence[SourceInfo], packed: Mapping[str, bytes]) -> str:
    """Return the digest of what an index holds, whatever its date and its segments' names."""
    digest = hashlib.sha256(str(schema.SCHEMA_VERSION).encode())
    for info in sources:
        digest.update(
            msgspec.json.encode((info.collection, info.format, info.records, info.digest))
        )
    for name in sorted(packed):
        digest.update(hashlib.sha256(packed[name]).digest())
    return digest.hexdigest()


def _no_records(added: Sequence[SourceInfo]) -> str:
    reasons = [f"{count} x {reason}" for info in added for reason, count in info.skipped.items()]
    told = f" Skipped: {'; '.join(reasons[:5])}." if reasons else ""
    return f"No record was found in the sources, so there is nothing to build.{told}"
