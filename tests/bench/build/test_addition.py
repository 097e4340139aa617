"""Does a release grow without touching what it had, and does it say what changed?"""

import json
from pathlib import Path

import pytest
from msgspec import structs

from hallmark.bench.build.addition import refuse_misfits
from hallmark.bench.build.changelog import changes
from hallmark.bench.build.earlier import Earlier, read_earlier
from hallmark.bench.build.plan import Plan, SplitPlan
from hallmark.bench.build.release import Past, Release, build, pack, write
from hallmark.bench.build.split import crossing
from hallmark.bench.content import content
from hallmark.bench.entry import Label, read_entries
from hallmark.bench.sealing.key import SealKey
from hallmark.bench.taxonomy import HallucinationType
from hallmark.errors import InputError
from tests.bench.build.little import GROUPS, POOL, plan

KEY, OTHER = SealKey(b"1" * 32), SealKey(b"2" * 32)
INDEX = {
    "digest": "d" * 64,
    "records": len(GROUPS),
    "sources": [{"collection": "alpha", "records": len(GROUPS)}],
}
TYPES = {kind: 2 for kind in HallucinationType if not kind.info.preprint}
FIRST = plan(
    splits={
        "dev": SplitPlan(valid=20, types=TYPES),
        "apart": SplitPlan(valid=10, withheld=True),
        "hidden": SplitPlan(valid=20, types=TYPES, sealed=True),
    }
)
SECOND = structs.replace(
    FIRST,
    version="1.1.0",
    splits={
        "dev": SplitPlan(valid=10, types={HallucinationType.WRONG_VENUE: 8}),
        "newer": SplitPlan(valid=20, types=TYPES, supersedes=("apart",)),
    },
)


def _made(asked: Plan, past: Past) -> Release:
    return pack(asked, build(asked, GROUPS, POOL, past=past), INDEX, {"plan.toml": "e" * 64}, past)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("releases") / "first"
    write(_made(FIRST, Past(key=KEY)), place)
    return place


@pytest.fixture(scope="module")
def earlier(first: Path) -> Earlier:
    return read_earlier(first, KEY)


@pytest.fixture(scope="module")
def second(earlier: Earlier) -> Release:
    return _made(SECOND, Past(earlier, extended=True, key=KEY))


def test_the_labels_of_a_sealed_split_are_in_no_file_that_can_be_read(first: Path) -> None:
    assert not (first / "hidden.jsonl").exists()
    names = {one.name for one in (first / "sealed").iterdir()}
    assert names == {"hidden.sealed"}
    rows = (first / "hidden_blind.jsonl").read_text(encoding="utf-8").splitlines()
    blind = [json.loads(row)["bibtex_key"] for row in rows]
    sealed = (first / "sealed" / "hidden.sealed").read_text()
    assert "HALLUCINATED" not in sealed
    assert not any(key in sealed for key in blind)


def test_a_sealed_release_has_the_same_bytes_with_the_same_key_and_other_entries_with_another(
    first: Path,
) -> None:
    again, foreign = (_made(FIRST, Past(key=key)) for key in (KEY, OTHER))
    assert all((first / name).read_bytes() == data for name, data in again.files.items())
    assert again.files["hidden_blind.jsonl"] != foreign.files["hidden_blind.jsonl"]


def test_without_a_key_nothing_is_sealed() -> None:
    with pytest.raises(InputError, match="there is no key"):
        build(FIRST, GROUPS, POOL)


def test_what_was_there_stays_as_it_was(first: Path, second: Release) -> None:
    for name in ("apart_blind.jsonl", "withheld/apart.jsonl", "hidden_blind.jsonl"):
        assert second.files[name] == (first / name).read_bytes()
    before = {e.bibtex_key: e for e in read_entries(first / "dev.jsonl")}
    rows = {
        row["bibtex_key"]: row for row in map(json.loads, second.files["dev.jsonl"].splitlines())
    }
    assert {key: rows[key] for key in before} == {key: e.row() for key, e in before.items()}
    assert {rows[key]["added_in"] for key in rows.keys() - before.keys()} == {"1.1.0"}
    assert len(rows) == len(before) + 18
    assert len({row["canary"] for row in rows.values()}) == 1


def test_the_old_plan_with_a_new_version_is_refused_since_its_numbers_are_additions(
    earlier: Earlier,
) -> None:
    again = structs.replace(FIRST, version="1.1.0")
    with pytest.raises(InputError, match="numbers of such a plan are additions"):
        refuse_misfits(again, earlier)
    fewer = structs.replace(again, splits={"dev": FIRST.splits["dev"]})
    refuse_misfits(fewer, earlier)


def test_what_an_addition_lacks_is_said_to_come_on_top(earlier: Earlier) -> None:
    greedy = structs.replace(SECOND, splits={"dev": SplitPlan(valid=10_000)})
    past = Past(earlier, extended=True, key=KEY)
    with pytest.raises(InputError, match=r"additions to little 1\.0\.0, not totals"):
        build(greedy, GROUPS, POOL, past=past)


