"""What may a run still spend, and what has it spent?

Before a request leaves, the most that it can cost is set aside; afterwards what it did cost is
booked. So requests that are under way at the same time cannot overrun a cap together. A request
that may have been worked on although no reply came stays set aside: it may be on the bill.
"""

import asyncio

import msgspec

from hallmark.errors import InputError, ModelStopped
from hallmark.llm.book import Amount, Book
from hallmark.llm.interface import Caps, ModelSpec, Request, Usage

_MILLION = 1_000_000
_PER_MESSAGE = 16
"""Tokens that frame a message."""
_FORM = 1024
"""Tokens of the instructions that services add for tools and for the form of an answer."""


def check_price(spec: ModelSpec, caps: Caps) -> None:
    """Refuse a cap on money where nobody knows what the model costs.

    Raises:
        InputError: there is such a cap, and no price.
    """
    if caps.cost is not None and (spec.input_price is None or spec.output_price is None):
        raise InputError(
            f"The cost of {spec.name} cannot be capped, for its price is not known. Give "
            "input_price and output_price, in US dollars per million tokens, in its row of a file "
            "of models; where it has none, write the line `model = [{like = "
            f'"{spec.name}", input_price = ..., output_price = ...}}]` into a file and name that '
            "with --model FILE.toml. Or cap the tokens or calls instead."
        )


def most(spec: ModelSpec, request: Request) -> Amount:
    """Return the most that a request can cost: no token is shorter than a byte."""
    size = len(msgspec.json.encode(request.messages)) + len(request.system.encode())
    if request.tools or request.schema is not None:
        size += len(msgspec.json.encode((request.tools, request.schema))) + _FORM
    prompt = size + _PER_MESSAGE * (len(request.messages) + 1)
    return of(spec, Usage(input=prompt, output=request.max_tokens or spec.max_tokens))


def of(spec: ModelSpec, usage: Usage) -> Amount:
    """Return what a reply costs; prompt tokens that the service had kept count in full.

    Where the service tells a higher cost than its list of prices makes, that one counts: OpenRouter
    may have asked somebody dearer than whom it lists.
    """
    listed = (
        usage.input * (spec.input_price or 0.0) + usage.output * (spec.output_price or 0.0)
    ) / _MILLION
    return Amount(max(listed, usage.cost), usage.input + usage.output, 1)


class Ledger:
    """The caps of a run and what is left of them; several models of one run may share it.

    Args:
        caps: what may be spent.
        book: what earlier sittings of the run spent, which counts, and where this one is added.
    """

    def __init__(self, caps: Caps, book: Book | None = None) -> None:
        self.caps = caps
        self.spent = Amount() if book is None else book.before
        self._book = book
        self._unwritten = ""
        self.doubtful = Amount()
        self._held = Amount()
        self._under_way = 0
        self._waiting: list[asyncio.Future[None]] = []

    async def set_aside(self, amount: Amount, name: str) -> None:
        """Set aside what a request can cost, or wait until others gave back what they do not need.

        Args:
            amount: the most that the request can cost.
            name: of the model, for messages.

        Raises:
            ModelStopped: a cap leaves no room for this request, and none will come free; or what
                was spent could not be written down.
        """
        while True:
            if self._unwritten:
                raise ModelStopped(_lost(self._unwritten))
            lacking = self._lacking(amount)
            if not lacking:
                break
            if self._under_way == 0:
                raise ModelStopped(_reached(lacking, name))
            free = asyncio.get_running_loop().create_future()
            self._waiting.append(free)
            await free
        self._held += amount
        self._under_way += 1

    def settle(self, amount: Amount, spent: Amount, *, doubtful: bool = False) -> None:
        """Book what a request did cost in place of what was set aside for it.

        Args:
            amount: what was set aside.
            spent: what it cost; nothing for one that was refused.
            doubtful: whether nobody knows if it has to be paid for; then it counts in full.
        """
        self._held -= amount
        self._under_way -= 1
        self.spent += spent
        if doubtful:
            self.doubtful += amount
        self._write(spent + amount if doubtful else spent)
        waiting, self._waiting = self._waiting, []
        for free in waiting:
            if not free.done():
                free.set_result(None)

    def _write(self, amount: Amount) -> None:
        """Add to the book; where that fails, nothing more is to be paid for."""
        if self._book is not None and amount != Amount():
            self._unwritten = self._unwritten or self._book.add(amount)

    def _lacking(self, amount: Amount) -> str:
        """Return which cap leaves no room, "" for none."""
        settled = self.spent + self.doubtful
        total = settled + self._held + amount
        caps = self.caps
        if caps.cost is not None and total.cost > caps.cost:
            return (
                f"the cost of ${_dollars(caps.cost)} (${settled.cost:.4f} are spent, and the next "
                f"request can cost ${amount.cost:.4f})"
            )
        if caps.tokens is not None and total.tokens > caps.tokens:
            return (
                f"{caps.tokens:,} tokens ({settled.tokens:,} are used, and the next request can "
                f"use {amount.tokens:,})"
            )
        if caps.calls is not None and total.calls > caps.calls:
            return f"{caps.calls:,} calls"
        return ""


def _lost(why: str) -> str:
    return (
        f"What was spent could not be written down ({why}), so nothing more was asked. Make room, "
        "or the folder writable, and run the same command again."
    )


def _dollars(cost: float) -> str:
    """Return a cap in cents, or as it was given where it is finer than that."""
    return f"{cost:.2f}" if round(cost, 2) == cost else f"{cost:.9f}".rstrip("0")


def _reached(lacking: str, name: str) -> str:
    return (
        f"The cap of this run is reached: {lacking}. {name} was asked nothing more. What was "
        "answered is kept; run the same command again with a higher cap to go on from there."
    )
