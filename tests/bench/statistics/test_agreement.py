"""Do agreement, rankings and distributions agree with scikit-learn and SciPy?"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from hallmark.bench.statistics.agreement import (
    cohen_kappa,
    fleiss_kappa,
    ranks,
    spearman,
    stability,
)
from hallmark.bench.statistics.distribution import gini, kolmogorov_smirnov, surface
from hallmark.bench.statistics.ranking import plackett_luce, rank_intervals
from hallmark.errors import InputError
from tests.bench.made import gold

labels = st.sampled_from(["VALID", "HALLUCINATED", "UNCERTAIN"])
ratings = st.lists(st.tuples(labels, labels), min_size=1, max_size=60)


@given(ratings)
def test_cohens_kappa_agrees_with_scikit_learn(rows: list[tuple[str, str]]) -> None:
    first, second = map(list, zip(*rows, strict=True))
    found = cohen_kappa(first, second)
    if len({*first, *second}) == 1:
        assert found is None
    else:
        assert found == pytest.approx(metrics.cohen_kappa_score(first, second))


def test_fleiss_kappa_of_the_published_example() -> None:
    """Fleiss (1971) as tabulated widely: 10 items, 14 raters, 5 categories, kappa 0.210."""
    table = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    assert fleiss_kappa(table) == pytest.approx(0.2099, abs=1e-4)


def test_fleiss_kappa_refuses_unequal_numbers_of_raters() -> None:
    for table in ([[2, 1], [1, 1]], [[1, 0]], [1, 2]):
        with pytest.raises(InputError):
            fleiss_kappa(table)
    assert fleiss_kappa([[2, 0], [2, 0]]) is None


values = st.lists(st.integers(0, 5).map(float), min_size=3, max_size=3)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=30))
def test_spearman_and_ranks_agree_with_scipy(rows: list[tuple[int, int]]) -> None:
    first, second = ([float(x) for x in column] for column in zip(*rows, strict=True))
    assert ranks(first).tolist() == stats.rankdata(first).tolist()
    found = spearman(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(float(stats.spearmanr(first, second).statistic), abs=1e-9)


def test_stability_is_the_mean_over_pairs_of_variants() -> None:
    assert stability([[1, 2, 3], [1, 2, 3], [3, 2, 1]]) == pytest.approx(-1 / 3)
    assert stability([[1, 1], [1, 2]]) is None
    with pytest.raises(InputError):
        stability([[1, 2]])


def test_plackett_luce_orders_tools_that_never_met() -> None:
    found = plackett_luce([["a", "b"], ["b", "c"], ["a", "b"], ["b", "c"]])
    assert found["a"] > found["b"] > found["c"]
    assert sum(found.values()) == pytest.approx(1)


def test_plackett_luce_finds_strengths_that_rankings_were_drawn_from() -> None:
    rng = np.random.default_rng(0)
    true = np.array([0.5, 0.3, 0.15, 0.05])
    names = np.array(list("abcd"))
    rankings = []
    for _ in range(1500):
        some = rng.choice(4, size=3, replace=False)
        noisy = np.log(true[some]) + rng.gumbel(size=3)
        rankings.append(names[some[np.argsort(-noisy)]].tolist())
    found = plackett_luce(rankings)
    assert [found[name] for name in "abcd"] == pytest.approx(true.tolist(), abs=0.04)


def test_a_ranking_of_single_tools_is_refused() -> None:
    with pytest.raises(InputError):
        plackett_luce([["a"], ["b"]])


def test_rank_intervals_are_narrow_for_clear_and_wide_for_close_tools() -> None:
    rng = np.random.default_rng(0)
    means = {"first": 0.9, "near": 0.70, "nearer": 0.705, "last": 0.3}
    draws = {name: rng.normal(mean, 0.02, 2000) for name, mean in means.items()}
    found = rank_intervals(means, draws)
    assert (found["first"].low, found["first"].high) == (1, 1)
    assert (found["near"].rank, found["near"].low, found["near"].high) == (3, 2, 3)
    assert found["last"].rank == 4


samples = st.lists(st.floats(-5, 5), min_size=1, max_size=20)


@given(samples, samples)
def test_kolmogorov_smirnov_is_the_largest_gap_of_the_distributions(
    first: list[float], second: list[float]
) -> None:
    found = kolmogorov_smirnov(first, second)
    grid = [*first, *second]
    gaps = [abs(np.mean(np.array(first) <= x) - np.mean(np.array(second) <= x)) for x in grid]
    assert found.statistic == pytest.approx(max(gaps))
    assert 0 <= found.p <= 1


@given(st.lists(st.floats(0, 10), min_size=1, max_size=12))
def test_gini_is_half_the_relative_mean_difference(shares: list[float]) -> None:
    found = gini(shares)
    if sum(shares) == 0:
        assert found is None
        return
    pairs = [abs(a - b) for a in shares for b in shares]
    assert found == pytest.approx(sum(pairs) / (2 * len(shares) * sum(shares)), abs=1e-9)


def test_impossible_samples_are_refused() -> None:
    for ask in (lambda: kolmogorov_smirnov([], [1.0]), lambda: gini([]), lambda: gini([-1.0])):
        with pytest.raises(InputError):
            ask()
    with pytest.raises(InputError):
        cohen_kappa([], [])
    with pytest.raises(InputError):
        spearman([1, 2], [1, 2, 3])


def test_surface_features_count_title_authors_and_year() -> None:
    entry = gold("a", fields={"title": "Abc", "author": "A B and C D", "year": "2021"})
    assert surface(entry) == {"title_length": 3.0, "author_count": 2.0, "year": 2021.0}
    assert surface(gold("b"))["author_count"] == 0.0
