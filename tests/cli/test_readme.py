"""The README's first screen is what the command prints."""

import os
import re
from pathlib import Path

import pytest
from docs.readme import COMMAND, CUT, README, excerpt, output, shown

STARTER = Path(os.environ.get("HALLMARK_STARTER", README.parent / ".hallmark" / "starter"))


def undated(text: str) -> str:
    """Return the text without the date on which the index was built."""
    return re.sub(r"\d{4}-\d\d-\d\d", "(date)", text)


def told(text: str) -> list[str]:
    """Return the blocks below the head, without what differs from index to index."""
    blocks = text.split("\n\n")[1:]
    if blocks[-1].startswith("45 references"):
        blocks[-1] = re.split(r"\n(?=Notes|Asked)", blocks[-1])[0]
    without = (re.sub(r"\n +held by .*", "", block) for block in blocks)
    return [re.sub(r"\(\d+ works\)", "(n works)", block).strip() for block in without]


@pytest.mark.skipif(not STARTER.is_dir(), reason="the starter index is not built: make demo")
def test_the_readme_shows_what_the_starter_index_gives() -> None:
    printed = excerpt(output(os.path.relpath(STARTER, README.parent)))
    assert undated(shown()) == undated(printed), "run: make readme"


def test_the_readme_shows_what_an_index_of_the_same_works_gives(paper_index: Path) -> None:
    assert told(shown()) == told(excerpt(output(str(paper_index))))


def test_the_first_screen_fits_a_screen() -> None:
    text = README.read_text(encoding="utf-8")
    first = text[: text.index("```\n\n## ")]
    assert COMMAND in first
    assert CUT in first
    assert len(first.splitlines()) <= 52
    assert max(map(len, shown().splitlines())) <= 80
