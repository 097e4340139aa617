"""Can a person audit labels, review the proposals, and make a new version with what they accept?"""

import json
from pathlib import Path

import msgspec
import pytest
from tests.bench.build.little import GROUPS, POOL, plan
from tests.fakeworld.probes import probed_works
from tests.fakeworld.records import JOURNAL, VERSIONS
from tests.fakeworld.server import serving
from tests.fakeworld.world import World
from tests.study.little import built, collections, gold

from hallmark.bench.build.release import build as make
from hallmark.bench.build.release import pack, write
from hallmark.bench.content import content
from hallmark.bench.entry import read_entries
from hallmark.cli.main import main
from hallmark.study.cases import Side
from hallmark.study.ledger import Dispute, as_lines, read_ledger


def run(*arguments: str) -> int:
    """Run `hallmark bench build ...` as its user would; return the exit code."""
    with pytest.raises(SystemExit) as stopped:
        main(["bench", "build", *arguments])
    return int(stopped.value.code or 0)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of made works."""
    return built(tmp_path_factory.mktemp("made"), collections())


def accept(ledger: Path, key: str) -> None:
    """Write a decision into a ledger, as a reviewer would."""
    rows = [
        msgspec.structs.replace(row, reviewer="A person", decision="accept", date="2026-12-02")
        if row.key == key
        else row
        for row in read_ledger(ledger)
    ]
    ledger.write_text(as_lines(rows), encoding="utf-8")


def test_from_audit_to_a_new_version(
    index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    split, ledger = gold(tmp_path / "gold.jsonl"), tmp_path / "ledger.jsonl"
    before = split.read_bytes()
    asked = ("audit", str(split), "--index", str(index), "--ledger", str(ledger), "-q")
    assert run(*asked, "--today", "2026-01-01") == 0
    assert "2 labels disputed: 1 VALID ones, 1 HALLUCINATED ones" in capsys.readouterr().out
    undecided = tmp_path / "undecided.jsonl"
    early = ("apply-ledger", str(split), "--ledger", str(ledger), "--out", str(undecided))
    assert run(*early, "--version", "1.0.1") == 1
    assert "nothing to write" in capsys.readouterr().err
    assert not undecided.exists()
    accept(ledger, "confirmed")
    assert run(*asked, "--today", "2026-01-01", "--format", "markdown") == 0
    told = capsys.readouterr().out
    assert "reviewed: 1 accepted, 0 rejected, 1 open" in told
    assert "accept by A person" in told
    out, changes = tmp_path / "new.jsonl", tmp_path / "CHANGELOG.md"
    new = ("apply-ledger", str(split), "--ledger", str(ledger), "--out", str(out))
    assert run(*new) == 2
    assert "--version" in capsys.readouterr().err
    changes.write_text("# Changes\n\n## 1.0.0\n\nThe first.\n")
    assert run(*new, "--version", "1.0.1", "--changelog", str(changes)) == 0
    assert split.read_bytes() == before
    after = {e.bibtex_key: e for e in read_entries(out)}
    assert (after["confirmed"].label, after["alarm"].label) == ("VALID", "VALID")
    text = changes.read_text()
    assert text.startswith("# Changes\n\n## 1.0.1")
    assert text.index("- confirmed: HALLUCINATED") < text.index("## 1.0.0")
    assert run(*new, "--version", "1.0.2") == 2
    assert "a split is never edited" in capsys.readouterr().err


def test_labels_are_not_shown_to_who_resolves(index: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in gold(tmp_path / "gold.jsonl").read_text().splitlines()]
    turned = [
        row | {"label": "VALID" if row["label"] == "HALLUCINATED" else "HALLUCINATED", "hallucination_type": None}
        for row in rows
    ]  # fmt: skip
    ledgers = []
    for name, some in (("one", rows), ("other", turned)):
        split, ledger = gold(tmp_path / f"{name}.jsonl", some), tmp_path / f"{name}.ledger"
        assert run("audit", str(split), "--index", str(index), "--ledger", str(ledger), "-q") == 0
        ledgers.append({row.key: row for row in read_ledger(ledger)})
    one, other = ledgers
    assert one.keys().isdisjoint(other.keys())
    assert {row.proposed for row in other.values()} == {"VALID", "HALLUCINATED"}


def test_a_release_gets_a_new_version_with_the_flips_in_its_changelog(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = plan()
    about = {"digest": "d", "records": 1, "sources": [{"collection": "alpha", "records": 1}]}
    old, new, ledger = tmp_path / "old", tmp_path / "new", tmp_path / "ledger.jsonl"
    write(pack(asked, make(asked, GROUPS, POOL), about, {}), old)
    entry = next(
        e for e in read_entries(old / "dev.jsonl") if e.hallucination_type == "wrong_venue"
    )
    row = Dispute(
        key=entry.bibtex_key, gold_sha256="", label="HALLUCINATED", proposed="VALID",
        kind="", ground="", evidence="The records confirm it.", findings=(), entry=Side(),
        record=None, content=content(entry), type="wrong_venue",
        reviewer="A person", decision="accept", date="2026-12-02",
    )  # fmt: skip
    ledger.write_text(as_lines([row]), encoding="utf-8")
    file = tmp_path / "plan.toml"
    file.write_text(
        'name = "little"\nversion = "1.0.1"\ndate = "2026-12-02"\nyears = [2013, 2024]\n'
    )
    to = ("apply-ledger", "--to", str(old), "--ledger", str(ledger), "--out", str(new))
    assert run(*to) == 2
    assert run(*to, "--plan", str(file)) == 0, capsys.readouterr().err
    text = (new / "CHANGELOG.md").read_text()
    assert f"- {entry.bibtex_key}: HALLUCINATED (wrong_venue), now VALID" in text
    assert (new / "withheld/hidden.jsonl").read_bytes() == (
        old / "withheld/hidden.jsonl"
    ).read_bytes()
    manifest = json.loads((new / "manifest.json").read_text())
    assert manifest["splits"]["dev"]["valid"] == 41
    assert manifest["index"] == about
    assert run("apply-ledger", str(file), *to[1:]) == 2
    assert "one of the two" in capsys.readouterr().err


def _claims(key: str, label: str, **fields: str) -> dict[str, object]:
    """Return a gold row about a paper that the played services hold."""
    said = {
        "title": JOURNAL.title,
        "author": " and ".join(JOURNAL.authors),
        "journal": JOURNAL.venue_raw,
        "year": "2021",
        "doi": str(JOURNAL.doi),
    } | fields
    return {"bibtex_key": key, "bibtex_type": "article", "fields": said, "label": label}


def test_live_sources_are_asked_where_allowed_and_a_recording_gives_the_same_proposals(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        _claims("mislabelled", "HALLUCINATED"),
        _claims("swapped", "VALID", author="Wanda Quist and Xeno Yule"),
        _claims("right", "VALID"),
    ]
    split, recording = gold(tmp_path / "gold.jsonl", rows), tmp_path / "run.rec"
    monkeypatch.setenv("HALLMARK_CACHE", str(tmp_path / "cache"))
    with serving(World([*VERSIONS, *probed_works()], {})) as address:
        monkeypatch.setenv("HALLMARK_SOURCES_AT", address)
        ledgers = [tmp_path / name for name in ("offline", "live", "replayed")]
        ways = ((), ("--online", "--record", str(recording)), ("--replay", str(recording)))
        for ledger, way in zip(ledgers, ways, strict=True):
            asked = ("audit", str(split), "--index", str(index), "--ledger", str(ledger), "-q")
            assert run(*asked, *way) == 0
    offline, live, replayed = map(read_ledger, ledgers)
    assert offline == []
    assert [(row.key, row.proposed) for row in live] == [
        ("mislabelled", "VALID"),
        ("swapped", "HALLUCINATED"),
    ]
    assert live == replayed
    for row in live:
        assert any(one.startswith("crossref: found") for one in row.asked)
        assert any(JOURNAL.doi and JOURNAL.doi in one.url for one in row.records)
