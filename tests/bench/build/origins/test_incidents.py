"""Audit lists: each incident gets the highest tier that applies, or is left to a person."""

import json
from pathlib import Path

import pytest

from hallmark.bench.build.origins.claims import Claim, claims
from hallmark.bench.build.origins.incidents import incidents
from hallmark.bench.build.origins.rows import read_table
from hallmark.bench.build.origins.trail import Case, Decision, entries_of
from hallmark.bench.validate import flaws_of
from hallmark.errors import InputError
from tests.bench.build.origins.little import DATE, LIBRARY

REAL = (
    "Ada Lovelace, Charles Babbage, and Konrad Zuse. Weaving Numbers with Punched Cards and "
    "Patience. In NeurIPS, 2021."
)
DRAFTED = (
    "Mary Somerville and Ada Lovelace. Notes Toward a Theory of Unfinished Engines. In NeurIPS, "
    "2021."
)
INVENTED = "Paul Bauer and Lina Huang. Spinning Proofs out of Glass Fibre. In ICML, 2022."


def decide(tmp_path: Path, reference: str, note: str = "") -> Case:
    path = tmp_path / "audit.jsonl"
    path.write_text(json.dumps({"id": "x", "citation": reference, "comment": note}))
    (case,) = incidents(read_table(path, {}), LIBRARY, source="an audit", date=DATE)
    return case


@pytest.mark.parametrize(
    ("reference", "note", "kind"),
    [
        (REAL.replace("Patience", "Diligence"), "", "near_miss_title"),
        (REAL.replace("Ada Lovelace, Charles Babbage, and Konrad Zuse", "Ian Fox and Eva Dahl"),
         "", "swapped_authors"),
        (REAL.replace("NeurIPS", "ICML"), "", "wrong_venue"),
        (REAL.replace("2021", "2031"), "", "future_date"),
        (REAL.replace("Ada Lovelace, Charles Babbage, and Konrad Zuse", "John Doe and Jane Doe"),
         "", "placeholder_authors"),
        (DRAFTED, "The venue is wrong.", "preprint_as_published"),
        (INVENTED, "This paper does not exist.", "plausible_fabrication"),
        (INVENTED, "No such paper; its DOI does not resolve.", "plausible_fabrication"),
        (f"{INVENTED} doi:10.1000/knitting", "", "hybrid_fabrication"),
        ("Grace Hopper and Edith Clarke. Spinning Proofs out of Glass Fibre. In ICML, 2022.",
         "The paper cannot be found.", "chimeric_title"),
        (f"{REAL} doi:10.1000/dead", "The DOI does not resolve.", "fabricated_doi"),
    ],
)  # fmt: skip
def test_each_fault_gives_its_type(tmp_path: Path, reference: str, note: str, kind: str) -> None:
    case = decide(tmp_path, reference, note)
    assert (case.decision, case.type) == (Decision.TAKEN, kind), case.reason
    assert case.reason
    assert case.entry is not None
    assert case.entry.generation_method == "real_world"


def test_of_several_types_the_highest_tier_wins_and_all_are_told(tmp_path: Path) -> None:
    wrong = REAL.replace("Patience", "Diligence").replace("NeurIPS", "ICML")
    case = decide(tmp_path, wrong)
    assert case.type == "near_miss_title"
    assert [kind for kind, _ in case.grounds] == ["near_miss_title", "wrong_venue"]
    assert "highest tier of 2" in case.reason


@pytest.mark.parametrize(
    ("reference", "note"),
    [
        (REAL, ""),
        (DRAFTED, ""),
        (INVENTED, ""),
        (INVENTED, "Suspicious."),
        (REAL, "The paper does not exist."),
        (REAL, "The authors are wrong."),
        (INVENTED, "The paper exists, but the year is wrong."),
        ("2021", "The paper does not exist."),
    ],
)
def test_what_is_not_told_or_contradicted_is_left_open(
    tmp_path: Path, reference: str, note: str
) -> None:
    case = decide(tmp_path, reference, note)
    assert (case.decision, case.entry) == (Decision.OPEN, None)
    assert case.reason


def test_entries_are_fit_to_use(tmp_path: Path) -> None:
    cases = [
        decide(tmp_path, REAL.replace("Patience", "Diligence")),
        decide(tmp_path, f"{INVENTED} doi:10.1000/x", "no such paper; the DOI does not resolve"),
    ]
    entries, _ = entries_of(cases)
    assert not [flaw for flaw in flaws_of(entries) if not flaw.warning]
    assert entries[1].subtests["doi_resolves"] is False


def test_a_reference_may_be_bibtex(tmp_path: Path) -> None:
    text = (
        "@inproceedings{a, title={Weaving Numbers with Punched Cards and Diligence}, "
        "author={Ada Lovelace and Charles Babbage and Konrad Zuse}, booktitle={NeurIPS}, "
        "year={2021}}"
    )
    assert decide(tmp_path, text).type == "near_miss_title"


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ("The authors are real but the title is fabricated.", {Claim.AUTHORS_RIGHT, Claim.TITLE}),
        ("Title and authors do not match any publication.", {Claim.TITLE, Claim.AUTHORS}),
        ("DOI points to an unrelated article", {Claim.OTHER_DOI}),
        ("There is no such conference.", {Claim.NO_VENUE}),
        ("Found in the real-world audit of 'A paper that exists'.", set()),
        ("", set()),
    ],
)
def test_a_note_is_read_clause_by_clause(note: str, said: set[Claim]) -> None:
    assert claims(note) == said


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ('reference,note\nA,\n"B,bad\nC,\nD,\n', "line 3: a quotation mark is not closed, which"),
        ('reference,note\n"B,bad\nC,\n"D","x"\n', "line 2: a quotation mark is not closed, which"),
        (
            'reference,note\n"Deep" learning,bad\n',
            r"line 2: a quotation mark .* two of them \(\"\"",
        ),
        (f'reference,note\nA,\n"{"x" * 200_001}\n', "line 3: a cell is longer than 200,000"),
        ("reference,note,reference\nA,,B\n", "several columns named 'reference'"),
        ("Reference,note,reference\nA,,B\n", "Several columns may hold the reference"),
        ("reference,note\nA, B and C,bad\n", "line 2: 3 cells, where the header names 2"),
        ('{"Reference": "A", "reference": "B"}\n', "Several columns may hold the reference"),
    ],
)
def test_a_table_that_hides_a_case_is_refused_with_its_line(
    tmp_path: Path, table: str, told: str
) -> None:
    path = tmp_path / "audit.csv"
    path.write_text(table)
    with pytest.raises(InputError, match=told):
        read_table(path, {})


def test_cells_may_hold_lines_separators_and_marks(tmp_path: Path) -> None:
    path = tmp_path / "audit.csv"
    path.write_text('Reference,reference,note,\r\n"A, ""B""\nC",D,bad,\r\n')
    found = read_table(path, {"reference": "Reference"})
    assert [found.cell(row, "reference") for row in found.rows] == ['A, "B"\nC']
    assert [row.line for row in found.rows] == [2]
