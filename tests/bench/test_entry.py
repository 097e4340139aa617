"""Are entries and predictions read as they are, and every bad line named?"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.entry import (
    Entry,
    Label,
    chance,
    read_blind,
    read_entries,
    read_predictions,
    write_jsonl,
)
from hallmark.errors import InputError, OutputError
from tests.bench.made import gold_row, said_row, write

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(
    rows=st.lists(
        st.fixed_dictionaries(
            {"bibtex_key": texts.filter(lambda t: bool(t.strip())), "label": st.just("VALID")},
            optional={
                "fields": st.dictionaries(texts, texts, max_size=3),
                "explanation": st.none() | texts,
                "subtests": st.dictionaries(texts, st.none() | st.booleans(), max_size=3),
                "difficulty_tier": st.none() | st.integers(1, 3),
                "relabel_reason": texts,
                "match_scores": st.dictionaries(texts, st.floats(0, 1), max_size=2),
            },
        ),
        min_size=1,
        max_size=5,
    ),
    ascii_only=st.booleans(),
)
def test_what_is_written_back_has_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]], ascii_only: bool
) -> None:
    folder = tmp_path_factory.mktemp("round")
    path, again = folder / "a.jsonl", folder / "b.jsonl"
    path.write_text(
        "".join(json.dumps(row, ensure_ascii=ascii_only) + "\n" for row in rows), encoding="utf-8"
    )
    write_jsonl(again, read_entries(path))
    assert again.read_bytes() == path.read_bytes()


def test_absent_and_null_keys_stay_what_they_are(tmp_path: Path) -> None:
    rows = [gold_row("a"), gold_row("b") | {"hallucination_type": None, "source": None}]
    path = write(tmp_path / "gold.jsonl", rows)
    write_jsonl(tmp_path / "again.jsonl", read_entries(path))
    assert (tmp_path / "again.jsonl").read_text() == path.read_text()


def test_a_blind_entry_shows_neither_truth_nor_url(tmp_path: Path) -> None:
    row = gold_row("a", "wrong_venue") | {"fields": {"title": "T", "url": "u"}}
    (entry,) = read_entries(write(tmp_path / "gold.jsonl", [row]))
    assert entry.blind().fields == {"title": "T"}
    assert not hasattr(entry.blind(), "label")


def test_a_blind_file_can_be_read_without_labels(tmp_path: Path) -> None:
    row = {"bibtex_key": "a", "bibtex_type": "misc", "fields": {"title": "T"}, "raw_bibtex": None}
    assert read_blind(write(tmp_path / "blind.jsonl", [row]))[0].fields == {"title": "T"}


def test_released_names_of_prediction_fields_are_read(tmp_path: Path) -> None:
    row = said_row("a", "VALID") | {
        "api_sources_queried": ["x"],
        "wall_clock_seconds": 2.5,
        "api_calls": 3,
        "cascade_stage": "one",
    }
    (prediction,) = read_predictions(write(tmp_path / "p.jsonl", [row]))
    assert (prediction.sources, prediction.seconds, prediction.calls) == (("x",), 2.5, 3)
    assert prediction.extra == {"cascade_stage": "one"}


def test_the_error_tag_of_released_files_makes_an_error(tmp_path: Path) -> None:
    row = said_row("a", "UNCERTAIN", 0.5) | {"reason": "[Error fallback] Parse error"}
    (prediction,) = read_predictions(write(tmp_path / "p.jsonl", [row]))
    assert prediction.label is Label.ERROR


def test_a_failed_tool_need_not_state_a_confidence(tmp_path: Path) -> None:
    row = {"bibtex_key": "a", "label": "ERROR", "reason": "connection lost"}
    assert read_predictions(write(tmp_path / "p.jsonl", [row]))[0].label is Label.ERROR


def test_predictions_survive_being_written_and_read(tmp_path: Path) -> None:
    row = said_row("a", "UNCERTAIN", 0.4) | {
        "forced_label": "HALLUCINATED",
        "predicted_hallucination_type": "author_mismatch",
        "subtest_results": {"title_exists": False},
        "cost": 0.25,
    }
    first = read_predictions(write(tmp_path / "p.jsonl", [row]))
    write_jsonl(tmp_path / "q.jsonl", first)
    assert read_predictions(tmp_path / "q.jsonl") == first


def test_the_chance_of_being_hallucinated_follows_the_label() -> None:
    assert chance(Label.HALLUCINATED, 0.8) == 0.8
    assert chance(Label.VALID, 0.95) == 0.05
    assert chance(Label.UNCERTAIN, 0.9) == chance(Label.ERROR, 0.9) == 0.5


BAD_VALUES: dict[str, tuple[dict[str, Any], str]] = {
    "lower-case label": ({"label": "valid"}, "must be in capitals: VALID"),
    "foreign label": ({"label": "FAKE"}, "is none of VALID"),
    "no label": ({"label": None}, "`label` is missing"),
    "no confidence": ({"confidence": None}, "`confidence` is missing"),
    "text confidence": ({"confidence": "NaN"}, "no number"),
    "true as confidence": ({"confidence": True}, "no number"),
    "percent": ({"confidence": 93}, "in percent, divide it by 100"),
    "negative confidence": ({"confidence": -0.1}, "outside 0 to 1"),
    "huge confidence": ({"confidence": 1e300}, "outside 0 to 1"),
    "empty key": ({"bibtex_key": " "}, "`bibtex_key` is missing"),
    "number as key": ({"bibtex_key": 3}, "`bibtex_key` is missing"),
    "unknown type": ({"predicted_hallucination_type": "wrong_venu"}, "Did you mean `wrong_venue`"),
    "forced abstention": ({"forced_label": "UNCERTAIN"}, "is none of VALID, HALLUCINATED"),
    "negative seconds": ({"seconds": -1}, "`seconds` is no number"),
    "sub-test as text": ({"subtest_results": {"title_exists": "no"}}, "true, false or null"),
}


@pytest.mark.parametrize("name", BAD_VALUES)
def test_a_bad_value_is_named_with_all_its_lines(tmp_path: Path, name: str) -> None:
    change, message = BAD_VALUES[name]
    good = said_row("a", "VALID")
    rows = [good, good | change, good, good | change, good | change]
    with pytest.raises(InputError) as caught:
        read_predictions(write(tmp_path / "p.jsonl", rows))
    assert message in str(caught.value)
    assert "lines 2, 4-5" in str(caught.value)


BAD_GOLD: dict[str, tuple[dict[str, Any], str]] = {
    "abstention as truth": ({"label": "UNCERTAIN"}, "is none of VALID, HALLUCINATED"),
    "year as number": ({"fields": {"year": 2021}}, "a year too"),
    "fourth tier": ({"difficulty_tier": 4}, "none of 1, 2, 3"),
    "true as tier": ({"difficulty_tier": True}, "none of 1, 2, 3"),
    "sub-test as number": ({"subtests": {"title_exists": 1}}, "true, false or null"),
    "source as list": ({"source": ["dblp"]}, "`source` is no text"),
    "unknown type": ({"hallucination_type": "zzz"}, "no hallucination type `zzz`"),
}


@pytest.mark.parametrize("name", BAD_GOLD)
def test_a_bad_gold_value_is_named_with_its_line(tmp_path: Path, name: str) -> None:
    change, message = BAD_GOLD[name]
    rows = [gold_row("a"), gold_row("b") | change]
    with pytest.raises(InputError) as caught:
        read_entries(write(tmp_path / "gold.jsonl", rows))
    assert message in str(caught.value)
    assert "line 2: " in str(caught.value)


def test_sources_that_are_no_list_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="`sources` must be a list"):
        read_predictions(write(tmp_path / "p.jsonl", [said_row("a", "VALID") | {"sources": "x"}]))


def test_any_record_and_any_dict_can_be_written(tmp_path: Path) -> None:
    (entry,) = read_entries(write(tmp_path / "gold.jsonl", [gold_row("a")]))
    write_jsonl(tmp_path / "out.jsonl", [entry.blind(), {"é": 1}])
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0])["bibtex_key"] == "a"
    assert lines[1] == '{"é": 1}'


def test_all_problems_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    rows = [said_row("a", "valid"), said_row("b", "VALID", 7), said_row("c", "VALID")]
    with pytest.raises(InputError, match=r"(?s)line 1: .*capitals.*line 2: .*percent"):
        read_predictions(write(tmp_path / "p.jsonl", rows))


BAD_FILES: dict[str, tuple[bytes, str]] = {
    "CSV": (b"bibtex_key,label,confidence\na,VALID,0.9\n", "line 1: this looks like CSV"),
    "tab-separated": (b"bibtex_key\tlabel\na\tVALID\n", "line 1: this looks like CSV"),
    "JSON array": (b'[{"bibtex_key": "a"}]', "line 1: this is a JSON array"),
    "UTF-8 BOM": (b'\xef\xbb\xbf{"bibtex_key": "a"}', "line 1: a byte order mark"),
    "UTF-16 BOM": ('{"bibtex_key": "a"}'.encode("utf-16"), "line 1: a byte order mark"),
    "empty": (b"", "is empty"),
    "blank lines only": (b"\n \n", "is empty"),
    "broken JSON": (b'\n{"bibtex_key": \n', "line 2: not JSON"),
    "NaN": (b'{"bibtex_key": "a", "label": "VALID", "confidence": NaN}', "line 1: NaN is no JSON"),
    "infinity": (b'{"bibtex_key": "a", "confidence": -Infinity}', "-Infinity is no JSON number"),
    "a number": (b"5\n", "line 1: not a JSON object"),
    "nested without end": (b'{"a":' + b"[" * 100_000, "line 1: "),
    "Latin-1": (b'{"bibtex_key": "\xe9"}', "line 1: not"),
    "a key twice in one object": (
        b'{"bibtex_key": "a", "label": "VALID", "label": "HALLUCINATED", "confidence": 1}',
        "line 1: `label` is given more than once",
    ),
}


@pytest.mark.parametrize("name", BAD_FILES)
@pytest.mark.parametrize("read", [read_predictions, read_entries])
def test_a_file_of_another_kind_is_named_as_what_it_is(
    tmp_path: Path, name: str, read: Callable[[Path], Any]
) -> None:
    data, message = BAD_FILES[name]
    path = tmp_path / "file.jsonl"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read(path)
    assert message in str(caught.value)


def test_a_label_inside_a_text_is_no_second_label(tmp_path: Path) -> None:
    row = said_row("a", "VALID") | {"reason": '{"label": "HALLUCINATED"}', "raw": {"label": 1}}
    assert len(read_predictions(write(tmp_path / "p.jsonl", [row]))) == 1


def test_control_characters_of_a_bad_value_do_not_reach_the_message(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_predictions(write(tmp_path / "p.jsonl", [said_row("a", "\x1b[31mVALID")]))
    assert "\x1b" not in str(caught.value)


def test_a_missing_file_and_a_folder_are_input_errors(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(InputError, match="cannot be read"):
            read_entries(path)


def test_a_place_that_cannot_be_written_is_an_output_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError):
        write_jsonl(tmp_path / "file" / "p.jsonl", [{"a": 1}])


@pytest.mark.shared_data
def test_released_files_are_written_back_with_the_same_bytes(shared: Path, tmp_path: Path) -> None:
    for path in sorted((shared / "data/hallmark").glob("*.jsonl")):
        if "blind" not in path.name:
            write_jsonl(tmp_path / "again.jsonl", read_entries(path))
            assert (tmp_path / "again.jsonl").read_bytes() == path.read_bytes(), path.name


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ('{"bibtex_key": "a", "label": "VALID", "l\\u0061bel": "HALLUCINATED"}', "label"),
        ('{"bibtex_key": "a", "label": "VALID", "reason": "", "reason": "x"}', "reason"),
        ('{"bibtex_key": "a", "label": "VALID", "fields": {"doi": "1", "doi": "2"}}', "doi"),
    ],
)
def test_a_key_given_twice_is_told_however_it_is_written(
    tmp_path: Path, row: str, name: str
) -> None:
    path = tmp_path / "twice.jsonl"
    path.write_text(row + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"line 1: `{name}` is given more than once"):
        read_entries(path)


@pytest.mark.parametrize(
    "data",
    [
        '{"bibtex_key": "a"}'.encode("utf-16-le"),
        b"\x1f\x8b\x08compressed",
        b"\x7fELF\x02\x01\x01\x00",
    ],
    ids=["UTF-16", "gzip", "program"],
)
def test_what_is_no_text_is_told_in_one_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "binary.jsonl"
    path.write_bytes(data)
    with pytest.raises(InputError, match="is no UTF-8 text") as told:
        read_predictions(path)
    assert "\n" not in str(told.value)


def test_half_a_call_is_refused_not_rounded(tmp_path: Path) -> None:
    path = write(tmp_path / "p.jsonl", [said_row("a", "VALID") | {"calls": 1.5}])
    with pytest.raises(InputError, match="line 1: `calls` is no whole number"):
        read_predictions(path)


def test_negative_zero_is_zero(tmp_path: Path) -> None:
    path = write(tmp_path / "p.jsonl", [said_row("a", "HALLUCINATED", -0.0)])
    assert str(read_predictions(path)[0].confidence) == "0.0"


def test_a_blind_entry_hides_a_bibtex_text_that_holds_the_url() -> None:
    told = Entry(bibtex_key="a", label=Label.VALID, raw_bibtex="@misc{a, URL = {http://x}}")
    kept = Entry(bibtex_key="a", label=Label.VALID, raw_bibtex="@misc{a, title = {url}}")
    assert told.blind().raw_bibtex is None
    assert kept.blind().raw_bibtex == kept.raw_bibtex


def test_rows_without_any_label_point_to_the_converter(tmp_path: Path) -> None:
    path = write(tmp_path / "p.jsonl", [{"bibtex_key": "a"}, {"bibtex_key": "b"}])
    with pytest.raises(InputError, match=r"lines 1-2: `label` is missing.*bench convert"):
        read_predictions(path)


def test_predictions_are_no_gold(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    row = {"label": "VALID", "confidence": 0.9}
    lines = [json.dumps({"bibtex_key": key} | row) for key in ("a", "b")]
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError, match="it holds predictions"):
        read_entries(path)
