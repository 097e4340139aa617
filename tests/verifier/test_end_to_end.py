"""From BibTeX to verdicts, on a small index: kinds of faults that checkers are known for."""

from pathlib import Path

import pytest

from hallmark.index import LocalIndex
from hallmark.parse.interface import read
from hallmark.records.verdict import Result
from hallmark.verifier import Verifier, replay
from tests.verifier.library import check, library, record

LSTM = "Long Short-Term Memory"
PEOPLE = 'author={Hochreiter, Sepp and Schmidhuber, J{\\"u}rgen}'


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("library")


@pytest.fixture(scope="module")
def index(place: Path) -> LocalIndex:
    shared = [
        record(LSTM, "Sepp Hochreiter; Jürgen Schmidhuber", "Neural Computation", 1997,
               doi="10.1162/neco.1997.9.8.1735"),
        record("Adam: A Method for Stochastic Optimization", "Diederik P. Kingma; Jimmy Ba",
               "ICLR", 2015, arxiv="1412.6980"),
        record("Explaining and Harnessing Adversarial Examples",
               "Ian J. Goodfellow; Jonathon Shlens; Christian Szegedy", "ICLR", 2015,
               arxiv="1412.6572"),
        record("Imaginary Foundations of Orchard Logic: I", "Ada Vole", "Journal of Orchards",
               2004, doi="10.5555/orchards.1"),
        record("Imaginary Foundations of Orchard Logic: II", "Ada Vole", "Journal of Orchards",
               2004, doi="10.5555/orchards.2"),
        record("RETRACTED: Orchards and their invented diseases in children", "Ben Stoat; Ida Elk",
               "Journal of Orchards", 1998, doi="10.5555/orchards.9"),
        record("Retracted Orchards and the Retraction Index", "Fay Lynx; Gus Mole",
               "Journal of Orchards", 2011),
        record("Searching for invented particles in proton collisions", "The Orchard Collaboration",
               "Journal of Orchards", 2012),
        record("Introduction", "Ada Vole", "Journal of Orchards", 2001),
        record("Introduction", "Ben Stoat", "Journal of Orchards", 2009),
    ]  # fmt: skip
    return library(place, shared, shared)


def one(place: Path, index: LocalIndex, bib: str) -> Result:
    results = check(place, index, bib)
    assert len(results) == 1
    return results[0]


def codes(result: Result) -> set[str]:
    return {finding.code for finding in result.verdict.findings}


def lstm(**fields: str) -> str:
    given = {"title": LSTM, "journal": "Neural Computation", "year": "1997"} | fields
    body = ", ".join(f"{name}={{{value}}}" for name, value in given.items())
    return f"@article{{r, {PEOPLE}, {body}}}"


@pytest.mark.parametrize(
    "fields",
    [
        {"title": "{LONG SHORT-TERM MEMORY}"},
        {"title": "Long short term memory."},
        {"journal": "Neural Comput."},
        {"year": "1998"},
        {"doi": "https://doi.org/10.1162/NECO.1997.9.8.1735"},
        {"pages": "1--999"},
    ],
)
def test_benign_differences_are_verified(
    place: Path, index: LocalIndex, fields: dict[str, str]
) -> None:
    assert one(place, index, lstm(**fields)).status == "verified"


def test_a_missing_comma_before_a_field_costs_nothing(place: Path, index: LocalIndex) -> None:
    bib = lstm(publisher="MIT Press}\n doi={10.1162/neco.1997.9.8.1735")
    result = one(place, index, bib)
    assert result.status == "verified"


def test_a_doi_with_rubbish_behind_it_is_contradicted(place: Path, index: LocalIndex) -> None:
    result = one(place, index, lstm(doi="10.1162/neco.1997.9.8.1735dogs"))
    assert result.status == "contradicted"
    assert result.verdict.suggestion is not None
    assert result.verdict.suggestion.fields == {"doi": "10.1162/neco.1997.9.8.1735"}


def test_a_doi_one_digit_off_is_contradicted(place: Path, index: LocalIndex) -> None:
    assert one(place, index, lstm(doi="10.1162/neco.1997.9.8.1736")).status == "contradicted"


def test_an_arxiv_id_of_another_paper_is_contradicted(place: Path, index: LocalIndex) -> None:
    bib = (
        "@article{k, author={Kingma, Diederik P. and Ba, Jimmy}, "
        "title={Adam: A Method for Stochastic Optimization}, "
        "journal={arXiv preprint arXiv:1412.6572}, year={2014}}"
    )
    result = one(place, index, bib)
    assert result.status == "contradicted"
    assert "HM202" in codes(result)


