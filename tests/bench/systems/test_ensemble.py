from collections.abc import Callable
from pathlib import Path

import pytest

from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.bench.systems.ensemble import any_vote, k_of_n, majority, weighted
from hallmark.bench.systems.interface import System
from hallmark.bench.systems.replay import replay
from hallmark.errors import AlignmentError, InputError

Write = Callable[..., Path]
KEYS = [BlindEntry(key) for key in ("hhh", "hhv", "hvv", "vvv", "huu", "uuu", "eee")]


@pytest.fixture
def members(prediction_file: Write) -> list[Path]:
    labels = {
        "h": ("HALLUCINATED", 0.9),
        "v": ("VALID", 0.8),
        "u": ("UNCERTAIN", 0.5),
        "e": ("ERROR", 0.0),
    }
    return [
        prediction_file(f"{i}.jsonl", *((e.bibtex_key, *labels[e.bibtex_key[i]]) for e in KEYS))
        for i in range(3)
    ]


def labels_of(system: System) -> str:
    return "".join(row.label[0] for row in system.predict(KEYS))


def test_each_rule_counts_the_votes_in_its_way(members: list[Path]) -> None:
    assert labels_of(any_vote(members)) == "HHHVHUE"
    assert labels_of(majority(members)) == "HHVVVUE"
    assert labels_of(k_of_n(members, 3)) == "HVVVVUE"
    assert labels_of(weighted(members, [1, 1, 1])) == "HHVVHUE"
    assert labels_of(weighted(members, [5, 1, 1])) == "HHHVHUE"
    assert labels_of(weighted(members, [1, 1, 1], threshold=0.7)) == "HVVVHUE"


def test_asking_for_more_votes_never_flags_more(members: list[Path]) -> None:
    flagged = [
        {
            row.bibtex_key
            for row in k_of_n(members, k).predict(KEYS)
            if row.label is Label.HALLUCINATED
        }
        for k in (1, 2, 3)
    ]
    assert flagged[0] >= flagged[1] >= flagged[2]


def test_the_confidence_is_the_members_mean(members: list[Path]) -> None:
    row = next(iter(majority(members).predict([BlindEntry("hhv")])))
    assert row.p_hallucinated == pytest.approx((0.9 + 0.9 + 0.2) / 3)


def test_a_confidence_is_that_in_the_label_given_and_never_below_an_even_chance(
    members: list[Path],
) -> None:
    for system in (any_vote(members), majority(members), k_of_n(members, 3)):
        for row in system.predict(KEYS):
            if row.label in (Label.VALID, Label.HALLUCINATED):
                assert row.confidence >= 0.5
    (row,) = any_vote(members).predict([BlindEntry("hvv")])
    assert (row.label, row.confidence) == (Label.HALLUCINATED, 0.5)
    assert row.extra["mean_probability"] == pytest.approx((0.9 + 0.2 + 0.2) / 3)


def test_an_entry_that_a_member_lacks_is_an_error_unless_it_may_be_silent(
    prediction_file: Write,
) -> None:
    whole = prediction_file("whole.jsonl", ("a", "HALLUCINATED", 0.9), ("b", "HALLUCINATED", 0.9))
    part = prediction_file("part.jsonl", ("a", "HALLUCINATED", 0.8))
    asked = [BlindEntry("a"), BlindEntry("b"), BlindEntry("c")]
    rows = list(any_vote([whole, part]).predict(asked))
    assert [row.label[0] for row in rows] == ["H", "E", "E"]
    assert rows[1].reason == "no row for this key in part.jsonl"
    silent = list(any_vote([whole, part], absent="no-vote").predict(asked))
    assert [row.label[0] for row in silent] == ["H", "H", "E"]
    with pytest.raises(InputError, match="absent is 'maybe'; give error or no-vote"):
        any_vote([whole], absent="maybe")


def test_one_member_with_all_the_weight_is_the_ensemble(members: list[Path]) -> None:
    alone = list(replay(members[1]).predict(KEYS[:4]))
    assert [row.label for row in weighted(members, [0, 1, 0]).predict(KEYS[:4])] == [
        row.label for row in alone
    ]


def test_members_weights_and_numbers_that_do_not_fit_are_refused(members: list[Path]) -> None:
    faults: list[Callable[[], System]] = [
        lambda: any_vote([]),
        lambda: k_of_n(members, 4),
        lambda: k_of_n(members, 0),
        lambda: weighted(members, [1, 1]),
        lambda: weighted(members, [0, 0, 0]),
        lambda: weighted(members, [1, -1, 1]),
        lambda: weighted(members, [1, 1, float("nan")]),
        lambda: weighted(members, [1, 1, 1], threshold=1.0),
    ]
    for faulty in faults:
        with pytest.raises(InputError):
            faulty()


def test_a_key_without_a_row_is_a_failure_not_a_verdict(prediction_file: Write) -> None:
    file = prediction_file("p.jsonl", ("a", "VALID", 1.0))
    rows = list(replay(file).predict([BlindEntry("a"), BlindEntry("b")]))
    assert [row.label for row in rows] == [Label.VALID, Label.ERROR]


def test_repeated_keys_must_be_settled_by_the_user(prediction_file: Write) -> None:
    file = prediction_file("p.jsonl", ("a", "VALID", 1.0), ("a", "HALLUCINATED", 0.7))

    def said(repeated: str) -> Prediction:
        return next(iter(replay(file, repeated=repeated).predict([BlindEntry("a")])))

    with pytest.raises(AlignmentError, match="several rows for 1 keys: a"):
        said("error")
    assert said("first").label is Label.VALID
    assert said("last").label is Label.HALLUCINATED
