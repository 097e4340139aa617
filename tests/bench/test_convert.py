"""Do the released shapes of verdicts become the predictions they stand for?"""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.convert import (
    Shape,
    first_wins,
    labels_before,
    last_wins,
    read_checkpoint,
    read_correctness_matrix,
    read_released,
    shape_of,
)
from hallmark.bench.entry import Entry, Label, Prediction, read_predictions, write_jsonl
from hallmark.errors import InputError

UPDATER = {
    "bibtex_key": "a",
    "gold_label": "VALID",
    "pred_label": "HALLUCINATED",
    "pred_confidence": 0.7,
    "source": "tool",
    "btu_status": "not_found",
    "btu_abstained": True,
    "btu_api_sources": ["crossref"],
}


def written(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def only(path: Path) -> Prediction:
    (found,) = read_released(path)
    return found


@pytest.mark.parametrize(
    ("row", "shape"),
    [
        (UPDATER, Shape.UPDATER_VERDICTS),
        ({"pred_label": "VALID", "source": "tool"}, Shape.UPDATER_VERDICTS),
        ({"key": "a", "status": "verified"}, Shape.UPDATER_RAW),
        ({"gt_label": "VALID", "pred_label": "VALID"}, Shape.VERDICTS),
        ({"rater_id": "x", "label": "VALID"}, Shape.RATER),
        ({"bibtex_key": "a", "label": "VALID", "confidence": 1}, Shape.PREDICTIONS),
    ],
)
def test_a_shape_is_known_by_its_keys(row: dict[str, Any], shape: Shape) -> None:
    assert shape_of(row) is shape


def test_an_abstaining_verdict_keeps_its_forced_label(tmp_path: Path) -> None:
    found = only(written(tmp_path / "v.jsonl", UPDATER))
    assert found.label is Label.UNCERTAIN
    assert found.forced_label is Label.HALLUCINATED
    assert found.confidence == pytest.approx(0.7)
    assert found.sources == ("crossref",)
    assert found.line == 1


def test_a_verdict_without_a_record_is_committed(tmp_path: Path) -> None:
    bare = {k: v for k, v in UPDATER.items() if not k.startswith("btu_")}
    assert only(written(tmp_path / "v.jsonl", bare)).label is Label.HALLUCINATED


def test_a_verdict_that_is_itself_uncertain_is_forced_to_valid(tmp_path: Path) -> None:
    row = UPDATER | {"pred_label": "UNCERTAIN"}
    assert only(written(tmp_path / "v.jsonl", row)).forced_label is Label.VALID


@pytest.mark.parametrize(
    ("status", "forced"),
    [
        ("verified", Label.VALID),
        ("unconfirmed", Label.VALID),
        ("not_found", Label.HALLUCINATED),
        ("venue_mismatch", Label.HALLUCINATED),
        ("hallucinated", Label.HALLUCINATED),
    ],
)
def test_a_raw_status_decides_the_forced_label(tmp_path: Path, status: str, forced: Label) -> None:
    row = {"key": "a", "status": status, "abstained": False, "p_valid": 0.9}
    found = only(written(tmp_path / "raw.jsonl", row))
    assert found.label is found.forced_label is forced
    expected = 0.9 if forced is Label.VALID else 0.1
    assert found.confidence == pytest.approx(expected)


def test_a_raw_verdict_may_put_its_confidence_into_words(tmp_path: Path) -> None:
    row = {"key": "a", "status": "verified", "confidence": "high", "confidence_score": 0.8}
    assert only(written(tmp_path / "raw.jsonl", row)).confidence == pytest.approx(0.8)


def test_a_rater_whose_call_failed_is_an_error(tmp_path: Path) -> None:
    row = {"bibtex_key": "a", "rater_id": "r", "label": None, "error": "timeout"}
    assert only(written(tmp_path / "r.jsonl", row)).label is Label.ERROR


def test_all_broken_lines_are_named_at_once(tmp_path: Path) -> None:
    rows = [UPDATER, UPDATER | {"pred_label": "yes"}, UPDATER | {"pred_confidence": "high"}]
    rows.append({k: v for k, v in UPDATER.items() if k != "bibtex_key"})
    with pytest.raises(InputError) as caught:
        read_released(written(tmp_path / "v.jsonl", *rows))
    message = str(caught.value)
    assert "line 2" in message
    assert "line 3" in message
    assert "line 4: 'bibtex_key' is missing" in message


@pytest.mark.parametrize("value", [float("inf"), True, "0.5"])
def test_a_confidence_that_is_no_number_is_refused(tmp_path: Path, value: object) -> None:
    path = tmp_path / "v.jsonl"
    with pytest.raises(InputError):
        read_released(written(path, UPDATER | {"pred_confidence": value}))


def test_a_checkpoint_keeps_the_last_try_of_each_key_at_its_first_place(tmp_path: Path) -> None:
    rows = [
        {"bibtex_key": "a", "label": "UNCERTAIN", "confidence": 0.5},
        {"bibtex_key": "b", "label": "VALID", "confidence": 0.9},
        {"bibtex_key": "a", "label": "HALLUCINATED", "confidence": 0.8},
    ]
    found = read_checkpoint(written(tmp_path / "c.jsonl", *rows))
    assert [(p.bibtex_key, p.label) for p in found] == [
        ("a", Label.HALLUCINATED),
        ("b", Label.VALID),
    ]


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 9))))
def test_first_and_last_agree_where_no_key_is_repeated(rows: list[tuple[str, int]]) -> None:
    made = [Prediction(bibtex_key=key, label=Label.VALID, confidence=n / 10) for key, n in rows]
    first, last = first_wins(made), last_wins(made)
    assert [p.bibtex_key for p in first] == [p.bibtex_key for p in last]
    assert last_wins(list(reversed(made))) == list(
        {p.bibtex_key: p for p in reversed(made)}.values()
    )
    if len({key for key, _ in rows}) == len(rows):
        assert first == last == made


