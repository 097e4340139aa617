"""Are the weights of votes fitted on what prediction files hold, and on nothing else?"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from hallmark.assist.weights import Era, load_table
from hallmark.bench.dataset import Split, load_split
from hallmark.errors import AlignmentError, InputError
from hallmark.study.llm_weights import Cutoff, document, fitted
from tests.cli.test_check import call

N = 60
CUTOFF = Cutoff("2024-06", disclosed=True)


def written(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """Good and bad papers of 2021 and of 2025, in turn."""
    return written(
        tmp_path / "gold.jsonl",
        (
            {
                "bibtex_key": f"k{n}",
                "bibtex_type": "article",
                "label": "HALLUCINATED" if n % 2 else "VALID",
                "fields": {"title": f"On {n}", "year": "2021" if n % 4 < 2 else "2025"},
            }
            for n in range(N)
        ),
    )


@pytest.fixture
def split(gold: Path) -> Split:
    return load_split(str(gold))


def right(tmp_path: Path, name: str = "right.jsonl", **extra: object) -> Path:
    """A model that is always right."""
    return written(
        tmp_path / name,
        (
            {"bibtex_key": f"k{n}", "label": "HALLUCINATED" if n % 2 else "VALID",
             "confidence": 0.9, **extra}
            for n in range(N)
        ),
    )  # fmt: skip


def test_a_model_that_is_right_before_its_cutoff_gets_weight_on_both_sides(
    tmp_path: Path, split: Split
) -> None:
    (row,) = fitted(split, [right(tmp_path)], lambda _: CUTOFF, model="m").models
    known = next(cell for cell in row.cells if cell.era is Era.KNOWN)
    assert known.flags > 1.0
    assert known.accepts < -1.0
    assert (known.counts.flagged_bad, known.counts.accepted_good) == (N / 4, N / 4)


def test_entries_in_several_files_count_once(tmp_path: Path, split: Split) -> None:
    one, two = right(tmp_path), right(tmp_path, "again.jsonl")
    once = fitted(split, [one], lambda _: CUTOFF, model="m").models
    twice = fitted(split, [one, two], lambda _: CUTOFF, model="m").models
    assert once == twice


def test_what_was_voted_counts_where_a_system_keeps_it(tmp_path: Path, split: Split) -> None:
    rows = [
        {"bibtex_key": "k0", "label": "UNCERTAIN", "confidence": 0.5, "stage": "model",
         "vote": "valid", "model": "n", "prompt": "p"},
        {"bibtex_key": "k1", "label": "UNCERTAIN", "confidence": 0.5, "stage": "model",
         "vote": "hallucinated", "model": "n", "prompt": "p"},
        {"bibtex_key": "k4", "label": "UNCERTAIN", "confidence": 0.5, "stage": "model",
         "vote": "failed", "model": "n", "prompt": "p"},
        {"bibtex_key": "k5", "label": "HALLUCINATED", "confidence": 0.9, "stage": "verifier"},
    ]  # fmt: skip
    path = written(tmp_path / "votes.jsonl", rows)
    (row,) = fitted(split, [path], lambda _: CUTOFF).models
    assert (row.model, row.prompt) == ("n", "p")
    (cell,) = row.cells
    assert (cell.counts.bad, cell.counts.good) == (1, 1)


def test_a_model_of_unknown_cutoff_is_weighed_nowhere(tmp_path: Path, split: Split) -> None:
    (row,) = fitted(split, [right(tmp_path)], lambda _: Cutoff(), model="m").models
    assert row.cells == ()


def test_entries_that_are_neither_surely_read_nor_surely_unread_teach_nothing(
    tmp_path: Path, split: Split
) -> None:
    near = Cutoff("2021-11", disclosed=True)
    (row,) = fitted(split, [right(tmp_path)], lambda _: near, model="m").models
    assert [cell.era for cell in row.cells] == [Era.PAST]
    assert row.cells[0].counts.bad == N / 4
    assert (row.cells[0].flags, row.cells[0].accepts) == (0, 0)


@pytest.mark.parametrize(
    ("rows", "error", "told"),
    [
        ([{"bibtex_key": "k0", "label": "VALID", "confidence": 1}], InputError, "--model NAME"),
        ([{"bibtex_key": "zz", "label": "VALID", "confidence": 1}], AlignmentError, "not in"),
        (
            [{"bibtex_key": "k0", "label": "VALID", "confidence": 1, "stage": "verifier"}],
            InputError,
            "holds no vote",
        ),
        (
            [{"bibtex_key": "k0", "label": "VALID", "confidence": 1, "vote": "perhaps"}],
            InputError,
            "the vote 'perhaps' is none",
        ),
    ],
)
def test_what_holds_no_votes_is_told(
    rows: list[dict[str, Any]], error: type[Exception], told: str, tmp_path: Path, split: Split
) -> None:
    with pytest.raises(error) as problem:
        fitted(split, [written(tmp_path / "p.jsonl", rows)], lambda _: CUTOFF)
    assert told in str(problem.value)


def test_the_page_shows_what_each_model_was_fitted_on(tmp_path: Path, split: Split) -> None:
    (section,) = document(fitted(split, [right(tmp_path)], lambda _: CUTOFF, model="m"))
    assert "What a model's vote is worth" in section.title
    assert "60 entries" in str(section.parts[0])


def test_the_command_writes_a_table_that_check_takes(
    tmp_path: Path, gold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "weights.json"
    wish: list[str | Path] = [
        "--from",
        right(tmp_path),
        "--gold",
        gold,
        "--model",
        "gpt-5.1",
        "-o",
        out,
    ]
    assert call("study", "llm-weights", *wish) == 0
    (row,) = load_table(out).models
    assert (row.model, row.cutoff, row.disclosed) == ("gpt-5.1", "2024-09", True)
    assert call("study", "llm-weights", *wish[:4], "--model", "own", "--cutoff", "soon") == 2
    assert "is no month" in capsys.readouterr().err


OWN = """
[[model]]
name = "mine"
id = "some-model"
base_url = "http://127.0.0.1:9/v1"
cutoff = "2024-06"
cutoff_disclosed = true
"""


def test_votes_that_teach_nothing_are_counted_and_told(
    tmp_path: Path, gold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wish: list[str | Path] = ["--from", right(tmp_path), "--gold", gold, "--model", "m"]
    assert call("study", "llm-weights", *wish, "--cutoff", "2021-11") == 0
    told = capsys.readouterr().err
    assert f"m: {N // 2} of {N} votes count (cutoff 2021-11, published); the rest are" in told


def test_a_model_without_a_cutoff_ends_with_what_to_do(
    tmp_path: Path, gold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = right(tmp_path, vote="valid", voter="openai:m@http://127.0.0.1:9/v1", prompt="p")
    out = tmp_path / "weights.json"
    assert call("study", "llm-weights", "--from", rows, "--gold", gold, "-o", out) == 2
    told = capsys.readouterr().err
    assert f"0 of {N} votes count, for its cutoff is not known" in told
    assert "--cutoff YYYY-MM" in told
    assert not out.exists()


@pytest.mark.parametrize("model", ["mine.toml#mine", "mine.toml"])
def test_the_cutoff_of_a_row_of_ones_own_is_used(
    model: str, tmp_path: Path, gold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(OWN)
    rows = right(tmp_path, vote="valid", voter="mine", prompt="p")
    wish: list[str | Path] = ["--from", rows, "--gold", gold, "--model", model, "-o", "w.json"]
    assert call("study", "llm-weights", *wish) == 0
    (row,) = load_table(Path("w.json")).models
    assert (row.model, row.cutoff, row.disclosed) == ("mine", "2024-06", True)
    assert (row.votes, row.left_out) == (N, 0)


def test_the_cutoff_that_a_run_states_is_an_upper_bound(tmp_path: Path, gold: Path) -> None:
    rows = right(tmp_path, vote="valid", voter="mine", prompt="p")
    manifest = {"settings": {"model": "mine", "cutoff": "2024-06", "seed": 1}}
    (tmp_path / "right.jsonl.manifest.json").write_text(json.dumps(manifest))
    out = tmp_path / "w.json"
    assert call("study", "llm-weights", "--from", rows, "--gold", gold, "-o", out) == 0
    (row,) = load_table(out).models
    assert (row.cutoff, row.disclosed) == ("2024-06", False)


def test_runs_that_state_two_cutoffs_are_refused(
    tmp_path: Path, gold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wish: list[str | Path] = []
    for name, month in (("a.jsonl", "2024-06"), ("b.jsonl", "2025-06")):
        wish += ["--from", right(tmp_path, name, vote="valid", voter="mine", prompt="p")]
        manifest = {"settings": {"model": "mine", "cutoff": month}}
        (tmp_path / f"{name}.manifest.json").write_text(json.dumps(manifest))
    assert call("study", "llm-weights", *wish, "--gold", gold) == 2
    assert "Say which is right: --cutoff YYYY-MM" in capsys.readouterr().err


def test_a_row_that_its_file_does_not_have_is_refused(
    tmp_path: Path, gold: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(OWN)
    rows = right(tmp_path)
    wish: list[str | Path] = ["--from", rows, "--gold", gold, "--model", "mine.toml#mime"]
    assert call("study", "llm-weights", *wish) == 2
    assert "mine" in capsys.readouterr().err
