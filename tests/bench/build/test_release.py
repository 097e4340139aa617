"""Is a release whole, checked, described and the same each time?"""

import hashlib
import json
import warnings
from io import BytesIO
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from hallmark.bench.build.croissant import validate
from hallmark.bench.build.plan import SplitPlan
from hallmark.bench.build.release import (
    Content,
    Release,
    build,
    drawn,
    pack,
    refuse_taken,
    write,
)
from hallmark.bench.build.tables import bare, rows_in
from hallmark.bench.dataset import load_split
from hallmark.bench.entry import Label, read_blind
from hallmark.bench.perturb.screening import true_record
from hallmark.bench.taxonomy import HallucinationType
from hallmark.errors import HallmarkError, LabelsGivenAway, OutputError
from tests.bench.build.little import GROUPS, POOL, plan

INDEX = {
    "digest": "d" * 64,
    "records": len(GROUPS),
    "sources": [{"collection": "alpha", "records": len(GROUPS)}],
}


def _release() -> Release:
    return pack(plan(), build(plan(), GROUPS, POOL), INDEX, {"plan.toml": "e" * 64})


@pytest.fixture(scope="module")
def release() -> Release:
    return _release()


def test_a_release_has_the_same_bytes_each_time(release: Release) -> None:
    assert _release().files == release.files


def test_parquet_holds_the_rows_of_the_json_lines_beside_it(release: Release) -> None:
    tables = [name for name in release.files if name.endswith(".parquet")]
    assert len(tables) == 4
    for name in tables:
        beside = release.files[name.replace(".parquet", ".jsonl")].splitlines()
        assert list(rows_in(release.files[name])) == [bare(json.loads(line)) for line in beside]


def test_all_splits_share_a_schema_of_parquet(release: Release) -> None:
    one, other = (
        pq.read_schema(BytesIO(release.files[name]))
        for name in ("dev.parquet", "withheld/hidden.parquet")
    )
    assert one.equals(other)


def test_what_the_croissant_describes_can_be_read_by_it(release: Release, tmp_path: Path) -> None:
    place = tmp_path / "out"
    write(release, place)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import mlcroissant  # noqa: PLC0415 - takes seconds to load

        data = mlcroissant.Dataset(jsonld=str(place / "croissant.json"))
        record = next(iter(data.records("dev")))
    row = json.loads(release.files["dev.jsonl"].splitlines()[0])
    assert record["dev/fields/title"].decode() == row["fields"]["title"]
    assert record["dev/label"].decode() == row["label"]


def test_the_labels_of_a_withheld_split_are_kept_apart(release: Release) -> None:
    assert {name for name in release.files if name.endswith(".jsonl")} == {
        "dev.jsonl",
        "dev_blind.jsonl",
        "hidden_blind.jsonl",
        "withheld/hidden.jsonl",
    }
    assert b"VALID" not in release.files["hidden_blind.jsonl"]


def test_what_is_written_can_be_read_as_gold_and_blind(release: Release, tmp_path: Path) -> None:
    place = tmp_path / "out"
    write(release, place)
    split = load_split(place / "dev.jsonl")
    assert (split.valid, split.hallucinated) == (40, plan().splits["dev"].hallucinated)
    blind = read_blind(place / "dev_blind.jsonl")
    assert blind == [entry.blind() for entry in split.entries]
    assert sorted(tmp_path.iterdir()) == [place]


def test_the_manifest_lists_every_other_file_with_its_digest(release: Release) -> None:
    listed = json.loads(release.files["manifest.json"])["files"]
    assert set(listed) == set(release.files) - {"manifest.json"}
    for name, entry in listed.items():
        assert entry["sha256"] == hashlib.sha256(release.files[name]).hexdigest()
    assert release.manifest["index"]["digest"] == INDEX["digest"]
    assert (release.manifest["seed"], release.manifest["attested"]) == (8042, 1)


def test_each_split_has_a_canary_in_its_labels_alone(release: Release) -> None:
    canaries = json.loads(release.files["metadata.json"])["canary"]
    assert len(set(canaries.values())) == 2
    assert canaries["dev"].encode() in release.files["dev.jsonl"]
    assert canaries["dev"].encode() not in release.files["dev_blind.jsonl"]


