import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.llm.objects import LONGEST_OBJECT, find_objects, only_object

scalars = st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=12)
objects = st.dictionaries(
    st.text(st.characters(categories=["Ll"]), min_size=1, max_size=6),
    scalars,
    min_size=1,
    max_size=4,
)
prose = st.text(st.characters(exclude_characters="{}", exclude_categories=["Cs"]), max_size=30)


@given(st.lists(st.tuples(prose, objects), max_size=4), prose)
def test_all_objects_are_found_in_order(
    parts: list[tuple[str, dict[str, object]]], end: str
) -> None:
    text = "".join(f"{before}{json.dumps(value)}" for before, value in parts) + end
    found = find_objects(text)
    assert [one.value for one in found] == [value for _, value in parts]
    assert all(one.text in text for one in found)


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    find_objects(text)
    only_object(text)
    only_object(text, trailing=True)


@given(
    objects, st.sampled_from(["{}", "```json\n{}\n```", "```\n{}```", "  \n{}\n ", "```json{}```"])
)
def test_an_object_alone_is_found_bare_or_fenced(value: dict[str, object], form: str) -> None:
    text = form.replace("{}", json.dumps(value))
    assert [one.value for one in only_object(text)] == [value]


@pytest.mark.parametrize(
    "text",
    [
        'Here: {"a": 1}',
        '{"a": 1} There.',
        '{"a": 1}{"b": 2}',
        '```json\n{"a": 1}\n```\nmore',
        '[{"a": 1}]',
        "",
    ],
)
def test_an_object_with_company_is_not_alone(text: str) -> None:
    assert only_object(text) == []


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}',
        '{"label": "HALLUCINATED", "Label ": "VALID"}',
        '{"a": NaN}',
        '{"a": -Infinity}',
        '{"a": ' + "9" * 5000 + "}",
        "{'a': 1}",
        '{"a": 1',
        '{"a" 1}',
    ],
)
def test_what_is_no_proper_object_is_not_found(text: str) -> None:
    assert find_objects(text) == []


def test_an_object_within_another_is_not_told_apart() -> None:
    assert [one.value for one in find_objects('{"a": {"b": 1}} {"c": 2}')] == [
        {"a": {"b": 1}},
        {"c": 2},
    ]


@pytest.mark.parametrize(
    "unit",
    [
        "{",
        '{"',
        '{\\"',
        '{"a":',
        '{"a":[',
        '{"a":"',
        '{"a":[{},',
        " ",
        '"',
        "{ ",
        "```",
        '{"a":1,',
        "[",
        "\\",
    ],
)
def test_ten_megabytes_of_anything_are_read_within_a_second(unit: str) -> None:
    text = unit * (10_000_000 // len(unit))
    start = time.perf_counter()
    find_objects(text)
    only_object(text)
    only_object(text, trailing=True)
    assert time.perf_counter() - start < 3.0


def test_an_answer_at_the_end_of_a_long_reply_is_found() -> None:
    text = "{\\'e} prose " * 500_000 + '{"label": "VALID"}'
    assert [one.value for one in find_objects(text)] == [{"label": "VALID"}]


def test_an_object_beyond_the_greatest_length_is_none() -> None:
    assert find_objects(json.dumps({"a": "x" * LONGEST_OBJECT})) == []
