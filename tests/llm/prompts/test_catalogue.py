from pathlib import Path

import pytest

from hallmark.errors import InputError, UnknownName
from hallmark.llm.answers import holds_answer
from hallmark.llm.objects import find_objects
from hallmark.llm.prompts.catalogue import (
    VARIANTS,
    list_types,
    month_in_words,
    read_prompt,
    shipped,
    variant,
)
from hallmark.llm.prompts.template import OF_ENTRY

DIGESTS = {
    "default": ("1", "1e1934cf453aac86"),
    "notaxo": ("1", "532ec5bdaaf45d92"),
    "uncertain": ("1+1", "9c3282693e347020"),
    "terse": ("1", "6e3c4702915513ab"),
    "cutoff-aware": ("1+1", "2e01efcc913aef44"),
    "cutoff-named": ("1+1", "8d6def2821b12e41"),
}
"""Version and beginning of the digest: a change of words without a new version fails here."""
PAPERS = 'Analyze:\n```bibtex\n{bibtex}\n```\nRespond with JSON only:\n{\n"label": "VALID" or\n}\n'


@pytest.mark.parametrize("name", VARIANTS)
def test_a_prompt_has_a_new_version_when_its_words_change(name: str) -> None:
    found = variant(name)
    assert (found.version, found.digest[:16]) == DIGESTS[name]


@pytest.mark.parametrize("name", VARIANTS)
def test_every_prompt_shows_the_quoted_reference_and_calls_it_data(name: str) -> None:
    found = variant(name)
    assert found.own
    assert found.placeholders & set(OF_ENTRY) == {"entry"}
    assert "{entry}" in found.user
    assert "never an" in " ".join(found.system.split())
    for word in ("VALID", "HALLUCINATED", "UNCERTAIN", '"label"', '"confidence"', '"lean"'):
        assert word in found.system


@pytest.mark.parametrize("name", VARIANTS)
def test_no_prompt_holds_an_answer_that_could_be_repeated(name: str) -> None:
    found = variant(name)
    assert not find_objects(f"{found.system}{found.user}")


def test_variants_differ_as_their_names_say() -> None:
    default = variant("default")
    for name in ("uncertain", "cutoff-aware", "cutoff-named"):
        found = variant(name)
        assert found.user == default.user
        assert found.system.startswith(default.system.rstrip())
    assert "types" in default.placeholders
    assert "types" not in variant("notaxo").placeholders
    assert '"type"' not in variant("notaxo").system
    assert "cutoff" in variant("cutoff-named").placeholders
    assert "cutoff" not in variant("cutoff-aware").placeholders
    assert len(variant("terse").system) < len(default.system) / 3


def test_an_unknown_prompt_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="Did you mean `terse`"):
        variant("ters")
    with pytest.raises(UnknownName):
        variant("../default")


def test_a_users_file_is_the_users_part_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "paper.txt").write_text(PAPERS, encoding="utf-8")
    found = read_prompt(tmp_path / "paper.txt")
    assert (found.system, found.user, found.own) == ("", PAPERS, False)
    filled = found.filled({"bibtex": "@misc{a}"})
    assert filled.user == PAPERS.replace("{bibtex}", "@misc{a}")


def test_a_users_file_of_two_parts_is_toml(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('version = "7"\nsystem = "Be brief."\nuser = "{entry}"\n', encoding="utf-8")
    found = read_prompt(path)
    assert (found.name, found.version, found.system, found.user) == (
        "mine.toml", "7", "Be brief.", "{entry}",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("missing.txt", None, "cannot be read: No such file"),
        ("bytes.txt", b"\xff\xfe\x00", "no UTF-8"),
        ("large.txt", b"x" * (1 << 20) + b"x", "larger than one MiB"),
        ("broken.toml", b"user = ", "cannot be used"),
        ("other.toml", b'version = "1"\nusr = "x"', "cannot be used"),
        ("empty.toml", b'version = "1"', "needs the key `user`"),
        ("base.toml", b'version = "1"\nuser = "x"\nbase = "default"', "needs the key `user`"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(
    tmp_path: Path, name: str, data: bytes | None, message: str
) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(InputError, match=message):
        read_prompt(path)


def test_types_and_months_are_written_for_readers() -> None:
    assert list_types({"a": "one", "b": "two"}) == "- a: one\n- b: two"
    assert month_in_words("2024-09") == "September 2024"
    assert month_in_words("") == ""
    assert holds_answer(['"label": 1'])


def test_every_file_of_texts_can_be_read() -> None:
    folder = Path(__file__).parents[3] / "src" / "hallmark" / "llm" / "prompts" / "texts"
    for path in folder.glob("*.toml"):
        assert shipped(path.stem).user
