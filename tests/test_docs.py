import re
import tomllib
from pathlib import Path

import pytest
from docs.generate import pages

from hallmark.errors import how_to_install
from hallmark.judge.codes import CODES

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("name", pages())
def test_a_generated_page_is_as_the_code_says(name: str) -> None:
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert text == pages()[name], "run: make docs"


def test_every_finding_has_its_entry() -> None:
    text = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    for code in CODES.values():
        assert f"### {code.code} {code.name}\n" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_page_of_ours_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_is_named_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"`((?:src|tests|docs|examples|benchmarks)/[\w./-]+)`", text):
        assert (ROOT / target).exists(), f"{page.name} names {target}"


TOLD = sorted(
    path
    for place in ("README.md", "CONTRIBUTING.md", "docs", "src", "examples", "benchmarks")
    for path in ([ROOT / place] if (ROOT / place).is_file() else (ROOT / place).rglob("*"))
    if path.suffix in {".md", ".py", ".toml", ".js", ".mjs", ".txt"}
)
FOREIGN = re.compile(r"hallmark\[|pip3? install (?:-\S+ )*['\"]?hallmark(?!/)\b")


def foreign(text: str) -> list[str]:
    return [line for line in text.splitlines() if FOREIGN.search(line) and "another" not in line]


def test_nobody_is_told_to_install_the_foreign_package_of_our_name() -> None:
    assert {str(path.relative_to(ROOT)) for path in TOLD} >= {"README.md", "src/hallmark/errors.py"}
    told = {path: foreign(path.read_text(encoding="utf-8")) for path in TOLD}
    told.pop(ROOT / "src/hallmark/errors.py")  # says why not
    assert not {path.name: lines for path, lines in told.items() if lines}


@pytest.mark.parametrize(
    "line",
    [
        "pip install 'hallmark[llm]'",
        "pip install hallmark",
        "pip install --upgrade hallmark",
        'install "hallmark[bench,llm]"',
    ],
)
def test_a_line_that_installs_the_foreign_package_would_be_found(line: str) -> None:
    assert foreign(line) == [line]


@pytest.mark.parametrize("extra", ["bench", "llm"])
def test_the_command_that_installs_an_extra_names_one_that_there_is(extra: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert extra in project["optional-dependencies"]
    assert how_to_install(extra).startswith(f"pip install '.[{extra}]'")


def test_the_readme_installs_what_its_own_commands_need() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    by_hand = text.partition("by hand")[2]
    install = by_hand.partition("pip install")[2].splitlines()[0]
    needed = {"bench": "hallmark bench", "llm": "language models"}
    assert all(extra in install for extra, word in needed.items() if word in text)
    assert ".venv/bin/activate" in by_hand.partition("hallmark check")[0]
