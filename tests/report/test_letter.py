"""What a letter to an author says; write the golden files anew with HALLMARK_GOLDEN=write."""

import os
import re
from pathlib import Path

import pytest
from msgspec import structs

from hallmark.judge.codes import CODES
from hallmark.records.answer import Found, SourceAnswer
from hallmark.records.evidence import (
    Compared,
    ComparedWork,
    Comparison,
    Evidence,
    Field,
    Nuance,
    Relation,
)
from hallmark.records.finding import Finding, Safety
from hallmark.records.reference import Location, Reference
from hallmark.records.verdict import Contradicted, NotFound, Result, Suggestion, Verified
from hallmark.records.work import Version
from hallmark.report.evidence import explanation
from hallmark.report.interface import Look
from hallmark.report.letter import letter
from hallmark.report.letter_words import OPENING, WORDS
from hallmark.text.names import PersonName

GOLDEN = Path(__file__).parent.parent / "golden" / "letters"
RECORD = Version(
    collection="dblp",
    origin="conf/x/LovelaceBS21",
    title="A Robust Method for Sparse Estimation",
    authors=("Ada Lovelace", "Charles Babbage", "Mary Somerville"),
    venue="ICML",
    venue_raw="Proceedings of the 38th International Conference on Machine Learning",
    venue_id="icml",
    year=2021,
    doi="10.1000/icml.2021.17",
    url="https://example.org/paper",
)
REFERENCE = Reference(
    key="lovelace2021robust",
    location=Location("refs.bib", 12),
    entry_type="inproceedings",
    title="A Robust Method for Space Estimation",
    authors=(
        PersonName(given="A.", family="Lovelace"),
        PersonName(given="John", family="Doe"),
        PersonName(given="Mary", family="Somerville"),
    ),
    venue="NeurIPS",
    year=2020,
    year_text="2020",
    doi="10.1000/icml.2021.71",
)
SIDES = {
    "title": (REFERENCE.title, RECORD.title),
    "author": ("A. Lovelace; John Doe; Mary Somerville", "; ".join(RECORD.authors)),
    "venue": ("NeurIPS 2020", "ICML"),
    "year": ("2020", "2021"),
    "doi": ("10.1000/icml.2021.71", "10.1000/icml.2021.17"),
    "eprint": ("2101.00001", "2101.00010"),
    "": ("", ""),
}
ACCUSING = re.compile(
    r"fabricat|hallucinat|fake|invent|fraud|made.up|wrong|false|lie\b|guilt|accus|mislead|err\b",
    re.IGNORECASE,
)


def evidence(record: Version = RECORD) -> Evidence:
    initials = Nuance("initials", "A. Lovelace", "Ada Lovelace")
    compared = Compared(
        version=record,
        title=Comparison(Field.TITLE, Relation.CONFLICT, REFERENCE.title, record.title),
        authors=Comparison(Field.AUTHORS, Relation.CONFLICT, nuances=(initials,)),
        venue=Comparison(
            Field.VENUE,
            Relation.VARIANT,
            nuances=(Nuance("venue-alias", "Proc. ICML", "ICML"),),
        ),
        year=Comparison(Field.YEAR, Relation.EQUAL),
        doi=Comparison(Field.DOI, Relation.SILENT),
        arxiv=Comparison(Field.ARXIV, Relation.SILENT),
    )
    return Evidence(
        answers=(SourceAnswer("index", Found((record,), ("title",)), "2026-05-01"),),
        works=(ComparedWork((compared,)),),
        today="2026-12-02",
    )


def result(*codes: str, record: Version | None = RECORD) -> Result:
    findings = tuple(
        Finding(
            code=code,
            severity=CODES[code].severity,
            message=f"What the judge says of {code}.",
            field=CODES[code].field,
            claimed=SIDES[CODES[code].field][0],
            found=SIDES[CODES[code].field][1],
            sources=("dblp", "acl"),
        )
        for code in codes
    )
    verdict = Contradicted(
        probability=0.93,
        reason="It differs.",
        type="wrong_venue",
        findings=findings,
        work=record,
        suggestion=Suggestion({"year": "2021", "doi": ""}, Safety.UNSAFE),
    )
    return Result("lovelace2021robust", Location("refs.bib", 12), verdict)


def test_every_finding_has_its_words() -> None:
    assert set(WORDS) == set(CODES)


