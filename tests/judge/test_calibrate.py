"""Is a model file read safely, and is a probability one?"""

import json
import math
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.errors import InputError
from hallmark.judge.calibrate import (
    FLOOR,
    FORMAT,
    Calibration,
    Model,
    Weight,
    at_prevalence,
    bounds,
    packaged,
    read_model,
)
from hallmark.judge.patterns import ATOMS, Direction

names = [atom.name for atom in ATOMS]
patterns = st.frozensets(st.sampled_from(names))
TARGET = 0.02
"""The calibration error that is aimed at."""
shares = st.floats(0.001, 0.999)
models = st.builds(
    lambda intercept, weights: Model(
        prevalence=0.5,
        intercept=intercept,
        atoms=tuple(
            Weight(atom.name, low + share * (high - low))
            for atom, share in zip(ATOMS, weights, strict=True)
            for low, high in [bounds(atom)]
        ),
    ),
    st.floats(-5, 5),
    st.lists(st.floats(0, 1), min_size=len(ATOMS), max_size=len(ATOMS)),
)


def a_file(**changes: Any) -> bytes:
    atoms = [{"atom": "not-explained", "weight": 3.0}, {"atom": "charged", "weight": 2.0}]
    row = {"format": FORMAT, "prevalence": 0.5, "intercept": -2.0, "atoms": atoms}
    return json.dumps({**row, **changes}).encode()


@given(models, patterns)
def test_a_probability_lies_strictly_between_0_and_1(model: Model, pattern: frozenset[str]) -> None:
    chance = Calibration(model).probability(pattern)
    assert FLOOR <= chance <= 1 - FLOOR
    assert chance == Calibration(model).probability(pattern)


@given(models, patterns, st.sampled_from(ATOMS))
def test_an_atom_moves_the_probability_its_own_way_in_every_model(
    model: Model, pattern: frozenset[str], atom: Any
) -> None:
    calibration = Calibration(model)
    without, having = (
        calibration.probability(pattern - {atom.name}),
        calibration.probability(pattern | {atom.name}),
    )
    if atom.direction is Direction.AGAINST:
        assert having >= without
    else:
        assert having <= without


@given(
    st.frozensets(
        st.sampled_from([n for n in names if not n.startswith(("decisive", "charged", "not-"))])
    )
)
def test_verified_is_below_unresolved_and_that_below_contradicted(rest: frozenset[str]) -> None:
    chance = packaged().probability
    verified, unresolved = chance(rest), chance(rest | {"not-explained"})
    contradicted = chance(rest | {"not-explained", "charged"})
    assert verified < unresolved < contradicted


def test_the_packaged_model_tells_what_it_was_fitted_on() -> None:
    model = packaged().model
    assert model.format == FORMAT
    assert {one.name for one in model.data} == {"dev_public", "generated"}
    assert all(len(one.sha256) == 64 for one in model.data)
    assert all(len(one.conditions) == len(one.weight) for one in model.data)
    assert [one.atom for one in model.atoms] == names
    assert model.fitted
    assert model.figures


def test_the_packaged_model_meets_its_targets_on_entries_that_it_has_not_seen() -> None:
    told = {one.of: one for one in packaged().model.figures}
    for kind in ("all", "committed"):
        for name in (
            f"dev_public, whole index, {kind} entries, cross-fitted",
            f"temporal_supplement, whole index, {kind} entries, not trained on",
        ):
            for error in (told[name].ece, told[name].ece_equal_mass):
                assert error is not None
                assert error <= TARGET


def test_a_written_model_is_read_as_it_was() -> None:
    model = packaged().model
    assert read_model(msgspec.json.encode(model), "m") == model


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "no calibration model"),
        (b"{", "no calibration model"),
        (b"\xff\xfe", "no calibration model"),
        (b"[" * 100_000, "no calibration model"),
        (b"[]", "no calibration model"),
        (a_file(format="hallmark-calibration/9"), "hallmark-calibration/9"),
        (a_file(unknown=1), "unknown"),
        (a_file(prevalence=0.0), "prevalence"),
        (a_file(prevalence=1.0), "prevalence"),
        (a_file(intercept=99.0), "intercept"),
        (a_file(intercept=1e400), "no calibration model"),
        (a_file(atoms=[]), "no weight for 'charged'"),
        (a_file(atoms=[{"atom": "luck", "weight": 1.0}]), "no such atom"),
        (a_file(atoms=[{"atom": "charged", "weight": -1.0}]), "between 0.05"),
        (a_file(atoms=[{"atom": "confirmed", "weight": 1.0}]), "between -12 and 0"),
        (a_file(atoms=[{"atom": "charged", "weight": 1.0}] * 2), "twice"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_one_message(text: bytes, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_model(text, "mine.json")
    message = str(caught.value)
    assert said in message
    assert message.startswith("mine.json ")
    assert "hallmark calibrate" in message


@given(shares, shares, shares)
def test_moving_to_another_prevalence_keeps_the_odds_of_the_evidence(
    p: float, there: float, here: float
) -> None:
    moved = at_prevalence(p, there, here)
    assert 0 < moved < 1
    assert at_prevalence(moved, here, there) == pytest.approx(p)
    assert (moved >= p - 1e-12) if there >= here else (moved <= p + 1e-12)


def test_at_the_prevalence_of_the_training_data_nothing_moves() -> None:
    assert at_prevalence(0.9, 0.5, 0.5) == pytest.approx(0.9)
    model = packaged()
    assert model.at_prevalence(0.7, model.model.prevalence) == pytest.approx(0.7)


def test_a_likelihood_ratio_of_49_at_2_percent_is_an_even_chance() -> None:
    assert at_prevalence(0.98, 0.02, 0.5) == pytest.approx(0.5)


@given(shares, st.floats(0, 1), st.floats(0, 1))
def test_less_coverage_never_raises_a_probability(p: float, one: float, other: float) -> None:
    less, more = sorted((one, other))
    model = packaged()
    assert model.at_coverage(p, less) <= model.at_coverage(p, more) + 1e-12
    assert model.at_coverage(p, 1.0) == pytest.approx(p)
    assert model.at_coverage(p, 0.0) <= max(p, model.model.prevalence)


@pytest.mark.parametrize("prevalence", [0.0, 1.0, -0.1, 2.0, math.nan])
def test_a_prevalence_is_a_share(prevalence: float) -> None:
    with pytest.raises(InputError, match="prevalence"):
        at_prevalence(0.5, prevalence, 0.5)
