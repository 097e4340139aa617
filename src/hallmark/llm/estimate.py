"""What will a run cost, before anything is asked?

The rule of thumb is one token for every 3.5 bytes of UTF-8: names, DOIs and BibTeX are cut finer
than the four characters a token that hold for English prose. An answer takes at least some 100
tokens and at most the limit that is sent, which hidden reasoning may use up.
"""

import math
from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec import Struct

from hallmark.llm.interface import ModelSpec, Request, Usage
from hallmark.llm.ledger import of

BYTES_PER_TOKEN = 3.5
ANSWER_TOKENS = 100
"""Tokens of a short answer in the form of the contract."""
_CENT = 0.01
"""US dollars below which a sum is told more finely than in cents."""
MESSAGE_TOKENS = 8
"""Tokens by which a provider sets a message apart."""


class Estimate(Struct, frozen=True, kw_only=True):
    """What questions are likely to take.

    `output_least` and `output_most` are completion tokens if all answers are short, and if all
    use their limit; the costs, in US dollars, go with them and are None where a price is unknown.
    `calls` and `input_tokens` are those at the most; `calls_least` and `input_least` say with how
    few it may end where that is open, as with an agent, and are None where it is not.
    """

    calls: int
    input_tokens: int
    output_least: int
    output_most: int
    cost_least: float | None = None
    cost_most: float | None = None
    priced: str = ""
    calls_least: int | None = None
    input_least: int | None = None

    def __add__(self, other: "Estimate") -> "Estimate":
        """Return what both take together."""
        return Estimate(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_least=self.output_least + other.output_least,
            output_most=self.output_most + other.output_most,
            cost_least=_sum(self.cost_least, other.cost_least),
            cost_most=_sum(self.cost_most, other.cost_most),
            calls_least=_least(self, other, "calls"),
            input_least=_least(self, other, "input"),
            priced=min(filter(None, (self.priced, other.priced)), default=""),
        )


NOTHING = Estimate(
    calls=0, input_tokens=0, output_least=0, output_most=0, cost_least=0.0, cost_most=0.0
)


def tokens_of(text: str) -> int:
    """Return about how many tokens a text has."""
    return math.ceil(len(text.encode("utf-8", "surrogatepass")) / BYTES_PER_TOKEN)


def input_tokens(request: Request) -> int:
    """Return about how many tokens a question has, with its tools and schema."""
    texts = [request.system, *(msgspec.json.encode(one).decode() for one in request.tools)]
    if request.schema is not None:
        texts.append(msgspec.json.encode(request.schema).decode())
    texts.extend(message.text for message in request.messages)
    return sum(map(tokens_of, texts)) + MESSAGE_TOKENS * (1 + len(request.messages))


def estimate(
    requests: Iterable[Request], spec: ModelSpec, answer_tokens: int = ANSWER_TOKENS
) -> Estimate:
    """Return what asking these questions takes, if nothing of it is kept already.

    Args:
        requests: the questions.
        spec: the model, with its prices and its default limit.
        answer_tokens: completion tokens of a short answer.
    """
    calls = asked = least = most = 0
    for request in requests:
        limit = request.max_tokens or spec.max_tokens
        calls += 1
        asked += input_tokens(request)
        least += min(answer_tokens, limit)
        most += limit
    return Estimate(
        calls=calls,
        input_tokens=asked,
        output_least=least,
        output_most=most,
        cost_least=cost(spec, asked, least),
        cost_most=cost(spec, asked, most),
        priced=spec.priced,
    )


def cost(spec: ModelSpec, input_tokens: int, output_tokens: int) -> float | None:
    """Return the price of tokens in US dollars, None where the model's prices are unknown."""
    if spec.input_price is None or spec.output_price is None:
        return None
    return of(spec, Usage(input=input_tokens, output=output_tokens)).cost


def in_words(found: Estimate) -> str:
    """Return an estimate as one line for people."""
    calls = _from_to(found.calls_least, found.calls)
    tokens = (
        f"{calls} calls, about {_from_to(found.input_least, found.input_tokens)} tokens in, "
        f"{found.output_least:,} to {found.output_most:,} out"
    )
    if found.cost_least is None or found.cost_most is None:
        return f"{tokens}: price unknown"
    dated = f" (prices of {found.priced})" if found.priced else ""
    digits = 2 if found.cost_least >= _CENT or not found.cost_most else 4
    low, high = f"{found.cost_least:,.{digits}f}", f"{found.cost_most:,.{digits}f}"
    return f"{tokens}: US$ {low} to {high}{dated}"


def _from_to(least: int | None, most: int) -> str:
    return f"{most:,}" if least is None or least == most else f"{least:,} to {most:,}"


def _least(one: Estimate, other: Estimate, of_what: Literal["calls", "input"]) -> int | None:
    """Return the least of two estimates together, None where neither tells one."""
    pairs = (
        [(each.calls_least, each.calls) for each in (one, other)]
        if of_what == "calls"
        else [(each.input_least, each.input_tokens) for each in (one, other)]
    )
    if all(least is None for least, _ in pairs):
        return None
    return sum(most if least is None else least for least, most in pairs)


def _sum(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other
