import re

from hallmark.records.answer import Absent, Found, SourceAnswer, Unavailable, VenueYear
from hallmark.records.evidence import (
    Compared,
    ComparedWork,
    Comparison,
    Evidence,
    Field,
    Nuance,
    Relation,
)
from hallmark.records.reference import Location, ParseNote, Reference
from hallmark.records.work import Version
from hallmark.report.evidence import explanation
from hallmark.report.interface import Look
from hallmark.text.names import PersonName
from hallmark.text.venues import VenueClaim, VenueKind
from tests.report import results

LOOK = Look(names=results.NAMES)
REFERENCE = Reference(
    key="vaswani2017require",
    location=Location("paper.bib", 12),
    entry_type="inproceedings",
    title="Attention Is All You Require",
    authors=(PersonName(given="Ashish", family="Vaswani"),),
    authors_truncated=True,
    venue="NIPS",
    year=2017,
    year_text="2017",
    notes=(ParseNote("missing-comma", "A comma was missing after the title."),),
)
VERSION = Version(
    collection="dblp",
    title="Attention is All you Need",
    authors=("Ashish Vaswani", "Noam Shazeer"),
    venue="NeurIPS",
    venue_id="neurips",
    year=2017,
)


def compared(version: Version = VERSION) -> Compared:
    return Compared(
        version=version,
        title=Comparison(
            Field.TITLE,
            Relation.CONFLICT,
            REFERENCE.title,
            version.title,
            (Nuance("words-changed", "require", "need"),),
        ),
        authors=Comparison(Field.AUTHORS, Relation.VARIANT, nuances=(Nuance("truncated"),)),
        venue=Comparison(Field.VENUE, Relation.EQUAL),
        year=Comparison(Field.YEAR, Relation.CONFLICT, "2018", "2017", weak=True),
        doi=Comparison(Field.DOI, Relation.SILENT),
        arxiv=Comparison(Field.ARXIV, Relation.SILENT),
    )


def evidence(*works: ComparedWork) -> Evidence:
    row = VenueYear("neurips", 2017, held=679, expected=679, complete=True, basis="count")
    found = Found((VERSION,), ("title", "near title"), (row,))
    return Evidence(
        answers=(
            SourceAnswer("index", found, "2021-09-07"),
            SourceAnswer("crossref", Unavailable("It timed out.")),
            SourceAnswer("dblp", Absent(("title",))),
        ),
        venue=VenueClaim("NIPS", VenueKind.VENUE, ("neurips",)),
        works=works,
        coverage=(row, VenueYear("eccv", 2017, not_held=True, basis="biennial")),
        doi_facts=(Nuance("doi-venue-differs", "CVPR", "ICML"),),
    )


def shown(*works: ComparedWork, look: Look = LOOK) -> str:
    return explanation(REFERENCE, evidence(*works), results.near_miss(), look)


def test_everything_a_verdict_rests_on_is_shown() -> None:
    text = shown(ComparedWork((compared(),)))
    for words in (
        "Ashish Vaswani and others",
        "A comma was missing after the title.",
        "“NIPS” is venue: neurips",
        "1 records, by title, near title (index built 2021-09-07)",
        "did not answer: It timed out.",
        "no record, by title",
        "neurips 2017: 679 of 679 works, complete (count)",
        "eccv 2017: not held in that year (biennial)",
        "doi-venue-differs: CVPR / ICML",
        "words-changed: require / need",
        "conflict (weak)",
        "title-altered",
        "title_exists no",
        "title = {Attention is All you Need} (safe)",
    ):
        assert words in re.sub(r"\s+", " ", text), words


def test_no_record_at_all_is_said() -> None:
    assert "no record" in shown()


def test_hundreds_of_records_are_counted_instead_of_shown() -> None:
    works = [ComparedWork((compared(),) * 200)] * 50
    text = shown(*works)
    assert len(text.splitlines()) < 250
    assert "and 192 more records of this work" in text
    assert "and 47 more works" in text


def test_records_cannot_steer_the_terminal() -> None:
    version = Version(collection="d\x1b[2J", title="t\x1b[0m\nline", venue="v\u202e")
    text = shown(ComparedWork((compared(version),)))
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", text)


def test_lines_fit_the_terminal() -> None:
    text = shown(ComparedWork((compared(),)), look=Look(width=60, names=results.NAMES))
    assert max(map(len, text.splitlines())) <= 60
