"""Which fields do people add, leave out and put elsewhere?"""

from random import Random

from msgspec import structs

from hallmark.bench.entry import Entry
from hallmark.bench.noise.interface import Facts, noise
from hallmark.bench.perturb.drafts import VENUE_FIELDS, with_fields
from hallmark.bench.perturb.interface import Inapplicable

_ADDED = {
    "month": ("jan", "June", "12", "Jul."),
    "address": ("New York, NY, USA", "Berlin", "Online"),
    "publisher": (
        "Association for Computing Machinery",
        "Springer",
        "IEEE",
        "Curran Associates, Inc.",
    ),
    "keywords": ("machine learning, citations", "survey; to read"),
    "abstract": ("We study a problem \\& propose a method; it works in 95\\% of cases.",),
    "note": ("Accepted", "Oral presentation", "to read"),
    "file": ("Full Text:/home/me/papers/paper.pdf:application/pdf",),
    "timestamp": ("Wed, 04 Oct 2023 13:02:51 +0200",),
    "langid": ("english",),
    "urldate": ("2024-03-01",),
}


@noise("pages-added")
def pages_added(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Add pages; to an article volume and number, too."""
    first = rng.randint(1, 9000)
    dash = rng.choice(("--", "-", "\u2013"))
    added = {"pages": f"{first}{dash}{first + rng.randint(3, 30)}"}
    if entry.bibtex_type == "article":
        added |= {"volume": str(rng.randint(1, 90)), "number": str(rng.randint(1, 12))}
    return with_fields(entry, added)


@noise("fields-added")
def fields_added(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:
    """Add what reference managers keep: month, publisher, keywords, abstract, file."""
    names = rng.sample(sorted(_ADDED), rng.randint(1, 5))
    added = {name: rng.choice(_ADDED[name]) for name in names if name not in entry.fields}
    if facts.record.url:
        added["url"] = facts.record.url
    return with_fields(entry, added)


@noise("fields-reordered")
def fields_reordered(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Put the fields in another order."""
    names = list(entry.fields)
    rng.shuffle(names)
    return structs.replace(entry, fields={name: entry.fields[name] for name in names})


@noise("doi-missing")
def doi_missing(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Leave out the DOI."""
    return with_fields(entry, {"doi": None})


@noise("year-missing")
def year_missing(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Leave out the year."""
    return with_fields(entry, {"year": None})


@noise("venue-missing")
def venue_missing(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Leave out the venue."""
    if not any(name in entry.fields for name in VENUE_FIELDS):
        return Inapplicable("names no venue")
    bare = with_fields(entry, dict.fromkeys(VENUE_FIELDS))
    return structs.replace(bare, bibtex_type="misc")
