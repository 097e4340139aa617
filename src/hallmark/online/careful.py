"""Is a source in order before, and while, it is asked?

Whoever asks live sources asks them through this: a source is probed once before it is first asked,
one that fails within itself is one that did not answer, and one without hope is left alone.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct, structs

from hallmark.online.health import HOPELESS, PROBES, Health
from hallmark.records.answer import Answer, Unavailable
from hallmark.records.source import Question
from hallmark.sources.interface import Ask, LiveSource, Reply, Request, Way


class _Anew(Struct, frozen=True):
    """Puts questions again that were put before: whoever remembers replies must not give those."""

    ask: Ask
    again: int

    async def __call__(self, request: Request) -> Reply | Unavailable:
        """Send a request anew."""
        return await self.ask(structs.replace(request, again=self.again))


class Careful:
    """Asks sources, and probes them.

    Args:
        ask: sends a request; see `sources.interface.Ask`.
        health: watches the answers.
        probe: whether sources are probed at all.
    """

    def __init__(self, ask: Ask, health: Health, *, probe: bool = True) -> None:
        self._ask = ask
        self._health = health
        self._probe = probe
        self._again: Counter[str] = Counter()
        self._probes: dict[str, asyncio.Task[None]] = {}

    async def look_up(
        self, source: LiveSource, way: Way, questions: Sequence[Question], ask: Ask | None = None
    ) -> list[Answer]:
        """Ask a source; one with a fault of its own is one that did not answer."""
        if self._health.is_hopeless(source.spec.name, way):
            return [HOPELESS_ANSWER] * len(questions)
        try:
            return await source.look_up(way, questions, ask or self._ask)
        except Exception as error:  # noqa: BLE001 - sources may be other people's code
            failed = Unavailable(f"The source failed ({type(error).__name__}: {error}).")
            return [failed] * len(questions)

    async def probed(self, source: LiveSource) -> None:
        """Probe a source before it is first asked; each source once."""
        name = source.spec.name
        if not self._probe or name not in PROBES:
            return
        if name not in self._probes:
            self._probes[name] = asyncio.create_task(self.probed_again(source))
        await asyncio.shield(self._probes[name])

    async def probed_again(self, source: LiveSource) -> None:
        """Ask a source about a work that it is known to hold."""
        probe = PROBES.get(source.spec.name) if self._probe else None
        if probe is None:
            self._health.suspect(source.spec.name)
            return
        name = source.spec.name
        self._again[name] += 1
        anew = _Anew(self._ask, self._again[name] - 1)
        answer = (await self.look_up(source, probe.way, [probe.question], anew))[0]
        self._health.probed(name, answer)


HOPELESS_ANSWER = Unavailable(f"It left the last {HOPELESS} questions unanswered.")
"""What a source is said to have answered that is no longer asked."""
