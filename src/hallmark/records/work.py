"""What does a source hold about a work?

A `Version` is one record of one source: the work as it appeared in one place (preprint,
workshop, proceedings, journal). A `Work` is the set of versions that describe the same work.
"""

from enum import StrEnum

from msgspec import Struct

from hallmark.text.identifiers import ArxivId


class Quality(StrEnum):
    """How far a record's list of authors can be trusted to reject a claim.

    CURATED lists come from publishers, registries and curated bibliographies. PERSONAL ones come
    from people's own bibliography files, which are cut and mistyped without a mark; EXTRACTED ones
    were read by a machine from reference lists. Neither may alone reject a list of authors.
    """

    CURATED = "curated"
    PERSONAL = "personal"
    EXTRACTED = "extracted"


class Notice(Struct, frozen=True):
    """What was published about a work later.

    `kind` is "retraction", "concern" (an expression of concern), "correction", "withdrawal" (by its
    authors or the preprint server) or "reinstatement" (a retraction was taken back);
    `date` is "2021-05-03" or as much of it as is known; `doi` is the notice's own.
    """

    kind: str
    date: str = ""
    doi: str = ""
    source: str = ""


class Version(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One record of one source, as stored; `authors` are full names in order ("Ada Lovelace").

    `collection` names the data set ("dblp"), `origin` the place inside it. `venue_id` is the
    identity that the venue resolves to (see `text.venues`), None where it resolves to none.
    `author_aliases` pairs a listed name with another name under which the source knows that person.
    `years` holds every further year under which this version may rightly be cited.
    `title_others` holds earlier or alternative titles of this same version.
    `doi` and `arxiv` are normalised as in `Reference`. `notices` are retractions, concerns and
    corrections; `published_as` is the DOI of the published version of a preprint. `categories` are
    the subject classes under which a preprint server files it, its own first ("cs.LG").
    """

    collection: str
    title: str
    authors: tuple[str, ...] = ()
    origin: str = ""
    authors_truncated: bool = False
    authors_ordered: bool = True
    author_aliases: tuple[tuple[str, str], ...] = ()
    quality: Quality = Quality.CURATED
    editors: tuple[str, ...] = ()
    title_others: tuple[str, ...] = ()
    venue: str = ""
    venue_raw: str = ""
    venue_id: str | None = None
    preprint: bool = False
    year: int | None = None
    years: tuple[int, ...] = ()
    doi: str | None = None
    arxiv: str | None = None
    dblp: str | None = None
    url: str = ""
    kind: str = ""
    retracted: bool = False
    notices: tuple[Notice, ...] = ()
    published_as: str | None = None
    categories: tuple[str, ...] = ()

    @property
    def all_years(self) -> tuple[int, ...]:
        """Every year under which this version may rightly be cited, the main one first."""
        return (self.year, *self.years) if self.year is not None else self.years

    @property
    def known_years(self) -> tuple[int, ...]:
        """The same, with the year of a preprint's first submission, which its arXiv id holds."""
        if not self.preprint or self.arxiv is None:
            return self.all_years
        first = ArxivId(self.arxiv).year
        return self.all_years if first in self.all_years else (*self.all_years, first)


class Work(Struct, frozen=True):
    """The versions of one work, the best attested first; never empty."""

    versions: tuple[Version, ...]

    @property
    def title(self) -> str:
        """The title of the first version."""
        return self.versions[0].title


def on_arxiv(main: Version, arxiv: str) -> Version:
    """Return the arXiv version of a work that a source holds merged with it.

    Its year is not told by such sources, so it has none.

    Args:
        main: the record of the work, as published or as its source first names it.
        arxiv: the normalised arXiv id, without a version.
    """
    return Version(
        collection=main.collection,
        title=main.title,
        authors=main.authors,
        origin=main.origin,
        authors_truncated=main.authors_truncated,
        quality=main.quality,
        venue="arXiv",
        venue_raw=f"arXiv:{arxiv}",
        preprint=True,
        doi=f"10.48550/arxiv.{arxiv}",
        arxiv=arxiv,
        url=f"https://arxiv.org/abs/{arxiv}",
        kind="preprint",
        retracted=main.retracted,
        published_as=None if main.preprint else main.doi,
    )
