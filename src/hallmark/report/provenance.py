"""Which record is meant, and where can anybody look it up?"""

from collections.abc import Iterator

from hallmark.records.work import Version

_WEB = ("https://", "http://")


def record_lines(version: Version) -> Iterator[tuple[str, str]]:
    """Yield labels and values that identify a record; texts are as stored, not yet harmless."""
    yield "title", version.title
    if version.authors:
        cut = " and others" if version.authors_truncated else ""
        yield "authors", f"{_shown(version.authors)}{cut}"
    place = version.venue_raw or version.venue
    if place:
        yield "venue", place
    if version.all_years:
        yield "year", " or ".join(map(str, version.all_years))
    for address in addresses(version):
        yield "see", address
    origin = f", {version.origin}" if version.origin else ""
    yield "held by", f"{version.collection}{origin}"


_MOST_NAMES = 20


def _shown(authors: tuple[str, ...]) -> str:
    more = len(authors) - _MOST_NAMES
    shown = "; ".join(authors[:_MOST_NAMES])
    return f"{shown}; and {more:,} more" if more > 0 else shown


def addresses(version: Version) -> Iterator[str]:
    """Yield the links under which a record's work is found, the most lasting first."""
    if version.doi:
        yield f"https://doi.org/{version.doi}"
    if version.arxiv:
        yield f"https://arxiv.org/abs/{version.arxiv}"
    if version.dblp:
        yield f"https://dblp.org/rec/{version.dblp}"
    if version.url.startswith(_WEB) and not (version.doi and version.doi in version.url.lower()):
        yield version.url
