"""Do the perturbations follow the paper's rules (appendix A.3)?"""

import re
from pathlib import Path
from random import Random

import pytest
from msgspec import structs

from hallmark.bench.entry import Entry
from hallmark.bench.perturb import words
from hallmark.bench.perturb.compound import compound
from hallmark.bench.perturb.drafts import entry_of, is_sound, people
from hallmark.bench.perturb.faults.near_miss_title import STRATEGIES
from hallmark.bench.perturb.interface import (
    AS_THE_PAPER,
    Inapplicable,
    Knobs,
    Level,
    Perturbed,
    load_all,
)
from hallmark.bench.perturb.pool import IndexPool, ListPool
from hallmark.bench.perturb.screening import Fate, attempt, screen, states, tally
from hallmark.records.work import Version
from hallmark.text.venues import VenueKind
from tests.metamorphic.made import records
from tests.verifier.library import library, record

POOL = ListPool(records(400, seed=2))
WORK = Version(
    collection="alpha",
    title="Self-Supervised Learning of the Color of Graph Neural Networks",
    authors=("Ada Lovelace", "Alan Turing", "Grace Hopper", "Kurt Gödel"),
    venue="ICML",
    venue_id="icml",
    year=2019,
    doi="10.5555/abc.12",
)
ENTRY = entry_of(WORK, "k")


def _made(name: str, entry: Entry = ENTRY, seed: int = 1, knobs: Knobs = AS_THE_PAPER) -> Perturbed:
    found = load_all().get(name).apply(entry, POOL, Random(seed), knobs)
    assert isinstance(found, Perturbed), found
    return found


def test_a_fabricated_doi_has_a_prefix_never_given_out_and_one_of_four_styles() -> None:
    prefixes = {row[0] for row in words.rows("doi_prefixes")}
    dois = [_made("fabricated_doi", seed=n).entry.fields["doi"] for n in range(200)]
    assert len(prefixes) == 20
    assert {doi.partition("/")[0] for doi in dois} == prefixes
    styles = (r"[a-z]{3}/\d+/\d+", r"[a-z]{3}\.\d{5}", r"2019\.\d{5}", r"icml2019\.\d+")
    used = {next(s for s in styles if re.fullmatch(s, doi.partition("/")[2])) for doi in dois}
    assert used == set(styles)


def test_an_invented_venue_means_nothing_to_the_venue_table() -> None:
    for level in Level:
        made = _made("nonexistent_venue", knobs=Knobs(difficulty=level)).entry.fields
        name = made.get("booktitle") or made["journal"]
        assert POOL.venues.resolve(name).kind is VenueKind.UNKNOWN


def test_stand_ins_are_of_several_cultures() -> None:
    cultures = {culture for culture, _ in words.rows("placeholders")}
    assert len(cultures - {"obvious"}) >= 12
    named = {_made("placeholder_authors", seed=n).entry.fields["author"] for n in range(60)}
    assert len(named) > 30


def test_a_future_date_lies_beyond_the_current_year() -> None:
    years = {int(_made("future_date", seed=n).entry.fields["year"]) for n in range(50)}
    assert years == set(range(2031, 2037))


def test_a_partial_list_keeps_first_and_last_in_the_papers_way() -> None:
    assert people(_made("partial_author_list").entry) == ["Ada Lovelace", "Kurt Gödel"]
    low = people(_made("partial_author_list", knobs=Knobs(severity=Level.LOW)).entry)
    assert (low[0], low[-1], len(low)) == ("Ada Lovelace", "Kurt Gödel", 3)


@pytest.mark.parametrize(
    ("strategy", "title", "result"),
    [
        ("synonym", "Improving Parsers", "Enhancing Parsers"),
        ("number", "A Network of Rooms", "A Networks of Rooms"),
        ("spelling", "The Behaviour of Bees", "The Behavior of Bees"),
        ("abbreviation", "Deep RL for Cars", "Deep Reinforcement Learning for Cars"),
        ("abbreviation", "Deep Reinforcement Learning", "Deep RL"),
        ("hyphen", "Self-Paced Reading", "Self Paced Reading"),
        ("hyphen", "Reading in Low Light Rooms", "Reading in Low-Light Rooms"),
        ("article", "Walking the Dog", "Walking Dog"),
        ("article", "The Dog", None),
        ("synonym", "Xyzzy", None),
        ("hyphen", "Plain", None),
    ],
)
def test_each_strategy_of_near_misses(strategy: str, title: str, result: str | None) -> None:
    assert STRATEGIES[strategy](title, Random(1)) == result


def test_a_near_miss_changes_one_or_two_words_by_all_strategies() -> None:
    notes = [_made("near_miss_title", seed=n).note for n in range(120)]
    used = {name for note in notes for name in note.partition("changed by: ")[2][:-1].split(", ")}
    assert used == set(STRATEGIES)


def test_synonyms_keep_the_part_of_speech_and_no_word_stands_for_itself() -> None:
    assert {row[0] for row in words.rows("synonyms")} == {"adj", "verb", "noun", "adv", "prep"}
    assert all(one != other for _, one, other in words.rows("synonyms"))


