"""Is domain told from recency by its own study, and does Table 35 read what it wrote?"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.llm.live import bench, live, said
from tests.llm.server import Say, Seen, Server

from hallmark.bench.entry import read_predictions

SPLITS = {
    "in-before": "dev_public",
    "in-after": "temporal_supplement",
    "out-before": "test_crossdomain_matched",
    "out-after": "test_crossdomain",
}
VALID, BAD = 5, 3
OURS = "openai:mine@http://127.0.0.1:9/v1"
MARK = "(not in the paper)"


@pytest.fixture
def golds(tmp_path: Path) -> dict[str, str]:
    """A gold file for each population, by its name: five valid entries and three others."""
    found = {}
    for split in SPLITS.values():
        rows = [
            {
                "bibtex_key": f"{split}-{n}",
                "bibtex_type": "article",
                "fields": {
                    "title": f"Work {n} of {split}",
                    "author": "A. Writer",
                    "year": "2026" if split == "test_crossdomain" else "2022",
                    "journal": "PubMed Letters",
                },
                "label": "VALID" if n < VALID else "HALLUCINATED",
                "hallucination_type": None if n < VALID else "wrong_venue",
                "difficulty_tier": None if n < VALID else 2,
            }
            for n in range(VALID + BAD)
        ]
        path = tmp_path / "golds" / f"{split}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        found[split] = str(path)
    return found


def by_population(seen: Seen) -> Say:
    """Flag all papers of 2026, and one in five of the others."""
    number = re.search(r"Work (\d+) of (\w+)", seen.text)
    assert number
    flags = number[2] == "test_crossdomain" or number[1] == "0"
    return said("HALLUCINATED" if flags else "VALID")(seen)


def ask(folder: Path, *golds: str, model: str, size: int | None = None, more: str = "-q") -> int:
    others = [text for gold in golds[1:] for text in ("--gold", gold)]
    return live(folder, "domain-recency", *others, more, model=model, gold=golds[0], size=size)


def row_35(folder: Path, row: str, capsys: pytest.CaptureFixture[str]) -> dict[str, float]:
    capsys.readouterr()
    bench("table", "35", "--data", str(folder / "data"), "--format", "json")
    cells = json.loads(capsys.readouterr().out)["cells"]
    return {
        cell["column"]: cell["recomputed"]
        for cell in cells
        if cell["row"] == row and cell["agreement"] != "missing"
    }


@pytest.mark.parametrize(
    ("model", "row"),
    [("gpt-5.1", "GPT-5.1"), (OURS, f"openai_mine_http_127.0.0.1_9_v1 {MARK}")],
)
def test_every_column_of_the_table_is_read_from_what_was_asked(
    model: str, row: str, golds: dict[str, str],
    tmp_path: Path, at: Callable[[Server], None], capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    with Server(by_population) as server:
        at(server)
        assert ask(tmp_path, *golds.values(), model=model) == 0
        assert len(server.requests) == 4 * VALID
        assert ask(tmp_path, *golds.values(), model=model) == 0
        assert len(server.requests) == 4 * VALID
    assert row_35(tmp_path, row, capsys) == pytest.approx(
        {"pre in": 0.2, "pre out": 0.2, "d domain": 0.0, "post in": 0.2, "post out": 1.0}
    )


def test_a_population_may_be_any_file_and_what_is_not_given_is_told(
    golds: dict[str, str], tmp_path: Path, at: Callable[[Server], None],
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    own = tmp_path / "my=biology.jsonl"
    own.write_bytes(Path(golds["test_crossdomain"]).read_bytes())
    with Server(by_population) as server:
        at(server)
        given = (golds["dev_public"], f"out-after={own}")
        assert ask(tmp_path, *given, model="gpt-5.1", more="--dry-run") == 0
        told = capsys.readouterr().err
        assert ask(tmp_path, *given, model="gpt-5.1") == 0
    assert "Nothing is asked about in-after: give --gold in-after=FILE" in told
    assert "Nothing is asked about out-before" in told
    assert "(the release has test_crossdomain_matched)" in told
    assert "Nothing is asked about in-before" not in told
    assert "Estimate for what is left of 2 cells of 5 entries" in told
    assert row_35(tmp_path, "GPT-5.1", capsys) == {"pre in": 0.2, "post out": 1.0}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("elsewhere.jsonl",), "elsewhere.jsonl is none of them"),
        (("dev_public", "in-before=x.jsonl"), "in-before=x.jsonl is given twice"),
        (("out-after=",), "out-after= is none of them"),
    ],
)
def test_a_gold_that_has_no_place_is_refused(
    given: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(tmp_path, *given, model="gpt-5.1") == 2
    told = capsys.readouterr().err
    assert message in told
    assert "in-before=FILE, or dev_public" in told


def test_other_studies_take_one_gold(
    golds: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = golds["dev_public"]
    assert live(tmp_path, "prompt-sensitivity", "--gold", other, gold=other) == 2
    assert "draws from one --gold" in capsys.readouterr().err


def test_what_another_study_asked_in_the_same_folder_is_not_asked_again(
    golds: dict[str, str], tmp_path: Path, at: Callable[[Server], None],
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    recent = golds["temporal_supplement"]
    with Server(by_population) as server:
        at(server)
        assert live(tmp_path, "cutoff-aware", gold=recent, size=0) == 0
        assert len(server.requests) == 2 * (VALID + BAD)
        assert ask(tmp_path, recent, model="gpt-5.1") == 0
        assert len(server.requests) == 2 * (VALID + BAD)
        assert ask(tmp_path, recent, model="gpt-5.1", size=4) == 2
    assert "holds other entries than this sample" in capsys.readouterr().err
    rows = read_predictions(tmp_path / "data/predictions/temporal/llm_openai_temporal.jsonl")
    assert len(rows) == VALID + BAD


def test_a_sample_is_drawn_of_the_valid_entries_of_each_population(
    golds: dict[str, str], tmp_path: Path, at: Callable[[Server], None]
) -> None:
    with Server(by_population) as server:
        at(server)
        assert ask(tmp_path, *golds.values(), model="gpt-5.1", size=2) == 0
    assert len(server.requests) == 4 * 2
    for split in SPLITS.values():
        rows = (tmp_path / "data" / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()
        assert [json.loads(row)["label"] for row in rows] == ["VALID"] * 2
