import re
from pathlib import Path

import pytest
from docs.generate import pages

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
