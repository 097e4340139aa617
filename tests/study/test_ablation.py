"""Is each thing taken away, and nothing else?"""

import msgspec
import pytest

from hallmark.study.ablation import Ablation, Tried, ablation, document, planned
from hallmark.study.conditions import WHOLE, Group, conditions
from hallmark.study.context import Setting
from hallmark.study.document import as_markdown


@pytest.fixture(scope="module")
def study(little_setting: Setting) -> Ablation:
    return ablation(little_setting, planned(little_setting))


@pytest.fixture(scope="module")
def tried(study: Ablation) -> dict[tuple[Group, str], Tried]:
    return {(one.group, one.name): one for one in study.tried}


def test_the_whole_system_comes_first_and_every_collection_goes_once(study: Ablation) -> None:
    assert study.tried[0].name == WHOLE.name
    without = [one.name for one in study.tried if one.group is Group.WITHOUT]
    assert without == ["alpha", "beta"]


def test_without_author_rules_swapped_authors_stay_open(
    tried: dict[tuple[Group, str], Tried],
) -> None:
    whole, less = tried[Group.WHOLE, "nothing"], tried[Group.RULES, "author rules"]
    assert whole.figures.conservative.detection == pytest.approx(9 / 11)
    assert less.figures.conservative.detection == pytest.approx(5 / 11)
    assert less.figures.conservative.false_alarms == 0


def test_without_a_rule_that_never_fires_nothing_changes(
    tried: dict[tuple[Group, str], Tried],
) -> None:
    whole = tried[Group.WHOLE, "nothing"]
    assert tried[Group.CODES, "HM102 placeholder-authors"].figures == whole.figures


def test_without_complete_lists_the_invented_stays_open(
    tried: dict[tuple[Group, str], Tried],
) -> None:
    whole, less = tried[Group.WHOLE, "nothing"], tried[Group.FACTS, "complete lists"]
    assert less.figures.coverage < whole.figures.coverage
    assert less.figures.conservative.false_alarms == whole.figures.conservative.false_alarms


def test_less_data_brings_no_false_alarm(study: Ablation) -> None:
    for one in study.tried:
        if one.group in (Group.WITHOUT, Group.ONLY, Group.HALF, Group.FACTS):
            assert one.new_false_alarms == []
            assert one.within is not False or one.scraped_flagged == 1


def test_half_of_the_works_lowers_coverage(tried: dict[tuple[Group, str], Tried]) -> None:
    whole, half = tried[Group.WHOLE, "nothing"], tried[Group.HALF, "half of all works, draw 1"]
    assert half.figures.coverage < whole.figures.coverage


def test_a_bound_is_broken_where_too_many_are_flagged(
    tried: dict[tuple[Group, str], Tried],
) -> None:
    one = tried[Group.ONLY, "alpha"]
    assert one.figures.conservative.false_alarms == pytest.approx(1 / 18)
    assert one.within is False
    assert msgspec.structs.replace(one, most_false_alarms=0.1).within is True
    assert msgspec.structs.replace(one, most_false_alarms=None).within is None


def test_a_group_alone_can_be_tried() -> None:
    plan = conditions({"alpha": 99, "beta": 1}, [Group.ONLY])
    assert [(one.group, one.name) for one in plan] == [
        (Group.WHOLE, "nothing"),
        (Group.ONLY, "alpha"),
    ]


def test_names_of_conditions_are_unique_in_their_group() -> None:
    plan = conditions({"alpha": 9, "beta": 9})
    assert len({(one.group, one.name) for one in plan}) == len(plan)


def test_the_document_names_what_makes_no_difference(study: Ablation) -> None:
    text = as_markdown(document(study))
    assert "No difference without:" in text
    assert "author rules" in text
    assert "broken" in text


def test_an_ablation_survives_json(study: Ablation) -> None:
    assert msgspec.json.decode(msgspec.json.encode(study), type=Ablation) == study
