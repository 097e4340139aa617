"""Does the page on language models say what the commands do?"""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from hallmark.bench.live.studies import STUDIES
from hallmark.bench.systems.asking import LONGEST_REPLY
from hallmark.bench.systems.llm_specs import ZERO_SHOT
from hallmark.cli.main import main
from hallmark.llm.estimate import ANSWER_TOKENS, BYTES_PER_TOKEN
from hallmark.llm.prompts.entry import PARTS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "language-models.md").read_text(encoding="utf-8")
GOLD = str(ROOT / "examples" / "bench" / "gold.jsonl")
COMMANDS = [
    command.replace("\\\n", " ")
    for command in re.findall(r"^\$ (hallmark bench (?:[^\n]*\\\n)*[^\n]*)$", PAGE, re.MULTILINE)
]


def gold(text: str, folder: Path) -> str:
    """A file that stands for a gold file of the page, of the same name."""
    population, _, name = text.rpartition("=")
    path = folder / f"{name.removesuffix('.jsonl')}.jsonl"
    shutil.copy(GOLD, path)
    return f"{population}={path}" if population else str(path)


def row_of_the_page(folder: Path) -> Path:
    """The file of a model that the page shows, written."""
    shown = re.search(r"^\$ cat mine\.toml\n(.*?)^\$ ", PAGE, re.MULTILINE | re.DOTALL)
    assert shown
    path = folder / "mine.toml"
    path.write_text(shown[1])
    return path


@pytest.mark.parametrize("command", [one for one in COMMANDS if " run " in one or " live " in one])
def test_every_run_of_the_page_can_be_estimated(
    command: str,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    golds = tmp_path_factory.mktemp("golds")
    command = command.replace("mine.toml", str(row_of_the_page(golds)))
    arguments = shlex.split(re.sub(r"(?<=--gold )\S+", lambda m: gold(m[0], golds), command))[1:]
    with pytest.raises(SystemExit) as stopped:
        main([*arguments, *(() if "--dry-run" in arguments else ("--dry-run",))])
    assert not stopped.value.code
    assert list(tmp_path.iterdir()) == []


def test_the_page_lists_the_systems_and_options_that_there_are() -> None:
    listed = re.findall(r"^\| `(zero-shot[a-z-]*)` \|", PAGE, re.MULTILINE)
    assert listed == [spec.name for spec in ZERO_SHOT]
    assert f"({', '.join(PARTS)}; several by commas)" in PAGE
    with pytest.raises(SystemExit):
        main(["bench", "run", "--help"])


def reader(replay: str) -> str:
    """What the page says that a study is read with."""
    return f"`{replay.replace(', ', '`, `')}`" if replay else "its summary"


def test_the_page_lists_the_live_studies_that_there_are() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|[^|]*\| (\d+|all) \| (.*) \|$", PAGE, re.MULTILINE)
    assert rows == [
        (name, str(study.size or "all"), reader(study.replay)) for name, study in STUDIES.items()
    ]


def test_every_option_that_the_page_names_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("run", "live", "table", "reproduce"):
        with pytest.raises(SystemExit):
            main(["bench", command, "--help"])
    known = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    named = set(re.findall(r"`?(--[a-z][a-z-]+)", PAGE))
    assert named <= known


def test_the_figures_of_the_page_are_those_of_the_code() -> None:
    assert f"one token for every {BYTES_PER_TOKEN:g} bytes" in PAGE
    assert f"answers have {ANSWER_TOKENS} tokens" in PAGE
    assert f"the first {LONGEST_REPLY:,} characters" in PAGE
