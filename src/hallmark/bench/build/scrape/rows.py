"""How do scraped records stand in a file that `hallmark index build` reads?"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from hallmark._files import write_whole
from hallmark.bench.build.scrape.recipe import Recipe, name_of
from hallmark.bench.build.scrape.run import Scraped
from hallmark.bench.lines import printable
from hallmark.errors import OutputError
from hallmark.records.work import Quality, Version


def rows_of(scraped: Scraped, recipe: Recipe, day: str) -> Iterator[dict[str, object]]:
    """Yield the records kept, in Hallmark's own form (`index.loaders.jsonl`), with provenance.

    Args:
        scraped: what came of the recipe.
        recipe: the recipe.
        day: when the sources were asked.
    """
    for number, kept in scraped.kept:
        names = sorted({one.collection for one in kept.versions})
        for place, version in enumerate(kept.versions):
            yield {
                **row_of(version),
                "scraped": {
                    "list": name_of(recipe.lists[number]),
                    "day": day,
                    "role": "confirming" if place else "listed",
                    "attested_by": names,
                },
            }


def row_of(version: Version) -> dict[str, object]:
    """Return one record in Hallmark's own form, without what is empty."""
    found: dict[str, object] = {
        "title": version.title,
        "authors": list(version.authors),
        "venue": version.venue,
        "venue_raw": version.venue_raw,
        "year": version.year,
        "years": list(version.years),
        "doi": version.doi,
        "arxiv": version.arxiv,
        "dblp": version.dblp,
        "url": version.url,
        "collection": version.collection,
        "source": version.origin,
        "kind": version.kind,
        "title_others": list(version.title_others),
        "editors": list(version.editors),
        "published_as": version.published_as,
        "categories": list(version.categories),
        "preprint": version.preprint,
        "retracted": version.retracted,
        "authors_truncated": version.authors_truncated,
        "authors_unordered": not version.authors_ordered,
        "extracted": version.quality is Quality.EXTRACTED,
    }
    return {name: value for name, value in found.items() if value or name in {"title", "authors"}}


def write_rows(out: Path, rows: Iterable[dict[str, object]]) -> int:
    """Write rows as JSON lines, whole or not at all; returns their number.

    Raises:
        OutputError: the file cannot be written.
    """
    lines = [msgspec.json.encode(row) + b"\n" for row in rows]
    try:
        write_whole(out, b"".join(lines))
    except OSError as error:
        raise OutputError(
            f"{printable(out, 300)} cannot be written: {error.strerror}. What was found is kept."
        ) from None
    return len(lines)
