"""Does the comparison of policies judge the same evidence by each of them?"""

from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from hallmark.bench.dataset import load_split
from hallmark.judge.policy import DEFAULT
from hallmark.judge.profiles import shipped
from hallmark.study.context import Setting, judge
from hallmark.study.document import as_markdown
from hallmark.study.figures import figures
from hallmark.study.policies import Policies, document, policies
from hallmark.study.policies_guide import page
from tests.study import little


@pytest.fixture(scope="module")
def setting(tmp_path_factory: pytest.TempPathFactory) -> Setting:
    folder = tmp_path_factory.mktemp("policies")
    index = little.built(folder, little.collections())
    little.gold(folder / "gold.jsonl")
    return Setting(load_split(str(folder / "gold.jsonl"), None), index, DEFAULT, little.TODAY)


@pytest.fixture(scope="module")
def found(setting: Setting) -> Policies:
    return policies([setting], [one for _, one in shipped().items()])


def test_each_policy_comes_to_what_a_run_with_it_comes_to(
    setting: Setting, found: Policies
) -> None:
    (measured,) = found.measured
    assert [one.policy for one in measured.compared] == shipped().names()
    for one in measured.compared:
        alone = judge(structs.replace(setting, policy=shipped().get(one.policy)))
        assert one.figures == figures(alone)


def test_an_audit_flags_no_more_valid_entries_than_the_default(found: Policies) -> None:
    flagged = {one.policy: one.false_alarms for one in found.measured[0].compared}
    assert flagged["default"] > 0
    assert flagged["venue-audit"] <= flagged["reviewer"] <= flagged["default"]
    assert all(one.scraped_flagged <= one.false_alarms for one in found.measured[0].compared)


def test_the_figures_survive_their_file_and_stand_on_the_page(found: Policies) -> None:
    again = msgspec.json.decode(msgspec.json.encode(found), type=Policies)
    assert again == found
    text = as_markdown(page(shipped().names(), again))
    assert "| venue-audit | " in text
    assert "judged as of 2026-01-01" in text
    assert as_markdown(document(found)).startswith("# Policies compared")


def test_the_measurement_in_the_docs_is_of_the_packaged_policies() -> None:
    kept = Path(__file__).parent.parent.parent / "docs" / "data" / "policies.json"
    measured = msgspec.json.decode(kept.read_bytes(), type=Policies).measured
    assert len(measured) == 2
    for one in measured:
        assert [row.policy for row in one.compared] == shipped().names()
