"""How does a fitted model look to people: atoms, data, figures and plots?"""

from collections.abc import Iterator, Sequence
from math import exp
from typing import TYPE_CHECKING

from hallmark.judge.calibrate import Measured, Model, Training
from hallmark.judge.patterns import ATOMS
from hallmark.study.document import Section, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hallmark.study.calibration import Calibrated


def document(model: Model) -> list[Section]:
    """Return a model as a document."""
    return [
        Section("Calibration", (_origin(model),), level=1),
        Section("Atoms of evidence", (atoms(model),)),
        Section("Training data", (data(model.data),)),
        Section("Figures", (figures_table(model.figures),)),
    ]


def _origin(model: Model) -> str:
    settings = ", ".join(f"{name} {value:g}" for name, value in model.settings.items())
    return (
        f"Fitted on {model.fitted} by version {model.version} with the policy {model.policy}. "
        f"Index: {model.index}. Settings: {settings}. P(hallucinated) is stated for a share of "
        f"{model.prevalence:.3f} hallucinated references."
    )


def atoms(model: Model) -> Table:
    """Return the weights: what each atom adds to the log-odds, and by what it multiplies the odds.

    An atom whose weight is 0 brings nothing beside the others on the training data.
    """
    weights = {one.atom: one for one in model.atoms}
    rows = [("(none holds)", f"{model.intercept:+.2f}", f"{exp(model.intercept):.3g}", "", "")]
    for atom in ATOMS:
        one = weights.get(atom.name)
        if one is not None:
            rows.append(
                (
                    atom.name,
                    f"{one.weight:+.2f}",
                    f"{exp(one.weight):.3g}",
                    f"{one.rows:,}",
                    atom.meaning,
                )
            )
    return Table(("atom", "weight", "odds ×", "rows", "meaning"), tuple(rows))


def data(sets: Sequence[Training]) -> Table:
    """Return one row for each set of training entries and condition of the index."""
    return Table(
        ("data", "SHA-256", "entries", "hallucinated", "condition", "weight of an entry"),
        tuple(
            (
                one.name,
                one.sha256[:12],
                f"{one.entries:,}",
                f"{one.hallucinated:,}",
                condition,
                f"{weight:g}",
            )
            for one in sets
            for condition, weight in zip(one.conditions, one.weight, strict=True)
        ),
    )


def figures_table(figures: Sequence[Measured]) -> Table:
    """Return one row for each measured set of entries."""
    return Table(
        ("entries", "n", "ECE, equal width", "equal mass", "Brier", "log loss", "AUROC"),
        tuple(
            (
                one.of,
                f"{one.n:,}",
                *(
                    _number(value)
                    for value in (
                        one.ece,
                        one.ece_equal_mass,
                        one.brier,
                        one.log_loss,
                        one.ranking,
                    )
                ),
            )
            for one in figures
        ),
    )


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def figures(found: "Calibrated") -> "Iterator[tuple[str, Figure]]":
    """Yield a reliability plot and a risk-coverage curve of what was measured on a whole index."""
    from hallmark.bench.align import Stance  # noqa: PLC0415 - plots need a large library
    from hallmark.bench.plots.curves import (  # noqa: PLC0415
        reliability_diagram,
        risk_coverage_curves,
    )
    from hallmark.bench.plots.subjects import Subject  # noqa: PLC0415
    from hallmark.bench.studies.results import scored  # noqa: PLC0415

    stance = Stance.FORCED
    subjects = [
        Subject(name.partition(",")[0], "yours", scored(pairs, stance), pairs, stance, None)
        for name, pairs in found.pairs.items()
        if name.endswith(_DRAWN)
    ]
    yield "reliability", reliability_diagram(subjects)
    yield "risk-coverage", risk_coverage_curves(subjects)


_DRAWN = (
    "whole index, all entries, cross-fitted",
    "whole index, all entries, not trained on",
)
