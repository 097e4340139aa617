"""Which other years, and which other version, do people cite?"""

from random import Random

from msgspec import structs

from hallmark.bench.entry import Entry
from hallmark.bench.noise.interface import Facts, noise
from hallmark.bench.perturb.drafts import with_fields
from hallmark.bench.perturb.interface import Inapplicable
from hallmark.records.work import Version
from hallmark.text.identifiers import arxiv
from hallmark.text.venue_dois import doi_parts
from hallmark.text.venue_facts import VenueType, type_of

_CITED_AS = ("arXiv preprint arXiv:{}", "CoRR", "arXiv:{}", "ArXiv", "CoRR abs/{}")


@noise("online-first-year")
def online_first_year(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Date a journal article by the year in which it appeared online, before its issue."""
    record = facts.record
    journal = record.venue_id is not None and type_of(record.venue_id) is VenueType.JOURNAL
    if not journal or record.preprint or record.year is None:
        return Inapplicable("no journal article")
    if doi_parts(record.doi or "").year == record.year:
        return Inapplicable("its DOI is of the year of the issue")
    return with_fields(entry, {"year": str(record.year - 1)})


@noise("arxiv-citation")
def arxiv_citation(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:
    """Cite a published work by its preprint, with the preprint's number and year."""
    preprint = next(filter(_is_numbered, facts.versions), None)
    if preprint is None or preprint.arxiv is None or facts.record.preprint:
        return Inapplicable("no published work with a preprint")
    number = arxiv(preprint.arxiv)
    if number is None:
        return Inapplicable("no published work with a preprint")
    year = str(preprint.year or number.year)
    kept = ("title", "author")
    fields = {name: text for name, text in entry.fields.items() if name in kept}
    if rng.random() < 0.5:  # noqa: PLR2004 - one in two
        fields |= {"journal": rng.choice(_CITED_AS).format(preprint.arxiv), "year": year}
        return structs.replace(entry, bibtex_type="article", fields=fields)
    fields |= {"year": year, "eprint": preprint.arxiv, "archiveprefix": "arXiv"}
    return structs.replace(entry, bibtex_type="misc", fields=fields)


def _is_numbered(version: Version) -> bool:
    return version.preprint and version.arxiv is not None
