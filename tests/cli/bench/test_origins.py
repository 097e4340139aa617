"""`hallmark bench build generate`, `incidents` and `coded`, as a user gives them."""

import json
from pathlib import Path

import pytest
from tests.bench.build.origins.little import KNITTING, WEAVING
from tests.llm.server import Say, Server

from hallmark.bench.entry import read_entries
from hallmark.cli.main import main
from hallmark.index.build import build as build_index

REPLY = (
    "```bibtex\n@inproceedings{k, title = {Spinning Glass Fibre Proofs for Sparse Choirs}, "
    "author = {Ian Fox and Eva Dahl}, booktitle = {NeurIPS}, year = {2021}}\n```"
)


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """A local index of two works."""
    rows = [
        {
            "title": one.title,
            "authors": list(one.authors),
            "venue": one.venue,
            "year": one.year,
            "doi": one.doi,
            "source": "little",
        }
        for one in (WEAVING, KNITTING)
    ]
    records = tmp_path / "little.jsonl"
    records.write_text("".join(json.dumps(row) + "\n" for row in rows))
    build_index(tmp_path / "index", [str(records)])
    return tmp_path / "index"


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(["bench", *arguments])
    return int(stopped.value.code or 0)


def test_a_model_is_asked_once_and_its_answers_are_screened_again_without_it(
    tmp_path: Path, index: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "made.jsonl"
    common = ["build", "generate", "--out", str(out), "--index", str(index), "--date", "2026-12-02"]
    with Server([Say(REPLY), Say("I would rather not.")]) as server:
        monkeypatch.setenv("HALLMARK_LLM_AT", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback-secret")
        wish = ["--type", "plausible_fabrication", "--venue", "NeurIPS", "--years", "2021-2022"]
        model = ["--model", "gpt-5.1", "--n", "2", "--cache", str(tmp_path / "kept")]
        assert run(*common, *wish, *model) == 0
        assert len(server.requests) == 2
    assert "recall failures: 0 of 1" in capsys.readouterr().out
    first = out.read_bytes()
    assert [one.generation_method for one in read_entries(out)] == ["llm_generated"]
    assert run(*common, "--replay") == 0
    assert out.read_bytes() == first
    assert run("validate", str(out)) == 0
    assert all(b"secret" not in path.read_bytes() for path in tmp_path.glob("made.*"))


def test_a_dry_run_tells_what_would_be_asked_and_fresh_forgets_another_models_answers(
    tmp_path: Path, index: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "made.jsonl"
    common = ["build", "generate", "--out", str(out), "--index", str(index), "--date", "2026-12-02"]
    common += ["--type", "plausible_fabrication", "--venue", "NeurIPS", "--years", "2021"]
    common += ["--n", "2", "--cache", str(tmp_path / "kept")]
    with Server([Say(REPLY)] * 4) as server:
        monkeypatch.setenv("HALLMARK_LLM_AT", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback-secret")
        assert run(*common, "--model", "gpt-5.1", "--dry-run") == 0
        assert "2 of 2 citations: 2 calls" in capsys.readouterr().err
        assert not server.requests
        assert list(tmp_path.glob("made*")) == []
        assert run(*common, "--model", "gpt-5.1") == 0
        assert run(*common, "--model", "gpt-5.1", "--dry-run") == 0
        assert "0 of 2 citations" in capsys.readouterr().err
        asked = len(server.requests)
        other = [*common, "--model", f"openai:other@{server.url}"]
        for more in ([], ["--dry-run"]):
            assert run(*other, *more) == 2
            assert "--fresh" in capsys.readouterr().err
        assert run(*other, "--dry-run", "--fresh") == 0
        assert run(*other, "--fresh") == 0
        assert len(server.requests) == asked + 2
    assert run(*common, "--replay", "--fresh") == 2


def test_where_no_entry_is_taken_the_exit_code_says_so(
    tmp_path: Path, index: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    audit = tmp_path / "audit.csv"
    audit.write_text("citation,comment,codes\nSomething that nobody can read,,\n")
    place = ["--index", str(index), "--date", "2026-12-02"]
    assert run("build", "incidents", str(audit), "--out", str(tmp_path / "a.jsonl"), *place) == 1
    assert "No entry was taken" in capsys.readouterr().err
    assert (tmp_path / "a.jsonl").read_text() == ""
    assert (tmp_path / "a.trail.jsonl").read_text().count("\n") == 1
    wish = ["--type", "plausible_fabrication", "--venue", "NeurIPS", "--years", "2021", "--n", "1"]
    model = ["--model", "gpt-5.1", "--cache", str(tmp_path / "kept")]
    with Server([Say("I would rather not.")]) as server:
        monkeypatch.setenv("HALLMARK_LLM_AT", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback-secret")
        made = ["build", "generate", "--out", str(tmp_path / "m.jsonl"), *place]
        assert run(*made, *wish, *model) == 1
        assert run(*made, "--replay") == 1


def test_an_audit_list_gives_entries_and_a_list_for_a_person(
    tmp_path: Path, index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    audit = tmp_path / "audit.csv"
    audit.write_text(
        "id,what was cited,note\n"
        '1,"Ada Lovelace, Charles Babbage, and Konrad Zuse. Weaving Numbers with Punched Cards '
        'and Patience. In ICML, 2021.",\n'
        '2,"Ian Fox and Eva Dahl. Choirs of Sparse Glass in Winter. In ICML, 2022.",odd\n'
    )
    out = tmp_path / "out.jsonl"
    given = ["--out", str(out), "--index", str(index), "--date", "2026-12-02"]
    assert run("build", "incidents", str(audit), *given) == 2
    assert "--column reference=NAME" in capsys.readouterr().err
    column = ["--column", "reference=what was cited"]
    assert run("build", "incidents", str(audit), *given, *column) == 0
    assert "for a person: line 3 (2)" in capsys.readouterr().out
    assert [str(one.hallucination_type) for one in read_entries(out)] == ["wrong_venue"]
    trail = [json.loads(line) for line in (tmp_path / "out.trail.jsonl").read_text().splitlines()]
    assert [row["decision"] for row in trail] == ["taken", "open"]


def test_a_coded_corpus_gives_entries(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.csv"
    corpus.write_text(
        "citation,publication type,coding\n"
        '"Adams, B. (2015). Weaving cloth by steam. Journal of Engines, 12(3), 45-67.",article,'
        "fabricated\n"
        '"Brown, C. (2016). Dyeing cloth by steam. Journal of Engines, 13(3), 45-67.",article,none\n'
    )
    out = tmp_path / "out.jsonl"
    assert run("build", "coded", str(corpus), "--out", str(out)) == 0
    assert [str(one.label) for one in read_entries(out)] == ["HALLUCINATED", "VALID"]
    assert run("build", "coded", str(corpus), "--out", str(corpus)) == 2
