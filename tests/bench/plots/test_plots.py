"""Does every figure show what there is, and nothing else?"""

import csv
import io
import math
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.text import Text

from hallmark.bench.align import align
from hallmark.bench.entry import Entry, Label, Prediction
from hallmark.bench.plots.catalogue import FORMATS, PLOTS, draw, save
from hallmark.bench.plots.data import as_csv
from hallmark.bench.plots.rates import front
from hallmark.bench.plots.style import canvas, label_points, rate_axis
from hallmark.bench.plots.subjects import Subject, own_subject, paper_subjects
from hallmark.bench.studies.folder import Folder
from hallmark.errors import InputError, OutputError, UnknownName

KINDS = ("fabricated_doi", "wrong_venue", "near_miss_title")
SUBJECT_PLOTS = [name for name in PLOTS if name not in {"temporal", "budget"}]


def subject(name: str, shift: int = 0) -> Subject:
    """A verifier that is right on most of 30 entries."""
    gold, said = [], []
    for i in range(30):
        bad = i % 2 == 0
        row = {"label": "HALLUCINATED" if bad else "VALID"}
        kind = KINDS[i % 3]
        gold.append(
            Entry(
                bibtex_key=f"k{i}",
                label=Label(row["label"]),
                hallucination_type=kind if bad else None,  # type: ignore[arg-type]
                difficulty_tier=1 + i % 3 if bad else None,
            )
        )
        right = (i + shift) % 4 != 0
        label = Label.HALLUCINATED if bad == right else Label.VALID
        said.append(
            Prediction(bibtex_key=f"k{i}", label=label, confidence=0.6 + 0.01 * i, seconds=0.5)
        )
    return own_subject(name, align(gold, said))


@pytest.mark.parametrize("name", SUBJECT_PLOTS)
@pytest.mark.parametrize("suffix", FORMATS)
def test_every_figure_is_written_in_every_format(name: str, suffix: str, tmp_path: Path) -> None:
    target = tmp_path / f"figure{suffix}"
    save(draw(name, None, [subject("One"), subject("Two", 1)]), target)
    assert target.stat().st_size > 2000
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


@pytest.mark.parametrize("name", SUBJECT_PLOTS)
def test_a_figure_of_one_system_is_possible(name: str) -> None:
    assert draw(name, None, [subject("Alone")]).axes


@pytest.mark.parametrize("name", SUBJECT_PLOTS)
def test_more_systems_than_colours_are_all_drawn(name: str) -> None:
    many = [subject(f"System {i}", i) for i in range(11)]
    figure = draw(name, None, many)
    axes = figure.axes[0]
    legend = axes.get_legend()
    texts = [t.get_text() for t in axes.texts] + [t.get_text() for t in axes.get_yticklabels()]
    texts += [t.get_text() for t in axes.get_xticklabels()]
    texts += [] if legend is None else [t.get_text() for t in legend.get_texts()]
    for one in many:
        assert any(text.startswith(one.name) for text in texts)


def test_a_system_that_cannot_be_shown_is_named_below_the_figure() -> None:
    silent = msgspec.structs.replace(subject("Silent"), seconds=None)
    figure = draw("cost", None, [subject("Timed"), silent])
    assert figure.get_supxlabel() == "Not shown, as no time was recorded: Silent."


def test_a_system_without_predictions_is_named_below_the_figure() -> None:
    absent = msgspec.structs.replace(subject("Absent"), pairs=None)
    figure = draw("risk-coverage", None, [subject("Present"), absent])
    assert "Absent" in figure.get_supxlabel()


def test_equal_data_gives_equal_files(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        save(draw("pareto", None, [subject("One")]), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_a_figure_needs_something_to_draw() -> None:
    with pytest.raises(InputError, match="nothing to draw for pareto"):
        draw("pareto", None)


def test_a_figure_of_a_table_needs_its_data(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no input of Table 25"):
        draw("temporal", Folder(tmp_path))
    with pytest.raises(InputError, match="--data"):
        draw("budget", None)


def test_an_unknown_figure_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="pareto, heat-map"):
        draw("pie", None)


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.png, \.svg, \.pdf"):
        save(draw("pareto", None, [subject("One")]), tmp_path / "figure.doc")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        save(draw("pareto", None, [subject("One")]), tmp_path / "file" / "figure.png")


rates = st.floats(0, 1).map(lambda x: round(x, 3))


@given(st.lists(st.tuples(rates, rates), min_size=1, max_size=30))
def test_no_point_beats_the_front(points: list[tuple[float, float]]) -> None:
    best = front(points)
    assert set(best) <= set(points)
    assert best == sorted(best)
    for fpr, dr in points:
        assert any(a <= fpr and b >= dr for a, b in best)
    for fpr, dr in best:
        assert not any((a < fpr and b >= dr) or (a <= fpr and b > dr) for a, b in points)


def test_labels_do_not_overlap_and_stay_inside() -> None:
    _, axes = canvas(6, 5)
    rate_axis(axes, "x", "y")
    points = [(0.5 + 0.01 * i, 0.5) for i in range(8)]
    label_points(axes, points, [f"A long name {i}" for i in range(8)])
    axes.figure.draw_without_rendering()  # type: ignore[union-attr]
    boxes = [Text.get_window_extent(text) for text in axes.texts]
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:i])
        assert axes.get_window_extent().padded(3).contains(box.x0, box.y0)


def test_the_data_behind_the_figures_name_every_system(synthetic_like: list[Subject]) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(synthetic_like))))
    assert [row["system"] for row in rows] == ["One", "Two"]
    assert math.isclose(float(rows[0]["seconds"]), 0.5)
    assert 0 <= float(rows[0]["near_miss_title"]) <= 1


@pytest.fixture
def synthetic_like() -> list[Subject]:
    return [subject("One"), subject("Two", 1)]


@pytest.mark.shared_data
def test_the_released_data_fills_every_figure(shared: Path) -> None:
    folder = Folder(shared / "data" / "hallmark")
    assert len(paper_subjects(folder)) == 17
    for name in PLOTS:
        assert draw(name, folder).axes
