"""Does every kind of noise leave an entry true, as a reader of bibliographies judges it?"""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from hallmark.bench.entry import Entry
from hallmark.bench.noise.interface import Facts, load_all
from hallmark.bench.noise.latex import bibtex
from hallmark.bench.noise.styles import write_in_any
from hallmark.bench.perturb.drafts import entry_of
from hallmark.match.compare import compare
from hallmark.parse.interface import parse_text
from hallmark.records.evidence import Comparison, Field, Relation
from hallmark.records.reference import Reference
from hallmark.records.work import Version
from hallmark.text.venues import VenueTable
from tests.metamorphic.made import records

TABLE = VenueTable.curated()
PUBLISHED = records(60, seed=11)
EARLY = "online-first-year"


def facts_of(version: Version) -> Facts:
    """Return what is known of a work: its record, and a preprint of the year before."""
    year = version.year or 2020
    number = f"{(year - 1) % 100:02}01.00001"
    preprint = structs.replace(
        version, venue="arXiv", venue_raw="arXiv", venue_id="arxiv", preprint=True, arxiv=number,
        doi=f"10.48550/arxiv.{number}", year=year - 1,
    )  # fmt: skip
    return Facts((version, preprint), TABLE)


def conflicts(entry: Entry, version: Version) -> list[Comparison]:
    """Return what of an entry a record contradicts."""
    (read,) = parse_text(bibtex(entry))
    assert isinstance(read, Reference), read
    found = compare(read, version, TABLE.resolve(read.venue))
    fields = (found.title, found.authors, found.venue, found.year, found.doi, found.arxiv)
    return [one for one in fields if one.relation is Relation.CONFLICT]


@pytest.mark.parametrize("kind", load_all().names())
@settings(max_examples=40)
@given(version=st.sampled_from(PUBLISHED), seed=st.integers(0, 2**32))
def test_a_record_of_the_work_contradicts_no_noised_entry(
    kind: str, version: Version, seed: int
) -> None:
    facts = facts_of(version)
    made = load_all().get(kind)(entry_of(version, "k"), facts, Random(seed))
    if not isinstance(made, Entry):
        return
    told = [conflicts(made, one) for one in facts.versions]
    if kind == EARLY:
        assert all(one.weak and one.field is Field.YEAR for one in told[0]), told[0]
    else:
        assert [] in told, told


@settings(max_examples=200)
@given(version=st.sampled_from(PUBLISHED), seed=st.integers(0, 2**32))
def test_a_record_of_the_work_contradicts_no_entry_in_a_style(version: Version, seed: int) -> None:
    facts = facts_of(version)
    _, noised = write_in_any(entry_of(version, "k"), facts, Random(seed))
    told = [
        [one for one in conflicts(noised.entry, held) if not (EARLY in noised.kinds and one.weak)]
        for held in facts.versions
    ]
    assert [] in told, (noised, told)


@pytest.mark.parametrize(("kind", "gone"), [("year-missing", "year"), ("doi-missing", "doi")])
def test_a_missing_field_is_gone_and_all_others_stay(kind: str, gone: str) -> None:
    entry = entry_of(next(one for one in PUBLISHED if one.doi), "k")
    made = load_all().get(kind)(entry, facts_of(PUBLISHED[0]), Random(1))
    assert isinstance(made, Entry)
    assert {**made.fields, gone: entry.fields[gone]} == entry.fields
    assert gone not in made.fields


def test_a_missing_venue_leaves_a_misc_entry_without_one() -> None:
    entry = entry_of(PUBLISHED[0], "k")
    made = load_all().get("venue-missing")(entry, facts_of(PUBLISHED[0]), Random(1))
    assert isinstance(made, Entry)
    assert made.bibtex_type == "misc"
    assert not {"journal", "booktitle"} & made.fields.keys()
