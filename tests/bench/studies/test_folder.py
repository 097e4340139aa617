"""Does a damaged data folder give one clear message?"""

from pathlib import Path

import pytest

from hallmark._files import MAX_BYTES
from hallmark.bench.studies.catalogue import study_of
from hallmark.bench.studies.compare import compare
from hallmark.bench.studies.folder import Folder, open_folder
from hallmark.errors import InputError


@pytest.fixture
def aggregates(tmp_path: Path) -> Path:
    folder = tmp_path / "aggregates"
    folder.mkdir()
    return folder


def test_a_result_file_of_another_shape_is_named(aggregates: Path) -> None:
    (aggregates / "llm_openai_dev_public.json").write_text('{"num_entries": "many"}')
    with pytest.raises(InputError, match=r"llm_openai_dev_public\.json has another shape"):
        Folder(aggregates.parent).aggregate("llm_openai", "dev_public")


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "\ud800"])
def test_a_result_file_that_is_not_json_is_named(aggregates: Path, text: str) -> None:
    path = aggregates / "llm_openai_dev_public.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(InputError, match="is not JSON"):
        Folder(aggregates.parent).aggregate("llm_openai", "dev_public")


def test_nan_in_a_result_file_is_read_as_released(aggregates: Path) -> None:
    text = (
        '{"num_entries": 2, "num_hallucinated": 1, "num_valid": 1, "detection_rate": 1.0, '
        '"false_positive_rate": 0.0, "f1_hallucination": 1.0, "tier_weighted_f1": 1.0, '
        '"type_accuracy": {"overall": NaN}}'
    )
    (aggregates / "tool_dev_public.json").write_text(text)
    found = Folder(aggregates.parent).aggregate("tool", "dev_public")
    assert found is not None
    assert found.detection_rate == 1.0


@pytest.mark.parametrize("text", ['{"risk_coverage": {"tool": {"auroc": "good"}}}', '{"risk'])
def test_a_damaged_coverage_report_is_told_of_and_stops_no_table(
    aggregates: Path, text: str
) -> None:
    (aggregates / "coverage_reporting.json").write_text(text)
    report = compare(study_of(23), Folder(aggregates.parent))
    assert not report.agrees
    assert any("coverage_reporting.json" in problem for problem in report.problems)


def test_a_description_of_the_release_beyond_bounds_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "metadata.json").open("wb") as file:
        file.truncate(MAX_BYTES + 1)  # a hole: no byte of it is on the disk
    with pytest.raises(InputError, match=r"metadata\.json cannot be read: It is larger than"):
        Folder(tmp_path).metadata()


BUDGET = (
    "cell,display,budget,n,parse_failure,p95,cap,saturation,dr,fpr,f1,mcc,mean_tokens,p95_tokens,"
    "wall_clock_s,cost_usd"
)


def test_a_budget_table_with_a_word_for_a_number_is_named(aggregates: Path) -> None:
    row = "a,GPT-5.5,256,100,none,256,256,1,0.1,0,0.18,0.18,249,256,570,0.87"
    (aggregates / "thinking_budget.csv").write_text(f"{BUDGET}\n{row}\n")
    with pytest.raises(InputError, match=r"thinking_budget\.csv has another shape"):
        compare(study_of(30), Folder(aggregates.parent))


def test_a_budget_table_is_recomputed_from_its_rates(aggregates: Path) -> None:
    row = "gpt-5-5_a,GPT-5.5,256,100,0.66,256,256,1,0.1,0,0.5,0.5,248.6,256,570,0.8672"
    (aggregates / "thinking_budget.csv").write_text(f"{BUDGET}\n{row}\n")
    types = "type,tier,n,gpt-5-5_a\nfabricated_doi,1,5,0.1\n"
    (aggregates / "thinking_budget_per_type.csv").write_text(types)
    report = compare(study_of(30), Folder(aggregates.parent))
    assert report.agrees  # the file's own F1 and MCC of 0.5 are not used
    assert report.recomputed == 9


def test_a_budget_table_in_another_encoding_is_named(aggregates: Path) -> None:
    (aggregates / "thinking_budget.csv").write_bytes(BUDGET.encode() + b"\n\xff\n")
    with pytest.raises(InputError, match="is not UTF-8"):
        Folder(aggregates.parent).budget()


def test_a_file_of_changed_labels_with_an_unknown_label_is_named(tmp_path: Path) -> None:
    (tmp_path / "changed_keys_dev_public.json").write_text(
        '[{"bibtex_key": "a", "old_label": "WRONG"}]'
    )
    with pytest.raises(InputError, match="changed_keys_dev_public"):
        Folder(tmp_path).changed()


def test_a_missing_folder_of_own_predictions_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--own"):
        open_folder(tmp_path, tmp_path / "nowhere")


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "dev_public.jsonl"
    line = '{"bibtex_key": "%s", "label": "VALID", "fields": {}}\n'
    path.write_text(line % "a")
    folder = Folder(tmp_path)
    first = folder.entries("dev_public")
    path.write_text(line % "a" + line % "b")
    second = folder.entries("dev_public")
    assert first is not None
    assert second is not None
    assert (len(first), len(second)) == (1, 2)


def test_a_budget_table_with_an_endless_cell_is_named(aggregates: Path) -> None:
    (aggregates / "thinking_budget.csv").write_text(f"{BUDGET}\n{'x' * 200_000},GPT-5.5\n")
    with pytest.raises(InputError, match=r"thinking_budget\.csv cannot be read: field larger"):
        compare(study_of(30), Folder(aggregates.parent))
