"""Can sealed labels be read with the key alone, and is every change to them noticed?"""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.sealing.key import (
    KEY,
    PASSPHRASE,
    SealKey,
    find_key,
    key_of,
    needed_key,
    write_key,
)
from hallmark.bench.sealing.seal import entries_in, read_sealed, seal, unseal
from hallmark.errors import InputError, OutputError
from tests.bench.made import gold_row

ONE, OTHER = SealKey(b"1" * 32), SealKey(b"2" * 32)
ROWS = b"".join(json.dumps(gold_row(f"k{n}")).encode() + b"\n" for n in range(3))


def _file(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "hidden.sealed"
    path.write_bytes(data)
    return path


def test_what_was_sealed_is_read_with_the_key(tmp_path: Path) -> None:
    path = _file(tmp_path, seal(ONE, "a", "1.0.0", "hidden", ROWS))
    held = read_sealed(path)
    assert (held.header.split, held.header.entries) == ("hidden", 3)
    assert [entry.bibtex_key for entry in entries_in(held, ONE, path)] == ["k0", "k1", "k2"]


@given(rows=st.binary(min_size=1, max_size=300))
def test_no_row_can_be_read_in_the_file_and_the_bytes_are_always_the_same(rows: bytes) -> None:
    first, again = (seal(ONE, "a", "1.0.0", "hidden", rows) for _ in range(2))
    assert first == again != seal(OTHER, "a", "1.0.0", "hidden", rows)
    assert len(rows) < 8 or rows not in first


def test_another_key_is_refused_and_neither_key_is_told(tmp_path: Path) -> None:
    path = _file(tmp_path, seal(ONE, "a", "1.0.0", "hidden", ROWS))
    with pytest.raises(InputError, match="was sealed with the key") as told:
        unseal(read_sealed(path), OTHER, path)
    assert "2222" not in str(told.value) + repr(OTHER)


@pytest.mark.parametrize("part", ["version", "split", "entries", "labels"])
def test_a_change_to_header_or_labels_shows(tmp_path: Path, part: str) -> None:
    held = json.loads(seal(ONE, "a", "1.0.0", "hidden", ROWS))
    match part:
        case "entries":
            held["header"][part] += 1
        case "labels":
            held[part] = held[part][:-8] + "AAAAAAA="
        case _:
            held["header"][part] += "1"
    path = _file(tmp_path, json.dumps(held).encode())
    with pytest.raises(InputError, match="was changed after it was sealed"):
        unseal(read_sealed(path), ONE, path)


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff\x00", b"[" * 9000, b'{"header":1,"labels":2}'])
def test_what_is_no_sealed_file_is_named(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(InputError, match="holds no sealed labels"):
        read_sealed(_file(tmp_path, data))
    with pytest.raises(InputError, match="cannot be read"):
        read_sealed(tmp_path / "none")


def test_a_key_comes_from_its_file_the_environment_or_a_passphrase(tmp_path: Path) -> None:
    file = tmp_path / "key"
    write_key(file)
    assert file.stat().st_mode & 0o077 == 0
    digits = file.read_text()
    by_file, by_name = find_key({}, file, "a"), find_key({KEY: digits}, None, "a")
    assert by_file is not None
    assert by_name is not None
    assert by_file.id == by_name.id == key_of(digits, "x").id
    words = {PASSPHRASE: "correct horse battery"}
    assert needed_key(words, None, "a").id == needed_key(words, None, "a").id
    assert needed_key(words, None, "a").id != needed_key(words, None, "b").id
    assert find_key({}, None, "a") is None


def test_a_key_is_written_whole_and_never_over_what_is_there(tmp_path: Path) -> None:
    file = tmp_path / "key"
    write_key(file)
    first = file.read_text()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")
    for taken in (file, link):
        with pytest.raises(OutputError, match="never written over"):
            write_key(taken)
    assert file.read_text() == first
    assert sorted(one.name for one in tmp_path.iterdir()) == ["key", "link"]


def test_what_is_no_key_is_refused_without_being_repeated(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="64 hexadecimal digits") as told:
        find_key({KEY: "my secret"}, None, "a")
    assert "my secret" not in str(told.value)
    with pytest.raises(InputError, match="too short"):
        find_key({PASSPHRASE: "short"}, None, "a")
    with pytest.raises(InputError, match="need a key"):
        needed_key({}, None, "a")
    (tmp_path / "large").write_bytes(b"0" * 5000)
    (tmp_path / "binary").write_bytes(b"\xff" * 64)
    for name in ("none", "large", "binary"):
        with pytest.raises(InputError):
            find_key({}, tmp_path / name, "a")
    with pytest.raises(OutputError, match="never written over"):
        write_key(tmp_path / "large")


def test_keys_of_different_purposes_differ() -> None:
    assert len({ONE.derive(purpose) for purpose in ("labels", "uses", "answers", "dice")}) == 4
    assert ONE.id != OTHER.id
