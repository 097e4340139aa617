"""Is every table of the page on accuracy made, and every target measured?"""

from collections.abc import Sequence

import msgspec
import pytest

from hallmark.bench.audit import audit_file
from hallmark.bench.resample import Plan
from hallmark.errors import InputError
from hallmark.study.ablation import ablation, planned
from hallmark.study.accuracy import Run, page
from hallmark.study.conditions import Group
from hallmark.study.context import Setting
from hallmark.study.errors import errors
from hallmark.study.judged import Judged
from hallmark.study.labels import labels
from hallmark.study.targets import Target, main_table, targets

FEW = Plan(resamples=50)


@pytest.fixture(scope="module")
def run(little_setting: Setting, little_judged: Sequence[Judged]) -> Run:
    return Run(
        judged=little_judged,
        errors=errors(little_setting, little_judged),
        labels=labels(little_setting, little_judged),
        ablation=ablation(little_setting, planned(little_setting, [Group.RULES, Group.HALF])),
        leaks=list(audit_file(little_setting.split.path)),
    )


def test_the_page_has_every_table_and_no_marker_left(run: Run) -> None:
    text = page({"dev_public": run}, FEW)
    assert "{{" not in text
    for heading in (
        "## Against the prototype and the targets",
        r"### dev\_public: false alarm",
        r"### dev\_public: Without rules of a kind",
        "## Known leaks",
    ):
        assert heading in text
    for key in ("alarm", "confirmed"):
        assert f"| {key} |" in text
    assert run.errors.origin.index_digest[:12] in text


def test_leaks_are_told_without_notes(run: Run) -> None:
    leaks = [one for one in run.leaks if not one.note]
    text = page({"dev_public": run}, FEW, "{{leaks}}\n")
    assert text.count("\n- ") == len(leaks)


def test_without_ablations_the_page_stands(run: Run) -> None:
    assert "{{" not in page({"x": msgspec.structs.replace(run, ablation=None)}, FEW)


def test_a_template_that_names_no_table_is_refused(run: Run) -> None:
    with pytest.raises(InputError, match="names `tables`"):
        page({"x": run}, FEW, "# Title\n\n{{tables}}\n")


def test_targets_are_compared_with_what_was_measured(run: Run) -> None:
    rows = main_table({"dev_public": run.judged}, FEW).rows
    assert len(rows) == sum(one.split == "dev_public" for one in targets())
    by_figure = {(row[1], row[2]): row for row in rows}
    assert by_figure["conservative", "scraped flagged"][5:] == ("1", "no")
    assert by_figure["conservative", "detection rate"][5].startswith("0.818 [")
    assert by_figure["conservative", "detection rate"][6] == "no"
    assert by_figure["conservative", "type accuracy"][6] == "yes"


@pytest.mark.parametrize(
    ("better", "value", "reached"),
    [("higher", 0.9, True), ("higher", 0.8, False), ("lower", 0.8, True), ("lower", None, None)],
)
def test_a_target_knows_which_side_is_better(
    better: str, value: float | None, reached: bool | None
) -> None:
    target = msgspec.convert(
        {"split": "s", "stance": "t", "measure": "m", "prototype": "", "target": 0.9}
        | {"better": better},
        Target,
    )
    assert target.reached(value) is reached
