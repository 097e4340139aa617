from pathlib import Path

import pytest

from hallmark.bench.entry import BlindEntry, Label
from hallmark.bench.systems.function import function_system, looks_like_function
from hallmark.errors import InputError


def write(folder: Path, text: str) -> str:
    (folder / "own.py").write_text(text, encoding="utf-8")
    return f"{folder}/own.py"


def test_a_name_with_a_function_behind_a_colon_is_one() -> None:
    assert looks_like_function("./my.py:check")
    assert looks_like_function("package.module:check")
    assert not looks_like_function("hallmark")
    assert not looks_like_function(":check")
    assert not looks_like_function("a:b c")


def test_an_exception_is_the_failure_of_one_entry_only(tmp_path: Path) -> None:
    place = write(tmp_path, "def check(e):\n    return 0.9 if e.fields['doi'] else 0.1\n")
    system = function_system(f"{place}:check", clock=lambda: 0.0)
    rows = list(system.predict([BlindEntry("a"), BlindEntry("b", fields={"doi": "x"})]))
    assert [row.label for row in rows] == [Label.ERROR, Label.HALLUCINATED]
    assert "KeyError: 'doi'" in rows[0].reason


def test_each_call_is_timed(tmp_path: Path) -> None:
    ticks = iter([1.0, 1.5])
    place = write(tmp_path, "def check(e):\n    return 0.9\n")
    rows = list(
        function_system(f"{place}:check", clock=lambda: next(ticks)).predict([BlindEntry("a")])
    )
    assert rows[0].seconds == 0.5


def test_the_source_is_part_of_what_the_run_is(tmp_path: Path) -> None:
    before = function_system(f"{write(tmp_path, 'def check(e): return 0')}:check").settings
    after = function_system(f"{write(tmp_path, 'def check(e): return 1')}:check").settings
    assert before != after


@pytest.mark.parametrize(
    ("text", "function", "message"),
    [
        ("def check(e): ...", "chek", "has no function `chek`. It has: check."),
        ("def check(e:", "check", "SyntaxError"),
        ("import no_such_module_here", "check", "ModuleNotFoundError"),
        ("check = 3", "check", "It has none at all."),
    ],
)
def test_a_function_that_cannot_be_loaded_is_named(
    tmp_path: Path, text: str, function: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        function_system(f"{write(tmp_path, text)}:{function}")


def test_a_missing_file_or_module_is_named() -> None:
    with pytest.raises(InputError, match="There is no file"):
        function_system("./no_such.py:check")
    with pytest.raises(InputError, match="Importing no_such_package failed"):
        function_system("no_such_package:check")
