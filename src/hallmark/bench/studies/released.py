"""What do the authors' released summaries look like?"""

import msgspec

from hallmark.bench.entry import Label


class Rate(msgspec.Struct, frozen=True):
    """Detection rate of one tier or type in a released result file."""

    detection_rate: float


class Aggregate(msgspec.Struct, frozen=True):
    """A released result file: what the authors computed from predictions they did not release.

    `cost_efficiency` is in entries a second.
    """

    num_entries: int
    num_hallucinated: int
    num_valid: int
    detection_rate: float
    false_positive_rate: float
    f1_hallucination: float
    tier_weighted_f1: float
    mcc: float | None = None
    ece: float | None = None
    auroc: float | None = None
    tier3_f1: float | None = None
    num_uncertain: int | None = None
    cost_efficiency: float | None = None
    per_tier_metrics: dict[str, Rate] = {}
    per_type_metrics: dict[str, Rate] = {}


class Triple(msgspec.Struct, frozen=True):
    """Detection rate, false-positive rate and F1, rounded to four decimals."""

    DR: float
    FPR: float
    F1: float


class Dual(msgspec.Struct, frozen=True):
    """One tool on one split in two stances; what is called conservative is our selective."""

    coverage: float | None = None
    conservative: Triple | None = None
    aggressive: Triple | None = None


class CurvePoint(msgspec.Struct, frozen=True):
    """A point of a released risk-coverage curve."""

    coverage: float
    F1: float


class Curve(msgspec.Struct, frozen=True):
    """A released risk-coverage curve; a `caveat` marks a later, drifted run."""

    auroc: float | None = None
    fpr_at_90_coverage: float | None = None
    f1_at_90_coverage: float | None = None
    curve: tuple[CurvePoint, ...] = ()
    caveat: str | None = None


class Coverage(msgspec.Struct, frozen=True):
    """`coverage_reporting.json`: tool -> split -> stances, and tool -> curve."""

    per_tool_coverage_dual: dict[str, dict[str, Dual]] = {}
    risk_coverage: dict[str, Curve] = {}


class MethodResult(msgspec.Struct, frozen=True):
    """One cell of `generation_method.json`: a detection rate, or the FPR of the valid entries."""

    value: float


class Changed(msgspec.Struct, frozen=True):
    """A relabelled entry."""

    bibtex_key: str
    old_label: Label


class SplitMeta(msgspec.Struct, frozen=True):
    """What `metadata.json` says of a split; the types may count `valid` as one of them."""

    file: str = ""
    valid: int | None = None
    hallucinated: int | None = None
    total: int | None = None
    tier_distribution: dict[str, int] = {}
    type_distribution: dict[str, int] | None = None

    @property
    def types(self) -> frozenset[str] | None:
        """Hallucination types that occur, or None where nothing is said of them."""
        found = self.type_distribution
        return None if found is None else frozenset(found) - {"valid"}


class Extensions(msgspec.Struct, frozen=True):
    """Splits that were added to the core later."""

    splits: dict[str, SplitMeta] = {}
    data_sources: dict[str, SplitMeta] = {}


class Metadata(msgspec.Struct, frozen=True):
    """`metadata.json`, as far as it is needed."""

    splits: dict[str, SplitMeta] = {}
    v1_1_extensions: Extensions = Extensions()

    def of(self, split: str) -> SplitMeta | None:
        """What is said of a split, by its name or by the name of its file."""
        later = self.v1_1_extensions
        named = {**later.splits, **self.splits}
        filed = {meta.file: meta for meta in (*later.data_sources.values(), *named.values())}
        return named.get(split) or filed.get(f"{split}.jsonl")


class BudgetCell(msgspec.Struct, frozen=True):
    """A row of `thinking_budget.csv`: one model under one token budget, rates in [0, 1].

    `hallucinated` and `valid` count the entries; the released file does not have them.
    """

    cell: str
    display: str
    budget: str
    parse_failure: float
    cap: float
    p95: float | None = None
    mean_tokens: float | None = None
    p95_tokens: float | None = None
    dr: float | None = None
    fpr: float | None = None
    cost_usd: float | None = None
    hallucinated: int | None = None
    valid: int | None = None


class BudgetType(msgspec.Struct, frozen=True):
    """A row of `thinking_budget_per_type.csv`: detection rate of one type by cell of the test."""

    type: str
    n: int
    rates: dict[str, float]
