"""What can a user ask of a language model in a run of `check`?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from msgspec import Struct

from hallmark.errors import InputError

if TYPE_CHECKING:
    from hallmark.llm.interface import Caps

Llm: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--llm",
        metavar="MODEL",
        help="Ask this language model about what evidence leaves open: a name of the table, "
        "openai:ID@URL for any server, or FILE.toml#NAME. The fields of these references are sent "
        "to it. It never changes what a record settles.",
    ),
]
LlmWeights: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--llm-weights",
        metavar="FILE.json",
        help="What its votes are worth, written by `hallmark study llm-weights`; without it they "
        "are shown and change nothing.",
    ),
]
MaxCost: TypeAlias = Annotated[
    float | None,
    typer.Option("--max-cost", metavar="USD", min=0.0, help="What the model may cost (--llm)."),
]
MaxCalls: TypeAlias = Annotated[
    int | None,
    typer.Option("--max-calls", metavar="N", min=0, help="Questions to the model (--llm)."),
]
MaxTokens: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--max-tokens", metavar="N", min=0, help="Tokens, in and out, that it may use (--llm)."
    ),
]


class LlmWish(Struct, frozen=True, kw_only=True):
    """What the user asked of a language model."""

    model: str | None = None
    weights: Path | None = None
    max_cost: float | None = None
    max_calls: int | None = None
    max_tokens: int | None = None
    no_cache: bool = False

    @property
    def wanted(self) -> bool:
        """Whether a model is to be asked."""
        return self.model is not None

    def check(self) -> None:
        """Raise InputError where a wish needs another one."""
        needing = {
            "--llm-weights": self.weights,
            "--max-cost": self.max_cost,
            "--max-calls": self.max_calls,
            "--max-tokens": self.max_tokens,
        }
        without = [name for name, value in needing.items() if value is not None]
        if without and not self.wanted:
            raise InputError(f"{', '.join(without)} needs --llm MODEL.")

    @property
    def caps(self) -> "Caps":
        """What the run may use."""
        from hallmark.llm.interface import Caps  # noqa: PLC0415 - loaded only where it is used

        return Caps(cost=self.max_cost, tokens=self.max_tokens, calls=self.max_calls)
