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
    typer.Option(
        "--max-cost", metavar="USD", min=0.0, help="What the model may cost in this run (--llm)."
    ),
]
MaxCalls: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--max-calls", metavar="N", min=0, help="Requests to the model in this run (--llm)."
    ),
]
MaxTokens: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--max-tokens", metavar="N", min=0, help="Tokens, in and out, that it may use (--llm)."
    ),
]
LlmDryRun: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--dry-run",
        help="Say what would be sent to the model, to whom, and what that may cost; send nothing "
        "to it and write no report (--llm).",
    ),
]
ShowQuestion: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--show-question", help="Print the first question to the model whole (--dry-run)."
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
    offline: bool = False
    dry_run: bool = False
    show_question: bool = False

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
            "--dry-run": self.dry_run or None,
        }
        without = [name for name, value in needing.items() if value is not None]
        if without and not self.wanted:
            raise InputError(f"{', '.join(without)} needs --llm MODEL.")
        if self.show_question and not self.dry_run:
            raise InputError("--show-question needs --dry-run.")
        if self.wanted and self.offline and self.no_cache:
            raise InputError(
                "--offline hears kept replies of the model only, and --no-cache none. Give one of "
                "them."
            )

    @property
    def caps(self) -> "Caps":
        """What the run may use."""
        from hallmark.llm.interface import Caps  # noqa: PLC0415 - loaded only where it is used

        return Caps(cost=self.max_cost, tokens=self.max_tokens, calls=self.max_calls)
