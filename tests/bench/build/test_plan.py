"""Is a plan read as it is meant, and is one that cannot be built refused with the reason?"""

from pathlib import Path

import pytest

from hallmark.bench.build.plan import SplitPlan, problems_of, read_plan
from hallmark.bench.taxonomy import TAXONOMY, HallucinationType
from hallmark.errors import InputError
from tests.bench.build.little import plan

PLANS = Path(__file__).resolve().parents[3] / "benchmarks" / "plans"
HEAD = 'name = "a"\nversion = "1.0.0"\ndate = "2026-12-02"\nyears = [2000, 2020]\n'


def _refusal(tmp_path: Path, text: str) -> str:
    file = tmp_path / "plan.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as found:
        read_plan(file)
    return str(found.value)


@pytest.mark.parametrize("file", sorted(PLANS.glob("*.toml")), ids=lambda file: file.stem)
def test_the_shipped_plans_can_be_read(file: Path) -> None:
    assert read_plan(file).splits


def test_the_example_of_an_addition_fits_the_release_that_the_starter_plan_makes() -> None:
    first, more = (read_plan(PLANS / f"{name}.toml") for name in ("starter", "starter-more"))
    assert (more.name, more.date >= first.date) == (first.name, True)
    assert more.version > first.version
    assert set(more.splits) - set(first.splits)
    assert set(more.splits) & set(first.splits)


def test_a_plan_may_do_without_splits_where_they_do_not_count(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(HEAD, encoding="utf-8")
    assert read_plan(file, with_splits=False).splits == {}
    file.write_text(HEAD.replace("1.0.0", "one"), encoding="utf-8")
    with pytest.raises(InputError, match="`version`"):
        read_plan(file, with_splits=False)


def test_the_starter_plan_asks_for_a_thousand_entries_of_all_types() -> None:
    splits = read_plan(PLANS / "starter.toml").splits.values()
    assert sum(split.valid + split.hallucinated for split in splits) == 1000
    assert {kind for split in splits for kind in split.counts()} == set(HallucinationType)


def test_the_plan_of_the_paper_asks_for_the_numbers_of_table_2() -> None:
    splits = read_plan(PLANS / "paper.toml").splits
    assert {name: (split.valid, split.hallucinated) for name, split in splits.items()} == {
        "dev_public": (513, 606),
        "test_public": (312, 519),
        "test_hidden": (210, 244),
        "stress_test": (0, 121),
    }


def test_numbers_by_tier_are_spread_evenly_over_the_types_of_the_tier() -> None:
    counts = SplitPlan(valid=0, tiers=(9, 7, 2)).counts()
    assert sum(counts.values()) == 18
    for tier, total in ((1, 9), (2, 7), (3, 2)):
        of_tier = [n for kind, n in counts.items() if TAXONOMY[kind].tier == tier]
        assert sum(of_tier) == total
        assert max(of_tier) - min(of_tier) <= 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[splits.dev]\nvalid = -1\n", "a number of entries is negative"),
        ("[splits.dev]\nvalid = 0\n", "it holds nothing"),
        ("attested = 0\n[splits.dev]\nvalid = 1\n", "a record needs one collection"),
        ("noise = 1.5\n[splits.dev]\nvalid = 1\n", "a share lies between 0 and 1"),
        ('kinds = ["paper"]\n[splits.dev]\nvalid = 1\n', "no BibTeX entry type"),
        ("[splits.dev_blind]\nvalid = 1\n", "not end in _blind"),
        ("[splits.dev]\nvalid = 100001\n", "100,000 is the most"),
        ("[splits.dev]\nvalid = 1\ntypes = { fake = 2 }\n", "fake"),
        ("[splits.dev]\nvalid = 1\ntiers = [1, 2, 3]\ntypes = { future_date = 2 }\n", "adds up to"),
        ("[splits.dev]\nvalid = 1\ntypes = { fabricated_doi = 9 }\n", "need a DOI"),
        ("without_doi = 0\n[splits.dev]\nvalid = 1\ntypes = { plausible_fabrication = 9 }\n", "never have"),
        ("[splits.dev]\nvalid = 1\nyears = [2020, 2019]\n", "split 'dev': `years` is [2020, 2019]"),
        ("[splits.dev]\nvalid = 1\nkinds = ['paper']\n", "split 'dev': `kinds` holds 'paper'"),
        ("[splits.dev]\nvalid = 1\nsealed = true\nwithheld = true\n", "either `sealed` or"),
        (
            "[types.near_miss_title]\nstrategies = ['typo']\n[splits.dev]\nvalid = 1\n",
            "names the strategy 'typo'; it can name synonym, number",
        ),
        (
            "[types.near_miss_title]\nstrategies = []\n[splits.dev]\nvalid = 1\n",
            "leaves no strategy",
        ),
        (
            "[types.wrong_venue]\nstrategies = ['near']\n[splits.dev]\nvalid = 1\n",
            "the type has none",
        ),
        ("[types.typo]\nstrategies = []\n[splits.dev]\nvalid = 1\n", "typo"),
        ("split = 1\n[splits.dev]\nvalid = 1\n", "split"),
        ("splits = {}\n", "there is no split"),
        ("[splits", "no TOML"),
    ],
)  # fmt: skip
def test_what_cannot_be_built_is_said(tmp_path: Path, text: str, said: str) -> None:
    assert said in _refusal(tmp_path, HEAD + text)


def test_all_faults_are_told_at_once() -> None:
    told = list(problems_of(plan(name="A b", version="x", date="soon", noise=-1.0)))
    assert len(told) == 4


def test_a_file_that_is_missing_or_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_plan(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="no TOML"):
        read_plan(tmp_path / "binary.toml")


def test_a_plan_may_leave_strategies_of_a_type_out(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    some = "[types.near_miss_title]\nstrategies = ['synonym', 'number']\n"
    file.write_text(HEAD + some + "[splits.dev]\nvalid = 1\n", encoding="utf-8")
    knobs = read_plan(file).knobs
    assert knobs.without == {"spelling", "abbreviation", "hyphen", "article"}
    assert plan().knobs.without == frozenset()
