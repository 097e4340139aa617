"""Does the taxonomy say what Table 1 says?"""

import pytest

from hallmark.bench.taxonomy import (
    SUBTESTS,
    TAXONOMY,
    HallucinationType,
    Tier,
    parse_type,
)
from hallmark.errors import InputError


def test_every_type_has_its_line_of_table_1() -> None:
    assert set(TAXONOMY) == set(HallucinationType)
    assert all(tuple(info.signature) == SUBTESTS for info in TAXONOMY.values())


def test_tiers_hold_four_seven_and_three_types() -> None:
    counts = [sum(info.tier is tier for info in TAXONOMY.values()) for tier in Tier]
    assert counts == [4, 7, 3]


def test_three_types_are_for_the_stress_test() -> None:
    stress = {kind for kind, info in TAXONOMY.items() if info.stress}
    assert stress == {"merged_citation", "partial_author_list", "arxiv_version_mismatch"}


def test_no_hallucination_passes_in_all_databases() -> None:
    assert all(info.signature["cross_db_agreement"] is False for info in TAXONOMY.values())


def test_author_mismatch_is_another_name_of_swapped_authors() -> None:
    assert parse_type("author_mismatch") is HallucinationType.SWAPPED_AUTHORS


def test_a_misspelt_type_is_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match="Did you mean `chimeric_title`"):
        parse_type("chimeric_titel")
