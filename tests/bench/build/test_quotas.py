"""Are shares kept to the number, for both labels alike?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.build.quotas import Quotas, portions

shares = st.lists(st.floats(0, 1), min_size=1, max_size=6).map(
    lambda found: {f"n{n}": one / max(sum(found), 1) for n, one in enumerate(found)}
)


@given(shares=shares, count=st.integers(0, 5000))
def test_portions_are_within_one_of_their_share_and_never_more_than_all(
    shares: dict[str, float], count: int
) -> None:
    found = portions(shares, count)
    assert sum(found.values()) <= count
    assert all(abs(found[name] - share * count) <= 1.001 for name, share in shares.items())


def test_a_name_is_admitted_until_its_share_is_taken_and_others_share_the_rest() -> None:
    quotas = Quotas({"book": 0.2, "article": 0.3}, valid=10, hallucinated=20)
    for name, n in (("book", 2), ("article", 3), ("misc", 5)):
        for _ in range(n):
            assert quotas.admits(name, valid=True)
            quotas.take(name, valid=True)
        assert not quotas.admits(name, valid=True)
    assert not quotas.admits("inproceedings", valid=True), "it shares the rest with misc"
    assert quotas.admits("book", valid=False)
    assert quotas.lacking() == "4 hallucinated of book, 6 hallucinated of article"


@pytest.mark.parametrize("name", ["", "book"])
def test_without_shares_all_are_admitted(name: str) -> None:
    quotas = Quotas({}, valid=0, hallucinated=0)
    assert quotas.admits(name, valid=True)
    quotas.take(name, valid=True)
    assert quotas.admits(name, valid=True)
    assert quotas.lacking() == ""
