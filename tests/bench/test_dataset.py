"""Are splits found, and told apart from others of the same name?"""

from pathlib import Path

import pytest

from hallmark.bench.dataset import CATALOGUE, departures, load_split
from hallmark.errors import InputError, UnknownName
from tests.bench.made import gold_row, write


def test_any_gold_file_can_be_given_by_its_path(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.jsonl", [gold_row("a"), gold_row("b", "wrong_venue")])
    split = load_split(path)
    assert (split.name, split.valid, split.hallucinated) == ("mine", 1, 1)
    assert departures(split) == []


def test_a_split_is_found_in_the_folder_given_or_in_the_environment(tmp_path: Path) -> None:
    write(tmp_path / "temporal_probe.jsonl", [gold_row("a")])
    given = load_split("temporal_probe", tmp_path)
    from_environment = load_split("temporal_probe", env={"HALLMARK_DATA": str(tmp_path)})
    assert given == from_environment


def test_a_file_that_is_not_the_released_one_is_told(tmp_path: Path) -> None:
    write(tmp_path / "temporal_probe.jsonl", [gold_row("a")])
    found = departures(load_split("temporal_probe", tmp_path))
    assert "30 valid and 30 hallucinated" in found[0]
    assert "SHA-256" in found[1]


def test_a_split_without_a_folder_says_how_to_name_one() -> None:
    with pytest.raises(InputError, match="HALLMARK_DATA"):
        load_split("dev_public", env={})


def test_a_folder_without_the_split_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no dev_public\.jsonl in"):
        load_split("dev_public", tmp_path)


def test_a_misspelt_split_is_answered_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="Did you mean `dev_public`"):
        load_split("dev_publik", tmp_path)


def test_a_path_that_is_not_there_is_no_misspelt_split() -> None:
    with pytest.raises(InputError, match="There is no file"):
        load_split("nowhere/dev_public.jsonl")


@pytest.mark.shared_data
def test_released_splits_agree_with_the_catalogue(shared: Path) -> None:
    data = shared / "data/hallmark"
    found = [name for name in CATALOGUE.names() if (data / f"{name}.jsonl").is_file()]
    assert found
    assert [departures(load_split(name, data)) for name in found] == [[] for _ in found]
