"""What of the facts that a service tells beside its answer can be believed?

An end-point may be anybody's program. A number of tokens that is none, and a name of a model that
is no name, must not decide what a run may still spend, nor what is stored of it; and a reply that
is paid for is not lost for one.
"""

from msgspec import DecodeError, Raw, json

from hallmark.llm.interface import Usage

MOST_TOKENS = 10_000_000
"""Tokens that one request or reply may have: no context window is larger (Llama 4 Scout: 10 M)."""
MOST_DOLLARS = 1000.0
"""US dollars that one reply may cost: ten million tokens at 100 dollars a million."""
_LONGEST_NAME = 200
_UNTOLD = Usage(counted=False)


def numbers(told: Raw) -> dict[str, object]:
    """Return an object of JSON, {} for whatever else it is."""
    try:
        found = json.decode(told)
    except (DecodeError, UnicodeDecodeError, RecursionError):
        return {}
    return members(found)


def members(told: object) -> dict[str, object]:
    """Return an object inside of one, {} for whatever else it is."""
    return told if isinstance(told, dict) else {}


def usage(
    prompt: tuple[object, ...],
    output: object,
    *,
    cached: object,
    reasoning: object,
    cost: object = None,
) -> Usage:
    """Return the tokens of a reply, or that they were not counted.

    Args:
        prompt: the numbers of which the prompt's tokens are the sum; None counts as 0 behind the
            first.
        output: tokens of the answer.
        cached: of the prompt, kept by the service; no price depends on it, so that 0 stands for
            what cannot be believed.
        reasoning: of the answer, hidden; likewise.
        cost: US dollars; likewise, for no reply counts less than by the list of prices.
    """
    first, *more = prompt
    parts = [_count(first), *(_count(0 if part is None else part) for part in more)]
    known = [part for part in parts if part is not None]
    made = _count(output)
    asked = _count(sum(known)) if len(known) == len(parts) else None
    if asked is None or made is None or asked + made == 0:
        return _UNTOLD
    return Usage(
        asked, min(_count(cached) or 0, asked), made, _count(reasoning) or 0, cost=_dollars(cost)
    )


def _dollars(told: object) -> float:
    """Return an amount of money from 0 to `MOST_DOLLARS`, 0 for whatever else it is."""
    amount = told if isinstance(told, int | float) and not isinstance(told, bool) else 0.0
    return float(amount) if 0 <= amount <= MOST_DOLLARS else 0.0


def _count(told: object) -> int | None:
    """Return a number of tokens from 0 to `MOST_TOKENS`, None for whatever else it is."""
    if isinstance(told, bool) or not isinstance(told, int) or not 0 <= told <= MOST_TOKENS:
        return None
    return told


def name(told: object) -> str:
    """Return the name of a model on one printable line, "" for what is no text."""
    if not isinstance(told, str):
        return ""
    shown = "".join(letter for letter in told[: 2 * _LONGEST_NAME] if letter.isprintable())
    return shown[:_LONGEST_NAME]


def word(told: object) -> str:
    """Return why a reply ended as the service calls it, "" for what is no text."""
    return told if isinstance(told, str) else ""
