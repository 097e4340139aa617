"""Do the groups hold every entry once, and the rates of their members?"""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.align import Stance, align
from hallmark.bench.entry import Label
from hallmark.bench.measures import evaluate
from hallmark.bench.measures.effort import effort
from hallmark.bench.measures.groups import by, chronological, segments, sources, tiers, years
from hallmark.bench.measures.weighed import running, sums_up_to
from tests.bench.made import any_rows, gold, pairs_of, said


@given(any_rows, st.sampled_from(Stance))
def test_a_group_has_the_rates_of_its_entries(rows: Any, stance: Stance) -> None:
    pairs = pairs_of(rows)
    for name, group in by(pairs.type, pairs, [stance]).items():
        alone = evaluate(pairs.select(pairs.type == name), stance, ["detection_rate"])
        assert group.stances[stance]["detection_rate"].value == alone["detection_rate"]
        assert group.n == int((pairs.type == name).sum())


@given(any_rows)
def test_tiers_hold_all_hallucinated_entries(rows: Any) -> None:
    pairs = pairs_of(rows)
    groups = by(tiers(pairs), pairs, [Stance.CONSERVATIVE])
    assert sum(group.n for group in groups.values()) == int(pairs.truth.sum())


def test_segments_follow_the_stated_year_in_the_order_of_time() -> None:
    stated = ["2025", "2022", "2023", "2024", "soon"]
    entries = [gold(f"k{i}", fields={"year": year}) for i, year in enumerate(stated)]
    pairs = align(entries, [said(entry.bibtex_key, Label.VALID) for entry in entries])
    groups = chronological(by(segments(pairs), pairs, [Stance.CONSERVATIVE]))
    assert {name: group.n for name, group in groups.items()} == {
        "pre-2023": 1,
        "2023-2024": 2,
        "2025+": 1,
    }
    assert list(groups) == ["pre-2023", "2023-2024", "2025+"]
    assert sorted(by(years(pairs), pairs, [Stance.CONSERVATIVE])) == [
        "2022",
        "2023",
        "2024",
        "2025",
    ]


def test_the_source_is_the_entrys_own_or_its_conference() -> None:
    entries = [gold("a", source="dblp"), gold("b", source_conference="ICML"), gold("c")]
    pairs = align(entries, [said(key, Label.VALID) for key in "abc"])
    assert sources(pairs).tolist() == ["dblp", "ICML", ""]


def test_effort_counts_stated_values_only() -> None:
    answers = [said("a", Label.VALID, seconds=2.0, calls=1), said("b", Label.VALID, seconds=4.0)]
    found = effort(align([gold("a"), gold("b")], answers))
    assert (found.seconds.n, found.seconds.mean, found.seconds.median) == (2, 3.0, 3.0)
    assert (found.calls.n, found.cost.mean) == (1, None)
    assert found.entries_per_second == pytest.approx(1 / 3)


counts = st.integers(1, 200).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=n, max_size=n)
)


@given(counts)
def test_running_sums_are_those_of_numpy(rows: list[list[int]]) -> None:
    values = np.array(rows, dtype=np.float64)
    assert np.array_equal(running(values), np.cumsum(values, axis=0))


@given(counts, st.lists(st.floats(0, 1), min_size=1, max_size=4))
def test_sums_up_to_a_mass_divide_the_level_it_ends_in(
    rows: list[list[int]], shares: list[float]
) -> None:
    mass = np.array(rows, dtype=np.float64)
    values = mass * np.linspace(-1, 1, len(mass))[:, None]
    ends = np.rint(np.array(shares)[:, None] * mass.sum(axis=0))
    (found,) = sums_up_to(mass, [values], ends)
    zero = np.zeros((1, mass.shape[1]))
    upto = np.concatenate([zero, np.cumsum(mass, axis=0)])
    sums = np.concatenate([zero, np.cumsum(values, axis=0)])
    for column in range(mass.shape[1]):
        expected = np.interp(ends[:, column], upto[:, column], sums[:, column])
        assert found[:, column] == pytest.approx(expected, abs=1e-9)