def test_no_work_crosses_splits_with_the_old_release(earlier: Earlier) -> None:
    made = build(SECOND, GROUPS, POOL, past=Past(earlier, extended=True, key=KEY)).splits
    assert set(made) == {"dev", "apart", "hidden", "newer"}
    assert crossing(made) == {}


def test_the_changelog_tells_what_was_added_and_superseded_and_keeps_the_past(
    second: Release,
) -> None:
    text = second.files["CHANGELOG.md"].decode()
    assert "| dev | 44 | 62 | 18 | 0 | 0 |" in text
    assert "| hidden | 44 | 44 | 0 | 0 | 0 |" in text
    assert "The split apart is superseded by newer." in text
    assert text.index("## 1.1.0") < text.index("## 1.0.0") < text.index("The first release.")
    manifest = json.loads(second.files["manifest.json"])
    assert manifest["splits"]["apart"]["superseded_by"] == "newer"
    assert manifest["supersedes"]["version"] == "1.0.0"
    assert json.loads(second.files["metadata.json"])["superseded_by"] == {"apart": "newer"}


def test_relabelled_and_removed_entries_are_listed_and_of_hidden_splits_only_counted(
    earlier: Earlier,
) -> None:
    dev = [e for e in earlier.splits["dev"] if e.label is Label.HALLUCINATED]
    cleared = structs.replace(dev[0], label=Label.VALID, hallucination_type=None)
    found = changes(earlier, {"dev": [cleared], "hidden": []}, {"dev": "public"})
    by_name = {one.split: one for one in found}
    assert by_name["dev"].relabelled == (
        (dev[0].bibtex_key, f"HALLUCINATED ({dev[0].hallucination_type})", "VALID"),
    )
    assert len(by_name["dev"].removed) == 43
    assert (by_name["hidden"].public, len(by_name["hidden"].removed)) == (False, 44)


def _misfit(asked: Plan, earlier: Earlier) -> str:
    with pytest.raises(InputError) as told:
        build(asked, GROUPS, POOL, past=Past(earlier, extended=True, key=KEY))
    return str(told.value)


def test_a_plan_that_does_not_fit_is_refused_with_all_reasons(earlier: Earlier) -> None:
    splits = {
        "dev": SplitPlan(valid=1, withheld=True, supersedes=("none",)),
        "new": SplitPlan(valid=1, supersedes=("new",)),
    }
    said = _misfit(structs.replace(SECOND, version="0.9.0", name="else", splits=splits), earlier)
    for reason in ("it is of 'little'", "must be above 1.0.0", "supersedes 'none', which is not",
                   "supersedes itself", "the labels of 'dev' are public"):  # fmt: skip
        assert reason in said


def test_labels_that_are_not_there_are_asked_for(first: Path, earlier: Earlier) -> None:
    closed = read_earlier(first)
    assert closed.closed == ["hidden"]
    assert "the labels of hidden are not there" in _misfit(SECOND, closed)
    late = structs.replace(earlier, superseded_by={"dev": "newer"})
    assert "is superseded by" in _misfit(SECOND, late)


def test_a_release_that_was_changed_is_refused(first: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in first.iterdir():
        if file.is_file():
            (copy / file.name).write_bytes(file.read_bytes())
    with pytest.raises(InputError, match=r"hidden\.sealed"):
        read_earlier(copy)
    (copy / "dev.jsonl").write_text("{}")
    with pytest.raises(InputError, match="not as the release's manifest says"):
        read_earlier(copy)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"[]", "no manifest"),
        (b"\xff", "no manifest"),
        (b"[" * 5000, "no manifest"),
        (b'{"schema":"","name":"a","version":"1.0.0","date":"","splits":{"../x":{}},"files":{}}', "no name"),
        (b'{"schema":"","name":"a","version":"x","date":"","splits":{},"files":{}}', "no name"),
        (b'{"schema":"","name":"a","version":"1.0.0","date":"","splits":{},"files":{}}', "metadata.json"),
    ],
)  # fmt: skip
def test_what_is_no_release_is_named(tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "manifest.json").write_bytes(data)
    with pytest.raises(InputError, match=said):
        read_earlier(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        read_earlier(tmp_path / "none")


def test_an_entry_is_the_same_whatever_its_key_label_and_order(earlier: Earlier) -> None:
    one = earlier.splits["dev"][0]
    fields = dict(reversed([(name, f" {text} ") for name, text in one.fields.items()]))
    other = structs.replace(one, bibtex_key="x", label=Label.VALID, fields=fields)
    assert content(one) == content(other) == content(one.blind())
    assert content(one) != content(structs.replace(one, fields={**one.fields, "year": "1"}))