def test_the_datasheet_says_how_many_and_that_one_collection_attests(release: Release) -> None:
    sheet = release.files["datasheet.md"].decode()
    assert f"| dev | 40 | {plan().splits['dev'].hallucinated} |" in sheet
    assert "no second one was asked to agree" in sheet
    assert "alpha | 640 | not stated in the plan" in sheet


def test_the_croissant_description_covers_every_key_and_a_broken_one_is_refused(
    release: Release,
) -> None:
    described = json.loads(release.files["croissant.json"])
    fields = {one["name"] for records in described["recordSet"] for one in records["field"]}
    for line in release.files["dev.jsonl"].splitlines():
        row = json.loads(line)
        parts = {f"dev/{key}/{part}" for key in ("fields", "subtests") for part in row[key]}
        assert parts | {f"dev/{key}" for key in row.keys() - {"fields", "subtests"}} <= fields
    assert {one["name"] for one in described["recordSet"]} == {"dev", "dev_blind", "hidden_blind"}
    assert not any("withheld" in one["@id"] for one in described["distribution"])
    described["recordSet"][0]["field"][0]["source"] = {"fileObject": {"@id": "none"}}
    with pytest.raises(HallmarkError, match="refused"):
        validate(described)


def test_entries_that_give_labels_away_are_not_released() -> None:
    """All preprints are of one year, and the valid entries are not."""
    telling = plan(
        without_doi=1.0, splits={"dev": SplitPlan(valid=60, types={PREPRINTS_ALONE: 30})}
    )
    with pytest.raises(HallmarkError, match=r"(?s)give labels away.*the year is 2020"):
        build(telling, GROUPS, POOL)


PREPRINTS_ALONE = HallucinationType.PREPRINT_AS_PUBLISHED


def test_what_is_at_the_place_already_is_left_alone(release: Release, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OutputError, match="There is something at"):
        write(release, tmp_path)
    with pytest.raises(OutputError, match="There is something at"):
        refuse_taken(tmp_path / "file")
    with pytest.raises(OutputError, match="cannot be written"):
        write(release, tmp_path / "file" / "out")
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_years_and_venues_are_left_out_of_both_labels_alike() -> None:
    asked = plan(without_year=0.1, without_venue=0.1)
    made = build(asked, GROUPS, POOL)
    for entries in made.splits.values():
        lost = [entry for entry in entries if "left_out" in entry.extra]
        assert {entry.extra["left_out"] for entry in lost} >= {"year"}
        assert all(entry.extra["left_out"] not in entry.extra["changed_fields"] for entry in lost)
        for entry in lost:
            assert entry.extra["left_out"] not in entry.fields
            assert entry.label is Label.VALID or true_record(entry, POOL) is None
        for label in Label:
            of_label = [entry for entry in entries if entry.label is label]
            bare = sum("year" not in entry.fields for entry in of_label)
            assert bare == round(0.1 * len(of_label))


def test_dice_that_give_labels_away_are_thrown_again() -> None:
    thrown = list[int]()

    def make(draw: int) -> Content:
        thrown.append(draw)
        if draw < 2:
            raise LabelsGivenAway("by the number of authors")
        return Content({}, {"draw": draw})

    assert drawn(make).tallies == {"draw": 2}
    assert thrown == [0, 1, 2]


def test_a_plan_that_always_gives_labels_away_is_refused() -> None:
    def make(draw: int) -> Content:
        raise LabelsGivenAway(f"draw {draw}")

    with pytest.raises(LabelsGivenAway, match="draw 4"):
        drawn(make)


def test_another_draw_makes_other_entries_of_the_same_plan() -> None:
    one, other = (build(plan(), GROUPS, POOL, draw=draw) for draw in (0, 1))
    assert one.splits != other.splits
    assert {name: len(found) for name, found in one.splits.items()} == {
        name: len(found) for name, found in other.splits.items()
    }
