"""Do prediction files of systems that the paper does not know get rows of their own?"""

import json
import shutil
from pathlib import Path

import pytest

from hallmark.bench.studies.catalogue import study_of
from hallmark.bench.studies.cells import Computed
from hallmark.bench.studies.compare import Agreement, compare
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.others import MARK, NOTE, further_names
from hallmark.bench.studies.render import as_csv, as_markdown, as_text
from hallmark.bench.studies.reproduce import all_reports, document
from hallmark.report.escape import markdown

OURS = {
    "dev_public": ("llm_openai", "mine"),
    "test_public": ("llm_openai", "mine"),
    "test_crossdomain": ("llm_openai", "mine"),
    "test_crossdomain_matched": ("llm_openai", "mine"),
    "supplement_chatgpt_citations": ("gpt51", "mine"),
    "temporal": ("llm_openai_temporal", "mine_temporal"),
    "temporal_cutoff_aware": ("llm_openai_cutoff_aware_temporal", "mine_cutoff_aware_temporal"),
    "precutoff": ("llm_openai_cutoff_aware_temporal", "mine_cutoff_aware_temporal"),
}
"""Group -> a file of GPT-5.1, and the name of its copy."""


@pytest.fixture(scope="module")
def extended(synthetic: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The full folder, with everything of GPT-5.1 a second time under a name of ours."""
    root = tmp_path_factory.mktemp("extended") / "data"
    shutil.copytree(synthetic, root)
    for group, (theirs, ours) in OURS.items():
        at = root / "predictions" / group
        shutil.copy(at / f"{theirs}.jsonl", at / f"{ours}.jsonl")
    for group in ("prompt_variants", "field_loo"):
        at = root / "predictions" / group
        for path in sorted(at.glob("gemini-2.5-flash.*")):
            variant = path.stem.removeprefix("gemini-2.5-flash.")
            shutil.copy(path, at / f"mine.{variant}.jsonl")
    return root


def shown(computed: Computed, row: str) -> dict[str, float | None]:
    """What a row holds, cells without input left out."""
    return {c.column: c.value for c in computed.cells if c.row == row and c.origin != "missing"}


def column(computed: Computed, name: str) -> dict[str, float | None]:
    return {c.row: c.value for c in computed.cells if c.column == name}


@pytest.mark.parametrize("number", [3, 12, 18, 21, 22, 25, 26, 35])
def test_equal_predictions_give_an_equal_row_under_another_name(
    number: int, extended: Path
) -> None:
    computed = study_of(number).compute(Folder(extended))
    theirs, ours = shown(computed, "GPT-5.1"), shown(computed, f"mine {MARK}")
    assert ours
    assert ours.items() <= theirs.items()
    assert theirs.keys() - ours.keys() <= {"UNC default (pre)"}
    assert NOTE in computed.notes


def test_coverage_and_its_curve_are_computed_of_a_system_of_ones_own(extended: Path) -> None:
    ours = shown(study_of(23).compute(Folder(extended)), f"mine {MARK}")
    main = shown(study_of(3).compute(Folder(extended)), "GPT-5.1")
    assert ours["Cons. DR"] == main["DR"]
    assert ours["Cov."] == main["Cov."]
    assert ours.keys() >= {"Aggr. FPR", "AUROC", "FPR@90%", "F1@90%"}


@pytest.mark.parametrize("number", [10, 15])
def test_equal_predictions_give_an_equal_column(number: int, extended: Path) -> None:
    computed = study_of(number).compute(Folder(extended))
    ours = column(computed, f"mine {MARK}")
    assert ours
    assert ours.items() <= column(computed, "GPT-5.1").items()


def test_rates_by_method_have_a_column_of_a_system_of_ones_own(extended: Path) -> None:
    ours = column(study_of(13).compute(Folder(extended)), f"mine {MARK}")
    main = shown(study_of(3).compute(Folder(extended)), "GPT-5.1")
    assert len(ours) == 5
    assert ours["Scraped (FPR)"] == main["FPR"]


@pytest.mark.parametrize(
    ("number", "variant"), [(38, "terse"), (38, "default"), (40, "structured"), (40, "loo_title")]
)
def test_variants_of_a_model_of_ones_own_have_rows(
    number: int, variant: str, extended: Path
) -> None:
    computed = study_of(number).compute(Folder(extended))
    ours = shown(computed, f"mine {variant} {MARK}")
    assert ours
    assert ours == shown(computed, f"Gemini 2.5 Flash {variant}")


@pytest.mark.parametrize("number", [3, 4, 10, 13, 15, 23, 26, 34, 35, 38, 40])
def test_further_rows_are_compared_with_nothing_and_change_no_other(
    number: int, synthetic: Path, extended: Path
) -> None:
    before, after = (compare(study_of(number), Folder(path)) for path in (synthetic, extended))
    own = [c for c in after.cells if MARK in c.cell.row + c.cell.column]
    assert all(c.agreement is Agreement.UNPRINTED for c in own)
    assert [c for c in after.cells if c not in own] == list(before.cells)
    assert after.recomputed == before.recomputed
    assert not any(MARK in c.cell.row + c.cell.column for c in before.cells)


def test_only_some_files_make_a_row_of_what_there_is(synthetic: Path, tmp_path: Path) -> None:
    for name in ("dev_public", "temporal_supplement"):
        shutil.copy(synthetic / f"{name}.jsonl", tmp_path)
    at = tmp_path / "predictions" / "temporal"
    at.mkdir(parents=True)
    shutil.copy(synthetic / "predictions/temporal/llm_openai_temporal.jsonl", at / "mine.jsonl")
    row = shown(study_of(25).compute(Folder(tmp_path)), f"mine {MARK}")
    assert row.keys() == {"DR 24-25", "FPR 24-25", "F1 24-25", "MCC 24-25"}


def test_a_file_of_other_entries_is_told_of_and_makes_no_row(
    synthetic: Path, tmp_path: Path
) -> None:
    shutil.copy(synthetic / "dev_public.jsonl", tmp_path)
    at = tmp_path / "predictions" / "dev_public"
    at.mkdir(parents=True)
    shutil.copy(synthetic / "predictions/test_public/llm_openai.jsonl", at / "mine.jsonl")
    report = compare(study_of(3), Folder(tmp_path))
    assert not any(MARK in c.cell.row for c in report.cells)
    assert any(f"mine {MARK}" in problem for problem in report.problems)


def test_a_name_cannot_steer_the_terminal(synthetic: Path, tmp_path: Path) -> None:
    shutil.copy(synthetic / "dev_public.jsonl", tmp_path)
    at = tmp_path / "predictions" / "dev_public"
    at.mkdir(parents=True)
    shutil.copy(synthetic / "predictions/dev_public/llm_openai.jsonl", at / "a\x1b[2Jb.jsonl")
    text = as_text(compare(study_of(3), Folder(tmp_path)))
    assert "\x1b" not in text
    assert "[2Jb" in text


def with_file(synthetic: Path, root: Path, name: str, split: str = "dev_public") -> Folder:
    """A folder with one file of a stranger, whose keys are those of `split`."""
    shutil.copy(synthetic / "dev_public.jsonl", root)
    at = root / "predictions" / "dev_public"
    at.mkdir(parents=True)
    shutil.copy(synthetic / f"predictions/{split}/llm_openai.jsonl", at / f"{name}.jsonl")
    return Folder(root)


@pytest.mark.parametrize("split", ["dev_public", "test_public"])
@pytest.mark.parametrize(
    ("name", "markup"),
    [
        ("[l](javascript:alert(1))", "[l]("),
        ("*bold*", "*bold"),
        ("$HOME`id`", "`id`"),
        ("<script>x", "<script"),
        ("a|b", "a|b"),
    ],
)
def test_a_name_forms_no_markup(
    name: str, markup: str, split: str, synthetic: Path, tmp_path: Path
) -> None:
    folder = with_file(synthetic, tmp_path, name, split)
    table = as_markdown(compare(study_of(3), folder))
    page = document(folder, all_reports(folder))
    for text in (table, page):
        assert markdown(name) in text
        assert markup not in text.replace(markdown(name), "")


def test_the_name_of_a_gold_file_stays_code(synthetic: Path, tmp_path: Path) -> None:
    folder = with_file(synthetic, tmp_path, "mine")
    shutil.copy(tmp_path / "dev_public.jsonl", tmp_path / "a`<b>.jsonl")
    page = document(folder, [])
    assert "`dev_public.jsonl` sha256" in page
    assert "<b>" not in page


@pytest.mark.parametrize("sign", "=+-@")
def test_a_name_is_no_formula_of_a_spreadsheet(sign: str, synthetic: Path, tmp_path: Path) -> None:
    folder = with_file(synthetic, tmp_path, f"{sign}1+1")
    rows = as_csv(compare(study_of(3), folder)).splitlines()
    assert any(row.startswith(f"'{sign}1+1 {MARK}") for row in rows)
    assert not any(row.startswith(sign) for row in rows)


def test_a_long_name_makes_a_row_like_any_other(synthetic: Path, tmp_path: Path) -> None:
    name = "a" * 240  # `<name>_dev_public.json` is longer than a name may be
    report = compare(study_of(3), with_file(synthetic, tmp_path, name))
    assert any(c.cell.row == f"{name} {MARK}" for c in report.cells)
    assert not report.problems


def test_a_half_written_file_is_told_of_and_stops_no_table(synthetic: Path, tmp_path: Path) -> None:
    folder = with_file(synthetic, tmp_path, "mine")
    whole = tmp_path / "predictions" / "dev_public" / "mine.jsonl"
    half = whole.with_name("half.jsonl")
    half.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    reports = {report.number: report for report in all_reports(folder)}
    assert not reports[3].agrees
    assert any("half.jsonl cannot be used" in problem for problem in reports[3].problems)
    assert any(c.cell.row == f"mine {MARK}" for c in reports[3].cells)
    page = document(folder, list(reports.values()))
    assert "half.jsonl cannot be used" in page
    assert str(tmp_path) not in page


def test_rows_that_contradict_each_other_are_told_of(synthetic: Path, tmp_path: Path) -> None:
    folder = with_file(synthetic, tmp_path, "mine")
    path = tmp_path / "predictions" / "dev_public" / "mine.jsonl"
    first = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    same = json.dumps(first | {"reason": "again"})
    path.write_text(f"{path.read_text(encoding='utf-8')}{same}\n", encoding="utf-8")
    assert compare(study_of(3), folder).notes == (NOTE,)
    other = "VALID" if first["label"] != "VALID" else "HALLUCINATED"
    torn = json.dumps(first | {"label": other})
    path.write_text(f"{path.read_text(encoding='utf-8')}{torn}\n", encoding="utf-8")
    report = compare(study_of(3), folder)
    assert report.agrees
    told = f"predictions/dev_public of mine {MARK}: 1 key has rows with different labels"
    assert any(note.startswith(told) for note in report.notes)


def test_names_are_found_between_a_beginning_and_an_ending(tmp_path: Path) -> None:
    at = tmp_path / "predictions" / "probe"
    at.mkdir(parents=True)
    for name in ("verify.a.b", "verify.known", "recall.a.b", "verify.", "verify.c.old"):
        (at / f"{name}.jsonl").touch()
    (at / "verify.x.jsonl.journal").touch()
    folder = Folder(tmp_path)
    known = {"verify.known"}
    found = further_names(folder, "probe", known, prefix="verify.")
    assert found == ("a.b", "c.old")
    assert further_names(folder, "probe", known, prefix="verify.", suffix=".old") == ("c",)
    assert further_names(folder, "nothing", known) == ()
