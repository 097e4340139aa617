"""How does a fitted model look to people: atoms, data, figures and plots?"""

from collections.abc import Iterator, Sequence
from math import exp
from typing import TYPE_CHECKING

from hallmark.judge.calibrate import Measured, Model, Training, at_prevalence
from hallmark.judge.patterns import ATOMS
from hallmark.study.document import Section, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hallmark.bench.align import Pairs
    from hallmark.study.calibration import Calibrated


def document(model: Model) -> list[Section]:
    """Return a model as a document, for a terminal."""
    return [
        Section("Calibration", (_origin(model),), level=1),
        Section("Atoms of evidence", (atoms(model),)),
        Section("Training data", (data(model.data),)),
        Section("Figures", (figures_table(model.figures),)),
    ]


def page(model: Model) -> list[Section]:
    """Return the page of the documentation about the packaged model."""
    return [
        Section("How probabilities are calibrated", (_MADE, _WHAT, _origin(model)), level=1),
        Section("Atoms of evidence", (_ATOMS, atoms(model))),
        Section("Training data", (_DATA, data(model.data))),
        Section("Figures", (_FIGURES, figures_table(model.figures), _PLOTS)),
        Section("Other prevalences", (_PREVALENCE, prevalences(model))),
        Section("Limits", (_LIMITS,)),
        Section("Fitting it again", (_AGAIN,)),
    ]


_MADE = (
    "Generated from `src/hallmark/judge/calibration.json` and "
    "`src/hallmark/study/calibration_report.py` by `make docs`; do not edit."
)

_WHAT = """\
Every verdict carries P(hallucinated): the probability that the reference is fabricated or wrong. It
is the logistic function of a sum of weights, one for each *atom of evidence* that holds. An atom is
a yes-or-no fact about the verdict, its findings and the records: no similarity score, nothing about
a benchmark. The weights are fitted; their signs are not. An atom that speaks against a reference
never lowers P, one that speaks for it never raises it, whatever the data say. So these laws hold in
every model, and tests keep them:

- A further charge never lowers P; a further collection that agrees in all never raises it.
- With equal evidence, verified is below unresolved, and unresolved below contradicted.
- A source that fails never raises P.
- P lies between 0.001 and 0.999: the labels behind a model are not surer than that."""

_ATOMS = """\
The weight is what an atom adds to the log-odds; the next column is what the odds are multiplied by.
A weight of 0 says that the atom brings nothing beside the others on these data. Findings count by
the hundred of their code and by their severity, so that a new finding needs no new atom."""

_DATA = """\
A gold file is judged in several conditions of the index, so that "no record" weighs what it is
worth where less is held: with half of the works taken away at random, with one collection only,
with none. Generated entries are works of the index, written in citation styles or made false by the
benchmark's perturbations; they are judged where works are missing, since each of them is in the
whole index. Digests are SHA-256, of the file or of the generated entries as JSON Lines."""

_FIGURES = """\
*Cross-fitted*: each entry's probability comes from a model that has seen neither the entry nor any
other of the same title. *All entries*: an abstention counts with the label that its P speaks for
(the stance `forced` of `hallmark bench evaluate`); *committed entries* leaves abstentions out (the
stance `selective`). ECE is the expected calibration error of the paper's Eq. 2 over ten bins. The
isotonic step on top of the logistic model is tried at every fit and not part of the model: it moves
the errors by no more than chance does, and its steps make unequal evidence equal."""

_PLOTS = """\
![Reliability](calibration-reliability.svg)

![Risk and coverage](calibration-risk-coverage.svg)"""

_PREVALENCE = """\
P is stated for the share of hallucinated references among the training entries. Where they are
rarer, the odds shrink by the ratio of the prior odds (Elkan 2001):
`hallmark.judge.calibrate.at_prevalence`. This is what a stated P becomes:"""

_LIMITS = """\
- The entries are of machine learning and its neighbours. Off that domain the order of probabilities
  holds, their height need not: give a lower prevalence, and mind how much of the bibliography the
  index knows.
- False alarms and misses of the training data are mostly disputed labels, so that a committed P is
  no nearer to 0 or 1 than the labels allow.
- Unresolved references are few with the whole index, and their P is the least certain.
- With a partial index most references are unresolved, and their P is near the prevalence: there it
  matters that the prevalence is right."""

_AGAIN = """\
After a change of the rules, one command fits the model anew, measures it and draws the figures; a
second one writes this page:

    hallmark calibrate --gold dev_public --report temporal_supplement --index DIR \\
        -o src/hallmark/judge/calibration.json --plots docs
    make docs

With labelled references of one's own, `hallmark calibrate --gold FILE --index DIR -o MODEL.json`
fits another model, and `hallmark check --calibration MODEL.json` states its probabilities."""

_STATED = (0.01, 0.1, 0.5, 0.8, 0.9, 0.95, 0.99)
_SHARES = (0.01, 0.02, 0.05, 0.1, 0.3)


def prevalences(model: Model) -> Table:
    """Return what stated probabilities become at other prevalences."""
    stated = f"stated at {model.prevalence:.1%}".replace("%", " %")
    heads = (f"{share:.0%}".replace("%", " %") for share in _SHARES)
    return Table(
        (stated, *heads),
        tuple(
            (
                f"{one:g}",
                *(f"{at_prevalence(one, share, model.prevalence):.4f}" for share in _SHARES),
            )
            for one in _STATED
        ),
    )


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
    from hallmark.study.calibration_plots import (  # noqa: PLC0415 - they need a large library
        reliability,
        risk_coverage,
    )

    sets = list(drawn(found))
    yield "reliability", reliability(sets)
    yield "risk-coverage", risk_coverage(sets)


def drawn(found: "Calibrated") -> "Iterator[tuple[str, Pairs]]":
    """Yield the gold files with their predictions by a model that has not seen them."""
    for name, pairs in found.pairs.items():
        if name.endswith(_DRAWN):
            yield name.partition(",")[0], pairs


_DRAWN = (
    "whole index, all entries, cross-fitted",
    "whole index, all entries, not trained on",
)
