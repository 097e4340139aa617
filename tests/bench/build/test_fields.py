"""Does a work belong to the field of its venue, or of its category?"""

from collections import Counter

import pytest
from msgspec import structs

from hallmark.bench.build import fields
from hallmark.bench.perturb.drafts import entry_of
from hallmark.records.work import Version
from hallmark.text.venue_facts import venues
from hallmark.text.venues import VenueTable

WORK = Version(
    collection="alpha",
    title="A Study of Many Things",
    authors=("Ada Lovelace",),
    venue="ICML",
    venue_id="icml",
    year=2019,
)
PREPRINT = structs.replace(WORK, venue="arXiv", venue_id="arxiv", preprint=True, arxiv="2001.00001")


def test_every_row_names_a_venue_that_is_known_or_a_category() -> None:
    odd = [name for name in fields.table() if name not in venues() and name[:6] != "arxiv:"]
    assert odd == []
    assert len(fields.table()) > 800
    assert min(Counter(fields.table().values()).values()) >= 5


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({}, "machine-learning"),
        ({"venue_id": "emnlp"}, "language"),
        ({"venue_id": "name:journal-of-tides"}, fields.UNKNOWN),
        ({"venue_id": None}, fields.UNKNOWN),
    ],
)
def test_a_record_is_of_the_field_of_its_venue(change: dict[str, object], field: str) -> None:
    assert fields.of_record(structs.replace(WORK, **change)) == field


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({}, fields.UNKNOWN),
        ({"categories": ("cs.CL", "cs.LG")}, "language"),
        ({"categories": ("math.AG",)}, "mathematics-statistics"),
        ({"categories": ("xx.YY", "quant-ph")}, "physics-chemistry"),
        ({"arxiv": "hep-th/9901001"}, "physics-chemistry"),
    ],
)
def test_a_preprint_is_of_the_field_of_its_category(change: dict[str, object], field: str) -> None:
    assert fields.of_record(structs.replace(PREPRINT, **change)) == field


def test_an_entry_is_of_the_field_of_the_venue_that_it_names() -> None:
    table = VenueTable.curated()
    assert fields.of_entry(entry_of(WORK, "k"), table) == "machine-learning"
    invented = structs.replace(WORK, venue="Symposium on Invention", venue_id="name:x")
    assert fields.of_entry(entry_of(invented, "k"), table) == fields.UNKNOWN
