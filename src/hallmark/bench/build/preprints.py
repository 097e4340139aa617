"""Which works are known to have a preprint, besides those of which the index holds one?

A published record with an arXiv number has one; its year is the number's. A file beside the plan
can name more: arXiv number, title and authors, tab-separated, for works of arXiv alone.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

from msgspec import structs

from hallmark._files import read_text
from hallmark.bench.lines import printable
from hallmark.bench.perturb.interface import Pool
from hallmark.errors import InputError
from hallmark.records.work import Version
from hallmark.text import titles
from hallmark.text.identifiers import arxiv
from hallmark.text.venues import VenueTable

_COLUMNS = 3
_LARGEST_FILE = 16 << 20


class WithPreprints:
    """A pool that knows of more preprints than its records; obeys `perturb.interface.Pool`.

    Args:
        pool: the pool.
        preprints: further preprints.
        whole_lists: whether the pool is to be asked which lists are complete.
    """

    def __init__(
        self, pool: Pool, preprints: Iterable[Version] = (), *, whole_lists: bool = True
    ) -> None:
        self._pool = pool
        self._whole_lists = whole_lists
        self._more: dict[str, list[Version]] = {}
        for one in preprints:
            self._more.setdefault(titles.key(one.title), []).append(one)

    @property
    def venues(self) -> VenueTable:
        """What names of venues mean."""
        return self._pool.venues

    def draw(
        self, rng: Random, venue: str | None = None, year: int | None = None
    ) -> Version | None:
        """Return a work of the pool."""
        return self._pool.draw(rng, venue, year)

    def titled(self, title: str) -> Sequence[Version]:
        """Return the records of this title, the preprints behind arXiv numbers included."""
        held = tuple(self._pool.titled(title))
        behind = [p for one in held if (p := preprint_of(one)) is not None]
        return (*held, *behind, *self._more.get(titles.key(title), ()))

    def identified(self, doi: str) -> Sequence[Version]:
        """Return the records of this DOI."""
        return self._pool.identified(doi)

    def complete(self, venue: str, year: int) -> bool | None:
        """Whether all papers of this venue and year are held; None where it is not to be asked."""
        return self._pool.complete(venue, year) if self._whole_lists else None


def preprint_of(version: Version) -> Version | None:
    """Return the preprint of a published record that has an arXiv number, else None."""
    number = arxiv(f"arXiv:{version.arxiv}", marked=True) if version.arxiv else None
    if version.preprint or number is None:
        return None
    kept = structs.replace(version, doi=None, dblp=None, years=(), kind="", published_as=None)
    return _on_arxiv(kept, number.id, number.year)


def read_preprints(path: Path) -> list[Version]:
    """Read a table of preprints: arXiv number, title and authors ("A and B"), tab-separated.

    Raises:
        InputError: it cannot be read, or a line is not as it should be.
    """
    where = printable(path, 300)
    try:
        lines = read_text(path, limit=_LARGEST_FILE).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"The preprints {where} cannot be read: {printable(reason)}.") from None
    rows = [(n, line) for n, line in enumerate(lines, 1) if line and not line.startswith("#")]
    return [_read(where, n, line.split("\t")) for n, line in rows]


def _read(where: str, line: int, cells: list[str]) -> Version:
    number = arxiv(f"arXiv:{cells[0]}", marked=True)
    if len(cells) != _COLUMNS or number is None or not titles.key(cells[1]):
        raise InputError(
            f"{where}, line {line}: give arXiv number, title and authors, separated by tabs."
        )
    bare = Version(collection="arxiv", title=cells[1], authors=tuple(cells[2].split(" and ")))
    return _on_arxiv(bare, number.id, number.year)


def _on_arxiv(version: Version, number: str, year: int) -> Version:
    return structs.replace(
        version, venue="arXiv", venue_raw=f"arXiv:{number}", venue_id="arxiv", preprint=True,
        arxiv=number, year=year,
    )  # fmt: skip
