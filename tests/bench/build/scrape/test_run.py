"""Is a recipe followed politely, to its end, again from where it stopped, and is nobody believed?"""

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from msgspec import structs

from hallmark.bench.build.sample import attesting
from hallmark.bench.build.scrape import attest
from hallmark.bench.build.scrape.listing import LISTERS, Page, Part, parts_of, sources_of
from hallmark.bench.build.scrape.recipe import Recipe
from hallmark.bench.build.scrape.rows import rows_of, write_rows
from hallmark.bench.build.scrape.run import refuse_finished
from hallmark.errors import InputError
from hallmark.index import open_index
from hallmark.index.build import build
from hallmark.records.answer import Unavailable
from hallmark.sources.interface import Ask, Reply, Request
from hallmark.text import titles
from tests.bench.build.scrape.made import (
    RECIPE,
    at_neurips,
    followed,
    in_a_journal,
    posted,
    world_of,
)
from tests.fakeworld.direct import asking, source
from tests.fakeworld.knobs import Fault, Knobs
from tests.fakeworld.services import biorxiv
from tests.fakeworld.world import World


def only(source: str, most: int = 50) -> Recipe:
    """Return the recipe with the lists of one source."""
    lists = [structs.replace(one, most=most) for one in RECIPE.lists if one.source == source]
    return structs.replace(RECIPE, lists=tuple(lists))


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Where a run is kept."""
    return tmp_path / "out.jsonl.journal"


def test_every_list_gives_as_many_works_as_it_was_asked_for(journal: Path) -> None:
    found = followed(world_of(), journal)
    assert [counts["kept"] for counts in found.counts.values()] == [6, 3, 5, 4]
    assert found.open == 0
    assert len(found.kept) == 18


def test_what_is_kept_is_attested_by_two_sources_by_the_rule_of_sampling(journal: Path) -> None:
    for _, kept in followed(world_of(), journal).kept:
        names = attesting(kept.versions[0], kept.versions)
        assert len(names) >= 2
        assert len(names) == len(kept.versions)


@pytest.mark.parametrize("name", ["dblp", "arxiv", "pubmed", "biorxiv"])
def test_a_list_that_is_short_is_given_whole(name: str, journal: Path) -> None:
    held = {"dblp": at_neurips(24), "arxiv": posted(16)[1::2], "pubmed": in_a_journal(12),
            "biorxiv": posted(16)[::2]}[name]  # fmt: skip
    found = followed(world_of(), journal, only(name))
    wanted = {one.title for one in held if name != "dblp" or one.year in {2021, 2022}}
    assert {kept.versions[0].title for _, kept in found.kept} >= wanted
    assert {kept.versions[0].collection for _, kept in found.kept} == {name}


def test_pages_are_turned_to_the_last(journal: Path) -> None:
    world = world_of()
    followed(world, journal, only("biorxiv"))
    cursors = [call.steps[-1] for call in world.asked("biorxiv")]
    assert cursors == [str(n) for n in range(0, 8, biorxiv.PAGE)]


def test_a_doi_that_its_registry_lacks_excludes_a_work(journal: Path) -> None:
    world = world_of()
    world.turn("crossref", Knobs(holds=lambda one: one.doi != "10.5555/nips.3.7"))
    counts = followed(world, journal, only("dblp")).counts["1: dblp NeurIPS"]
    assert counts[attest.UNREGISTERED] == 1


def test_a_doi_of_another_work_excludes_a_work(journal: Path) -> None:
    world = world_of()
    world.turn("crossref", Knobs(corrupt=1.0))
    counts = followed(world, journal, only("pubmed")).counts["1: pubmed"]
    assert counts[attest.FOREIGN] > 15, "a worn record may by chance be its own"


def test_a_work_of_one_source_alone_is_excluded(journal: Path) -> None:
    world = world_of()
    for name in ("openalex", "crossref"):
        world.turn(name, Knobs(holds=lambda one: one.venue != "NeurIPS"))
    counts = followed(world, journal, only("dblp")).counts["1: dblp NeurIPS"]
    assert counts[attest.ALONE] > 0
    assert counts[attest.UNREGISTERED] > 0
    assert "kept" not in counts


def test_the_registrys_copy_of_a_preprint_is_no_second_witness(journal: Path) -> None:
    world = world_of()
    for name in ("openalex", "dblp"):
        world.turn(name, Knobs(holds=lambda one: not one.preprint))
    for name in ("arxiv", "biorxiv"):
        found = followed(world, journal.with_name(name), only(name))
        assert not found.kept
        assert attest.ALONE in next(iter(found.counts.values()))


def test_sources_that_disagree_attest_nothing(journal: Path) -> None:
    one = structs.replace(at_neurips(1)[0], year=2022)
    world = World([one])
    other = World([structs.replace(one, authors=(*one.authors[:-1], "Wanda Quist"))])

    def crossed(ask: Ask) -> Ask:
        async def sent(request: Request) -> Reply | Unavailable:
            return await (ask if request.source == "dblp" else asking(other))(request)

        return sent

    counts = followed(world, journal, only("dblp"), crossed).counts["1: dblp NeurIPS"]
    assert counts == {attest.DISPUTED: 1}


def test_a_source_that_does_not_answer_excludes_nothing_and_is_asked_again(journal: Path) -> None:
    world = world_of()
    world.turn("crossref", Knobs(faults=((Fault.SERVER_ERROR, 1.0),)))
    world.turn("openalex", Knobs(faults=((Fault.SERVER_ERROR, 1.0),)))
    recipe = structs.replace(only("pubmed"), confirm=("crossref", "openalex"))
    broken = followed(world, journal, recipe)
    assert not broken.kept
    assert broken.open == broken.counts["1: pubmed"][attest.OPEN] > 0
    for name in ("crossref", "openalex"):
        world.turn(name, Knobs())
    mended = followed(world, journal, recipe)
    assert mended.open == 0
    assert len(mended.kept) >= 12
    assert len(world.asked("pubmed")) == 2, "the list was not asked for again"


def test_a_list_that_cannot_be_had_is_counted_and_asked_for_again(journal: Path) -> None:
    world = world_of()
    world.turn("dblp", Knobs(faults=((Fault.SERVER_ERROR, 1.0),)))
    broken = followed(world, journal, only("dblp"))
    assert broken.open == 2, "one for each year"
    world.turn("dblp", Knobs())
    assert followed(world, journal, only("dblp")).open == 0


def test_a_finished_run_asks_nobody_when_it_is_given_again(journal: Path) -> None:
    world = world_of()
    first = followed(world, journal)
    asked = len(world.log)
    again = followed(world, journal)
    assert len(world.log) == asked
    assert again == first


def test_a_run_that_was_cut_ends_with_the_same_works(journal: Path, tmp_path: Path) -> None:
    whole = followed(world_of(), tmp_path / "whole")
    left = Counter({"requests": 9})

    def cut(ask: Ask) -> Ask:
        async def sent(request: Request) -> Reply | Unavailable:
            left["requests"] -= 1
            if left["requests"] < 0:
                raise KeyboardInterrupt
            return await ask(request)

        return sent

    world = world_of()
    with pytest.raises(KeyboardInterrupt):
        followed(world, journal, wrapped=cut)
    assert followed(world, journal).kept == whole.kept


def test_one_title_of_two_lists_is_kept_once(journal: Path) -> None:
    twice = structs.replace(RECIPE, lists=(RECIPE.lists[2], RECIPE.lists[2]))
    found = followed(world_of(), journal, twice)
    names = [kept.versions[0].title for _, kept in found.kept]
    assert len(names) == len(set(names))
    assert found.counts["2: pubmed"]["listed twice"] > 0


def test_the_file_makes_an_index_whose_works_two_collections_attest(
    journal: Path, tmp_path: Path
) -> None:
    found = followed(world_of(), journal)
    out = tmp_path / "scraped.jsonl"
    rows = list(rows_of(found, RECIPE, "2026-12-02"))
    assert write_rows(out, rows) == len(rows)
    assert {row["scraped"]["role"] for row in rows} == {"listed", "confirming"}  # type: ignore[index]
    description = build(tmp_path / "index", [str(out)], built="2026-12-02", counts={})
    assert description.records == len(rows)
    index = open_index(tmp_path / "index")
    for _, kept in found.kept:
        held = index.by_title_key(titles.key(kept.versions[0].title))
        stored = {(one.collection, one.doi, one.year, one.venue_id, one.quality) for one in held}
        wanted = {(o.collection, o.doi, o.year, o.venue_id, o.quality) for o in kept.versions}
        assert stored == wanted


def test_every_source_that_may_be_asked_is_named() -> None:
    assert sources_of(RECIPE) == (
        "dblp", "arxiv", "pubmed", "biorxiv", "crossref", "datacite", "openalex",
    )  # fmt: skip
    assert [(part.number, part.year) for part in parts_of(RECIPE)] == [
        (0, 2021), (0, 2022), (1, None), (2, None), (3, None),
    ]  # fmt: skip


@pytest.mark.parametrize("name", sorted(LISTERS))
@pytest.mark.parametrize(
    "body", [b"", b"<html>busy</html>", b"[]", b"{}", b"\xff\xfe", b"[" * 9000, b"<feed/>"]
)
def test_what_is_no_list_is_no_empty_list(name: str, body: bytes) -> None:
    async def ask(request: Request) -> Reply | Unavailable:
        return Reply(200, body, "application/json", request.url)

    wanted = next(one for one in RECIPE.lists if one.source == name)
    part = Part(0, wanted, 2021)

    async def listed() -> Page | Unavailable:
        return await LISTERS[name](part, 0, source(name).spec, ask)

    assert isinstance(asyncio.run(listed()), Unavailable)


def test_a_hostile_record_of_a_list_is_passed_over_and_counted(journal: Path) -> None:
    hostile = [
        structs.replace(one, title=title, authors=authors)
        for one, (title, authors) in zip(
            in_a_journal(4, seed=8),
            [
                ("Short", ("Ada Fenwick",)),
                ("A Title of Red Letters", ("[{broken", "Ada Fenwick")),
                ("An Article That Nobody Wrote at All", ()),
                ("ただの題名です", tuple(f"Person{n} Family{n}" for n in range(500))),
            ],
            strict=True,
        )
    ]
    counts = followed(World(hostile), journal, only("pubmed")).counts["1: pubmed"]
    assert sum(counts.values()) == 4
    assert "kept" not in counts


def test_a_file_that_is_there_is_not_replaced_unasked(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    refuse_finished(out)
    out.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="--fresh"):
        refuse_finished(out)
    out.with_name("out.jsonl.journal").write_text("", encoding="utf-8")
    refuse_finished(out)
