"""Is each planted leak found, and is clean data left alone?"""

import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from hallmark.bench.audit import Leak, audit_file, audit_folder
from hallmark.bench.audit.leak import LIMITS
from hallmark.bench.audit.marks import mark_leaks
from hallmark.bench.audit.overlap import key_leaks, twin_leaks
from hallmark.bench.audit.shortcut import detectable_gain, shortcut_leaks
from hallmark.bench.dataset import Split, load_split
from hallmark.errors import InputError
from tests.bench.made import write
from tests.bench.rows import gold_row

Row = dict[str, Any]
PARTS: dict[str, Callable[[Split], Iterator[Leak]]] = {
    "twins": twin_leaks,
    "key-collision": key_leaks,
    "metadata-regression": shortcut_leaks,
    "metadata-trees": shortcut_leaks,
}
N = 200


def clean_rows(seed: int = 3, n: int = N) -> list[Row]:
    """Return rows whose form is drawn without a look at the label."""
    dice = random.Random(seed)
    rows = []
    for i in range(n):
        fields = {
            "title": f"Study {seed}-{i} of {dice.choice(['graphs', 'languages', 'images'])}",
            "author": " and ".join(["Ada Lovelace", "Alan Turing"][: dice.randint(1, 2)]),
            "year": str(dice.randint(2019, 2023)),
            "booktitle": dice.choice(["ICML", "ACL"]),
        }
        if dice.random() < 0.5:
            fields["doi"] = f"10.1145/{i}"
        key = f"{dice.choice('abc123')}{dice.getrandbits(40):010x}"
        more: Row = {"fields": fields, "bibtex_type": "inproceedings"}
        if dice.random() < 0.5:
            more |= {"label": "HALLUCINATED", "hallucination_type": "wrong_venue"}
        rows.append(gold_row(key, **more))
    return rows


def is_bad(row: Row) -> bool:
    return bool(row["label"] == "HALLUCINATED")


def leaks(found: list[Leak]) -> set[str]:
    return {one.check for one in found if not one.note}


def audit(folder: Path, rows: list[Row]) -> list[Leak]:
    return list(audit_file(write(folder / "gold.jsonl", rows)))


@pytest.mark.parametrize("seed", range(3))
def test_clean_data_is_left_alone(tmp_path: Path, seed: int) -> None:
    assert leaks(audit(tmp_path, clean_rows(seed))) == set()


def test_few_entries_are_no_ground_for_an_alarm(tmp_path: Path) -> None:
    rows = [gold_row(f"k{i}", fields={"title": f"t{i}"}) for i in range(4)]
    rows += [gold_row(f"9{i}", label="HALLUCINATED", fields={"title": f"u{i}"}) for i in range(4)]
    assert leaks(audit(tmp_path, rows)) == set()


def key_shape(rows: list[Row]) -> None:
    for row in rows:
        row["bibtex_key"] = f"{'7' if is_bad(row) else 'x'}{row['bibtex_key']}"


def field_order(rows: list[Row]) -> None:
    for row in filter(is_bad, rows):
        row["fields"] = {"author": row["fields"].pop("author"), **row["fields"]}


def field_presence(rows: list[Row]) -> None:
    for row in filter(is_bad, rows):
        row["fields"]["note"] = "seen"


def year_range(rows: list[Row]) -> None:
    for row in [row for row in rows if is_bad(row)][:40]:
        row["fields"]["year"] = "1999"


def scattered_years(rows: list[Row]) -> None:
    for i, row in enumerate([row for row in rows if is_bad(row)][:30]):
        row["fields"]["year"] = str(1950 + i)


def entry_type(rows: list[Row]) -> None:
    for row in [row for row in rows if is_bad(row)][:60]:
        row["bibtex_type"] = "article"


def twins(rows: list[Row]) -> None:
    for one, other in zip(rows[:40:2], rows[1:40:2], strict=True):
        other["fields"]["title"] = one["fields"]["title"].upper()


def key_collision(rows: list[Row]) -> None:
    rows[1]["bibtex_key"] = rows[0]["bibtex_key"]


def long_titles(rows: list[Row]) -> None:
    for row in filter(is_bad, rows):
        row["fields"]["title"] += " revisited at length"


