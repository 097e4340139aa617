"""What a model's vote is worth: fitted numbers, and where there is none, nothing."""

import math
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.assist.weights import (
    EMPTY,
    LARGEST,
    STRONGEST,
    Cell,
    Counts,
    Era,
    Fitted,
    Group,
    Table,
    era_of,
    fit,
    group_of,
    is_month,
    is_past,
    load_table,
    read_table,
    weigh,
)
from hallmark.errors import InputError
from hallmark.records.opinion import Stance, Vote
from hallmark.records.reference import Kind
from tests.judge.evidence import reference

GOOD = Counts(flagged_bad=80, accepted_bad=20, flagged_good=10, accepted_good=90)
counts = st.builds(Counts, **{name: st.integers(0, 500) for name in Counts.__struct_fields__})
months = st.builds("{:04d}-{:02d}".format, st.integers(1990, 2030), st.integers(1, 12))


def table(*cells: Cell, prompt: str = "p", cutoff: str = "2024-09") -> Table:
    row = Fitted(model="m", prompt=prompt, cutoff=cutoff, disclosed=True, cells=cells)
    return Table(models=(row,))


def vote(stance: Stance = Stance.HALLUCINATED, *, model: str = "m", prompt: str = "p") -> Vote:
    return Vote(model=model, prompt=prompt, stance=stance)


NEGATIVE = msgspec.json.encode(
    {"models": [{"model": "m", "cells": [{"group": "paper", "era": "past", "flags": -1,
                                         "accepts": 0, "counts": {}}]}]}
)  # fmt: skip
KNOWN = fit([(Group.PAPER, Era.KNOWN, GOOD)])


def test_a_vote_weighs_what_was_fitted_for_its_side() -> None:
    held = table(*KNOWN)
    assert weigh(vote(), reference(), held).weight == KNOWN[0].flags > 1.0
    assert weigh(vote(Stance.VALID), reference(), held).weight == KNOWN[0].accepts < -0.5
    assert weigh(vote(Stance.UNSURE), reference(), held).weight == 0.0


@pytest.mark.parametrize(
    ("given_vote", "told"),
    [
        (vote(model="another"), "no weight was fitted for another"),
        (vote(prompt="changed"), "was fitted for another prompt"),
        (vote(Stance.FAILED), "an answer that cannot be read weighs nothing"),
    ],
)
def test_without_a_fitted_weight_a_vote_weighs_nothing_and_says_why(
    given_vote: Vote, told: str
) -> None:
    weighed = weigh(given_vote, reference(), table(*KNOWN))
    assert weighed.weight is None
    assert told in weighed.why


def test_an_empty_table_weighs_nothing() -> None:
    assert weigh(vote(), reference(), EMPTY).weight is None


@pytest.mark.parametrize("year", [2024, 2025, 2031, None])
def test_past_its_cutoff_a_model_is_weighed_by_what_it_did_there(year: int | None) -> None:
    weighed = weigh(vote(), reference(year=year), table(*KNOWN))
    assert weighed.weight is None
    assert "past its cutoff" in weighed.why
    past = fit([(Group.PAPER, Era.KNOWN, GOOD), (Group.PAPER, Era.PAST, GOOD)])
    assert weigh(vote(), reference(year=year), table(*past)).weight == past[1].flags


def test_a_kind_that_it_was_not_tried_on_is_not_weighed() -> None:
    assert weigh(vote(), reference(kind=Kind.BOOK), table(*KNOWN)).weight is None


def test_a_model_of_unknown_cutoff_has_read_nothing() -> None:
    assert weigh(vote(), reference(year=1990), table(*KNOWN, cutoff="")).weight is None


@pytest.mark.parametrize(
    ("year", "cutoff", "disclosed", "era"),
    [
        (2023, "2024-09", True, Era.KNOWN),
        (2024, "2024-09", True, Era.PAST),
        (2023, "2024-06", True, Era.KNOWN),
        (2023, "2024-05", True, Era.PAST),
        (2023, "2024-09", False, Era.PAST),
        (2022, "2024-09", False, Era.KNOWN),
    ],
)
def test_what_appeared_in_the_last_months_before_a_cutoff_counts_as_unread(
    year: int, cutoff: str, disclosed: bool, era: Era
) -> None:
    assert era_of(year, cutoff, disclosed=disclosed) is era


