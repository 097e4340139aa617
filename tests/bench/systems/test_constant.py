import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.entry import BlindEntry, Label
from hallmark.bench.systems.constant import always, chance, draw
from hallmark.errors import InputError

MANY = [BlindEntry(f"k{i}", "misc", {"title": str(i)}) for i in range(4_000)]


def test_a_constant_system_says_the_same_of_all() -> None:
    assert {row.label for row in always(hallucinated=True).predict(MANY)} == {Label.HALLUCINATED}
    assert {row.label for row in always(hallucinated=False).predict(MANY)} == {Label.VALID}


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.5, 1.0])
def test_dice_flag_the_share_they_are_set_to(rate: float) -> None:
    flagged = sum(
        row.label is Label.HALLUCINATED for row in chance(rate=rate, seed=1).predict(MANY)
    )
    assert flagged / len(MANY) == pytest.approx(rate, abs=0.03)


def test_another_seed_throws_other_dice() -> None:
    one = [row.label for row in chance(rate=0.5, seed=1).predict(MANY)]
    other = [row.label for row in chance(rate=0.5, seed=2).predict(MANY)]
    assert one != other


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_rate_that_is_no_probability_is_refused(rate: float) -> None:
    with pytest.raises(InputError, match="rate"):
        chance(rate=rate, seed=1)


@given(seed=st.integers(), key=st.text())
def test_a_draw_lies_in_the_unit_interval(seed: int, key: str) -> None:
    assert 0.0 <= draw(BlindEntry(key), seed) < 1.0
