"""How many papers did a venue accept, and in which years was it not held?

Published figures of accepted main-track papers come with the package (`accepted_counts.json`
beside this module) and can be extended by a file of the same form: a JSON list of objects with
`venue` (any name of it), `year` and `accepted`.
"""

from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import msgspec

from hallmark._files import read_bytes
from hallmark.errors import InputError
from hallmark.index.coverage import Counts
from hallmark.text.venues import VenueTable


class Accepted(msgspec.Struct, frozen=True):
    """A published count of accepted papers; `source` says where it was published."""

    venue: str
    year: int
    accepted: int
    source: str = ""


_ROWS = msgspec.json.Decoder(list[Accepted])
_STORED = msgspec.msgpack.Decoder(list[tuple[str, int, int]])


@lru_cache(maxsize=1)
def published_counts() -> Counts:
    """Return the counts that come with the package."""
    data = files("hallmark.index").joinpath("accepted_counts.json").read_bytes()
    return _by_identity(_ROWS.decode(data), "the package")


def read_counts(path: Path) -> Counts:
    """Return the counts of a user's file.

    Raises:
        InputError: the file cannot be read, or a venue is not known.
    """
    try:
        return _by_identity(_ROWS.decode(read_bytes(path)), f"`{path}`")
    except OSError as error:
        raise InputError(f"The counts at `{path}` cannot be read: {error.strerror}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(
            f"`{path}` is no table of counts ({error}). It must be a JSON list such as "
            '[{"venue": "ICML", "year": 2024, "accepted": 2610}].'
        ) from error


def stored_counts(path: Path) -> Counts:
    """Return the counts that an index was built with."""
    return {(venue_id, year): count for venue_id, year, count in _STORED.decode(path.read_bytes())}


def not_held(venue_id: str, year: int) -> bool:
    """Whether a venue is known to have had no edition in `year`."""
    return VenueTable.curated().held(venue_id, year) is False


def _by_identity(rows: list[Accepted], where: str) -> Counts:
    venues = VenueTable.curated()
    found: dict[tuple[str, int], int] = {}
    for row in rows:
        ids = venues.resolve(row.venue).ids
        if len(ids) != 1:
            raise InputError(
                f"The table of counts of {where} names `{row.venue}`, which is "
                f"{'no known venue' if not ids else 'ambiguous: ' + ', '.join(ids)}. "
                "Write the venue's full name."
            )
        found[ids[0], row.year] = row.accepted
    return found
