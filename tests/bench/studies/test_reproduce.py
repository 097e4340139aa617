"""Does the document of the reproduction say what was found?"""

from pathlib import Path

import pytest

from hallmark.bench.studies.compare import Report
from hallmark.bench.studies.export import export
from hallmark.bench.studies.findings import FINDINGS, Finding, finding_of
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.reproduce import all_reports, document, finding_section
from hallmark.errors import UnknownName


@pytest.fixture(scope="module")
def reports(synthetic: Path) -> list[Report]:
    return all_reports(Folder(synthetic))


every_finding = pytest.mark.parametrize("finding", FINDINGS, ids=lambda f: f.name)


def test_the_document_has_a_section_for_every_table(synthetic: Path, reports: list[Report]) -> None:
    text = document(Folder(synthetic), reports)
    for report in reports:
        assert f"### Table {report.number}: {report.title}" in text
        assert f"`hallmark bench table {report.number} --data DIR`" in text
    assert str(synthetic) not in text


def test_the_document_is_the_same_twice(synthetic: Path, reports: list[Report]) -> None:
    folder = Folder(synthetic)
    assert document(folder, reports) == document(folder, all_reports(folder))


@every_finding
def test_a_finding_without_inputs_says_so(finding: Finding, tmp_path: Path) -> None:
    assert "(inputs missing)" in finding_section(Folder(tmp_path), finding)


@every_finding
def test_a_finding_is_reached_by_its_name(finding: Finding) -> None:
    assert finding_of(finding.name) is finding


def test_an_unknown_finding_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="anthropic, preprints"):
        finding_of("nothing")


EVIDENCE = {
    "anthropic": "0.7607, 0.0624, 0.8389, 0.7009, 0.8587; ECE 0.0893",
    "preprints": "22 of 513 valid entries",
    "outage": "148 of 148 hallucinated entries",
    "failures": "37 of 37 UNCERTAIN rows",
    "stance": "conservative: 0.4571, 0.0487, 0.6101",
    "forced": "conservative: DR 0.7393, FPR 0.0897",
    "ece": "file order: 0.1250",
    "keys": "480 rows for 448 keys; FPR 0.7593",
    "dois": "scored on 1068 of 1119",
    "circular": "0.9505, 0.0000, 0.9746",
    "p-value": "published formula p = 1.000, symmetric two-sided p = 0.001",
    "tells": "41 of 41 are hallucinated",
    "variance": "F1 0.7905, FPR 0.5556",
    "late-cutoff": "DeepSeek-V4-Pro: FPR 0.3557, DR 0.8725",
}


@pytest.mark.shared_data
@every_finding
def test_the_released_data_show_the_finding(finding: Finding, shared: Path) -> None:
    section = finding_section(Folder(shared / "data" / "hallmark"), finding)
    assert EVIDENCE[finding.name] in section


@pytest.mark.shared_data
def test_the_committed_document_is_what_the_command_writes(shared: Path) -> None:
    folder = Folder(shared / "data" / "hallmark")
    committed = Path(__file__).parents[3] / "docs" / "reproduction.md"
    assert committed.read_text(encoding="utf-8") == document(folder, all_reports(folder))


def test_tables_are_exported_as_csv_and_json(tmp_path: Path, reports: list[Report]) -> None:
    written = export(reports, tmp_path / "out")
    assert len(written) == 2 * len(reports)
    assert all(path.stat().st_size for path in written)
