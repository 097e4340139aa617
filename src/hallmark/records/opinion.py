"""What did a language model say of a reference that evidence left open, and what did it weigh?"""

from enum import StrEnum

from msgspec import Struct


class Stance(StrEnum):
    """Which side a model takes; FAILED where there is no answer that can be read."""

    HALLUCINATED = "hallucinated"
    VALID = "valid"
    UNSURE = "unsure"
    FAILED = "failed"


class Vote(Struct, frozen=True, kw_only=True):
    """A model's answer about one reference, as it came.

    `model` is the name of its row in the table of models and `prompt` the digest of what it was
    asked. `confidence` in [0, 1] is what it claims for its stance; nothing is made of it. `type` is
    one of the 14 types or None. `reason` is the model's sentence, or why there is no answer.
    """

    model: str
    prompt: str = ""
    stance: Stance
    confidence: float = 0.5
    type: str | None = None
    reason: str = ""


class Opinion(Struct, frozen=True, kw_only=True):
    """What a model added to a verdict.

    `weight` is what its vote added to the log-odds of P(hallucinated), None where no fitted weight
    applies, which `why` then tells. `before` is P(hallucinated) without the vote; the verdict's
    own is the one with it. `suspicious` says that the two together make it more likely than not
    that the reference is bad.
    """

    vote: Vote
    weight: float | None = None
    why: str = ""
    before: float = 0.5
    suspicious: bool = False


class ModelUse(Struct, frozen=True, kw_only=True):
    """What a run of `check` asked of a language model.

    `address` is where the questions went and `prompt` the digest of what was asked. `open` counts
    references that evidence left open; `kept` of the answers were there from before, `replies` came
    anew, to `requests`, and `failures` counts questions without one by the kind of trouble. Tokens
    and `cost`, in US dollars, are those of the new replies; the cost is None where the price of the
    model is unknown.
    """

    name: str
    id: str
    address: str
    prompt: str
    open: int
    kept: int = 0
    replies: int = 0
    requests: int = 0
    failures: dict[str, int] = {}
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
