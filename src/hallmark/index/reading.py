"""How do sources become documents, in order, in one process or several?"""

import hashlib
import multiprocessing
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice

import msgspec

from hallmark._processes import follow_parent
from hallmark.index.loaders.interface import Skipped
from hallmark.index.loaders.opening import File, Place, Watcher, files_of
from hallmark.index.prepare import Prepared, prepare
from hallmark.index.schema import SourceInfo
from hallmark.records.work import Version
from hallmark.text import knowledge
from hallmark.text.venues import VenueTable

_CHUNK = 1000
"""Records that are handed to a process at once."""
_AHEAD = 3
"""Chunks per process that are read ahead: bounds the memory."""
_SMALL = 20
"""Chunks up to which starting processes costs more than it brings."""
_MAX_REASONS = 50
"""Distinct reasons that are counted for a source; all others are counted together."""

UNKNOWN_FORMAT = "file of no known format"


class Account:
    """What came of one collection of one source, counted while it is read."""

    def __init__(self, place: str, collection: str, form: str) -> None:
        self.place = place
        self.collection = collection
        self.form = form
        self.records = 0
        self._skipped: Counter[str] = Counter()
        self._digest = hashlib.sha256()
        self._files: list[tuple[str, str]] = []

    def skip(self, reason: str) -> None:
        """Count something that was not taken."""
        if reason not in self._skipped and len(self._skipped) >= _MAX_REASONS:
            reason = "other reasons"
        self._skipped[reason] += 1

    def take(self, document: Prepared) -> None:
        """Count a record that was taken."""
        self.records += 1
        self._digest.update(document.record)

    def finish_file(self, label: str, sha256: str) -> None:
        """Note that a file was read to its end."""
        self._files.append((label, sha256))

    def info(self) -> SourceInfo:
        """Return the account as it is stored."""
        return SourceInfo(
            collection=self.collection,
            place=self.place,
            format=self.form,
            records=self.records,
            skipped=dict(sorted(self._skipped.items())),
            sha256=self._files_digest(),
            digest=self._digest.hexdigest(),
        )

    def _files_digest(self) -> str:
        if len(self._files) == 1:
            return self._files[0][1]
        return hashlib.sha256(repr(self._files).encode()).hexdigest()


class Chunk(msgspec.Struct):
    """Records of one account that go through the preparation together."""

    account: Account
    versions: list[tuple[Version, bool]]


class Reader:
    """Reads places one after the other and keeps the accounts.

    Args:
        places: the sources, in order.
        watcher: told about every byte that is read.
    """

    def __init__(self, places: Sequence[Place], watcher: Watcher) -> None:
        self._places = places
        self._watcher = watcher
        self._accounts: dict[tuple[int, str], Account] = {}

    @property
    def accounts(self) -> list[Account]:
        """The accounts of all sources that were read so far, in order."""
        return list(self._accounts.values())

    def documents(self, workers: int) -> Iterator[tuple[Account, Prepared]]:
        """Yield the documents of all places in order; what is skipped goes to the accounts."""
        for account, prepared in _prepare_all(self._chunks(), workers):
            for document in prepared:
                if isinstance(document, Prepared):
                    account.take(document)
                    yield account, document
                else:
                    account.skip(document)

    def _chunks(self) -> Iterator[Chunk]:
        for number, place in enumerate(self._places):
            for file in files_of(place, self._watcher):
                account = self._account(number, place, file)
                yield from _chunks_of(file, account)
                account.finish_file(file.opened.label, file.meter.finish())

    def _account(self, number: int, place: Place, file: File) -> Account:
        collection = file.opened.collection if file.loader else ""
        account = self._accounts.get((number, collection))
        if account is None:
            form = file.loader.name if file.loader else "unknown"
            account = Account(place.path.name, collection, form)
            self._accounts[number, collection] = account
        return account


def _chunks_of(file: File, account: Account) -> Iterator[Chunk]:
    loader = file.loader
    if loader is None:
        account.skip(UNKNOWN_FORMAT)
        return
    chunk = Chunk(account, [])
    for item in loader.load(file.opened):
        if isinstance(item, Skipped):
            account.skip(item.reason)
            continue
        chunk.versions.append((item, loader.toc(item)))
        if len(chunk.versions) == _CHUNK:
            yield chunk
            chunk = Chunk(account, [])
    yield chunk


def _prepare_all(
    chunks: Iterator[Chunk], workers: int
) -> Iterator[tuple[Account, list[Prepared | str]]]:
    """Prepare chunks in order, in this process where there are few of them."""
    first = list(islice(chunks, _SMALL)) if workers > 1 else []
    if workers <= 1 or len(first) < _SMALL:
        venues = VenueTable.curated()
        for chunk in chain(first, chunks):
            yield chunk.account, _prepare_chunk(chunk.versions, venues)
        return
    yield from _prepare_in_processes(chain(first, chunks), workers)


def _prepare_chunk(
    versions: Iterable[tuple[Version, bool]], venues: VenueTable
) -> list[Prepared | str]:
    return [prepare(version, venues, toc=toc) for version, toc in versions]


_ENCODER = msgspec.msgpack.Encoder()
_VERSIONS = msgspec.msgpack.Decoder(list[tuple[Version, bool]])
_PREPARED = msgspec.msgpack.Decoder(list[Prepared | str])


def _prepare_in_processes(
    chunks: Iterator[Chunk], workers: int
) -> Iterator[tuple[Account, list[Prepared | str]]]:
    pool = ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=follow_parent,
        initargs=(knowledge.chosen(),),
    )
    waiting: deque[tuple[Account, Future[bytes]]] = deque()
    try:
        for chunk in chunks:
            packed = _ENCODER.encode(chunk.versions)
            waiting.append((chunk.account, pool.submit(_prepare_packed, packed)))
            if len(waiting) > _AHEAD * workers:
                account, future = waiting.popleft()
                yield account, _PREPARED.decode(future.result())
        while waiting:
            account, future = waiting.popleft()
            yield account, _PREPARED.decode(future.result())
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _prepare_packed(packed: bytes) -> bytes:
    return _ENCODER.encode(_prepare_chunk(_VERSIONS.decode(packed), VenueTable.curated()))
