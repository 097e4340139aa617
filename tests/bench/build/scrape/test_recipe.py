"""Is a recipe read as it is meant, and is every fault of one told at once?"""

from pathlib import Path

import pytest

from hallmark.bench.build.scrape.recipe import name_of, read_recipe
from hallmark.errors import InputError

GOOD = """
years = [2021, 2023]
[[list]]
source = "dblp"
venue = "NeurIPS"
years = [2021, 2023]
most = 10
[[list]]
source = "biorxiv"
server = "medrxiv"
since = "2023-01-01"
until = "2023-01-31"
most = 5
"""


def written(folder: Path, text: str) -> Path:
    """Return a file of this text."""
    file = folder / "recipe.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_recipe_is_read_with_its_defaults(tmp_path: Path) -> None:
    recipe = read_recipe(written(tmp_path, GOOD))
    assert [name_of(one) for one in recipe.lists] == ["dblp NeurIPS", "biorxiv medrxiv"]
    assert (recipe.attested, recipe.seed) == (2, 8042)


def test_the_recipe_of_the_paper_can_be_followed() -> None:
    file = Path(__file__).parents[4] / "benchmarks" / "recipes" / "paper.toml"
    assert {one.source for one in read_recipe(file).lists} == {
        "dblp", "arxiv", "pubmed", "biorxiv",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "other", "told"),
    [
        ('venue = "NeurIPS"', 'venue = "NeurIPS: year:1999"', "as DBLP files it"),
        ('venue = "NeurIPS"', 'venue = ""', "as DBLP files it"),
        ("most = 10", "most = 0", "keep one work"),
        ("most = 10", "most = 200000", "20,000"),
        ('since = "2023-01-01"', 'since = "2023-02-01"', "is after"),
        ('since = "2023-01-01"', 'since = "2023-1-1/../x"', "must be days"),
        ('since = "2023-01-01"', 'since = "20230101"', "must be days"),
        ("years = [2021, 2023]\n[[list]]", "years = [9, 3]\n[[list]]", "first and the last"),
        ("years = [2021, 2023]\nmost", "most", "first and the last year"),
        (
            "years = [2021, 2023]\n[[list]]",
            "years=[2021,2023]\nattested=1\n[[list]]",
            "two sources",
        ),
        ("years = [2021, 2023]\n[[list]]", "years=[2021,2023]\nconfirm=[]\n[[list]]", "nobody"),
        (
            "years = [2021, 2023]\n[[list]]",
            "years=[2021,2023]\nkinds=['x']\n[[list]]",
            "entry type",
        ),
        ('source = "biorxiv"', 'source = "arxiv"\ncategory = "cs.LG OR all:x"', "`category`"),
        ('source = "biorxiv"', 'source = "scholar"', "does not fit"),
        ("most = 5", "most = 5\nterm = 7", "does not fit"),
        ("most = 5", "most = 5\nkey = 'x'", "does not fit"),
        ("[[list]]", "[[list", "is no TOML"),
    ],
)
def test_what_cannot_be_is_told(line: str, other: str, told: str, tmp_path: Path) -> None:
    file = written(tmp_path, GOOD.replace(line, other, 1))
    with pytest.raises(InputError, match=told):
        read_recipe(file)


@pytest.mark.parametrize("text", ["", "years = [2021, 2023]\nlist = []", "a = " + "[" * 50_000])
def test_a_recipe_without_lists_and_a_nested_one_are_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read_recipe(written(tmp_path, text))


def test_a_recipe_that_is_no_file_or_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_recipe(tmp_path / "none.toml")
    with pytest.raises(InputError, match="one MiB"):
        read_recipe(written(tmp_path, "#" * (1 << 20) + "\n"))
