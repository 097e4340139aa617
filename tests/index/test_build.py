"""Is an index built whole, the same each time, or not at all?"""

import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hallmark.errors import (
    IndexBusy,
    IndexDamaged,
    IndexMissing,
    InputError,
    OutputError,
    SourceProblem,
)
from hallmark.index import open_index, schema, storage
from hallmark.index.build import add, build
from hallmark.index.loaders import stream
from hallmark.index.source import verify_index
from tests.index.helpers import FIXTURES, record, write_records


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_records(tmp_path / "made.jsonl", [record(f"Title number {n}") for n in range(30)])


def _visible(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != ".lock")


def test_all_formats_go_into_one_index_with_counts_of_what_was_skipped(tmp_path: Path) -> None:
    description = build(tmp_path / "idx", [str(FIXTURES)], built="2026-05-01")
    by_name = {(info.collection, info.format): info for info in description.sources}
    assert by_name["dblp", "dblp"].records == 3
    assert by_name["records", "records"].skipped == {
        "line that is no record": 2,
        "no title": 1,
        "title without a letter or digit": 1,
    }
    index = open_index(tmp_path / "idx")
    assert index.records == description.records == sum(one.records for one in description.sources)
    assert index.as_of == "2026-05-01"


def test_the_same_sources_give_the_same_digest_whatever_the_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hallmark.index.reading._CHUNK", 5)
    monkeypatch.setattr("hallmark.index.reading._SMALL", 2)
    rows = [record(f"Title number {n}", venue="ICML", year=2000 + n % 20) for n in range(200)]
    source = str(write_records(tmp_path / "made.jsonl", rows))
    one = build(tmp_path / "one", [source], built="2026-05-01", workers=1)
    two = build(tmp_path / "two", [source], built="2027-01-01", workers=2)
    assert one.digest == two.digest
    assert one.records == two.records == 200


def test_another_record_gives_another_digest(tmp_path: Path, source: Path) -> None:
    first = build(tmp_path / "a", [str(source)])
    write_records(source, [record("Another title altogether")])
    assert build(tmp_path / "b", [str(source)]).digest != first.digest


def test_a_source_that_is_named_twice_is_read_once(tmp_path: Path, source: Path) -> None:
    description = build(tmp_path / "idx", [str(source), f"records:{source}"])
    assert description.records == 30