def only_together(rows: list[Row]) -> None:
    """Give the year and the DOI away together: neither tells anything alone."""
    for i, row in enumerate(rows):
        with_doi = bool(i % 2)
        row["fields"].pop("doi", None)
        row["fields"] |= {"doi": f"10.1145/{i}"} if with_doi else {}
        row["fields"]["year"] = "2020" if is_bad(row) == with_doi else "2023"


@pytest.mark.parametrize(
    ("plant", "check"),
    [
        (key_shape, "key-shape"),
        (field_order, "field-order"),
        (field_presence, "field-presence"),
        (year_range, "year-range"),
        (scattered_years, "year-range"),
        (entry_type, "entry-type"),
        (twins, "twins"),
        (key_collision, "key-collision"),
        (long_titles, "metadata-regression"),
        (long_titles, "metadata-trees"),
        (only_together, "metadata-trees"),
    ],
)
def test_a_planted_leak_is_found(
    tmp_path: Path, plant: Callable[[list[Row]], None], check: str
) -> None:
    rows = clean_rows()
    plant(rows)
    split = load_split(write(tmp_path / "gold.jsonl", rows))
    found = PARTS.get(check, mark_leaks)(split)
    assert check in leaks(list(found))


def test_what_marks_tell_together_alone_is_for_the_trees(tmp_path: Path) -> None:
    rows = clean_rows()
    only_together(rows)
    found = list(shortcut_leaks(load_split(write(tmp_path / "gold.jsonl", rows))))
    assert leaks(found) == {"metadata-trees"}


def test_accuracies_come_with_their_sampling_error(tmp_path: Path) -> None:
    found = list(shortcut_leaks(load_split(write(tmp_path / "gold.jsonl", clean_rows()))))
    assert {one.check for one in found} == {"metadata-regression", "metadata-trees"}
    for one in found:
        error = one.figures["sampling_error"]
        assert isinstance(error, float)
        assert 0.05 < error < 0.075
        assert f"± {error:.1%}" in one.message


def test_marks_that_no_valid_entry_bears_are_scored_together(tmp_path: Path) -> None:
    rows = clean_rows()
    key_shape(rows)
    split = load_split(write(tmp_path / "gold.jsonl", rows))
    (found,) = [one for one in mark_leaks(split) if one.check == "marks-together"]
    assert found.figures["detection_rate"] == 1.0


def test_future_dates_show_by_design_and_are_only_noted(tmp_path: Path) -> None:
    rows = clean_rows()
    for row in [row for row in rows if is_bad(row)][:40]:
        row["fields"]["year"] = "2050"
        row["hallucination_type"] = "future_date"
    found = audit(tmp_path, rows)
    assert leaks(found) == set()
    assert any(one.note and one.check == "year-range" for one in found)


def test_titles_and_keys_shared_between_splits_are_found(tmp_path: Path) -> None:
    first, second = clean_rows(1), clean_rows(2)
    second[0]["fields"]["title"] = first[0]["fields"]["title"]
    second[1]["bibtex_key"] = first[1]["bibtex_key"]
    write(tmp_path / "one.jsonl", first)
    write(tmp_path / "two.jsonl", second)
    found = list(audit_folder(tmp_path))
    assert leaks(found) == {"shared-titles", "key-collision"}


def test_a_sample_of_a_split_is_noted_not_flagged(tmp_path: Path) -> None:
    rows = clean_rows()
    write(tmp_path / "all.jsonl", rows)
    write(tmp_path / "some.jsonl", rows[:80])
    found = list(audit_folder(tmp_path))
    assert leaks(found) == set()
    assert any("is a sample of" in one.message for one in found)


def test_truth_in_a_blind_file_is_found(tmp_path: Path) -> None:
    rows = [{"bibtex_key": "a", "fields": {"title": "t", "url": "u"}, "difficulty_tier": 1}]
    found = list(audit_file(write(tmp_path / "blind.jsonl", rows)))
    assert {one.message for one in found} == {
        "1 blind entries show `fields.url`",
        "1 blind entries show `difficulty_tier`",
    }


