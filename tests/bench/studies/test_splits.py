"""Are splits counted, or else taken from the description of the release?"""

import json
from pathlib import Path

from hallmark.bench.studies.catalogue import study_of
from hallmark.bench.studies.cells import Cell, Origin
from hallmark.bench.studies.folder import Folder

METADATA = {
    "splits": {
        "test_public": {"valid": 3, "hallucinated": 4, "total": 7, "tier_distribution": {"2": 4}}
    },
    "v1_1_extensions": {
        "splits": {
            "test_crossdomain": {"valid": 2, "type_distribution": {"valid": 2, "wrong_venue": 1}}
        },
        "data_sources": {"x": {"file": "supplement_chatgpt_citations.jsonl", "total": 341}},
    },
}


def cells_of(folder: Path) -> dict[tuple[str, str], Cell]:
    cells = study_of(2).compute(Folder(folder)).cells
    return {(cell.row, cell.column): cell for cell in cells}


def test_a_split_at_hand_is_counted(synthetic: Path) -> None:
    cells = cells_of(synthetic)
    valid, bad = cells["dev_public", "Valid"], cells["dev_public", "Halluc."]
    assert (valid.value, bad.value, valid.origin) == (28, 56, Origin.GOLD)


def test_totals_are_sums_over_the_core_splits(synthetic: Path) -> None:
    cells = cells_of(synthetic)
    core = ("dev_public", "test_public", "stress_test", "test_hidden")
    for column in ("Valid", "Tier 2"):
        assert cells["Total", column].value == sum(cells[name, column].value or 0 for name in core)
    assert cells["Total", "Types"].value == 14


def test_a_split_that_is_not_at_hand_is_described(tmp_path: Path) -> None:
    (tmp_path / "metadata.json").write_text(json.dumps(METADATA))
    cells = cells_of(tmp_path)
    assert cells["test_public", "Tier 2"].value == 4
    assert cells["test_public", "Tier 2"].origin == Origin.AGGREGATE
    assert cells["test_crossdomain", "Types"].value == 1
    assert cells["supplement_chatgpt_citations", "Total"].value == 341


def test_totals_are_missing_where_a_core_split_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "metadata.json").write_text(json.dumps(METADATA))
    assert cells_of(tmp_path)["Total", "Total"].origin == Origin.MISSING