@pytest.mark.parametrize("markdown", [False, True], ids=["text", "markdown"])
def test_a_letter_for_every_code_looks_as_it_did(markdown: bool) -> None:
    letters = [
        f"==== {code} {row.name} ====\n"
        + letter(REFERENCE, evidence(), result(code), markdown=markdown)
        for code, row in CODES.items()
    ]
    path = GOLDEN.with_suffix(".md" if markdown else ".txt")
    text = "\n".join(letters)
    if os.environ.get("HALLMARK_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("code", CODES)
def test_an_explanation_shows_both_sides_of_every_finding(code: str) -> None:
    text = explanation(REFERENCE, evidence(), result(code), Look(width=100))
    said = text.partition("\nSaid")[2]
    assert "https://doi.org/10.1000/icml.2021.17" in text
    assert f"  {code}" in said
    field = CODES[code].field
    for side in SIDES[field] if field and field != "author" else ():
        assert side in said
    if field == "author" and code != "HM405":
        assert "2. John Doe | 2. Charles Babbage (another name)" in said


def test_what_differs_is_marked_by_carets_colour_or_bold() -> None:
    plain = letter(REFERENCE, evidence(), result("HM301"))
    place = plain.index("A Robust Method for Space Estimation\n", plain.index("1. Title"))
    assert plain[place:].splitlines()[1].strip().startswith("^")
    bold = letter(REFERENCE, evidence(), result("HM601"), markdown=True)
    assert "- yours: 202**0**\n- record: 202**1**" in bold
    colour = explanation(REFERENCE, evidence(), result("HM601"), Look(colour=True))
    assert "202\x1b[1;4;31m0\x1b[0m" in colour


def test_a_letter_accuses_nobody() -> None:
    shown = letter(REFERENCE, evidence(), result(*CODES))
    texts = [shown, *OPENING.values(), *(words.sentence for words in WORDS.values())]
    spoken = [text.replace("What the judge says of", "") for text in texts]
    assert not [found[0] for text in spoken if (found := ACCUSING.search(text))]
    assert "0.93" not in shown
    assert "wrong_venue" not in shown


def test_a_letter_says_that_records_may_be_mistaken() -> None:
    shown = " ".join(letter(REFERENCE, evidence(), result("HM601")).split())
    assert "Records have mistakes, too" in shown
    assert "please tell us what we overlooked" in shown


def test_differences_that_do_not_count_are_told_with_the_reason() -> None:
    shown = letter(REFERENCE, evidence(), result("HM601"))
    told = shown.partition("Differences that do not count")[2]
    assert "“A. Lovelace” for “Ada Lovelace”: initials stand for given names." in told
    assert "“Proc. ICML” for “ICML”: a name of the same venue." in told


def test_a_letter_without_a_record_asks_for_one() -> None:
    verdict = NotFound(probability=0.9, reason="Not listed.")
    shown = letter(REFERENCE, Evidence(), Result("k", Location("refs.bib", 1), verdict))
    assert "a DOI or a copy of the work" in " ".join(shown.split())
    assert "Our record\n" not in shown
    assert "against: no source." in shown


def test_a_letter_on_a_verified_reference_says_so() -> None:
    verdict = Verified(probability=0.01, reason="All agrees.", work=RECORD)
    shown = letter(REFERENCE, evidence(), Result("k", Location("refs.bib", 1), verdict))
    assert "They confirm it." in shown
    assert "overlooked" not in shown


HOSTILE = "\x1b[31m<script>|**b**|`c`\u202e@all #1\n# h [x](http://e.org)"


@pytest.mark.parametrize("markdown", [False, True])
def test_nothing_from_outside_steers_the_reader(markdown: bool) -> None:
    record = structs.replace(
        RECORD,
        title=HOSTILE,
        authors=(HOSTILE, "Ada Lovelace"),
        venue_raw=HOSTILE,
        doi=f"10.1/{HOSTILE}",
        url=f"https://{HOSTILE}",
        origin=HOSTILE,
    )
    given = result("HM301", "HM401", record=record)
    verdict = structs.replace(
        given.verdict,
        findings=tuple(
            structs.replace(one, claimed=HOSTILE, found=f"{HOSTILE} x", sources=(HOSTILE,))
            for one in given.verdict.findings
        ),
        suggestion=Suggestion({HOSTILE: HOSTILE}, Safety.UNSAFE),
    )
    reference = structs.replace(REFERENCE, title=HOSTILE, venue=HOSTILE)
    shown = letter(
        reference,
        evidence(record),
        structs.replace(given, key=HOSTILE, verdict=verdict),
        markdown=markdown,
    )
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", shown)
    if markdown:
        assert "<script>" not in shown
        assert "[x](http" not in shown
        assert "@all" not in shown


def test_lines_of_text_are_short() -> None:
    shown = letter(REFERENCE, evidence(), result(*CODES))
    assert max(map(len, shown.splitlines())) <= 78