def answers(folder: Path, *reasons: tuple[str, str]) -> Path:
    rows = [
        {"bibtex_key": key, "label": "VALID", "confidence": 1.0, "reason": reason}
        for key, reason in reasons
    ]
    return write(folder / "answers.jsonl", rows)


def test_a_canary_in_an_answer_to_another_entry_is_found(tmp_path: Path) -> None:
    token = "CANARY-7f3a-hallmark-9b1c"
    fields = {"title": f"On {token}", "author": "A B", "year": "2021", "booktitle": "ICML"}
    rows = [*clean_rows(), gold_row("canary1", generation_method="canary", fields=fields)]
    gold = write(tmp_path / "gold.jsonl", rows)
    own = answers(tmp_path, ("canary1", f"the title holds {token}"))
    assert leaks(list(audit_file(gold, [own]))) == set()
    other = answers(tmp_path, ("x", f"I recall {token.lower()}"))
    assert leaks(list(audit_file(gold, [other]))) == {"canary"}


def test_tokens_of_the_metadata_and_of_the_user_are_looked_for(tmp_path: Path) -> None:
    write(tmp_path / "gold.jsonl", clean_rows())
    (tmp_path / "metadata.json").write_text(
        '{"canary_strings": {"dev": "3b9aca00-feed-beef"}, "name": "a name of the data"}', "utf-8"
    )
    (tmp_path / "predictions").mkdir()
    answers(tmp_path / "predictions", ("x", "a name of the data"), ("y", "3B9ACA00-FEED-BEEF"))
    (found,) = [one for one in audit_folder(tmp_path) if not one.note]
    assert (found.check, found.message.endswith("line 2")) == ("canary", True)
    assert leaks(list(audit_folder(tmp_path, ["name of the data"]))) == {"canary"}


def test_what_holds_no_entries_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no labelled split"):
        list(audit_folder(tmp_path))
    with pytest.raises(InputError, match="--predictions"):
        list(audit_file(answers(tmp_path, ("a", ""))))


@pytest.mark.shared_data
def test_the_known_leaks_of_the_development_split_are_found(shared: Path) -> None:
    found = list(audit_file(shared / "data" / "hallmark" / "dev_public.jsonl"))
    models = {"metadata-regression", "metadata-trees"}
    assert leaks(found) >= {"key-shape", "field-order", "twins"} | models
    digit = next(one for one in found if "starts with a digit" in one.message)
    assert digit.figures["n"] == 41
    assert digit.figures["share_hallucinated"] == 1.0
    assert next(one for one in found if one.check == "twins").figures["n"] == 570


@pytest.mark.shared_data
def test_the_keys_of_the_temporal_supplement_give_every_label_away(shared: Path) -> None:
    found = list(audit_file(shared / "data" / "hallmark" / "temporal_supplement.jsonl"))
    together = next(one for one in found if one.check == "marks-together")
    assert together.figures["detection_rate"] == 1.0


@given(majority=st.floats(0.5, 0.9), n=st.integers(60, 3000))
def test_the_detectable_gain_is_found_in_four_of_five_cases(majority: float, n: int) -> None:
    gain = detectable_gain(majority, n)
    fewest = max(
        int(binom.isf(LIMITS.alpha, n, majority)) + 1, math.ceil((majority + LIMITS.margin) * n)
    )
    if fewest > n:
        assert gain == pytest.approx(1 - majority)
    else:
        assert binom.sf(fewest - 1, n, majority + gain) == pytest.approx(0.8, abs=1e-6)
        assert gain >= LIMITS.margin


def test_more_entries_show_smaller_gains() -> None:
    gains = [detectable_gain(0.55, n) for n in (100, 200, 400, 1600, 10_000)]
    assert gains == sorted(gains, reverse=True)
    assert gains[0] > 0.14


def test_a_small_split_without_a_finding_is_said_to_prove_little(tmp_path: Path) -> None:
    few, many = (
        [one for one in audit(tmp_path, clean_rows(n=n)) if one.check == "metadata-regression"]
        for n in (120, 1200)
    )
    assert all(one.note and "is no proof that nothing is there" in one.message for one in few)
    assert all("is no proof" not in one.message for one in many)
    assert all(float(one.figures["detectable"]) > 0.1 for one in few)
    assert all(float(one.figures["detectable"]) < 0.07 for one in many)