def test_a_failed_build_leaves_the_old_index_and_nothing_else(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "idx"
    old = build(out, [str(source)])
    before = _visible(out)
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(gzip.compress(source.read_bytes() * 50)[:-30])
    with pytest.raises(SourceProblem, match=r"cut\.jsonl\.gz.*cut or damaged"):
        build(out, [str(cut)])
    assert _visible(out) == before
    assert open_index(out).info() == old


def test_a_failed_first_build_leaves_nothing(tmp_path: Path) -> None:
    empty = tmp_path / "no-titles.jsonl"
    empty.write_text('{"title": "", "authors": []}\n')
    with pytest.raises(InputError, match=r"No record was found.*1 x no title"):
        build(tmp_path / "idx", [f"records:{empty}"])
    assert not (tmp_path / "idx").exists()


def test_a_new_build_replaces_the_old_data(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "idx"
    build(out, [str(source)])
    opened = open_index(out)
    write_records(source, [record("Another title altogether")])
    new = build(out, [str(source)])
    assert open_index(out).records == 1
    assert _visible(out) == [new.data, schema.DESCRIPTION]
    assert opened.by_title_key("titlenumber7"), "an index that is open stays readable"


def test_what_a_killed_build_left_is_swept_up(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "idx"
    (out / ".building-99999" / "tantivy").mkdir(parents=True)
    (out / "data-000000000000").mkdir()
    description = build(out, [str(source)])
    assert _visible(out) == [description.data, schema.DESCRIPTION]


def test_building_the_same_again_works(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "idx"
    for _ in range(3):
        build(out, [str(source)])
        assert verify_index(out).records == 30


def test_two_builds_at_once_are_refused(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "idx"
    with storage.writing(out), pytest.raises(IndexBusy, match="Another process is writing"):
        build(out, [str(source)])
    assert build(out, [str(source)]).records == 30


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_ctrl_c_leaves_the_old_index_and_nothing_else(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "idx"
    build(out, [str(source)])
    before = _visible(out)
    pipe = tmp_path / "never-ends.jsonl"
    os.mkfifo(pipe)
    program = (
        "import sys; from hallmark.cli.main import main;"
        f"main(['index', 'build', '--out', {str(out)!r}, 'records:' + {str(tmp_path / 'big')!r}])"
    )
    (tmp_path / "big").mkdir()
    lines = source.read_text()
    (tmp_path / "big" / "records.jsonl").write_text(lines * 20_000)
    child = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
    _wait_for(lambda: any(path.name.startswith(".building") for path in out.iterdir()))
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=30)
    assert child.returncode == 130, said
    assert "Traceback" not in said
    assert _visible(out) == before
    assert verify_index(out).records == 30


def _wait_for(happened: object, timeout_s: float = 20) -> None:
    assert callable(happened)
    end = time.monotonic() + timeout_s
    while not happened():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def test_added_records_are_found_beside_the_old_ones(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "idx"
    build(out, [str(source)])
    more = write_records(tmp_path / "more.jsonl", [record("A fresh title", doi="10.5555/fresh")])
    description = add(out, [str(more)], built="2026-06-01")
    index = open_index(out)
    assert index.records == description.records == 31
    assert [info.collection for info in description.sources] == ["made", "more"]
    assert [version.title for version in index.by_doi("10.5555/FRESH")] == ["A fresh title"]
    assert index.by_title_key("titlenumber3")
    verify_index(out)


def test_adding_gives_the_coverage_of_a_build_from_all(tmp_path: Path) -> None:
    rows = [record(f"Title number {n}", venue="COLT", year=2021) for n in range(141)]
    half = write_records(tmp_path / "colt.jsonl", rows[:70])
    rest = write_records(tmp_path / "rest.jsonl", rows[60:])
    (tmp_path / "both").mkdir()
    build(tmp_path / "idx", [str(half)])
    add(tmp_path / "idx", [str(rest)])
    build(tmp_path / "all", [str(half), str(rest)])
    both = [open_index(tmp_path / name).coverage("colt", 2021) for name in ("idx", "all")]
    assert both[0] == both[1]
    assert both[0] is not None
    assert not both[0].complete, "no single collection holds the whole"


def test_a_file_is_not_added_twice(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "idx"
    build(out, [str(source)])
    with pytest.raises(InputError, match="in the index already"):
        add(out, [str(source)])
    assert verify_index(out).records == 30


def test_adding_needs_an_index(tmp_path: Path, source: Path) -> None:
    with pytest.raises(IndexMissing, match="hallmark index build"):
        add(tmp_path / "none", [str(source)])
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.jsonl", b"", "is empty"),
        ("paper.pdf", b"%PDF-1.7\n...", "PDF"),
        ("photo.bin", b"\x00\x01\x02", "binary"),
        ("notes.txt", b"just words", "no known format"),
    ],
)
def test_a_file_that_is_no_source_is_named(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        build(tmp_path / "idx", [str(tmp_path / name)])


def test_a_missing_source_is_named_with_the_formats(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file or folder `nowhere\.bib`.*dblp"):
        build(tmp_path / "idx", ["nowhere.bib"])


def test_unknown_files_of_a_folder_are_counted(tmp_path: Path, source: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    source.rename(folder / "made.jsonl")
    (folder / "README").write_text("just words")
    description = build(tmp_path / "idx", [str(folder)])
    assert {"file of no known format": 1} in [info.skipped for info in description.sources]


def test_a_place_with_other_files_is_not_touched(tmp_path: Path, source: Path) -> None:
    with pytest.raises(OutputError, match="holds other files"):
        build(tmp_path, [str(source)])
    with pytest.raises(OutputError, match="is a file"):
        build(source, [str(source)])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_place_is_named(tmp_path: Path, source: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(OutputError, match="cannot be written"):
        build(tmp_path / "locked" / "idx", [str(source)])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_place_that_cannot_be_made_is_named(source: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written"):
        build("/dev/full/idx", [str(source)])


def test_a_decompression_bomb_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "BOMB_FLOOR", 1 << 20)
    bomb = tmp_path / "bomb.jsonl.gz"
    bomb.write_bytes(gzip.compress(b'{"title": "A", "authors": []}\n' + b" " * (1 << 26)))
    with pytest.raises(SourceProblem, match="decompression bomb"):
        build(tmp_path / "idx", [str(bomb)])


def test_an_endless_line_is_skipped_in_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "MAX_LINE", 1000)
    path = tmp_path / "long.jsonl"
    path.write_text('{"title": "A first title"}\n{"title": "' + "x" * 5000 + '"}\n{"title": "B"}\n')
    description = build(tmp_path / "idx", [f"records:{path}"])
    assert description.records == 2
    assert description.sources[0].skipped == {"line longer than 16 MB": 1}


def test_a_huge_title_and_huge_lists_of_authors_are_bounded(tmp_path: Path) -> None:
    rows = [
        record("x" * 10_000_000),
        record("A title", authors=[f"Person {n}" for n in range(12_000)]),
    ]
    out = tmp_path / "idx"
    description = build(out, [str(write_records(tmp_path / "made.jsonl", rows))])
    assert description.sources[0].skipped == {"title longer than 4000 characters": 1}
    (version,) = open_index(out).by_title_key("atitle")
    assert len(version.authors) == 10_000
    assert version.authors_truncated


def test_control_characters_never_enter_a_record(tmp_path: Path) -> None:
    path = write_records(tmp_path / "made.jsonl", [record("A \x1b[31mred\x07 title\n of two")])
    build(tmp_path / "idx", [str(path)])
    (version,) = open_index(tmp_path / "idx").search("red title of two")
    assert version.title == "A [31mred title of two"


def test_a_missing_index_says_how_to_build_one(tmp_path: Path) -> None:
    with pytest.raises(IndexMissing, match="hallmark index build --out"):
        open_index(tmp_path / "none")


def test_an_index_of_another_schema_says_so(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "idx"
    build(out, [str(source)])
    place = out / schema.DESCRIPTION
    place.write_text(place.read_text().replace('"schema": 1', '"schema": 0'))
    with pytest.raises(IndexDamaged, match=r"has schema 0.*reads 1.*index build"):
        open_index(out)


@pytest.mark.parametrize(
    "content", ["", "{}", "[1]", "nonsense", '{"format": "other", "schema": 1}']
)
def test_a_foreign_description_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / schema.DESCRIPTION).write_text(content)
    with pytest.raises(IndexDamaged, match="index build"):
        open_index(tmp_path)


def test_a_description_cannot_point_outside(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "idx"
    data = build(out, [str(source)]).data
    place = out / schema.DESCRIPTION
    place.write_text(place.read_text().replace(data, "../elsewhere"))
    with pytest.raises(IndexDamaged, match="outside"):
        open_index(out)


def _some_file(out: Path, ending: str) -> Path:
    return next(path for path in out.rglob(f"*{ending}"))


def test_a_missing_or_cut_file_is_found_when_opening(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "idx"
    build(out, [str(source)])
    store = _some_file(out, ".store")
    store.write_bytes(store.read_bytes()[:-1])
    with pytest.raises(IndexDamaged, match=r"bytes instead of"):
        open_index(out)
    store.unlink()
    with pytest.raises(IndexDamaged, match="is missing"):
        open_index(out)


def test_a_changed_byte_is_found_by_verifying(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "idx"
    build(out, [str(source)])
    verify_index(out)
    store = _some_file(out, ".store")
    data = bytearray(store.read_bytes())
    data[len(data) // 2] ^= 1
    store.write_bytes(bytes(data))
    with pytest.raises(IndexDamaged, match="was changed"):
        verify_index(out)
