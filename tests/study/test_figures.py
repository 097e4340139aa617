"""When is a type named right?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.study.figures import SAME_TYPE, share_right

NAMES = ("wrong_venue", "preprint_as_published", "swapped_authors")
tables = st.dictionaries(
    st.sampled_from(NAMES),
    st.dictionaries(st.sampled_from((*NAMES, "none")), st.integers(1, 9), min_size=1),
    min_size=1,
)


def test_preprint_as_published_and_wrong_venue_count_as_one() -> None:
    table = {"preprint_as_published": {"wrong_venue": 3, "swapped_authors": 1}}
    assert share_right(table, {}) == 0
    assert share_right(table, SAME_TYPE) == pytest.approx(3 / 4)
    assert share_right({"wrong_venue": {"preprint_as_published": 2}}, SAME_TYPE) == 1


def test_a_type_that_was_not_named_is_not_right() -> None:
    assert share_right({"wrong_venue": {"none": 1, "wrong_venue": 1}}, {}) == pytest.approx(0.5)


def test_nothing_flagged_is_undefined() -> None:
    assert share_right({}, SAME_TYPE) is None


@given(tables)
def test_joining_types_never_lowers_the_share(table: dict[str, dict[str, int]]) -> None:
    exact, joined = share_right(table, {}), share_right(table, SAME_TYPE)
    assert exact is not None
    assert joined is not None
    assert 0 <= exact <= joined <= 1
