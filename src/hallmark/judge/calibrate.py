"""How probable is it that the reference is hallucinated?

P(hallucinated) is a logistic function of the weights of the atoms that hold (`judge.patterns`). The
weights are read from a model file: the packaged one, or a user's own; `hallmark calibrate` fits
it. Only evaluation stands here; it needs no numerical library.
"""

import math
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

from hallmark.errors import InputError
from hallmark.judge.patterns import ATOMS, Atom, Direction, Pattern

FORMAT = "hallmark-calibration/1"
PRIOR = 0.5
"""P(hallucinated) of an entry that could not be read or checked at all."""

FLOOR = 0.001
"""No P(hallucinated) is below this or above its complement: the labels to which models are fitted
are not surer than that, and no record is."""

STEP = 0.05
"""The least weight of the two atoms of the outcome, in log-odds: with equal evidence, verified is
less probably hallucinated than unresolved, and unresolved less than contradicted."""

STRONGEST = 12.0
"""The largest weight, either way, in log-odds: beyond it a probability would be all floor."""

OUTCOME = frozenset({"not-explained", "charged"})
_DIGITS = 6
_LARGEST_EXPONENT = 700.0
"""The exponential function has no larger floating-point values from some 709 on."""
_BY_NAME = {atom.name: atom for atom in ATOMS}


class Weight(Struct, frozen=True, forbid_unknown_fields=True):
    """What an atom adds to the log-odds; `rows` is the number of training rows in which it holds.

    `meaning` repeats what the atom says, so that the file can be read alone.
    """

    atom: str
    weight: float
    rows: int = 0
    meaning: str = ""


