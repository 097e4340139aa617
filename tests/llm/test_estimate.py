import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.llm.estimate import NOTHING, Estimate, cost, estimate, in_words, tokens_of
from hallmark.llm.interface import ModelSpec, Request, User

PRICED = ModelSpec(
    name="p", id="p", max_tokens=1000, input_price=2.0, output_price=10.0, priced="2026-01-01"
)
FREE = ModelSpec(name="f", id="f", max_tokens=50)


def question(text: str = "x" * 3500, system: str = "") -> Request:
    return Request(messages=(User(text),), system=system)


def test_a_token_is_three_and_a_half_bytes() -> None:
    assert tokens_of("x" * 35) == 10
    assert tokens_of("é" * 35) == 20
    assert tokens_of("") == 0


def test_an_estimate_lies_between_short_answers_and_full_limits() -> None:
    found = estimate([question(), question(system="y" * 350)], PRICED)
    assert (found.calls, found.input_tokens) == (2, 2100 + 4 * 8)
    assert (found.output_least, found.output_most) == (200, 2000)
    assert found.cost_least == pytest.approx((2 * 2132 + 10 * 200) / 1e6)
    assert found.cost_most == pytest.approx((2 * 2132 + 10 * 2000) / 1e6)


def test_a_limit_below_a_short_answer_bounds_both_ends() -> None:
    found = estimate([question()], FREE)
    assert (found.output_least, found.output_most) == (50, 50)


def test_an_unknown_price_is_said_and_not_guessed() -> None:
    found = estimate([question()], FREE)
    assert cost(FREE, 1, 1) is None
    assert in_words(found).endswith("price unknown")
    assert in_words(estimate([question()], PRICED)).endswith("(prices of 2026-01-01)")


estimates = st.builds(
    Estimate,
    calls=st.integers(0, 9),
    input_tokens=st.integers(0, 9),
    output_least=st.integers(0, 9),
    output_most=st.integers(0, 9),
    cost_least=st.none() | st.integers(0, 9).map(float),
    cost_most=st.none() | st.integers(0, 9).map(float),
)


@given(estimates, estimates)
def test_estimates_add_up_in_any_order(one: Estimate, other: Estimate) -> None:
    assert one + other == other + one
    assert one + NOTHING == one


def test_sums_below_a_cent_are_told_more_finely() -> None:
    small = Estimate(
        calls=1, input_tokens=1, output_least=1, output_most=1, cost_least=0.0004, cost_most=0.003
    )
    assert "US$ 0.0004 to 0.0030" in in_words(small)
    assert "US$ 0.00 to 0.00" in in_words(NOTHING)