def test_a_wrong_venue_is_real_and_was_held_and_is_none_of_the_works() -> None:
    for seed in range(40):
        fields = _made("wrong_venue", seed=seed).entry.fields
        ids = POOL.venues.resolve(fields.get("booktitle") or fields["journal"]).ids
        assert ids
        assert ids[0] != "icml"
        assert POOL.venues.held(ids[0], 2019) is not False


def test_swapped_authors_share_no_family_name_with_the_real_ones() -> None:
    for seed in range(20):
        names = people(_made("swapped_authors", seed=seed).entry)
        assert not {name.split()[-1] for name in names} & {"Lovelace", "Turing", "Hopper", "Gödel"}
    low = people(_made("swapped_authors", knobs=Knobs(severity=Level.LOW)).entry)
    assert len(set(low) & set(people(ENTRY))) == 3


def test_what_is_published_is_no_preprint() -> None:
    found = load_all().get("preprint_as_published").apply(ENTRY, POOL, Random(1), Knobs())
    assert found == Inapplicable("no preprint")


def test_a_preprint_goes_only_where_the_list_is_complete(tmp_path: Path) -> None:
    preprint = record(
        "Only on arXiv and Nowhere Else", "Ada Lovelace", "arXiv", 2021, arxiv="2101.00001"
    )
    papers = [record(f"Paper {n} of the Meeting", "Kurt Gödel", "ICML", 2021) for n in range(20)]
    index = library(tmp_path, [preprint, *papers])
    pool = IndexPool(index, Random(1))
    (version,) = index.by_arxiv("2101.00001")
    tried = attempt(
        load_all().get("preprint_as_published"), entry_of(version, "k"), pool, Random(1)
    )
    assert tried.fate is Fate.INAPPLICABLE
    assert "surely lacks it" in tried.reason


def test_a_no_op_and_an_accidental_truth_are_told_apart() -> None:
    other = structs.replace(WORK, venue="AAAI", venue_id="aaai")
    pool = ListPool([WORK, other])
    moved = structs.replace(ENTRY, fields={**ENTRY.fields, "booktitle": "AAAI"})
    spelled = structs.replace(ENTRY, fields={**ENTRY.fields, "title": WORK.title.upper()})
    same, true = (
        screen(ENTRY, Perturbed(entry, changed, "", ()), pool)
        for entry, changed in ((spelled, ("title",)), (moved, ("booktitle",)))
    )
    assert (same.fate, true.fate) == (Fate.NO_OP, Fate.TRUE)
    assert tally([same, true, true]) == {
        f"no-op: {same.reason}": 1,
        "accidentally true: a record of alpha says the same": 2,
    }


def test_a_record_states_no_more_than_it_holds() -> None:
    assert states(WORK, ENTRY, POOL)
    for name, text in (
        ("title", "Self Supervised Learning of the Color of Graph Neural Networks"),
        ("author", "Ada Lovelace and Alan Turing"),
        ("booktitle", "NeurIPS"),
        ("year", "2020"),
        ("doi", "10.5555/other"),
    ):
        changed = structs.replace(ENTRY, fields={**ENTRY.fields, name: text})
        assert not states(WORK, changed, POOL), name


def test_a_cut_list_is_stated_by_the_whole_one() -> None:
    cut = structs.replace(ENTRY, fields={**ENTRY.fields, "author": "Ada Lovelace and others"})
    assert states(WORK, cut, POOL)


def test_a_compound_fault_fails_what_either_fails_and_is_of_the_higher_tier() -> None:
    kinds = load_all()
    found = compound(kinds.get("near_miss_title"), kinds.get("future_date"), ENTRY, POOL, Random(1))
    assert isinstance(found, Perturbed)
    assert set(found.changed_fields) == {"title", "year"}
    assert (found.entry.hallucination_type, found.entry.difficulty_tier) == ("near_miss_title", 3)
    failed = {name for name, passes in found.entry.subtests.items() if passes is False}
    assert failed == {"title_exists", "fields_complete", "cross_db_agreement"}


def test_two_faults_of_one_field_are_no_compound() -> None:
    kinds = load_all()
    found = compound(
        kinds.get("near_miss_title"), kinds.get("chimeric_title"), ENTRY, POOL, Random(1)
    )
    assert found == Inapplicable("both faults change the same field")


def test_other_kinds_than_articles_can_be_perturbed() -> None:
    book = entry_of(structs.replace(WORK, kind="book", venue="MIT Press", venue_id=None), "b")
    assert (book.bibtex_type, book.fields["publisher"]) == ("book", "MIT Press")
    for name in ("near_miss_title", "swapped_authors", "future_date", "fabricated_doi"):
        assert _made(name, book).entry.bibtex_type == "book"


def test_a_broken_row_is_not_sound() -> None:
    assert is_sound(WORK)
    for names in ((), ("['Elk, A.', 'Stoat, B.']",), ("A. Elk, B. Stoat, C. Vole",)):
        assert not is_sound(structs.replace(WORK, authors=names))
