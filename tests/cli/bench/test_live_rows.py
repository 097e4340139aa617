"""Do models that the paper does not know get rows in its tables, from runs and live studies?"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.llm.live import GOLD, MODEL, N, bench, live, said
from tests.llm.server import Say, Seen, Server

OURS = "openai:mine@http://127.0.0.1:9/v1"
FILE = "openai_mine_http_127.0.0.1_9_v1"
MARK = "(not in the paper)"


def cells(folder: Path, number: int, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    capsys.readouterr()
    bench("table", str(number), "--data", str(folder / "data"), "--format", "json")
    found = json.loads(capsys.readouterr().out)["cells"]
    assert isinstance(found, list)
    return found


def row_of(
    folder: Path, number: int, row: str, capsys: pytest.CaptureFixture[str]
) -> dict[object, object]:
    found = [cell for cell in cells(folder, number, capsys) if cell["row"] == row]
    return {cell["column"]: cell["recomputed"] for cell in found if cell["origin"] != "missing"}


@pytest.mark.parametrize(
    ("study", "number", "row", "expected"),
    [
        ("prompt-sensitivity", 38, f"{FILE} terse {MARK}", {"DR": 1.0, "FPR": 1.0, "UNC": 0.0}),
        ("field-leave-one-out", 40, f"{FILE} loo_title {MARK}", {"DR": 1.0, "dFPR": 0.0}),
        ("cutoff-aware", 26, f"{FILE} {MARK}", {"FPR default": 100.0, "dFPR": 0.0}),
        ("cutoff-aware", 25, f"{FILE} {MARK}", {"DR 24-25": 1.0, "FPR 24-25": 1.0}),
        ("cutoff-aware-before", 26, f"{FILE} {MARK}", {"UNC default (pre)": 0.0}),
    ],
)
def test_a_live_study_of_a_model_of_ones_own_is_read_by_its_table(
    study: str, number: int, row: str, expected: dict[str, float],
    tmp_path: Path, at: Callable[[Server], None], capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    with Server(said("HALLUCINATED")) as server:
        at(server)
        assert live(tmp_path, study, model=OURS) == 0
    assert row_of(tmp_path, number, row, capsys).items() >= expected.items()
    marked = [cell for cell in cells(tmp_path, number, capsys) if MARK in str(cell["row"])]
    assert {cell["agreement"] for cell in marked} == {"unprinted"}


@pytest.mark.parametrize(
    ("number", "row", "column"),
    [(3, f"mine {MARK}", "FPR"), (15, "wrong_venue", f"mine {MARK}"), (23, f"mine {MARK}", "Cov.")],
)
def test_a_run_written_into_a_data_folder_is_read_by_the_tables_of_its_split(
    number: int, row: str, column: str,
    tmp_path: Path, at: Callable[[Server], None], capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    out = tmp_path / "data" / "predictions" / "dev_public" / "mine.jsonl"
    out.parent.mkdir(parents=True)
    (tmp_path / "data" / "dev_public.jsonl").write_bytes(Path(GOLD).read_bytes())
    with Server(said("HALLUCINATED")) as server:
        at(server)
        assert bench(
            "run", "zero-shot", "--model", MODEL, "--gold", GOLD, "--out", str(out),
            "--cache", str(tmp_path / "kept"), "-q",
        ) == 0  # fmt: skip
    assert row_of(tmp_path, number, row, capsys)[column] == 1.0


def test_abstentions_before_the_cutoff_come_from_the_same_run_where_it_asked_with_both_prompts(
    tmp_path: Path, at: Callable[[Server], None], capsys: pytest.CaptureFixture[str]
) -> None:
    def unsure_when_reminded(seen: Seen) -> Say:
        reminded = "Your knowledge ends at some date" in json.dumps(seen.body)
        return said("UNCERTAIN" if reminded else "VALID")(seen)

    with Server(unsure_when_reminded) as server:
        at(server)
        assert live(tmp_path, "cutoff-aware-before") == 0
    assert len(server.requests) == 2 * N
    row = row_of(tmp_path, 26, "GPT-5.1", capsys)
    assert row == {"UNC cutoff-aware (pre)": 100.0, "UNC default (pre)": 0.0}
    bench("table", "26", "--data", str(tmp_path / "data"))
    note = "UNC default (pre) of GPT-5.1: on precutoff_sample; the paper took dev_public."
    assert note in capsys.readouterr().out