@given(year=st.integers(1900, 2100), cutoff=months, disclosed=st.booleans())
def test_nothing_is_both_surely_read_and_surely_unread(
    year: int, cutoff: str, disclosed: bool
) -> None:
    assert not (is_past(year, cutoff) and era_of(year, cutoff, disclosed=disclosed) is Era.KNOWN)


@given(known=counts, past=counts)
def test_weights_obey_their_laws_whatever_was_counted(known: Counts, past: Counts) -> None:
    cells = fit([(Group.PAPER, Era.KNOWN, known), (Group.PAPER, Era.PAST, past)])
    by_era = {cell.era: cell for cell in cells}
    assert all(0.0 <= cell.flags <= STRONGEST for cell in cells)
    assert all(-STRONGEST <= cell.accepts <= 0.0 for cell in cells)
    if Era.PAST in by_era:
        first = by_era.get(Era.KNOWN)
        assert by_era[Era.PAST].flags <= (first.flags if first else 0.0)
        assert by_era[Era.PAST].accepts >= (first.accepts if first else 0.0)


@given(counts, st.integers(2, 20))
def test_more_of_the_same_counts_never_weigh_less(one: Counts, times: int) -> None:
    more = Counts(**{name: value * times for name, value in msgspec.structs.asdict(one).items()})
    (a,), (b,) = (fit([(Group.PAPER, Era.KNOWN, each)]) or ((None,)) for each in (one, more))
    if a is not None and b is not None:
        assert b.flags >= a.flags - 1e-9
        assert b.accepts <= a.accepts + 1e-9


def test_a_weight_is_less_than_the_ratio_that_was_seen() -> None:
    seen = math.log(0.8 / 0.1)
    few = fit([(Group.PAPER, Era.KNOWN, Counts(flagged_bad=8, accepted_bad=2, flagged_good=1,
                                               accepted_good=9))])  # fmt: skip
    assert 0.0 < few[0].flags < KNOWN[0].flags < seen


def test_a_model_that_flags_all_alike_weighs_nothing() -> None:
    alike = Counts(flagged_bad=90, accepted_bad=10, flagged_good=90, accepted_good=10)
    assert [(one.flags, one.accepts) for one in fit([(Group.PAPER, Era.KNOWN, alike)])] == [(0, 0)]


def test_entries_of_one_label_prove_nothing() -> None:
    assert fit([(Group.PAPER, Era.KNOWN, Counts(flagged_bad=50))]) == ()


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    path.write_bytes(msgspec.json.encode(table(*KNOWN)))
    assert load_table(path) == table(*KNOWN)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "is no table of weights"),
        (b"\xff", "is no table of weights"),
        (b"[" * 100_000, "is no table of weights"),
        (b"x" * (LARGEST + 1), "larger than"),
        (b'{"format": "other/1"}', "its format is 'other/1'"),
        (b'{"models": [{"model": "m", "cells": [], "cutoff": "soon"}]}', "is no month"),
        (b'{"models": [{"model": "m", "cells": []}, {"model": "m", "cells": []}]}', "two rows"),
        (NEGATIVE, "is no table of weights"),
    ],
)
def test_a_table_that_cannot_be_used_says_why_and_how_to_make_one(text: bytes, told: str) -> None:
    with pytest.raises(InputError, match="study llm-weights") as problem:
        read_table(text, "w.json")
    assert told in str(problem.value)


def test_a_table_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_table(tmp_path / "none.json")


@pytest.mark.parametrize("text", ["2024-13", "2024-00", "24-01", "2024", "2024-1", "２０２４-01"])
def test_what_is_no_month_is_known(text: str) -> None:
    assert not is_month(text)
    assert is_month("2024-01")


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_reference_has_a_group(kind: Kind) -> None:
    assert group_of(reference(kind=kind)) in Group


def test_weights_without_a_cutoff_say_so_and_speak_of_none() -> None:
    why = weigh(vote(), reference(year=2019), table(cutoff="")).why
    assert "no cutoff of m" in why
    assert "--cutoff YYYY-MM" in why
    assert "past its cutoff" not in why
