"""Does a model come out of gold files and an index, measured on what it has not seen?"""

from pathlib import Path

import msgspec
import numpy as np
import pytest
from msgspec import structs

from hallmark.bench.align import Stance
from hallmark.bench.dataset import load_split
from hallmark.bench.entry import Label
from hallmark.bench.measures import evaluate
from hallmark.bench.measures.outcome import outcome
from hallmark.errors import InputError
from hallmark.index import open_index
from hallmark.judge.calibrate import Calibration, Model, packaged, read_model
from hallmark.judge.decide import weigh
from hallmark.study.calibration import Calibrated, Plan, calibrate
from hallmark.study.calibration_plots import risks
from hallmark.study.calibration_report import document, drawn, figures, page
from hallmark.study.context import Setting
from hallmark.study.document import as_markdown, as_text
from hallmark.study.judged import Judged
from hallmark.study.training import (
    NO_INDEX,
    WHOLE,
    digest,
    generated,
    generated_conditions,
    gold_conditions,
)
from tests.study import little

PLAN = Plan(folds=3, generated=30, seed=1)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [
        *(little.entry(f"r{n}", row) for n, row in enumerate(little.ICML[30:40])),
        *(
            little.entry(f"f{n}", row, "swapped_authors", author=little.FOREIGN)
            for n, row in enumerate(little.NEURIPS[30:40])
        ),
    ]
    return little.gold(tmp_path_factory.mktemp("report") / "report.jsonl", rows)


@pytest.fixture(scope="module")
def found(little_setting: Setting, report: Path) -> Calibrated:
    return calibrate([little_setting], [load_split(report)], PLAN, "0")


def test_a_model_tells_its_data_conditions_and_settings(
    found: Calibrated, little_setting: Setting
) -> None:
    model = found.model
    gold, made = model.data
    assert gold.sha256 == little_setting.split.sha256
    assert gold.entries == len(little_setting.split.entries)
    assert gold.conditions == (WHOLE, "50 % of all works", "only alpha", "only beta", NO_INDEX)
    assert made.name == "generated"
    assert made.hallucinated == round(30 * little_setting.split.hallucinated / gold.entries)
    assert model.settings["folds"] == 3
    assert model.fitted == "2026-01-01"
    assert model.policy == "default"
    assert "digest" in model.index


def test_a_fitted_model_can_be_read_again_and_sorts_right_from_wrong(
    found: Calibrated, little_judged: list[Judged]
) -> None:
    calibration = Calibration(read_model(msgspec.json.encode(found.model), "m"))
    chance = {
        one.entry.bibtex_key: calibration.probability(weigh(one.reference, one.evidence)[1])
        for one in little_judged
    }
    assert chance["right0"] < 0.3
    assert chance["swapped0"] > 0.7


def test_every_figure_is_that_of_the_benchmark(found: Calibrated) -> None:
    told = {one.of: one for one in found.model.figures}
    for name, pairs in found.pairs.items():
        stance = Stance.SELECTIVE if "committed" in name else Stance.FORCED
        values = evaluate(pairs, stance, ["ece", "ece_equal_mass", "brier"])
        ours = (told[name].ece, told[name].ece_equal_mass, told[name].brier)
        assert ours == tuple(
            None if value is None else round(value, 5) for value in values.values()
        )


def test_an_entry_left_open_counts_with_its_own_probability(found: Calibrated) -> None:
    pairs = found.pairs["little, whole index, all entries, cross-fitted"]
    unsure = [one for one in pairs.predictions if one and one.label is Label.UNCERTAIN]
    assert unsure
    assert all(one.forced_label is not None and one.confidence >= 0.5 for one in unsure)


def test_folds_hold_every_entry_once(found: Calibrated, little_setting: Setting) -> None:
    sizes = [one.n for one in found.model.figures if ", fold " in one.of]
    assert len(sizes) == 3
    assert sum(sizes) == len(little_setting.split.entries)


def test_a_report_is_measured_and_not_trained_on(
    found: Calibrated, little_setting: Setting
) -> None:
    alone = calibrate([little_setting], [], PLAN, "0")
    assert alone.model.atoms == found.model.atoms
    assert "report, whole index, all entries, not trained on" in found.pairs
    assert {one.name for one in found.model.data} == {"little", "generated"}


def test_what_was_trained_on_is_not_reported_on(little_setting: Setting) -> None:
    with pytest.raises(InputError, match="trained on and reported on"):
        calibrate([little_setting], [little_setting.split], PLAN, "0")


def test_one_label_alone_cannot_be_fitted(little_setting: Setting) -> None:
    valid = tuple(one for one in little_setting.split.entries if one.label is Label.VALID)
    setting = structs.replace(
        little_setting, split=structs.replace(little_setting.split, entries=valid)
    )
    with pytest.raises(InputError, match="one label only"):
        calibrate([setting], [], Plan(generated=0, reduced=False), "0")


def test_generated_entries_follow_from_the_seed(little_index: Path) -> None:
    index = open_index(little_index)
    one, same, other = (generated(index, 20, 0.5, seed) for seed in (4, 4, 5))
    assert digest(one) == digest(same) != digest(other)
    assert sum(entry.label is Label.HALLUCINATED for entry in one) == 10
    assert len({entry.bibtex_key for entry in one}) == 20


def test_a_small_index_gives_fewer_entries_than_are_asked_for(little_index: Path) -> None:
    assert 0 < len(generated(open_index(little_index), 10_000, 0.5, 1)) < 10_000


def test_generated_entries_are_judged_only_where_works_are_missing(little_index: Path) -> None:
    reductions = [one.reduction for one in generated_conditions(open_index(little_index))]
    assert all(one is not None and one.hides_records for one in reductions)
    assert [one.only for one in reductions if one] == [set(), set(), {"alpha"}]


def test_gold_entries_are_judged_with_the_whole_index_first_and_with_none_last(
    little_index: Path,
) -> None:
    conditions = gold_conditions(open_index(little_index))
    assert conditions[0].reduction is None
    assert conditions[0].index
    assert not conditions[-1].index


def test_the_report_names_every_atom_file_and_figure(found: Calibrated) -> None:
    text = as_text(document(found.model), 300)
    for one in found.model.atoms:
        assert one.atom in text
    for measured in found.model.figures:
        assert measured.of in text
    assert found.model.data[0].sha256[:12] in text


def test_a_model_that_tells_nothing_of_itself_has_a_page_all_the_same() -> None:
    bare = Model(prevalence=0.5, intercept=0.0, atoms=packaged().model.atoms)
    assert "| 0.5 |" in as_markdown(page(bare))


def test_risk_is_taken_over_whole_levels_of_confidence(found: Calibrated) -> None:
    pairs = dict(drawn(found))["little"]
    held = outcome(pairs, Stance.FORCED)
    backwards = outcome(pairs.select(np.arange(len(pairs))[::-1]), Stance.FORCED)
    kept, wrong = risks(held)
    assert (kept, wrong) == risks(backwards)
    assert kept[-1] == 1.0
    assert wrong[-1] == pytest.approx(1 - held.correct.mean())
    assert len(kept) == len(set(held.confidence.tolist()))


def test_plots_show_what_was_not_seen(found: Calibrated) -> None:
    assert [name for name, _ in drawn(found)] == ["little", "report"]
    for name, figure in figures(found):
        assert name in {"reliability", "risk-coverage"}
        legend = figure.axes[0].get_legend()
        assert legend is not None
        assert figure.axes[0].get_title()
        shown = " ".join(text.get_text() for text in legend.get_texts())
        assert "little" in shown
        assert "report" in shown
