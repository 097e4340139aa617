"""How are records in Hallmark's own form read?

One JSON object a line: title, authors (full names in order), venue (short), venue_raw, year, doi,
arxiv, url, source (where it was read), dblp; further authors_truncated, type, extracted, editors,
retracted, collection (in place of the file's name), kind, years, preprint, title_others,
authors_unordered, published_as, categories. A record with a `type`, or one whose source is a .bib
file, is out of a person's own bibliography; one with `extracted` was read by a machine.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from hallmark.index.loaders import tidy
from hallmark.index.loaders.interface import Loaded, Loader, Opened, Skipped
from hallmark.index.loaders.stream import lines
from hallmark.records.work import Version
from hallmark.text import identifiers


class _Record(msgspec.Struct):
    title: str
    authors: list[str] | None = None
    venue: str | None = None
    venue_raw: str | None = None
    year: int | str | None = None
    doi: str | None = None
    arxiv: str | None = None
    url: str | None = None
    source: str | None = None
    dblp: str | None = None
    authors_truncated: bool = False
    editors: list[str] | None = None
    type: str | None = None
    extracted: Any = None
    retracted: bool = False
    collection: str | None = None
    kind: str | None = None
    years: list[int] | None = None
    preprint: bool = False
    title_others: list[str] | None = None
    authors_unordered: bool = False
    published_as: str | None = None
    categories: list[str] | None = None


_DECODER = msgspec.json.Decoder(_Record)
_LONG_LINE = re.compile(rb'\{\s*"title"\s*:\s*"')
_LONG = 60_000
_MOST = 20
"""Further titles and years that are taken of one record."""


def load(opened: Opened) -> Iterator[Loaded]:
    """Yield one version for each line."""
    for line in lines(opened.stream):
        if line is None:
            yield Skipped("line longer than 16 MB")
            continue
        try:
            record = _DECODER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            yield Skipped("line that is no record")
            continue
        yield _version(record, opened)


def _version(record: _Record, opened: Opened) -> Loaded:
    authors, cut = tidy.people(record.authors)
    origin = tidy.field(record.source)
    arxiv = identifiers.arxiv(record.arxiv) if record.arxiv else None
    return Version(
        collection=tidy.field(record.collection) or opened.collection,
        title=tidy.line(record.title),
        authors=authors,
        origin=origin or opened.label,
        authors_truncated=record.authors_truncated or cut,
        authors_ordered=not record.authors_unordered,
        quality=tidy.quality(
            personal=record.type is not None or origin.endswith(".bib"),
            extracted=bool(record.extracted),
        ),
        editors=tidy.people(record.editors)[0],
        venue=tidy.field(record.venue),
        venue_raw=tidy.field(record.venue_raw),
        title_others=_lines(record.title_others),
        year=tidy.year(record.year),
        years=_years(record.years),
        preprint=record.preprint,
        doi=identifiers.doi(record.doi) if record.doi else None,
        arxiv=arxiv.id if arxiv else None,
        dblp=record.dblp or None,
        url=tidy.field(record.url),
        kind=tidy.field(record.kind or record.type),
        retracted=record.retracted,
        published_as=identifiers.doi(record.published_as) if record.published_as else None,
        categories=_lines(record.categories),
    )


def _lines(texts: list[str] | None) -> tuple[str, ...]:
    found = (tidy.line(text)[: tidy.MAX_TITLE] for text in (texts or ())[:_MOST])
    return tuple(text for text in found if text)


def _years(listed: list[int] | None) -> tuple[int, ...]:
    found = (tidy.year(one) for one in (listed or ())[:_MOST])
    return tuple(year for year in found if year is not None)


def sniff(head: bytes, name: str) -> bool:
    """Whether the first line is an object with a title as text and authors as a list of text.

    A first line that is longer than the head must at least begin with a title as text.
    """
    del name
    first, newline, _ = head.lstrip().partition(b"\n")
    try:
        return _DECODER.decode(first).authors is not None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return not newline and _LONG_LINE.match(first) is not None and len(first) > _LONG


LOADER = Loader(name="records", description="Hallmark's own JSON lines", load=load, sniff=sniff)
