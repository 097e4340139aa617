"""Under which budgets of tokens is a model asked, to find where its answers are cut off?

The regimes are those of Table 29 and Table 30: the three models of the paper each stand for the
models that think as they do. A model whose row names no effort is asked under the budgets of
GPT-5.5; one with an effort of "low" or less under those of DeepSeek-V4-Pro, which raise the effort
too; any other keeps its effort, or the share of the budget that it may think with, under the
budgets of Gemini 3.1 Pro.
"""

from msgspec import Struct

from hallmark.llm.interface import Effort, ModelSpec

LETTERS = ("a", "b", "c")


class Regime(Struct, frozen=True):
    """A limit of completion tokens, hidden reasoning included, and an effort (None: no effort).

    `thinking` is how many of the tokens reasoning may use where that is told to the service in the
    place of the effort, else 0.
    """

    letter: str
    tokens: int
    effort: Effort | None = None
    thinking: int = 0

    @property
    def name(self) -> str:
        """The budget as Table 30 writes it."""
        if self.thinking:
            return f"{self.tokens} + {self.thinking} reas."
        if self.effort in {None, "none"}:
            return str(self.tokens)
        return f"{self.tokens}, effort={self.effort}"


def regimes_of(spec: ModelSpec) -> tuple[Regime, ...]:
    """Return the regimes A, B and C that fit how a model thinks."""
    match spec.effort:
        case None | "none":
            rows: tuple[tuple[int, Effort | None], ...] = (
                (256, spec.effort), (1024, spec.effort), (4096, spec.effort)
            )  # fmt: skip
        case "minimal" | "low":
            rows = ((4096, spec.effort), (8192, "high"), (16384, "high"))
        case "medium" | "high":
            rows = ((2048, spec.effort), (8192, spec.effort), (16384, spec.effort))
    return tuple(
        Regime(letter, tokens, effort, _thinking(spec, tokens, effort))
        for letter, (tokens, effort) in zip(LETTERS, rows, strict=True)
    )


def _thinking(spec: ModelSpec, tokens: int, effort: Effort | None) -> int:
    return 0 if effort in {None, "none"} else int(spec.thinking_share * tokens)