def matrix(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(["entry_key,tool", *lines]) + "\n", encoding="utf-8")
    return path


def test_a_matrix_cell_below_one_half_means_the_other_label(tmp_path: Path) -> None:
    truth = {"a": Label.VALID, "b": Label.VALID, "c": Label.HALLUCINATED}
    path = matrix(tmp_path / "m.csv", "a,0.95", "b,0.1", "c,0.8")
    found = read_correctness_matrix(path, truth)["tool"]
    assert [(p.label, p.confidence) for p in found] == [
        (Label.VALID, 0.95),
        (Label.HALLUCINATED, 0.9),
        (Label.HALLUCINATED, 0.8),
    ]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([Label.VALID, Label.HALLUCINATED]),
            st.sampled_from([Label.VALID, Label.HALLUCINATED]),
            st.sampled_from([0.6, 0.75, 0.95, 1.0]),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_a_matrix_gives_back_the_verdicts_it_was_made_from(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[Label, Label, float]]
) -> None:
    truth = {f"k{i}": gold for i, (gold, _, _) in enumerate(rows)}
    lines = [
        f"k{i},{sure if gold is said else 1 - sure:.4f}"
        for i, (gold, said, sure) in enumerate(rows)
    ]
    path = matrix(tmp_path_factory.mktemp("m") / "m.csv", *lines)
    found = read_correctness_matrix(path, truth)["tool"]
    assert [(p.label, p.confidence) for p in found] == [(said, sure) for _, said, sure in rows]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("z,0.9", "key 'z' is not in the split"),
        ("a,", "holds no number"),
        ("a,1.5", "outside 0 to 1"),
        ("a,nan", "outside 0 to 1"),
    ],
)
def test_a_matrix_that_cannot_be_used_is_refused(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_correctness_matrix(matrix(tmp_path / "m.csv", line), {"a": Label.VALID})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('entry_key,tool\na,"0.9\n', "Is a quotation mark not closed"),
        ("entry_key,tool,tool\na,0.9,0.1\n", "two columns have the same name"),
    ],
)
def test_a_matrix_that_hides_cells_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "m.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        read_correctness_matrix(path, {"a": Label.VALID})


def test_a_matrix_without_its_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text("key;tool\n", encoding="utf-8")
    with pytest.raises(InputError, match="entry_key"):
        read_correctness_matrix(path, {})


def test_labels_before_a_relabelling_replace_those_of_today() -> None:
    entries = [Entry(bibtex_key="a", label=Label.VALID), Entry(bibtex_key="b", label=Label.VALID)]
    before = labels_before(entries, {"a": Label.HALLUCINATED})
    assert before == {"a": Label.HALLUCINATED, "b": Label.VALID}


def test_converted_verdicts_survive_being_written_and_read(tmp_path: Path) -> None:
    found = read_released(written(tmp_path / "v.jsonl", UPDATER))
    write_jsonl(tmp_path / "p.jsonl", found)
    assert read_predictions(tmp_path / "p.jsonl") == found


@pytest.mark.shared_data
def test_the_released_verdicts_give_the_printed_abstentions(shared: Path) -> None:
    folder = shared / "data/hallmark/predictions/dev_public"
    found = read_released(folder / "bibtex_updater_1_2_0_verdicts.jsonl")
    assert len(found) == 1119
    assert sum(p.label is Label.UNCERTAIN for p in found) == 199
