"""Can studies of language models be run live, stopped, gone on with, and read by the replay?"""

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.llm.live import (
    GOLD,
    INCOMPLETE,
    KEYS,
    MODEL,
    STOPPED,
    N,
    answer,
    bench,
    live,
    said,
    written,
)
from tests.llm.server import Line, Refuse, Say, Seen, Server

from hallmark.bench.entry import read_predictions
from hallmark.bench.live.studies import STUDIES
from hallmark.llm.models import find

OWN_TESTS = ("recall-probe", "raters")
"""Studies that need other entries or answers: see test_live_probes.py."""
ONE_SPLIT = [
    name for name, row in STUDIES.items() if len(row.splits) == 1 and name not in OWN_TESTS
]


@pytest.mark.parametrize("study", ONE_SPLIT)
def test_a_study_asks_each_cell_once_and_a_second_start_asks_nothing(
    study: str, tmp_path: Path, at: Callable[[Server], None], capsys: pytest.CaptureFixture[str]
) -> None:
    cells = len(STUDIES.get(study).of(find(MODEL)))
    with Server(answer) as server:
        at(server)
        assert live(tmp_path, study) == 0
        asked = len(server.requests)
        told = capsys.readouterr().err
        assert live(tmp_path, study) == 0
    assert asked == len(server.requests)
    assert len(written(tmp_path)) == cells
    assert f"Estimate for what is left of {cells} cells of {N} entries" in told
    assert f"{cells * N} calls, about" in told
    assert ": 0 calls, about 0 tokens in" in capsys.readouterr().err
    root = tmp_path / "data" / "predictions"
    rows = [row for name in written(tmp_path) for row in read_predictions(root / name)]
    assert len(rows) == cells * N
    assert asked == cells * N - sum(row.extra["kept"] for row in rows)


def test_a_dry_run_asks_nothing_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    assert live(tmp_path, "prompt-sensitivity", "--dry-run") == 0
    told = capsys.readouterr().err
    assert f"{4 * N} calls, about" in told
    assert "US$ " in told
    assert list(tmp_path.iterdir()) == []


def test_a_cap_holds_for_all_cells_together_and_the_study_goes_on_after_it(
    tmp_path: Path, at: Callable[[Server], None], capsys: pytest.CaptureFixture[str]
) -> None:
    most = N + N // 2
    with Server(answer) as server:
        at(server)
        assert live(tmp_path, "prompt-sensitivity", "--max-calls", str(most)) == STOPPED
        assert len(server.requests) == most
        assert "Give the same command again to go on." in capsys.readouterr().err
        assert live(tmp_path, "prompt-sensitivity", "--max-calls", str(most)) == STOPPED
        assert len(server.requests) == most  # what was spent before counts
        assert live(tmp_path, "prompt-sensitivity") == 0
    assert len(server.requests) == 4 * N
    assert not list(tmp_path.rglob("*.spent"))


