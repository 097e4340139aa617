"""Are the conventions behind the printed tables kept where they matter?"""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.align import Pairs, Stance, align
from hallmark.bench.entry import Entry, Label, Prediction
from hallmark.bench.studies.catalogue import study_of
from hallmark.bench.studies.domain import is_biomedical
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.ppv import prevalence_of
from hallmark.bench.studies.results import ece_in_file_order
from hallmark.bench.studies.thresholds import best_f1

labels = st.sampled_from([Label.VALID, Label.HALLUCINATED])
answers = st.tuples(labels, labels, st.sampled_from([0.5, 0.6, 0.8, 0.95]))


def paired(rows: list[tuple[Label, Label, float]]) -> Pairs:
    gold = [Entry(bibtex_key=f"k{i}", label=truth) for i, (truth, _, _) in enumerate(rows)]
    said = [
        Prediction(bibtex_key=f"k{i}", label=label, confidence=sure)
        for i, (_, label, sure) in enumerate(rows)
    ]
    return align(gold, said)


def slow_ece(rows: list[tuple[Label, Label, float]]) -> float:
    ordered = sorted(rows, key=lambda row: row[2])
    size, more = divmod(len(ordered), 10)
    start, total = 0, 0.0
    for i in range(10):
        part = ordered[start : start + size + (i < more)]
        start += len(part)
        total += abs(sum((truth == label) - sure for truth, label, sure in part))
    return total / len(ordered)


@given(st.lists(answers, min_size=1, max_size=60))
def test_the_printed_calibration_error_follows_the_file_order(
    rows: list[tuple[Label, Label, float]],
) -> None:
    assert ece_in_file_order(paired(rows), Stance.SELECTIVE) == pytest.approx(slow_ece(rows))


def test_the_printed_calibration_error_changes_with_the_order_of_the_file() -> None:
    right = [(Label.VALID, Label.VALID, 0.8)] * 10
    wrong = [(Label.VALID, Label.HALLUCINATED, 0.8)] * 10
    mixed = [row for pair in zip(right, wrong, strict=True) for row in pair]
    grouped = ece_in_file_order(paired(right + wrong), Stance.SELECTIVE)
    assert grouped != pytest.approx(ece_in_file_order(paired(mixed), Stance.SELECTIVE))


@given(st.lists(answers, min_size=1, max_size=40))
def test_the_best_threshold_is_at_least_as_good_as_any_other(
    rows: list[tuple[Label, Label, float]],
) -> None:
    pairs = paired(rows)
    best = best_f1(pairs)
    if best is None:
        assert not pairs.truth.any()
        return
    for threshold in np.linspace(0, 1, 41):
        flagged = pairs.p_hallucinated >= threshold
        tp = int((flagged & pairs.truth).sum())
        assert 2 * tp / (flagged.sum() + pairs.truth.sum()) <= best + 1e-12


def test_the_detectable_effect_of_the_printed_n_is_the_one_of_the_paper() -> None:
    value = value_of(Folder(Path("nowhere")), 9, "near_miss_title (printed n)", "MDE")
    assert value == pytest.approx(23.7, abs=0.05)


def test_columns_tell_their_prevalence() -> None:
    assert prevalence_of("PPV 2%") == pytest.approx(0.02)
    assert prevalence_of("0.5%") == pytest.approx(0.005)


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (Entry(bibtex_key="a", label=Label.VALID, fields={"pmid": "1"}), True),
        (Entry(bibtex_key="a", label=Label.VALID, fields={"doi": "10.1101/2026.01.02"}), True),
        (Entry(bibtex_key="a", label=Label.VALID, source_conference="bioRxiv"), True),
        (Entry(bibtex_key="a", label=Label.VALID, source="pubmed"), True),
        (Entry(bibtex_key="a", label=Label.VALID, source="dblp_cs", fields={"pmid": "1"}), False),
        (Entry(bibtex_key="a", label=Label.VALID, fields={"booktitle": "OSDI"}), False),
    ],
)
def test_biomedical_entries_are_known_by_where_they_come_from(entry: Entry, expected: bool) -> None:
    assert is_biomedical(entry) is expected


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def valid(key: str, year: str) -> dict[str, object]:
    return {"bibtex_key": key, "label": "VALID", "fields": {"title": key, "year": year}}


def says(key: str, label: str) -> dict[str, object]:
    return {"bibtex_key": key, "label": label, "confidence": 0.9}


@pytest.fixture
def repeated(tmp_path: Path) -> Folder:
    """One key has two rows: flagged first, cleared last; one other entry is cleared."""
    write(tmp_path / "temporal_supplement.jsonl", [valid("a", "2024"), valid("b", "2025")])
    write(tmp_path / "dev_public.jsonl", [valid("d", "2021")])
    write(tmp_path / "predictions/dev_public/llm_openai.jsonl", [says("d", "VALID")])
    rows = [says("a", "HALLUCINATED"), says("b", "VALID"), says("a", "VALID")]
    for group, name in (
        ("temporal", "llm_openai_temporal"),
        ("temporal", "gpt_5_4_verdicts"),
        ("temporal_cutoff_aware", "llm_openai_cutoff_aware_temporal"),
    ):
        write(tmp_path / "predictions" / group / f"{name}.jsonl", rows)
    return Folder(tmp_path)


def value_of(folder: Folder, number: int, row: str, column: str) -> float | None:
    cells = study_of(number).compute(folder).cells
    return next(c.value for c in cells if (c.row, c.column) == (row, column))


def test_table_25_takes_the_first_row_of_a_repeated_key(repeated: Folder) -> None:
    assert value_of(repeated, 25, "GPT-5.1", "FPR 24-25") == pytest.approx(0.5)


def test_table_27_takes_the_last_row_of_a_repeated_key(repeated: Folder) -> None:
    assert value_of(repeated, 27, "All", "FPR GPT-5.1") == pytest.approx(0.0)


def test_table_26_counts_the_last_row_once_for_every_row(repeated: Folder) -> None:
    path = repeated.root / "predictions/temporal/llm_openai_temporal.jsonl"
    rows = [says("a", "VALID"), says("b", "VALID"), says("a", "HALLUCINATED")]
    write(path, rows)
    found = value_of(repeated, 26, "GPT-5.1", "FPR default")
    assert found == pytest.approx(100 * 2 / 3)


def test_an_undefined_rate_is_not_a_zero(repeated: Folder) -> None:
    assert value_of(repeated, 25, "GPT-5.1", "DR 24-25") is None


def test_resolvers_of_our_own_are_shown_beside_the_printed_rules(tmp_path: Path) -> None:
    write(tmp_path / "data/dev_public.jsonl", [valid("a", "2021"), valid("b", "2021")])
    rows = [says("a", "HALLUCINATED"), says("b", "UNCERTAIN")]
    write(tmp_path / "own/resolver-consensus.jsonl", rows)
    folder = Folder(tmp_path / "data", tmp_path / "own")
    assert value_of(folder, 20, "consensus (our index)", "FPR") == pytest.approx(0.5)


def test_recorded_sources_are_shown_beside_our_index(tmp_path: Path) -> None:
    write(tmp_path / "data/dev_public.jsonl", [valid("a", "2021"), valid("b", "2021")])
    rows = [says("a", "HALLUCINATED"), says("b", "VALID")]
    write(tmp_path / "own/recorded-any-miss.jsonl", rows)
    folder = Folder(tmp_path / "data", tmp_path / "own")
    assert value_of(folder, 20, "any-no-match (recorded sources)", "FPR") == pytest.approx(0.5)
