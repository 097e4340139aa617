"""Absences are believed as long as their share could be chance."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.online.health import CHANCE, Health, is_unusual
from hallmark.records.answer import Absent, Found, Registered, Unavailable
from hallmark.sources.interface import Way
from tests.online.scripted import version

ABSENT = Absent(("title",))
FOUND = Found((version(),), ("title",))


@given(st.integers(1, 60), st.integers(0, 60), st.sampled_from([0.2, 0.5, 0.7]))
def test_the_bound_is_the_tail_of_the_binomial_distribution(
    answered: int, absent: int, usual: float
) -> None:
    absent = min(absent, answered)
    tail = sum(
        comb(answered, n) * usual**n * (1 - usual) ** (answered - n)
        for n in range(absent, answered + 1)
    )
    assert (
        is_unusual(absent, answered, usual) == (absent > usual * answered and tail < CHANCE)
        or abs(tail - CHANCE) < 1e-12
    )


def test_some_absences_are_usual_and_nothing_else_is_not() -> None:
    assert not is_unusual(14, 20, 0.7)
    assert not is_unusual(10, 10, 0.7)
    assert is_unusual(20, 20, 0.7)
    assert not is_unusual(0, 0, 0.7)


def test_a_source_is_suspected_once_for_the_same_answers() -> None:
    health = Health()
    for _ in range(30):
        health.observe("crossref", Way.TITLE, ABSENT)
    assert health.is_suspicious("crossref", Way.TITLE)
    assert not health.is_suspicious("crossref", Way.TITLE)
    assert not health.is_suspicious("openalex", Way.TITLE)


@pytest.mark.parametrize("answer", [FOUND, Registered("Crossref"), Unavailable("down")])
def test_only_absences_of_a_doubted_source_are_withheld(answer: Found) -> None:
    health = Health()
    health.probed("crossref", ABSENT)
    assert isinstance(health.doubted("crossref", ABSENT), Unavailable)
    assert health.doubted("crossref", answer) is answer
    assert health.doubted("openalex", ABSENT) is ABSENT


def test_a_probe_that_succeeds_ends_the_doubt_and_one_that_fails_changes_nothing() -> None:
    health = Health()
    health.probed("crossref", ABSENT)
    health.probed("crossref", Unavailable("down"))
    assert health.doubts()
    health.probed("crossref", FOUND)
    assert not health.doubts()


def test_questions_that_were_not_put_are_not_counted() -> None:
    health = Health()
    health.observe("crossref", Way.DOI, Absent(()))
    assert health.counts["crossref", Way.DOI].answered == 0
