"""Laws of corrections, over thousands of records that were corrupted in known ways."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from hallmark.cli.mend import State, mend
from hallmark.index import LocalIndex
from hallmark.parse.fields import reference_of
from hallmark.parse.interface import parse_text
from hallmark.records.reference import Location, Reference
from hallmark.records.verdict import Result
from hallmark.verifier import Verifier
from tests.verifier.library import library, record

SYLLABLES = "ba co di fu ge ha ki lo mu ne pa ri so tu ve wa xi yo za".split()
GIVEN = "Ada Bruno Chiara Dmitri Eleni Farid Greta Hugo Ines Jonas Kwame Lucia Mateo".split()
VENUES = ("ICML", "NeurIPS", "CVPR", "ACL", "AAAI")
YEARS = (2019, 2020, 2021, 2022)
WORKS = 400

Row = dict[str, Any]
Corruption = Callable[[dict[str, str], Row, random.Random], None]


def word(rng: random.Random, syllables: int) -> str:
    return "".join(rng.choice(SYLLABLES) for _ in range(syllables)).capitalize()


def works(rng: random.Random) -> list[Row]:
    rows = []
    for number in range(WORKS):
        title = " ".join(word(rng, 3) for _ in range(rng.randint(5, 9)))
        people = rng.sample(GIVEN, rng.randint(2, 6))
        authors = "; ".join(f"{given} {word(rng, 3)}" for given in people)
        venue, year = rng.choice(VENUES), rng.choice(YEARS)
        doi = f"10.1145/{1_000_000 + number}.{2_000_000 + number}"
        rows.append(record(title, authors, venue, year, doi=doi))
    return rows


def fields_of(row: Row) -> dict[str, str]:
    return {
        "title": row["title"],
        "author": " and ".join(row["authors"]),
        "booktitle": row["venue"],
        "year": str(row["year"]),
        "doi": row["doi"],
    }


def change_title(fields: dict[str, str], row: Row, rng: random.Random) -> None:
    words = row["title"].split()
    words[rng.randrange(1, len(words))] = word(rng, 3)
    fields["title"] = " ".join(words)


def swap_author(fields: dict[str, str], row: Row, rng: random.Random) -> None:
    names = list(row["authors"])
    names[rng.randrange(len(names))] = f"Zelda {word(rng, 4)}"
    fields["author"] = " and ".join(names)


def drop_author(fields: dict[str, str], row: Row, rng: random.Random) -> None:
    names = list(row["authors"])
    del names[rng.randrange(len(names))]
    fields["author"] = " and ".join(names)


def invent_authors(fields: dict[str, str], row: Row, rng: random.Random) -> None:
    fields["author"] = f"Zelda {word(rng, 4)} and Yorick {word(rng, 4)}"


def move(fields: dict[str, str], row: Row, rng: random.Random) -> None:
    fields["booktitle"] = rng.choice([one for one in VENUES if one != row["venue"]])


def date_wrongly(fields: dict[str, str], row: Row, rng: random.Random) -> None:
    fields["year"] = str(row["year"] - rng.randint(3, 6))


def date_ahead(fields: dict[str, str], row: Row, rng: random.Random) -> None:
    fields["year"] = "2049"


def break_doi(fields: dict[str, str], row: Row, rng: random.Random) -> None:
    fields["doi"] = f"{row['doi']}9"


def move_and_swap(fields: dict[str, str], row: Row, rng: random.Random) -> None:
    move(fields, row, rng)
    swap_author(fields, row, rng)


CORRUPTIONS: dict[str, Corruption] = {
    one.__name__: one
    for one in (
        change_title,
        swap_author,
        drop_author,
        invent_authors,
        move,
        date_wrongly,
        date_ahead,
        break_doi,
        move_and_swap,
    )
}


class World:
    """An index of works that two collections hold, and a verifier over it."""

    def __init__(self, folder: Path) -> None:
        self.rows = works(random.Random(11))
        self.index: LocalIndex = library(folder, self.rows, self.rows)
        self.verifier = Verifier(self.index)

    def corrupted(self, name: str) -> Iterator[tuple[Row, dict[str, str]]]:
        rng = random.Random(name)
        for row in self.rows:
            fields = fields_of(row)
            CORRUPTIONS[name](fields, row, rng)
            yield row, fields


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("world"))


def reference(fields: dict[str, str]) -> Reference:
    return reference_of("key", "inproceedings", fields, Location("refs.bib", 1))


def changed(fields: dict[str, str], result: Result) -> dict[str, str]:
    assert result.verdict.suggestion is not None
    new = {**fields, **result.verdict.suggestion.fields}
    return {name: value for name, value in new.items() if value}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_suggestion_is_verified_and_restores_the_truth(world: World, name: str) -> None:
    outcomes: Counter[str] = Counter()
    for row, fields in world.corrupted(name):
        result = world.verifier.check_one(reference(fields))
        if result.verdict.suggestion is None:
            outcomes[result.status] += 1
            continue
        corrected = changed(fields, result)
        assert world.verifier.check_one(reference(corrected)).status == "verified", (row, fields)
        assert corrected == fields_of(row)
        outcomes["restored"] += 1
    assert outcomes["restored"] >= 0.5 * WORKS, outcomes


def test_an_entry_without_charge_gets_no_suggestion(world: World) -> None:
    for row in world.rows:
        verdict = world.verifier.check_one(reference(fields_of(row))).verdict
        assert verdict.suggestion is None


def test_a_difference_that_is_none_gets_no_suggestion(world: World) -> None:
    for row in world.rows[:100]:
        fields = fields_of(row)
        fields["title"] = fields["title"].lower().replace(" ", "-", 1)
        fields["author"] = " and ".join(f"{name.split()[1]}, {name[0]}." for name in row["authors"])
        assert world.verifier.check_one(reference(fields)).verdict.suggestion is None


def test_what_is_safe_changes_one_field_and_never_takes_one_out(world: World) -> None:
    for name in CORRUPTIONS:
        for _, fields in list(world.corrupted(name))[:60]:
            suggestion = world.verifier.check_one(reference(fields)).verdict.suggestion
            if suggestion is not None and suggestion.safety == "safe":
                assert len(suggestion.fields) == 1
                assert all(suggestion.fields.values())


def as_entry(number: int, fields: dict[str, str]) -> str:
    lines = ",\n".join(f"  {name:9} = {{{value}}}" for name, value in fields.items())
    return f"@inproceedings{{key{number},\n{lines}\n}}\n\n"


def test_a_mended_file_has_no_contradiction_left_and_all_else_as_it_was(world: World) -> None:
    rng = random.Random(3)
    entries = []
    for number, row in enumerate(world.rows):
        fields = fields_of(row)
        if number % 3 == 0:
            CORRUPTIONS[rng.choice(list(CORRUPTIONS))](fields, row, rng)
        entries.append(as_entry(number, fields))
    text = "% my references\n" + "".join(entries)
    located = [
        structs.replace(one, location=Location("refs.bib", one.location.line))
        for one in parse_text(text)
        if isinstance(one, Reference)
    ]
    results = [world.verifier.check_one(one) for one in located]
    suggested = [one for one in results if one.verdict.suggestion is not None]
    mended = mend(
        "refs.bib",
        text.encode(),
        suggested,
        check=world.verifier.check_one,
        venues=world.index.venues,
        unsafe=True,
    )
    assert {row.state for row in mended.rows} == {State.MADE}
    assert len(mended.rows) == len(suggested) > 50
    again = [world.verifier.check_one(one) for one in parse_text(mended.after)]
    assert sum(one.status == "contradicted" for one in again) == sum(
        one.status == "contradicted" and one.verdict.suggestion is None for one in results
    )
    touched = {row.key for row in mended.rows}
    for number, entry in enumerate(entries):
        if f"key{number}" not in touched:
            assert entry in mended.after
