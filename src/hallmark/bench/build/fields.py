"""Of which field of study is a work?

By its venue, else by the category under which arXiv files it; the table beside this module is our
own. Most venues of the world are in no row: their works are of no field that a plan can name.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import venue_of
from hallmark.records.work import Version
from hallmark.text.venues import VenueTable

UNKNOWN = ""
"""The field of a work whose venue and category are in no row."""

_ARXIV = "arxiv:"


@lru_cache(maxsize=1)
def table() -> Mapping[str, str]:
    """Return fields of study by venue ("neurips") and by category ("arxiv:cs.LG")."""
    text = files("hallmark.bench.build").joinpath("data", "venue_fields.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return {name: field for name, field in rows}  # noqa: C416 - rows have exactly two cells


def names() -> tuple[str, ...]:
    """Return the names of all fields, in order."""
    return tuple(sorted(set(table().values())))


def of_record(version: Version) -> str:
    """Return the field of a record, `UNKNOWN` where there is none."""
    by_venue = table().get(version.venue_id or "", UNKNOWN)
    if by_venue or version.arxiv is None:
        return by_venue
    old_id = version.arxiv.partition("/")[0] if "/" in version.arxiv else ""
    categories = (*version.categories, old_id)
    found = (of_category(one) for one in categories if one)
    return next((field for field in found if field), UNKNOWN)


def of_category(category: str) -> str:
    """Return the field of a category of arXiv ("cs.LG"), else that of its archive ("cs")."""
    archive = category.partition(".")[0]
    rows = table()
    return rows.get(_ARXIV + category) or rows.get(_ARXIV + archive, UNKNOWN)


def of_entry(entry: Entry, venues: VenueTable) -> str:
    """Return the field of the venue that an entry names, `UNKNOWN` where there is none."""
    ids = venues.resolve(venue_of(entry)).ids
    found = {table().get(one, UNKNOWN) for one in ids}
    return found.pop() if len(found) == 1 else UNKNOWN
