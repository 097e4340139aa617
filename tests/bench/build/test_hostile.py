"""Do hostile plans and records meet a clear message, or a counted skip, and never a traceback?"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from hallmark.bench.build.make import Maker
from hallmark.bench.build.plan import SplitPlan, read_plan
from hallmark.bench.build.preprints import WithPreprints, read_preprints
from hallmark.bench.build.sample import rules_of, sampled, widest
from hallmark.bench.entry import Entry
from hallmark.bench.noise.interface import Facts, load_all
from hallmark.bench.perturb import interface
from hallmark.bench.perturb.drafts import entry_of
from hallmark.bench.perturb.interface import Inapplicable
from hallmark.bench.perturb.pool import ListPool
from hallmark.bench.perturb.screening import Fate, attempt
from hallmark.bench.taxonomy import HallucinationType
from hallmark.errors import InputError
from hallmark.records.work import Version
from hallmark.text.venues import VenueTable
from tests.bench.build.little import GROUPS, POOL, WORKS, plan

HEAD = """
name = "hostile"
version = "1.0.0"
date = "2026-12-02"
years = [2013, 2024]
"""
SPLIT = "[splits.dev]\nvalid = 1\n"
PLAIN = WORKS[0]
MANY = tuple(f"Person{n} Family{n}" for n in range(500))
HOSTILE = {
    "no authors": structs.replace(PLAIN, authors=()),
    "one word": structs.replace(PLAIN, title="Introduction"),
    "no letters": structs.replace(PLAIN, title="!!! ???"),
    "empty title": structs.replace(PLAIN, title=""),
    "500 authors": structs.replace(PLAIN, title="A Detector of Very Many People", authors=MANY),
    "no year": structs.replace(PLAIN, title="A Paper Without a Year", year=None),
    "year of the far future": structs.replace(PLAIN, title="A Paper of the Future", year=9999),
    "Chinese": structs.replace(PLAIN, title="深度 学习 的 理论 基础", authors=("王 小明", "李 雷")),
    "Arabic": structs.replace(PLAIN, title="دراسة في تعلم الآلة", authors=("عمر الخيام",)),
    "controls": structs.replace(PLAIN, title="Red\x1b[31m Letters \x00 in Titles"),
    "braces": structs.replace(PLAIN, title="{{{ Unclosed \\textbf{Braces", authors=("{A", "B}")),
    "long title": structs.replace(PLAIN, title="Word " * 800),
    "no venue": structs.replace(PLAIN, title="A Paper of No Venue", venue="", venue_raw="",
                                venue_id=None),
    "one name": structs.replace(PLAIN, title="A Paper by One Name", authors=("Plato",)),
    "same author thrice": structs.replace(PLAIN, title="A Paper by Myself", authors=("A B",) * 3),
    "broken DOI": structs.replace(PLAIN, title="A Paper of a Broken DOI", doi="10.1/"),
}  # fmt: skip


def written(folder: Path, text: str) -> Path:
    """Return a file of this text."""
    file = folder / "plan.toml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('preprints = "../secret.tsv"\n[splits.dev]\nvalid = 1\n', "folder of the plan"),
        ('preprints = "/etc/passwd"\n[splits.dev]\nvalid = 1\n', "folder of the plan"),
        ('preprints = "a/../../b"\n[splits.dev]\nvalid = 1\n', "folder of the plan"),
        ('preprints = ""\n[splits.dev]\nvalid = 1\n', "folder of the plan"),
        ("a = " + "[" * 100_000, "no TOML"),
        ("a." * 20_000 + "b = 1", "no TOML|does not fit"),
        ("seed = " + "9" * 5000 + "\n[splits.dev]\nvalid = 1\n", "no TOML"),
        (f"[splits.dev]\nvalid = {10**18}\n", "100,000 is the most"),
        ("without_doi = nan\n[splits.dev]\nvalid = 1\n", "between 0 and 1"),
        ("fields = {vision = nan}\n[splits.dev]\nvalid = 1\n", "between 0 and 1"),
        ("fields = {vision = 0.7, theory = 0.7}\n[splits.dev]\nvalid = 1\n", "more than 1"),
        ("fields = {alchemy = 0.1}\n[splits.dev]\nvalid = 1\n", "'alchemy'"),
        ("kind_shares = {book = 0.1}\n[splits.dev]\nvalid = 1\n", "'book'"),
        ("[splits.dev]\nvalid = 1\ncompound = -3\n", "negative"),
        ('[splits."../dev"]\nvalid = 1\n', "small letters"),
        ("".join(f"[splits.s{n}]\nvalid = 1\n" for n in range(60)), "50 is the most"),
    ],
    ids=lambda text: text[:24],
)
def test_a_hostile_plan_is_refused_in_words(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=told) as found:
        read_plan(written(tmp_path, HEAD + text))
    assert len(str(found.value)) < 2000


def test_what_a_plan_says_is_escaped_once_in_a_message(tmp_path: Path) -> None:
    with pytest.raises(InputError) as found:
        read_plan(written(tmp_path, HEAD.replace("hostile", r"a\u001b[2J\\b") + SPLIT))
    assert r"`name` is 'a\x1b[2J\b'; use small letters" in str(found.value)


def test_a_plan_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="one MiB"):
        read_plan(written(tmp_path, "#" * (1 << 20) + "\n"))


def test_a_table_of_preprints_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    table = tmp_path / "table.tsv"
    with table.open("wb") as stream:
        stream.truncate((16 << 20) + 1)
    with pytest.raises(InputError, match="16 MiB"):
        read_preprints(table)


@pytest.mark.parametrize("compound", [0, 40])
def test_a_plan_that_asks_for_more_than_there_is_says_what_is_lacking(compound: int) -> None:
    asked = plan(splits={"dev": SplitPlan(valid=900, compound=compound)})
    with pytest.raises(InputError, match=r"split 'dev': \d+ more valid entries"):
        _made(asked_groups=GROUPS, asked=asked)


def _made(asked_groups: Sequence[Sequence[Version]], asked: object) -> Counter[str]:
    refused = Counter[str]()
    rules = rules_of(asked, POOL.venues)  # type: ignore[arg-type]
    works = sampled(asked_groups, widest(rules.values()), refused)
    Maker(asked, WithPreprints(POOL), Random(1), rules).make(works)  # type: ignore[arg-type]
    return refused


def test_hostile_records_are_skipped_and_counted_and_the_plan_is_filled_from_others() -> None:
    asked = plan(splits={"dev": SplitPlan(valid=20, types={HallucinationType.WRONG_VENUE: 5})})
    refused = _made([[one] for one in HOSTILE.values()] + list(GROUPS), asked)
    assert refused.total() >= 7
    assert "its authors or title are broken or cut" in refused
    assert "its year is outside the plan" in refused
    assert "its title is too short" in refused


@pytest.mark.parametrize("fault", interface.load_all().names())
@pytest.mark.parametrize("name", HOSTILE)
def test_no_perturbation_breaks_on_a_hostile_record(name: str, fault: str) -> None:
    pool = ListPool([*WORKS[:50], *HOSTILE.values()])
    entry = entry_of(HOSTILE[name], "k")
    for seed in range(3):
        tried = attempt(interface.load_all().get(fault), entry, pool, Random(seed))
        assert tried.fate in Fate
        assert (tried.perturbed is None) == (tried.fate is not Fate.MADE)
        assert tried.perturbed is not None or tried.reason


@pytest.mark.parametrize("kind", load_all().names())
@pytest.mark.parametrize("name", HOSTILE)
def test_no_noise_breaks_on_a_hostile_record(name: str, kind: str) -> None:
    record = HOSTILE[name]
    facts = Facts((record,), VenueTable.curated())
    for seed in range(3):
        found = load_all().get(kind)(entry_of(record, "k"), facts, Random(seed))
        assert isinstance(found, Entry | Inapplicable)


texts = st.text(st.characters(codec="utf-8"), max_size=40)


@settings(max_examples=60)
@given(
    title=texts,
    authors=st.lists(texts, max_size=5),
    venue=texts,
    year=st.none() | st.integers(0, 9999),
    fault=st.sampled_from(interface.load_all().names()),
    seed=st.integers(0, 99),
)
def test_a_record_of_anything_gives_a_false_entry_or_a_reason(
    title: str, authors: list[str], venue: str, year: int | None, fault: str, seed: int
) -> None:
    record = structs.replace(
        PLAIN, title=title, authors=tuple(authors), venue=venue, venue_raw=venue, year=year
    )
    entry = entry_of(record, "k")
    tried = attempt(interface.load_all().get(fault), entry, POOL, Random(seed))
    assert tried.perturbed is not None or tried.reason
