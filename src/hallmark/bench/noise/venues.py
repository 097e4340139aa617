"""How do people name venues?"""

import re
from functools import lru_cache
from random import Random

from msgspec import structs
from pyiso4.ltwa import Abbreviate

from hallmark.bench.entry import Entry
from hallmark.bench.noise.interface import Facts, noise
from hallmark.bench.perturb.drafts import VENUE_FIELDS, with_fields
from hallmark.bench.perturb.interface import Inapplicable
from hallmark.text.venue_facts import VenueFact, VenueType, venues

_ACRONYM = re.compile(r"[A-Z][\w&+-]{1,11}")
_OWN_NAMES = ("Findings", "Advances", "Proceedings")
_YEARLY = (
    "{full} ({acronym} {year})",
    "{year} {full} ({acronym})",
    "Proceedings of the {year} {full}",
    "{full}, {acronym} {year}, {place}",
    "Proceedings of the {full}, {acronym} {year}, {place}",
    "{acronym} {year}",
    "{acronym} '{short}",
    "Proc. {acronym}",
    "Proceedings of {acronym} {year}",
    "In Proceedings of the {full}",
    "Proceedings of the {full} ({acronym})",
)
_PLACES = (
    "Vienna, Austria, July 21-27", "Honolulu, HI, USA", "Virtual Event", "Seoul, Korea (South)",
    "Montreal, QC, Canada, December 8-13", "Singapore, June 6-10", "Long Beach, California, USA",
)  # fmt: skip
_SERIES = (
    ("Proceedings of Machine Learning Research", "PMLR"),
    ("Lecture Notes in Computer Science", "Springer"),
    ("{acronym} '{short}", "ACM"), ("", "IEEE"), ("", "Association for Computing Machinery"),
)  # fmt: skip


@noise("venue-acronym")
def venue_acronym(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Write the acronym alone."""
    fact = _fact(facts)
    if fact is None or not _acronym(fact):
        return Inapplicable("its venue has no known acronym")
    return _renamed(entry, _acronym(fact))


@noise("venue-full")
def venue_full(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Write the full name."""
    fact = _fact(facts)
    return (
        Inapplicable("its venue is not known") if fact is None else _renamed(entry, fact.names[0])
    )


@noise("venue-yearly")
def venue_yearly(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:
    """Write the name of that year's meeting, with place and date or without."""
    fact, year = _fact(facts), entry.fields.get("year", "")
    if fact is None or fact.type is not VenueType.CONFERENCE or not _acronym(fact) or not year:
        return Inapplicable("no yearly meeting")
    name = rng.choice(_YEARLY).format(
        full=fact.names[0],
        acronym=_acronym(fact),
        year=year,
        short=year[-2:],
        place=rng.choice(_PLACES),
    )
    return _renamed(entry, name)


@noise("venue-iso4")
def venue_iso4(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Abbreviate the full name by ISO 4; meetings get "Proc." in front."""
    fact = _fact(facts)
    if fact is None or len(fact.names[0].split()) < 2:  # noqa: PLR2004 - one word is not cut
        return Inapplicable("its venue is not known, or one word")
    own = fact.type is not VenueType.CONFERENCE or fact.names[0].startswith(_OWN_NAMES)
    prefix = "" if own else "Proceedings of the "
    return _renamed(entry, iso4(prefix + fact.names[0]))


@noise("venue-as-recorded")
def venue_as_recorded(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Write the venue as the record has it, as an export of the source would."""
    record = facts.record
    ids = facts.venues.resolve(record.venue_raw).ids
    if record.preprint or not record.venue_raw or (ids and record.venue_id not in ids):
        return Inapplicable("the record has no name that means its venue")
    return _renamed(entry, record.venue_raw)


@noise("series-added")
def series_added(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:
    """Add series, volume and publisher."""
    fact = _fact(facts)
    if fact is None or fact.type is not VenueType.CONFERENCE or not _acronym(fact):
        return Inapplicable("no meeting")
    series, publisher = rng.choice(_SERIES)
    year = entry.fields.get("year", "")
    named = series.format(acronym=_acronym(fact), short=year[-2:])
    added = {
        "series": named,
        "volume": str(rng.randint(1, 14000)) if named else "",
        "publisher": publisher,
    }
    return with_fields(entry, {name: text or None for name, text in added.items()})


@noise("venue-in-journal-field")
def venue_in_journal_field(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Cite a meeting's paper as an article, as Google Scholar does."""
    if "booktitle" not in entry.fields:
        return Inapplicable("no meeting")
    fields = {"journal" if n == "booktitle" else n: text for n, text in entry.fields.items()}
    return structs.replace(entry, bibtex_type="article", fields=fields)


@lru_cache(maxsize=4096)
def iso4(name: str) -> str:
    """Return a title abbreviated by ISO 4 and its list of title word abbreviations."""
    return str(_abbreviate()(name, remove_part=False))


@lru_cache(maxsize=1)
def _abbreviate() -> Abbreviate:
    return Abbreviate.create()


def _fact(facts: Facts) -> VenueFact | None:
    """Return what is known of the record's venue; None for tracks and learnt names."""
    return venues().get(facts.record.venue_id or "") if not facts.record.preprint else None


def _acronym(fact: VenueFact) -> str:
    return next((name for name in fact.names if _ACRONYM.fullmatch(name)), "")


def _renamed(entry: Entry, name: str) -> Entry | Inapplicable:
    field = next((one for one in VENUE_FIELDS if entry.fields.get(one)), None)
    return Inapplicable("names no venue") if field is None else with_fields(entry, {field: name})
