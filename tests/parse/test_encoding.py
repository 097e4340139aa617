"""How is the text of a file read in blocks?"""

from pathlib import Path

from hallmark.parse.encoding import detect, text_blocks


def test_a_file_that_was_closed_first_leaves_nothing_to_tell(tmp_path: Path) -> None:
    """A signal closes the file while its blocks are still held by what was stopped."""
    path = tmp_path / "refs.bib"
    path.write_text("@misc{a}\n" * 100_000, encoding="utf-8")
    with path.open("rb") as file:
        blocks = text_blocks(file, detect(file))
        assert next(blocks)
    blocks.close()  # type: ignore[attr-defined]
    assert file.closed


def test_a_reader_that_leaves_early_leaves_the_file_open(tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    path.write_text("@misc{a}\n" * 100_000, encoding="utf-8")
    with path.open("rb") as file:
        blocks = text_blocks(file, detect(file))
        assert next(blocks)
        blocks.close()  # type: ignore[attr-defined]
        assert not file.closed