@pytest.mark.parametrize(
    ("study", "number", "row", "model"),
    [
        ("prompt-sensitivity", 38, "GPT-5.1 terse", MODEL),
        ("prompt-sensitivity", 38, "Claude Sonnet 4.6 notaxo", "claude-sonnet-4.6"),
        ("field-leave-one-out", 40, "Gemini 2.5 Flash loo_author", "gemini-2.5-flash"),
        ("cutoff-aware", 26, "GPT-5.1", MODEL),
        ("cutoff-aware", 26, "Claude Sonnet 4.6", "claude-sonnet-4.6"),
    ],
)
def test_the_replay_reads_what_a_study_wrote(
    study: str, number: int, row: str, model: str,
    tmp_path: Path, at: Callable[[Server], None], capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    with Server(said("HALLUCINATED")) as server:
        at(server)
        assert live(tmp_path, study, model=model) == 0
    capsys.readouterr()
    bench("table", str(number), "--data", str(tmp_path / "data"), "--format", "json")
    table = json.loads(capsys.readouterr().out)
    rates = {cell["column"]: cell["recomputed"] for cell in table["cells"] if cell["row"] == row}
    everything = {"FPR default": 100.0, "FPR cutoff-aware": 100.0}
    expected = everything if number == 26 else {"DR": 1.0, "FPR": 1.0}
    assert {name: rates.get(name) for name in expected} == expected


def test_the_parts_of_an_entry_are_left_out_as_the_study_says(
    tmp_path: Path, at: Callable[[Server], None]
) -> None:
    with Server(answer) as server:
        at(server)
        assert live(tmp_path, "field-leave-one-out") == 0
    assert len({seen.text for seen in server.requests}) == len(server.requests)
    out = tmp_path / "data" / "predictions" / "field_loo" / f"{MODEL}.loo_author.jsonl"
    manifest = json.loads(Path(f"{out}.manifest.json").read_text(encoding="utf-8"))
    assert manifest["settings"]["without"] == "authors"
    assert manifest["settings"]["input"] == "fields"


def test_each_run_of_the_variance_study_is_asked_anew(
    tmp_path: Path, at: Callable[[Server], None]
) -> None:
    labels = iter(["VALID"] * N + ["HALLUCINATED"] * N + ["UNCERTAIN"] * N)

    def in_turn(seen: Seen) -> Say:
        return said(next(labels))(seen)

    with Server(in_turn) as server:
        at(server)
        assert live(tmp_path, "variance") == 0
    folder = tmp_path / "data" / "predictions" / "variance"
    found = [{str(r.label) for r in read_predictions(folder / f"run{n}.jsonl")} for n in (1, 2, 3)]
    assert found == [{"VALID"}, {"HALLUCINATED"}, {"UNCERTAIN"}]


def test_a_study_tells_how_its_cells_are_compared_for_a_model_of_no_table(
    tmp_path: Path, at: Callable[[Server], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with Server(answer) as server:
        at(server)
        assert live(tmp_path, "variance") == 0
    told = capsys.readouterr().err
    line = next(one for one in told.splitlines() if one.startswith("Compare the cells with: "))
    arguments = shlex.split(line.removeprefix("Compare the cells with: hallmark bench "))
    assert len(arguments) == 6
    bench(*arguments)
    assert "run1" in capsys.readouterr().out


def test_the_finding_on_variance_reads_what_its_study_wrote(
    tmp_path: Path, at: Callable[[Server], None], capsys: pytest.CaptureFixture[str]
) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_bytes(Path(GOLD).read_bytes())
    (tmp_path / "changed_keys_dev_public.json").write_text("[]", encoding="utf-8")
    with Server(said("HALLUCINATED")) as server:
        at(server)
        assert live(tmp_path, "variance", gold=str(gold)) == 0
    capsys.readouterr()
    bench("reproduce", "--finding", "variance", "--data", str(tmp_path / "data"))
    assert "On the released labels: F1 0.6667, FPR 1.0000, DR 1.0000." in capsys.readouterr().out


def test_the_variance_study_takes_one_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert live(tmp_path, "variance", "--model", "gpt-5.4") == 2
    assert "give one --model" in capsys.readouterr().err


def test_a_panel_that_is_asked_again_is_compared_with_every_earlier_run(
    tmp_path: Path, at: Callable[[Server], None], capsys: pytest.CaptureFixture[str]
) -> None:
    for number, label in enumerate(("VALID", "HALLUCINATED", "HALLUCINATED"), 1):
        with Server(said(label)) as server:
            at(server)
            assert live(tmp_path, "endpoint-drift", "--run", str(number)) == 0
        assert len(server.requests) == N
    told = capsys.readouterr().err
    assert f"run 3, against gpt-5.1.run1.jsonl: {N} of {N} labels differ; {N} became" in told
    assert f"run 3, against gpt-5.1.run2.jsonl: 0 of {N} labels differ" in told


def test_a_panel_takes_no_replies_of_other_studies_and_tells_of_kept_ones(
    tmp_path: Path, at: Callable[[Server], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with Server(answer) as server:
        at(server)
        assert live(tmp_path, "variance") == 0
        asked = len(server.requests)
        assert live(tmp_path, "endpoint-drift") == 0
        assert len(server.requests) == asked + N
        assert "kept from before" not in capsys.readouterr().err
        assert live(tmp_path, "endpoint-drift", "--data-out", str(tmp_path / "other")) == 0
        assert len(server.requests) == asked + N
    assert f"{N} replies kept from before." in capsys.readouterr().err


def test_only_entries_that_the_service_failed_for_are_asked_again(
    tmp_path: Path, at: Callable[[Server], None]
) -> None:
    refused = iter([True] + [False] * N)

    def once_refused(seen: Seen) -> Line:
        return Refuse(400) if next(refused) else answer(seen)

    with Server(once_refused) as server:
        at(server)
        assert live(tmp_path, "endpoint-drift") == INCOMPLETE
        assert live(tmp_path, "endpoint-drift") == INCOMPLETE
        assert len(server.requests) == N
        assert live(tmp_path, "endpoint-drift", "--retry-errors") == 0
        assert len(server.requests) == N + 1


def test_a_study_that_broke_off_before_a_manifest_goes_on(
    tmp_path: Path, at: Callable[[Server], None]
) -> None:
    with Server(answer) as server:
        at(server)
        assert live(tmp_path, "endpoint-drift") == 0
        asked = len(server.requests)
        out = tmp_path / "data" / "predictions" / min(written(tmp_path))
        manifest = out.with_name(f"{out.name}.manifest.json")
        manifest.unlink()
        assert live(tmp_path, "endpoint-drift") == 2
        manifest.mkdir()
        out.unlink()
        assert live(tmp_path, "endpoint-drift") == 2
        manifest.rmdir()
        assert live(tmp_path, "endpoint-drift") == 0
        assert len(server.requests) == asked
    assert len(read_predictions(out)) == N


def test_predictions_of_others_are_never_written_over(
    tmp_path: Path, at: Callable[[Server], None], capsys: pytest.CaptureFixture[str]
) -> None:
    others = tmp_path / "data" / "predictions" / "prompt_variants" / "gpt-5.1.terse.jsonl"
    others.parent.mkdir(parents=True)
    others.write_text("theirs", encoding="utf-8")
    with Server(answer) as server:
        at(server)
        assert live(tmp_path, "prompt-sensitivity") == 2
    assert server.requests == []
    assert others.read_text(encoding="utf-8") == "theirs"
    assert "choose another --data-out" in capsys.readouterr().err


def test_only_a_study_made_for_it_takes_the_number_of_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert live(tmp_path, "prompt-sensitivity", "--run", "2") == 2
    assert "takes no number of a run" in capsys.readouterr().err


def test_the_studies_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("live") == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == STUDIES.names()
