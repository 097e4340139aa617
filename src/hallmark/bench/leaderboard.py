"""Who is ahead, told from result files alone, and how sure is each place?

A result file (`bench evaluate --format json`) holds, for every hallucination type, how many
entries there are and how many the tool caught, and how it treated the valid ones. That is all a
stratified bootstrap of a measure of labels needs, so places get intervals without predictions.
Tools are ranked on the conservative stance: on the selective one, whoever answers least may win.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from hallmark._files import read_bytes
from hallmark.bench.align import Floats, Stance
from hallmark.bench.evaluation import SCHEMA, Evaluation
from hallmark.bench.lines import printable
from hallmark.bench.measures import MEASURES
from hallmark.bench.measures.groups import Estimate, Group
from hallmark.bench.measures.outcome import Outcome
from hallmark.bench.measures.weighed import Weighed
from hallmark.bench.resample import Plan
from hallmark.bench.statistics.ranking import RankInterval, plackett_luce, rank_intervals
from hallmark.bench.taxonomy import TAXONOMY, HallucinationType
from hallmark.errors import InputError

RANKABLE = (
    "f1", "detection_rate", "false_positive_rate", "precision", "mcc", "balanced_accuracy",
    "tier_weighted_f1", "tier3_f1", "macro_f1", "ppv",
)  # fmt: skip
STRICT, LENIENT = Stance.CONSERVATIVE, Stance.SELECTIVE


class Line(Struct, frozen=True):
    """A tool on one gold file: `strict` counts abstentions as VALID, `lenient` leaves them out.

    `rank` is the tool's place by the strict value with its interval over resamples.
    """

    system: str
    rank: RankInterval
    strict: Estimate
    lenient: Estimate
    coverage: Estimate
    error_rate: Estimate
    rates: dict[str, Estimate]


class Board(Struct, frozen=True):
    """The tools on one gold file, the best first; `unranked` could not be placed, with reasons."""

    gold: str
    sha256: str
    n: int
    measure: str
    lines: list[Line]
    unranked: dict[str, str]


class Leaderboard(Struct, frozen=True):
    """One board for each gold file; Plackett-Luce strengths where there are several.

    `skipped` names JSON files in the folder that are no evaluations.
    """

    boards: list[Board]
    strengths: dict[str, float]
    skipped: list[str]


def leaderboard(
    folder: Path, name: str = "f1", stance: Stance = STRICT, plan: Plan | None = None
) -> Leaderboard:
    """Rank the tools whose result files lie in a folder.

    Args:
        folder: holds result files (`*.json`), in it or in folders below.
        name: the measure to rank by; one of `RANKABLE`.
        stance: what an abstention counts as; not selective.
        plan: how to resample.

    Raises:
        InputError: where the stance is selective, the measure cannot be ranked by, or the folder
            holds no result files or broken ones.
    """
    if stance is LENIENT:
        raise InputError(
            "A ranking on the selective stance alone would reward a tool for answering least. "
            "Rank on the conservative stance; the selective values stand beside it."
        )
    if name not in RANKABLE:
        MEASURES.get(name)
        raise InputError(
            f"Result files do not hold what ranking by {name} takes; choose one of "
            f"{', '.join(RANKABLE)}."
        )
    results, skipped = read_results(folder)
    golds: dict[tuple[str, int], list[Evaluation]] = {}  # a sample of a file is another one
    for result in results:
        golds.setdefault((result.gold.sha256, result.gold.n), []).append(result)
    boards = [_board(group, name, stance, plan or Plan()) for group in golds.values()]
    rankings = [[line.system for line in board.lines] for board in boards]
    several = len(boards) > 1 and any(len(ranking) > 1 for ranking in rankings)
    return Leaderboard(boards, plackett_luce(rankings) if several else {}, skipped)


def read_results(folder: Path) -> tuple[list[Evaluation], list[str]]:
    """Return the evaluations in a folder, and the names of JSON files that are none.

    Raises:
        InputError: where there is no folder, no result, or a result that cannot be read.
    """
    if not folder.is_dir():
        raise InputError(f"There is no folder {printable(folder, 300)}.")
    results: list[Evaluation] = []
    skipped: list[str] = []
    broken: list[str] = []
    for path in sorted(folder.rglob("*.json")):
        found = _read(path)
        if isinstance(found, Evaluation):
            results.append(found)
        elif found:
            broken.append(f"{printable(path.name)}: {found}")
        else:
            skipped.append(printable(path.name))
    if broken:
        raise InputError("\n  ".join(["These result files cannot be used:", *broken]))
    if not results:
        raise InputError(
            f"There are no result files in {printable(folder, 300)}. Write them with "
            "`hallmark bench evaluate PREDICTIONS --gold GOLD --format json --output FILE`."
        )
    _no_doubles(results)
    return results, skipped


def _read(path: Path) -> Evaluation | str:
    """Return the evaluation, "" for a file of another kind, or what is wrong with it."""
    try:
        data = read_bytes(path)
        kind = msgspec.json.decode(data)
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "not JSON"
    if not isinstance(kind, dict) or kind.get("schema") != SCHEMA:
        return ""
    try:
        return msgspec.convert(kind, Evaluation)
    except msgspec.ValidationError as error:
        return printable(error, 200)


def _no_doubles(results: Sequence[Evaluation]) -> None:
    seen: set[tuple[str, str, int]] = set()
    for result in results:
        key = (result.system, result.gold.sha256, result.gold.n)
        if key in seen:
            raise InputError(
                f"{printable(result.system)} has two result files on {printable(result.gold.name)}."
                " Keep one, or give them different names with --system."
            )
        seen.add(key)


def _board(results: Sequence[Evaluation], name: str, stance: Stance, plan: Plan) -> Board:
    """Rank the tools of one gold file; each draws from its own stream of random numbers."""
    measure = MEASURES.get(name)
    sign = 1.0 if measure.better == "higher" else -1.0
    placed: dict[str, Evaluation] = {}
    unranked: dict[str, str] = {}
    for result in sorted(results, key=lambda result: result.system):
        reason = _unrankable(result, name, stance)
        if reason:
            unranked[result.system] = reason
        else:
            placed[result.system] = result
    scores = {tool: sign * (_value(result, stance, name) or 0.0) for tool, result in placed.items()}
    draws = {
        tool: sign * np.nan_to_num(_resampled(result, name, stance, plan, i), nan=-np.inf * sign)
        for i, (tool, result) in enumerate(placed.items())
    }
    ranks = rank_intervals(scores, draws, plan.level) if scores else {}
    lines = [_line(placed[tool], name, rank, stance) for tool, rank in ranks.items()]
    gold = results[0].gold
    lines.sort(key=lambda line: (line.rank.rank, line.system))
    return Board(gold.name, gold.sha256, gold.n, name, lines, unranked)


def _unrankable(result: Evaluation, name: str, stance: Stance) -> str:
    if str(stance) not in result.stances:
        return f"has no {stance} stance"
    if name not in result.stances[stance]:
        return f"has no {name}"
    return "" if _value(result, stance, name) is not None else f"{name} is undefined"


def _value(result: Evaluation, stance: Stance, name: str) -> float | None:
    return result.stances[stance][name].value


def _line(result: Evaluation, name: str, rank: RankInterval, stance: Stance) -> Line:
    lenient = result.stances.get(str(LENIENT), {})
    wanted = ("detection_rate", "false_positive_rate", "f1", "mcc")
    mine = result.stances[stance]
    return Line(
        system=result.system,
        rank=rank,
        strict=mine[name],
        lenient=lenient.get(name, Estimate(None)),
        coverage=result.coverage,
        error_rate=result.error_rate,
        rates={measure: mine[measure] for measure in wanted if measure in mine},
    )


def _resampled(result: Evaluation, name: str, stance: Stance, plan: Plan, stream: int) -> Floats:
    """Return the measure over stratified resamples of the counts in a result file."""
    rng = np.random.default_rng([plan.seed, stream])
    strata = [
        (
            tier,
            _caught(group.stances[stance]["detection_rate"], group.hallucinated),
            group.hallucinated,
        )
        for tier, group in _types(result)
    ]
    weights: list[Floats] = []
    for _, caught, n in strata:
        drawn = rng.binomial(n, caught / n, size=plan.resamples)
        weights += [drawn.astype(np.float64), (n - drawn).astype(np.float64)]
    counts = result.counts[stance]
    valid = np.array([counts["fp"], counts["tn"], counts["failed_valid"]], dtype=np.float64)
    if valid.sum():
        drawn = rng.multinomial(int(valid.sum()), valid / valid.sum(), size=plan.resamples)
        weights += list(drawn.T.astype(np.float64))
    else:
        weights += [np.zeros(plan.resamples)] * 3
    outcome = _kinds([tier for tier, _, _ in strata])
    return MEASURES.get(name).compute(Weighed(outcome, np.stack(weights))).astype(np.float64)


def _types(result: Evaluation) -> list[tuple[int, Group]]:
    return [(_tier(kind), group) for kind, group in result.per_type.items() if group.hallucinated]


def _tier(kind: str) -> int:
    return int(TAXONOMY[HallucinationType(kind)].tier) if kind in set(HallucinationType) else 0


def _caught(rate: Estimate, n: int) -> int:
    return round((rate.value or 0.0) * n)


def _kinds(tiers: Sequence[int]) -> Outcome:
    """Return the outcomes that the counts belong to: caught and missed of each type, then valid."""
    bad = 2 * len(tiers)
    truth = np.arange(bad + 3) < bad
    flagged = np.array([True, False] * len(tiers) + [True, False, False])
    failed = np.arange(bad + 3) == bad + 2
    tier = np.array([t for t in tiers for _ in range(2)] + [0, 0, 0], dtype=np.int64)
    half = np.full(bad + 3, 0.5)
    return Outcome(
        at=np.arange(bad + 3),
        truth=truth,
        flagged=flagged,
        failed=failed,
        correct=(flagged == truth) & ~failed,
        confidence=half,
        p=half,
        tier=tier,
    )