def test_a_real_id_under_invented_metadata_verifies_nothing(place: Path, index: LocalIndex) -> None:
    bib = (
        "@article{k, author={Quill, Orla and Rook, Piet}, title={Gradient Harmonics of Orchards}, "
        "journal={arXiv preprint arXiv:1412.6980}, year={2014}}"
    )
    result = one(place, index, bib)
    assert result.status == "contradicted"
    assert result.verdict.type == "hybrid_fabrication"


def test_the_parts_of_a_work_are_different_works(place: Path, index: LocalIndex) -> None:
    head = "@article{p, author={Vole, Ada}, journal={Journal of Orchards}, year={2004}, "
    right = head + "title={Imaginary Foundations of Orchard Logic. {II}}, doi={10.5555/orchards.2}}"
    wrong = head + "title={Imaginary Foundations of Orchard Logic. {II}}, doi={10.5555/orchards.1}}"
    assert one(place, index, right).status == "verified"
    result = one(place, index, wrong)
    assert result.status == "contradicted"
    assert {"HM201"} <= codes(result)


def test_a_retracted_work_is_found_without_its_mark_and_said_to_be_retracted(
    place: Path, index: LocalIndex
) -> None:
    bib = (
        "@article{w, author={Stoat, B. and Elk, I.}, title={Orchards and their invented diseases "
        "in children}, journal={Journal of Orchards}, year={1998}}"
    )
    result = one(place, index, bib)
    assert result.status == "verified"
    assert "HM305" in codes(result)


def test_a_title_about_retraction_is_no_retraction(place: Path, index: LocalIndex) -> None:
    bib = (
        "@article{w, author={Lynx, Fay and Mole, Gus}, title={Retracted Orchards and the "
        "Retraction Index}, journal={Journal of Orchards}, year={2011}}"
    )
    result = one(place, index, bib)
    assert result.status == "verified"
    assert "HM305" not in codes(result)


def test_works_of_one_short_title_are_told_apart_by_their_authors(
    place: Path, index: LocalIndex
) -> None:
    bib = (
        "@article{i, author={Stoat, Ben}, title={Introduction}, "
        "journal={Journal of Orchards}, year={2009}}"
    )
    assert one(place, index, bib).status == "verified"
    other = bib.replace("Stoat, Ben", "Nobody, Known")
    assert one(place, index, other).status != "verified"


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("software", "not_checked"),
        ("online", "not_checked"),
        ("standard", "not_checked"),
        ("patent", "not_checked"),
        ("phdthesis", "unresolved"),
        ("book", "unresolved"),
        ("techreport", "unresolved"),
    ],
)
def test_what_no_list_holds_is_never_called_invented(
    place: Path, index: LocalIndex, kind: str, expected: str
) -> None:
    bib = f"@{kind}{{n, author={{Vole, Ada}}, title={{An unheard-of thing}}, year={{2020}}}}"
    assert one(place, index, bib).status == expected


def test_without_an_index_every_reference_is_unresolved(place: Path) -> None:
    path = place / "none.bib"
    path.write_text(lstm(), encoding="utf-8")
    (result,) = Verifier(None).check(read(str(path)))
    assert result.status == "unresolved"
    assert [source.outcome for source in result.sources] == ["unavailable"]


def test_stored_evidence_gives_the_same_verdict(place: Path, index: LocalIndex) -> None:
    path = place / "stored.bib"
    path.write_text(lstm(year="2005"), encoding="utf-8")
    (entry,) = read(str(path))
    verifier = Verifier(index)
    evidence, result = verifier.explain(entry)  # type: ignore[arg-type]
    assert replay(entry, evidence) == result  # type: ignore[arg-type]


def test_a_fault_in_one_reference_does_not_end_the_run(place: Path, index: LocalIndex) -> None:
    class Broken(LocalIndex):
        def __init__(self) -> None:
            self.venues = index.venues

        @property
        def as_of(self) -> str:
            return ""

        def look_up(self, question: object) -> None:  # type: ignore[override]
            raise RuntimeError("out of order")

    path = place / "broken.bib"
    path.write_text(lstm() + lstm(), encoding="utf-8")
    results = list(Verifier(Broken()).check(read(str(path))))
    assert [result.status for result in results] == ["unresolved", "unresolved"]
    assert all("HM902" in codes(result) for result in results)


def test_processes_give_what_one_process_gives(place: Path, index: LocalIndex) -> None:
    path = place / "many.bib"
    entries = [
        lstm(year=str(1990 + number % 12)).replace("{r,", f"{{r{number},") for number in range(1200)
    ]
    path.write_text("\n".join(entries), encoding="utf-8")
    alone = list(Verifier(index).check(read(str(path))))
    together = list(Verifier(index, workers=2).check(read(str(path))))
    assert together == alone
