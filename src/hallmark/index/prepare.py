"""What does the index keep of one record, and under which terms is it found?

Pure and without state, so that it can run in several processes.
"""

from collections.abc import Iterable, Iterator

import msgspec

from hallmark.index import schema
from hallmark.index.loaders import tidy
from hallmark.records.work import Version
from hallmark.text import identifiers, titles
from hallmark.text.names import family_key, parse_name
from hallmark.text.venue_dois import anthology_number
from hallmark.text.venues import VenueTable

INDEXED_AUTHORS = 40
"""Authors whose family names are indexed; enough to find a work by two of them."""


class Prepared(msgspec.Struct, frozen=True, array_like=True):
    """A document of the index.

    `record` is the version in MessagePack; `marks`, `words` and `names` are its terms. `title` is
    the hash of the title's key, by which the ledger counts; `venue_id`, `year` and `toc` say where
    it counts; `number` is its place in a numbered volume, see `place_number`.
    """

    record: bytes
    marks: tuple[int, ...]
    words: str
    names: str
    title: int
    venue_id: str | None
    year: int | None
    toc: bool
    number: int = 0


_ENCODER = msgspec.msgpack.Encoder()


def prepare(version: Version, venues: VenueTable, *, toc: bool = False) -> Prepared | str:
    """Return the document of a version, or the reason why it cannot be indexed."""
    if not version.title:
        return "no title"
    if len(version.title) > tidy.MAX_TITLE:
        return f"title longer than {tidy.MAX_TITLE} characters"
    words = titles.words(version.title)
    if not words:
        return "title without a letter or digit"
    version = resolved(version, venues)
    return Prepared(
        record=_ENCODER.encode(version),
        marks=marks(version, words),
        words=words_field(words),
        names=" ".join(families(_people(version))),
        title=schema.hash64("".join(words)),
        venue_id=version.venue_id,
        year=version.year,
        toc=toc,
        number=place_number(version),
    )


def place_number(version: Version) -> int:
    """Return the place of a paper in a numbered volume, 0 for none: 44 bits volume, 20 bits number.

    The Anthology numbers the papers of a volume without gaps, so that a list of them shows by
    itself whether it is whole.
    """
    for identifier in (version.url, version.doi or ""):
        found = anthology_number(identifier) if identifier else None
        if found is not None:
            return schema.hash64(found[0]) >> 20 << 20 | found[1]
    return 0


def resolved(version: Version, venues: VenueTable) -> Version:
    """Return the version with its title marks read and its venue's identity."""
    venue_id, preprint = venues.identity(
        version.venue, version.venue_raw, doi=version.doi, url=version.url, origin=version.origin
    )
    retracted = version.retracted or titles.has_retraction_mark(version.title)
    return msgspec.structs.replace(
        version,
        title=titles.without_annotation(version.title) if retracted else version.title,
        venue_id=venue_id,
        preprint=version.preprint or preprint,
        retracted=retracted,
    )


def marks(version: Version, words: tuple[str, ...]) -> tuple[int, ...]:
    """Return the marks under which a version is found exactly."""
    keys = {"".join(words)}
    keys.update(key for other in version.title_others if (key := titles.key(other)))
    found = [schema.mark(schema.TITLE, key) for key in sorted(keys)]
    if head := titles.head(version.title):
        found.append(schema.mark(schema.HEAD, titles.key(head)))
    arxiv = version.arxiv or (identifiers.arxiv_of_doi(version.doi) if version.doi else None)
    for kind, value in (
        (schema.DOI, version.doi),
        (schema.ARXIV, arxiv),
        (schema.DBLP, version.dblp),
    ):
        if value:
            found.append(schema.mark(kind, value))
    return tuple(found)


def _people(version: Version) -> Iterator[str]:
    """Yield the names under which a version's authors are found."""
    yield from version.authors[:INDEXED_AUTHORS]
    yield from (alias for _, alias in version.author_aliases[:INDEXED_AUTHORS])


def words_field(words: tuple[str, ...]) -> str:
    """Return the content of the field of words: the distinct words and the length."""
    distinct = dict.fromkeys(words[: schema.MAX_LENGTH])
    return " ".join((*distinct, length_token(len(words))))


def length_token(length: int) -> str:
    """Return the term for titles of so many words."""
    return f"{schema.LENGTH_MARK}{min(length, schema.MAX_LENGTH)}"


def families(names: Iterable[str]) -> list[str]:
    """Return the terms of people's family names, without repetitions, in order."""
    keys = (family_key(parse_name(name)).replace(" ", "") for name in names)
    return list(dict.fromkeys(key for key in keys if key))