class Training(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One set of entries that a model was fitted on.

    `sha256` is the digest of the gold file, or of the generated entries as JSON Lines. `weight` is
    what one entry weighs in each condition of the index, parallel to `conditions`.
    """

    name: str
    sha256: str
    entries: int
    hallucinated: int
    conditions: tuple[str, ...] = ()
    weight: tuple[float, ...] = ()


class Measured(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How good the probabilities of some entries are; errors in [0, 1], None where undefined.

    `ece` has ten bins of equal width, `ece_equal_mass` ten of equal mass. `ranking` is the area
    under the ROC curve.
    """

    of: str
    n: int
    ece: float | None
    ece_equal_mass: float | None
    brier: float | None
    log_loss: float | None
    ranking: float | None


class Model(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fitted model, as its file holds it.

    `intercept` is the log-odds of a reference of which no atom holds; `prevalence` is the share of
    hallucinated entries, in (0, 1), for which the probabilities are stated. The rest tells how the
    model came about: when, by which version, on which data and index, with which settings, and how
    good it was by cross-fitting.
    """

    format: str = FORMAT
    name: str = ""
    fitted: str = ""
    version: str = ""
    policy: str = ""
    index: str = ""
    prevalence: float
    intercept: float
    atoms: tuple[Weight, ...]
    settings: dict[str, float] = {}
    data: tuple[Training, ...] = ()
    figures: tuple[Measured, ...] = ()


class Calibration:
    """A model, ready to be evaluated."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._weights = {one.atom: one.weight for one in model.atoms}

    def probability(self, pattern: Pattern) -> float:
        """Return P(hallucinated), strictly between 0 and 1, at the model's prevalence."""
        score = self.model.intercept
        for atom in sorted(pattern):
            score += self._weights.get(atom, 0.0)
        return round(FLOOR + (1.0 - 2.0 * FLOOR) * _logistic(score), _DIGITS)

    def at_prevalence(self, probability: float, prevalence: float) -> float:
        """Return a probability of this model for another prevalence, in (0, 1).

        Raises:
            InputError: the prevalence is not strictly between 0 and 1.
        """
        return at_prevalence(probability, prevalence, self.model.prevalence)

    def at_coverage(self, probability: float, share: float) -> float:
        """Return a probability of a reference without record, where the index knows the field less.

        That a work has no record says the less, the less the index holds of what such a
        bibliography cites. The log-odds above those of the model's prevalence are kept in
        proportion to `share`, so that less coverage never raises a probability.

        Args:
            probability: of a reference that is unresolved and has no record, in (0, 1).
            share: the share of the bibliography's venues that the index knows, in [0, 1].
        """
        if not self.model.prevalence < probability < 1.0:
            return probability
        start = _logit(self.model.prevalence)
        return _logistic(start + min(1.0, max(0.0, share)) * (_logit(probability) - start))


def at_prevalence(probability: float, prevalence: float, trained: float) -> float:
    """Return P(hallucinated) where hallucinated references are rarer or commoner than in training.

    By Bayes' rule the odds change by the ratio of the prior odds; what the evidence is worth stays
    (Elkan, The foundations of cost-sensitive learning, 2001, theorem 2).

    Args:
        probability: stated for the prevalence `trained`, in (0, 1).
        prevalence: the share of hallucinated references that is expected, in (0, 1).
        trained: the share for which `probability` is stated: the model's `prevalence`.

    Raises:
        InputError: a share is not strictly between 0 and 1.
    """
    for share in (prevalence, trained):
        if not 0.0 < share < 1.0:
            raise InputError(
                f"The prevalence is {share:g}; it is a share strictly between 0 and 1, "
                "such as 0.02 for one bad reference in fifty."
            )
    if not 0.0 < probability < 1.0:
        return probability
    moved = _logit(probability) + _logit(prevalence) - _logit(trained)
    return _logistic(moved)


def _logistic(log_odds: float) -> float:
    return 1.0 / (1.0 + math.exp(min(-log_odds, _LARGEST_EXPONENT)))


def _logit(share: float) -> float:
    return math.log(share) - math.log1p(-share)


@cache
def packaged() -> Calibration:
    """Return the model that comes with the program."""
    text = resources.files("hallmark.judge").joinpath("calibration.json").read_bytes()
    return Calibration(read_model(text, "The packaged calibration"))


def read_model(text: bytes, name: str) -> Model:
    """Read a model file.

    Args:
        text: the file's content.
        name: how messages name the file.

    Raises:
        InputError: it is no model, of another format, or breaks the laws of the atoms.
    """
    try:
        model = msgspec.json.decode(text, type=Model)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{name} is no calibration model: {error}. {_MAKE_ONE}") from None
    problem = next(_problems(model), None)
    if problem is not None:
        raise InputError(f"{name} cannot be used: {problem} {_MAKE_ONE}")
    return model


_MAKE_ONE = "Fit one: hallmark calibrate --gold FILE --index DIR -o MODEL.json"


def _problems(model: Model) -> Iterator[str]:
    """Yield what keeps a model from being used, the gravest first."""
    if model.format != FORMAT:
        yield f"its format is {model.format[:40]!r}, and this version reads {FORMAT!r}."
        return
    if not 0.0 < model.prevalence < 1.0:
        yield f"its prevalence is {model.prevalence:g}, which is not between 0 and 1."
    if abs(model.intercept) > STRONGEST:
        yield f"its intercept is {model.intercept:g}, which is beyond ±{STRONGEST:g}."
    yield from _faults_of_weights(model.atoms)


def _faults_of_weights(weights: Iterable[Weight]) -> Iterator[str]:
    seen: set[str] = set()
    for one in weights:
        atom = _BY_NAME.get(one.atom)
        if atom is None:
            yield f"it weighs {one.atom[:40]!r}, and there is no such atom."
        elif one.atom in seen:
            yield f"it weighs {one.atom!r} twice."
        else:
            low, high = bounds(atom)
            if not low <= one.weight <= high:
                yield (
                    f"the weight of {one.atom!r} is {one.weight:g}; "
                    f"it must be between {low:g} and {high:g}."
                )
        seen.add(one.atom)
    for name in sorted(OUTCOME - seen):
        yield f"it has no weight for {name!r}."


def bounds(atom: Atom) -> tuple[float, float]:
    """Return the least and the largest weight of an atom, in log-odds."""
    match atom.direction:
        case Direction.AGAINST:
            return (STEP if atom.name in OUTCOME else 0.0), STRONGEST
        case Direction.FOR:
            return -STRONGEST, 0.0
