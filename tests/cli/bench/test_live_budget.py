"""Does the study of thinking budgets vary what the paper varied, and do its tables read it?"""

import csv
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.llm.live import INCOMPLETE, bench, live
from tests.llm.server import Refuse, Say, Seen, Server

from hallmark.bench.taxonomy import TAXONOMY

KINDS = [str(kind) for kind in TAXONOMY]
SMALL = 20
OURS = "openai:mine@http://127.0.0.1:9/v1"
MARK = "(not in the paper)"


@pytest.fixture
def gold(tmp_path: Path) -> str:
    """A gold file with six entries of each type and forty valid ones."""
    rows = [
        {
            "bibtex_key": f"k{n:03}",
            "bibtex_type": "article",
            "fields": {"title": f"Work {n}", "author": "A. Writer", "year": "2022"},
            "label": "HALLUCINATED" if n < 84 else "VALID",
            "hallucination_type": KINDS[n % 14] if n < 84 else None,
            "difficulty_tier": 1 if n < 84 else None,
        }
        for n in range(124)
    ]
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def limit_of(seen: Seen) -> int:
    return int(seen.body.get("max_completion_tokens") or seen.body["max_tokens"])


def thought_of(seen: Seen) -> object:
    """How much thinking was asked for: tokens, or an effort."""
    tokens = seen.body.get("reasoning", {}).get("max_tokens")
    return seen.body.get("reasoning_effort") if tokens is None else tokens


def flags_unless_cut(seen: Seen) -> Say:
    """Flag everything in 300 tokens; a shorter budget cuts the reply off."""
    limit = limit_of(seen)
    if limit < 300:
        return Say('{"label": "VAL', stop="length", tokens=(100, limit))
    said = {"label": "HALLUCINATED", "confidence": 0.9, "reason": "so"}
    return Say(json.dumps(said), tokens=(100, 300))


