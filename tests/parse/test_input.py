"""Which files are refused, and in which encodings the others are read."""

import codecs
import io
import os
from pathlib import Path

import pytest

from hallmark.errors import InputError
from hallmark.parse.interface import read
from hallmark.records.reference import Reference
from tests.parse.reading import codes, names, of_bytes

GERMAN = "@article{müller, title={Über die Straße}, author={Müller, Jürgen and Ødegård, Åse}}\n"
POLISH = (
    "@article{k, title={Wpływ środków na jakość gleby}, author={Żółć, Łukasz and "
    "Śliwiński, Józef and Święcicka, Małgorzata}}\n"
)
RUSSIAN = "@article{k, title={Влияние температуры на свойства материалов}, author={Иванов, Иван}}\n"
CHINESE = "@article{k, title={基于深度学习的自然语言处理方法研究}}\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"%PDF-1.5\n\x00\x01", "is a PDF"),
        (b"\x1f\x8b\x08" + b"0" * 99, "gunzip"),
        (b"PK\x03\x04" + b"0" * 99, "ZIP"),
        (b"<!DOCTYPE html><html></html>", "web page"),
        (bytes(range(256)) * 20, "no text file"),
        (b"\x00" * 5000, "is empty|no text file"),
        (b"SQLite format 3\x00", "database"),
    ],
)
def test_what_is_no_bibliography_is_refused_in_one_sentence(
    content: bytes, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "refs.bib"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        list(read(str(path)))


def test_missing_files_folders_and_odd_names_are_refused(tmp_path: Path) -> None:
    for path, message in (
        (str(tmp_path / "none.bib"), "There is no file"),
        (str(tmp_path), "is a folder"),
        ("bad\0name", "cannot be read"),
        (os.devnull, "is empty"),
    ):
        with pytest.raises(InputError, match=message):
            read(path)


def test_a_closed_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    path.write_text("@misc{k, title={T}}")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read every file")
    with pytest.raises(InputError, match="cannot be read"):
        read(str(path))


def test_a_pipe_is_read_like_a_file() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"@misc{k, title={T}}\n")
    os.close(writer)
    assert [one.key for one in read(f"/dev/fd/{reader}", format="bibtex")] == ["k"]
    os.close(reader)


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", codecs.BOM_UTF8),
        ("utf-16-le", codecs.BOM_UTF16_LE),
        ("utf-16-be", codecs.BOM_UTF16_BE),
        ("utf-16-le", b""),
        ("utf-16-be", b""),
        ("utf-32-le", codecs.BOM_UTF32_LE),
    ],
)
def test_unicode_is_read_with_and_without_a_mark(encoding: str, mark: bytes) -> None:
    (one,) = of_bytes(mark + GERMAN.encode(encoding))
    assert (one.key, one.title, codes(one)) == ("müller", "Über die Straße", [])


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "mac_roman"])
def test_western_encodings_are_recognised_with_a_note(encoding: str) -> None:
    (one,) = of_bytes(GERMAN.encode(encoding))
    assert names(one) == ["Jürgen Müller", "Åse Ødegård"]
    assert codes(one) == ["guessed-encoding"]


@pytest.mark.parametrize(
    ("text", "encoding", "start"),
    [
        (POLISH, "cp1250", "Wpływ środków"),
        (POLISH, "iso8859-2", "Wpływ środków"),
        (RUSSIAN, "cp1251", "Влияние"),
        (RUSSIAN, "koi8-r", "Влияние"),
        (CHINESE, "gb18030", "基于深度学习"),
    ],
)
def test_encodings_of_other_languages_are_recognised(text: str, encoding: str, start: str) -> None:
    assert of_bytes((text * 3).encode(encoding))[0].title.startswith(start)


def test_a_declared_encoding_is_believed_where_the_bytes_are_no_utf8() -> None:
    text = "% Encoding: ISO-8859-2\n@misc{k, title={Dvořák}}\n"
    assert of_bytes(text.encode("iso8859-2"))[0].title == "Dvořák"


def test_one_latin_entry_in_a_unicode_file_is_read_too() -> None:
    data = (GERMAN * 3).encode() + "@misc{x, title={Café – déjà vu}}\n".encode("cp1252")
    assert [one.title for one in of_bytes(data)][-2:] == ["Über die Straße", "Café – déjà vu"]


def test_a_large_file_is_read_in_blocks_with_right_lines(tmp_path: Path) -> None:
    path = tmp_path / "large.bib"
    rows = (f"@misc{{k{i},\n title={{Über {i}}},\n note={{{'x' * 500}}}\n}}\n" for i in range(6000))
    path.write_text("".join(rows), encoding="utf-8")
    found = [one for one in read(str(path)) if isinstance(one, Reference)]
    assert [one.title for one in found] == [f"Über {i}" for i in range(6000)]
    assert [one.location.line for one in found] == list(range(1, 24_000, 4))


class _Endless(io.BytesIO):
    """A stream of zeros without an end; reading more than 64 MB of it is a fault."""

    given = 0

    def read(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size >= 0
        self.given += size
        assert self.given < 64 << 20, "the stream was read on and on"
        return bytes(size)


def test_a_stream_that_is_no_text_is_refused_without_reading_it_to_its_end() -> None:
    with pytest.raises(InputError, match="Standard input is empty"):
        read("-", stdin=_Endless())
