"""What does a recipe ask the live sources for?

A recipe is TOML: lists to ask for (a venue of DBLP by years, a category of arXiv, a search of
PubMed, a server of bioRxiv by dates), how many works to keep of each, and who must agree on them.
"""

import re
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct, field

from hallmark._files import read_text
from hallmark.bench.build.plan import SEED
from hallmark.bench.lines import printable, quoted
from hallmark.bench.validate import ENTRY_TYPES
from hallmark.errors import InputError

MOST = 20_000
"""Works that one recipe may ask for: each costs a few requests."""
CONFIRMING = ("crossref", "semanticscholar", "openalex", "dblp", "europepmc")
"""Who is asked whether it holds a title, in this order, unless the recipe says otherwise."""

_LARGEST_FILE = 1 << 20
_LONGEST = 500
_CATEGORY = re.compile(r"[a-z][a-z-]{1,20}(?:\.[A-Za-z-]{2,20})?")
_VENUE = re.compile(r"[^:|$\"\\\x00-\x1f]{1,200}")
_FIRST, _LAST = 1500, 2100

Source = Literal["dblp", "arxiv", "pubmed", "biorxiv"]


class Listing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One list to ask a source for.

    Args:
        source: who is asked.
        most: works to keep of it.
        venue: for DBLP: a name as it files it ("NeurIPS"), or a stream ("conf/nips").
        years: for DBLP: the first and the last year.
        category: for arXiv ("cs.LG").
        term: for PubMed: a query in its own language, which may be empty.
        server: for bioRxiv: "biorxiv" or "medrxiv".
        since: for all but DBLP: the first day ("2026-01-01").
        until: the last day.
    """

    source: Source
    most: int
    venue: str = ""
    years: tuple[int, int] | None = None
    category: str = ""
    term: str = ""
    server: Literal["biorxiv", "medrxiv"] = "biorxiv"
    since: str = ""
    until: str = ""


class Recipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is to be listed, and what a listed work must be like to be kept.

    Args:
        lists: the lists, `[[list]]` in the file.
        years: the first and the last year of the works.
        kinds: BibTeX types of the works; preprints are taken whatever it says.
        attested: sources that must agree on title, authors, venue and year; two at least.
        confirm: who is asked whether it holds a title, in order.
        seed: draws in which order the works of a list are tried.
    """

    lists: tuple[Listing, ...] = field(name="list")
    years: tuple[int, int]
    kinds: tuple[str, ...] = ("inproceedings", "article")
    attested: int = 2
    confirm: tuple[str, ...] = CONFIRMING
    seed: int = SEED


def read_recipe(path: Path) -> Recipe:
    """Read a recipe.

    Raises:
        InputError: it cannot be read, is no TOML, or asks for what cannot be; all faults at once.
    """
    where = printable(path, 300)
    try:
        recipe = msgspec.convert(tomllib.loads(read_text(path, limit=_LARGEST_FILE)), Recipe)
    except OSError as error:
        raise InputError(f"The recipe {where} cannot be read: {error.strerror}.") from None
    except msgspec.ValidationError as error:
        raise InputError(
            f"The recipe {where} does not fit: {printable(error, 200)}. See benchmarks/recipes/."
        ) from None
    except (ValueError, RecursionError) as error:
        # Numbers of thousands of digits are plain value errors.
        raise InputError(f"The recipe {where} is no TOML: {printable(error)}.") from None
    problems = list(problems_of(recipe))
    if problems:
        raise InputError("\n  ".join([f"The recipe {where} cannot be followed:", *problems]))
    return recipe


def problems_of(recipe: Recipe) -> Iterator[str]:
    """Yield what a recipe asks for that cannot be."""
    if not recipe.lists:
        yield 'there is no list; write [[list]] with `source = "dblp"`, `venue`, `years`, `most`'
    if sum(one.most for one in recipe.lists) > MOST:
        yield f"more than {MOST:,} works are asked for"
    if not _are_years(recipe.years):
        yield f"`years` is {list(recipe.years)}; give the first and the last year"
    if recipe.attested < 2:  # noqa: PLR2004 - one source cannot agree with itself
        yield f"`attested` is {recipe.attested}; two sources must agree at least"
    if not recipe.confirm:
        yield "`confirm` names nobody who could agree"
    for kind in recipe.kinds:
        if kind not in ENTRY_TYPES:
            yield f"`kinds` holds {quoted(kind)}, which is no BibTeX entry type"
    for number, listing in enumerate(recipe.lists, 1):
        yield from (f"list {number} ({listing.source}): {text}" for text in _of_list(listing))


def _of_list(listing: Listing) -> Iterator[str]:
    if listing.most < 1:
        yield f"`most` is {listing.most}; keep one work at least"
    if listing.source == "dblp":
        if not _VENUE.fullmatch(listing.venue):
            yield '`venue` must be a name as DBLP files it, such as "NeurIPS" or "conf/nips"'
        if listing.years is None or not _are_years(listing.years):
            yield "`years` must be the first and the last year"
        return
    if listing.source == "arxiv" and not _CATEGORY.fullmatch(listing.category):
        yield f'`category` is {quoted(listing.category)}; write it as "cs.LG"'
    if len(listing.term) > _LONGEST:
        yield f"`term` is longer than {_LONGEST} characters"
    days = _day(listing.since), _day(listing.until)
    if None in days:
        yield '`since` and `until` must be days, such as "2026-01-31"'
    elif listing.since > listing.until:
        yield f"`since` ({listing.since}) is after `until` ({listing.until})"


def _are_years(years: tuple[int, int]) -> bool:
    return _FIRST <= years[0] <= years[1] <= _LAST


def _day(text: str) -> date | None:
    """Return the day of "2026-01-31"; other forms of ISO 8601 are refused."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if found.isoformat() == text else None


def name_of(listing: Listing) -> str:
    """Return a short name of a list, for counts and provenance."""
    match listing.source:
        case "dblp":
            wanted = listing.venue
        case "arxiv":
            wanted = listing.category
        case "pubmed":
            wanted = listing.term
        case "biorxiv":
            wanted = listing.server
    return f"{listing.source} {printable(wanted)}".strip()
