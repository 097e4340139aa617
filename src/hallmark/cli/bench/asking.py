"""Which options does a run take that asks a language model, and what is told before it starts?"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from hallmark.errors import InputError

if TYPE_CHECKING:
    from hallmark.bench.entry import BlindEntry
    from hallmark.bench.systems.interface import System
    from hallmark.llm.interface import Caps

ModelOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="NAME",
        help="The language model: a name of `bench models`, openai:ID@BASE_URL, "
        "anthropic:ID@BASE_URL, or FILE.toml#NAME.",
    ),
]
PromptOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--prompt", metavar="FILE", help="Ask with this prompt: see docs/language-models.md."
    ),
]
MaxCostOption: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--max-cost", metavar="USD", help="Spend no more than this in the run, over all sittings."
    ),
]
MaxTokensOption: TypeAlias = Annotated[
    int | None, typer.Option("--max-tokens", metavar="N", help="Use no more tokens, in and out.")
]
MaxCallsOption: TypeAlias = Annotated[
    int | None, typer.Option("--max-calls", metavar="N", help="Ask no more often than this.")
]
CacheOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="DIR",
        help="Folder of the model's kept replies. Default: llm/ in $HALLMARK_CACHE, or in the "
        "user's cache folder.",
    ),
]
OfflineOption: TypeAlias = Annotated[
    bool, typer.Option("--offline", help="Ask no model: kept replies only.")
]
RepeatOption: TypeAlias = Annotated[
    int,
    typer.Option(
        "--repeat", metavar="N", help="Number of a repeated run; each number is asked anew."
    ),
]
OldRepeatOption: TypeAlias = Annotated[
    int | None, typer.Option("--sample", hidden=True, help="The old name of --repeat.")
]
DryRunOption: TypeAlias = Annotated[
    bool, typer.Option("--dry-run", help="Say what the run would ask and cost, and stop.")
]
RetryOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--retry-errors",
        help="Ask again about entries for which the model's service failed. Replies that cannot be "
        "read are kept; --repeat N asks them anew, and all others too.",
    ),
]


def caps(cost: float | None, tokens: int | None, calls: int | None) -> "Caps":
    """Return what a run may use.

    Raises:
        InputError: one of them is negative or no number.
    """
    from hallmark.llm.interface import Caps

    for name, value in (("cost", cost), ("tokens", tokens), ("calls", calls)):
        if value is not None and not value >= 0:
            raise InputError(f"--max-{name} is {value}; give 0 or more.")
    return Caps(cost=cost, tokens=tokens, calls=calls)


def repeat_of(repeat: int, old: int | None) -> int:
    """Return the number of a repeated run, which may be given by the option's old name.

    Raises:
        InputError: both are given.
    """
    if old is None:
        return repeat
    if repeat:
        raise InputError("--sample is the old name of --repeat; give --repeat alone.")
    return old


def tell_misspelt(prompt: Path | None, tell: Callable[[str], None]) -> None:
    """Tell which words in braces of a user's prompt look like placeholders and are none.

    Raises:
        InputError: the prompt cannot be used.
    """
    from hallmark.llm.prompts.catalogue import read_prompt
    from hallmark.llm.prompts.template import misspelt

    if prompt is None:
        return
    for name, known in misspelt(read_prompt(prompt)).items():
        tell(f"{prompt} says {{{name}}}, which is sent as it stands. Did you mean {{{known}}}?")


def tell_estimate(
    system: "System", entries: "Sequence[BlindEntry]", tell: Callable[[str], None]
) -> bool:
    """Tell what asking about these entries takes; False where no model is asked."""
    from hallmark.bench.systems.interface import Keeping, estimate_of
    from hallmark.llm.estimate import BYTES_PER_TOKEN, in_words

    found = estimate_of(system, entries)
    if found is None:
        return False
    tell(
        f"Estimate for {len(entries):,} entries, before kept replies are counted: "
        f"{in_words(found)}. Rule of thumb: {BYTES_PER_TOKEN:g} bytes of a prompt to a token; "
        "answers are short at the least, and fill their limit at the most."
    )
    left = system.unkept(entries) if isinstance(system, Keeping) else entries
    if len(left) < len(entries):
        rest = estimate_of(system, left)
        tell(
            f"Replies about {len(entries) - len(left):,} of them are kept already. What is left: "
            f"{in_words(rest) if rest else 'nothing'}."
        )
    return True
