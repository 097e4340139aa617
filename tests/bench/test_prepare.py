import json
from pathlib import Path

import msgspec
import pytest

from hallmark.bench.dataset import load_split
from hallmark.bench.entry import read_predictions, write_jsonl
from hallmark.bench.prepare import blind, template
from hallmark.errors import InputError
from tests.bench.made import gold


def test_the_blind_view_holds_neither_truth_nor_url() -> None:
    one = gold("k", explanation="why", fields={"title": "t", "url": "u"}, source="s")
    (shown,) = blind([one])
    assert msgspec.to_builtins(shown) == {
        "bibtex_key": "k",
        "bibtex_type": "misc",
        "fields": {"title": "t"},
        "raw_bibtex": None,
    }


@pytest.mark.parametrize("full", [False, True])
def test_a_template_that_was_not_filled_in_is_refused(tmp_path: Path, full: bool) -> None:
    path = tmp_path / "t.jsonl"
    write_jsonl(path, template([gold("a"), gold("b")], full=full))
    with pytest.raises(InputError, match="lines 1-2: `label` is missing"):
        read_predictions(path)


def test_a_template_that_was_filled_in_is_a_prediction_file(tmp_path: Path) -> None:
    rows = [
        {**row, "label": "VALID", "confidence": 0.5} for row in template([gold("a")], full=True)
    ]
    write_jsonl(tmp_path / "t.jsonl", rows)
    assert read_predictions(tmp_path / "t.jsonl")[0].bibtex_key == "a"


@pytest.mark.shared_data
def test_the_blind_view_of_the_development_split_is_the_released_one(shared: Path) -> None:
    data = shared / "data" / "hallmark"
    split = load_split(data / "dev_public.jsonl")
    lines = [
        json.dumps(msgspec.to_builtins(row), ensure_ascii=False) for row in blind(split.entries)
    ]
    released = (data / "dev_public_blind.jsonl").read_text(encoding="utf-8")
    assert "\n".join(lines) + "\n" == released