def table(folder: Path, number: int, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    capsys.readouterr()
    bench("table", str(number), "--data", str(folder / "data"), "--format", "json")
    return dict(json.loads(capsys.readouterr().out))


def cells_of(found: dict[str, object], row: str) -> dict[str, float | None]:
    cells = found["cells"]
    assert isinstance(cells, list)
    return {
        cell["column"]: cell["recomputed"]
        for cell in cells
        if cell["row"] == row and cell["agreement"] != "missing"
    }


def summaries(folder: Path) -> list[list[dict[str, str]]]:
    at = folder / "data" / "aggregates"
    names = ("thinking_budget.csv", "thinking_budget_per_type.csv")
    texts = [(at / name).read_text(encoding="utf-8") for name in names]
    return [list(csv.DictReader(text.splitlines())) for text in texts]


def test_the_default_sample_is_the_papers_and_both_tables_replay_the_run(
    gold: str, tmp_path: Path, at: Callable[[Server], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with Server(flags_unless_cut) as server:
        at(server)
        assert live(tmp_path, "thinking-budget", model="gpt-5.5", gold=gold, size=None) == (
            INCOMPLETE
        )
    assert Counter(map(limit_of, server.requests)) == {256: 100, 1024: 100, 4096: 100}
    told = capsys.readouterr().err
    assert "gpt-5.5 256: n 100, parse failures 100.0%, tokens out mean 256, p95 256 of 256" in told
    assert "the paper's rule (under 30%) keeps the model out of the main table" in told
    assert "gpt-5.5 1024: n 100, parse failures 0.0%, tokens out mean 300, p95 300 of 1,024" in told
    assert "DR 1.000, FPR 1.000, F1 0.824, MCC 0/0, US$ " in told
    assert "bench table 30 --data" in told
    assert "bench plot budget --data" in told
    first = cells_of(table(tmp_path, 30, capsys), "GPT-5.5 256")
    assert first["PF"] == 1.0
    assert first["p95/cap"] == 1.0
    assert first["DR"] == first["FPR"] == first["F1"] == 0.0
    rest = cells_of(table(tmp_path, 30, capsys), "GPT-5.5 4096")
    assert rest["F1"] == pytest.approx(140 / 170)
    assert rest["p95/cap"] == pytest.approx(300 / 4096)
    assert rest["mean tok"] == rest["p95 tok"] == 300
    assert rest["USD"] == pytest.approx(100 * (100 * 5.0 + 300 * 30.0) / 1e6)
    notes = table(tmp_path, 30, capsys)["notes"]
    assert "GPT-5.5: 100% of the replies under regime A could not be read" in str(notes)
    types = table(tmp_path, 31, capsys)
    for kind in KINDS:
        wanted = {"n": 5, "GPT-5.5 A": 0.0, "GPT-5.5 B": 1.0, "GPT-5.5 C": 1.0}
        assert cells_of(types, kind) == wanted
    assert bench(
        "plot", "budget", "--data", str(tmp_path / "data"), "-o", str(tmp_path / "fig.svg")
    ) == 0  # fmt: skip
    assert "GPT-5.5" in (tmp_path / "fig.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("model", "budgets"),
    [
        ("gpt-5.5", [(256, None), (1024, None), (4096, None)]),
        ("gemini-3.1-pro", [(2048, 1024), (8192, 4096), (16384, 8192)]),
        ("deepseek-v4-pro", [(4096, "low"), (8192, "high"), (16384, "high")]),
        (OURS, [(256, None), (1024, None), (4096, None)]),
    ],
)
def test_budget_and_effort_follow_how_a_model_thinks(
    model: str, budgets: list[tuple[int, str | int | None]],
    gold: str, tmp_path: Path, at: Callable[[Server], None],
) -> None:  # fmt: skip
    with Server(flags_unless_cut) as server:
        at(server)
        live(tmp_path, "thinking-budget", model=model, gold=gold, size=6)
    asked = [(limit_of(seen), thought_of(seen)) for seen in server.requests]
    assert Counter(asked) == dict.fromkeys(budgets, 6)


def test_models_asked_one_after_the_other_share_the_summaries_and_the_figure(
    gold: str, tmp_path: Path, at: Callable[[Server], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with Server(flags_unless_cut) as server:
        at(server)
        for model in ("deepseek-v4-pro", OURS):
            live(tmp_path, "thinking-budget", model=model, gold=gold, size=SMALL)
        before = summaries(tmp_path)
        asked = len(server.requests)
        live(tmp_path, "thinking-budget", model="deepseek-v4-pro", gold=gold, size=SMALL)
        assert len(server.requests) == asked
    assert summaries(tmp_path) == before
    cells, types = before
    assert [row["display"] for row in cells] == ["DeepSeek-V4-Pro"] * 3 + [OURS] * 3
    assert [row["cost_usd"] for row in cells[3:]] == [""] * 3
    assert {(row["hallucinated"], row["valid"]) for row in cells} == {("14", "6")}
    assert [row["type"] for row in types] == KINDS
    found = table(tmp_path, 30, capsys)
    assert found["counts"]
    assert cells_of(found, f"{OURS} 1024 {MARK}")["F1"] == pytest.approx(28 / 34)
    assert cells_of(found, f"{OURS} 256 {MARK}")["PF"] == 1.0
    assert "USD" not in cells_of(found, f"{OURS} 1024 {MARK}")
    of_type = cells_of(table(tmp_path, 31, capsys), "wrong_venue")
    assert of_type[f"{OURS} A {MARK}"] == 0.0
    assert of_type[f"{OURS} B {MARK}"] == 1.0
    assert of_type["DeepSeek-V4-Pro A"] == 1.0
    bench("plot", "budget", "--data", str(tmp_path / "data"), "-o", str(tmp_path / "fig.svg"))
    drawn = (tmp_path / "fig.svg").read_text(encoding="utf-8")
    assert "DeepSeek-V4-Pro" in drawn
    assert "openai:mine@" in drawn


def test_a_column_that_someone_added_stays(
    gold: str, tmp_path: Path, at: Callable[[Server], None]
) -> None:
    path = tmp_path / "data" / "aggregates" / "thinking_budget.csv"
    with Server(flags_unless_cut) as server:
        at(server)
        live(tmp_path, "thinking-budget", model="gpt-5.5", gold=gold, size=6)
        head, *rows = path.read_text(encoding="utf-8").splitlines()
        lines = [f"{head},remark", *(f"{row},mine" for row in rows)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        live(tmp_path, "thinking-budget", model=OURS, gold=gold, size=6)
    assert [row["remark"] for row in summaries(tmp_path)[0]] == ["mine"] * 3 + [""] * 3


def test_failures_of_the_service_are_no_parse_failures(
    gold: str, tmp_path: Path, at: Callable[[Server], None], capsys: pytest.CaptureFixture[str]
) -> None:
    refused = iter([True] + [False] * 1000)

    def once_refused(seen: Seen) -> Say | Refuse:
        return Refuse(400) if next(refused) else flags_unless_cut(seen)

    with Server(once_refused) as server:
        at(server)
        live(tmp_path, "thinking-budget", model="deepseek-v4-pro", gold=gold, size=SMALL)
        told = capsys.readouterr().err
        assert "4096, effort=low: the service failed for 1 entries" in told
        assert summaries(tmp_path)[0][0]["parse_failure"] == "0.0"
        live(
            tmp_path, "thinking-budget", "--retry-errors",
            model="deepseek-v4-pro", gold=gold, size=SMALL,
        )  # fmt: skip
    assert "the service failed" not in capsys.readouterr().err
    assert summaries(tmp_path)[0][0]["dr"] == "1.0"


def test_too_few_entries_of_a_type_are_told_before_anything_is_asked(
    gold: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live(tmp_path, "thinking-budget", "--dry-run", gold=gold, size=SMALL)
    told = capsys.readouterr().err
    assert "Under 5 entries, which the paper's sample has of each type: fabricated_doi (1)" in told
    live(tmp_path, "thinking-budget", "--dry-run", gold=gold, size=100)
    assert "Under 5 entries" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("thinking_budget.csv", "cell,display,n\ngpt-5-5_a,GPT-5.5,100\n", "not written by this"),
        ("thinking_budget.csv", '"', "cannot be read"),
        ("thinking_budget_per_type.csv", "type,tier,n,x_a\nwrong_venue,2,5,0.2\n", "other sample"),
    ],
)
def test_summaries_of_others_are_refused_before_anything_is_asked(
    name: str, text: str, message: str,
    gold: str, tmp_path: Path, at: Callable[[Server], None], capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    theirs = tmp_path / "data" / "aggregates" / name
    theirs.parent.mkdir(parents=True)
    theirs.write_text(text, encoding="utf-8")
    with Server(flags_unless_cut) as server:
        at(server)
        assert live(tmp_path, "thinking-budget", gold=gold, size=SMALL) == 2
    assert server.requests == []
    assert theirs.read_text(encoding="utf-8") == text
    assert message in capsys.readouterr().err


def test_a_server_that_tells_no_tokens_leaves_saturation_open(
    gold: str, tmp_path: Path, at: Callable[[Server], None], capsys: pytest.CaptureFixture[str]
) -> None:
    reply = Say('{"label": "VALID", "confidence": 0.9, "reason": "so"}', tokens=(0, 0))
    with Server(lambda _: reply) as server:
        at(server)
        assert live(tmp_path, "thinking-budget", model=OURS, gold=gold, size=SMALL) == 0
    assert "parse failures 0.0%, tokens out not told, DR 0.000" in capsys.readouterr().err
    row = cells_of(table(tmp_path, 30, capsys), f"{OURS} 1024 {MARK}")
    assert row["p95/cap"] is None
    assert "p95 tok" not in row
    assert row["F1"] == 0.0
    bench("plot", "budget", "--data", str(tmp_path / "data"), "-o", str(tmp_path / "fig.svg"))
    assert (tmp_path / "fig.svg").is_file()
