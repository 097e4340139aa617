"""Which tools has an agent in a run, and where do their results come from?

From what is kept, else from live sources and our verifier. Sources are opened when something is
first asked that is not kept, so that a run whose results are all kept needs no network.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import date

from msgspec import Struct

from hallmark.bench.entry import BlindEntry
from hallmark.bench.systems.interface import Setting
from hallmark.bench.systems.source_tools import SOURCE_TOOLS, SOURCES, Sources, SourceTool
from hallmark.bench.systems.stages import Judged
from hallmark.bench.systems.tool_cache import ToolCache
from hallmark.bench.systems.verifier import reference
from hallmark.bench.systems.verifier_tool import VerifierTool, VerifyArguments
from hallmark.llm.tools import Told, Tool, canonical
from hallmark.online.run import OnlineVerifier
from hallmark.online.session import Wishes, chosen, open_client, open_session
from hallmark.verifier import Verifier

Close = Callable[[], Awaitable[None]]


class OpenSources(Struct, frozen=True):
    """Sources that can be asked, and what closes their connections."""

    sources: Sources
    aclose: Close


def live_sources(environ: Mapping[str, str]) -> OpenSources:
    """Open the live sources that tools ask, with keys, limits and addresses of the environment.

    Raises:
        SourceProblem: the shared limits cannot be kept.
    """
    opened = open_client(chosen(SOURCES, environ), Wishes(), environ)
    return OpenSources(Sources(opened.sources, opened.client.ask), opened.client.aclose)


class LiveVerifier:
    """Our verifier that asks all live sources about what its index leaves open.

    Args:
        verifier: over the index.
        today: the date of the run.
        environ: keys, limits and addresses.
        cache: keeps what it says.
        identity: what a manifest says of the verifier.
    """

    def __init__(
        self,
        verifier: Verifier,
        today: date,
        environ: Mapping[str, str],
        cache: ToolCache,
        identity: Mapping[str, Setting],
    ) -> None:
        self._verifier = verifier
        self._today = today
        self._environ = environ
        self._opened: OnlineVerifier | None = None
        self.tool = VerifierTool(self._judge, cache=cache, identity=identity)

    async def aclose(self) -> None:
        """Close all connections."""
        opened, self._opened = self._opened, None
        if opened is not None:
            await opened.aclose()

    async def _judge(self, entry: BlindEntry) -> Judged:
        if self._opened is None:
            wishes = Wishes(cached=False)
            session = open_session(wishes, self._verifier, self._today, self._environ)
            self._opened = session.verifier
        cited = reference(entry)
        return Judged(entry, cited, *await self._opened.explain(cited))


class Desk:
    """The tools of one run.

    Args:
        cache: the results that are kept.
        open_sources: opens the live sources; None for an agent without them.
        verifier: our verifier as a tool, for reports beforehand.
        offers_verifier: whether the model may call it, too.
        ending: what else is to be closed.
    """

    def __init__(
        self,
        cache: ToolCache,
        *,
        open_sources: Callable[[], OpenSources] | None = None,
        verifier: VerifierTool | None = None,
        offers_verifier: bool = True,
        ending: Close | None = None,
    ) -> None:
        self._cache = cache
        self._open_sources = open_sources
        self._verifier = verifier
        self._offers_verifier = offers_verifier
        self._ending = ending
        self._opened: OpenSources | None = None

    def tools(self, entry: BlindEntry) -> Sequence[Tool]:
        """Return what the model may call about an entry."""
        offered = [self._verifier.tool(entry)] if self._verifier and self._offers_verifier else []
        if self._open_sources is not None:
            offered += [self._kept(tool, self._open_sources) for tool in SOURCE_TOOLS]
        return offered

    async def report(self, entry: BlindEntry) -> Told | None:
        """Return what our verifier says of an entry as it is, None where there is no verifier."""
        if self._verifier is None:
            return None
        return await self._verifier.told(entry, VerifyArguments())

    async def aclose(self) -> None:
        """Close connections and files."""
        opened, self._opened = self._opened, None
        if opened is not None:
            await opened.aclose()
        if self._ending is not None:
            await self._ending()
        self._cache.close()

    def _kept(self, tool: SourceTool, open_sources: Callable[[], OpenSources]) -> Tool:
        """Return a tool over live sources whose results are kept."""

        async def ask(arguments: Struct) -> Told:
            if self._opened is None:
                self._opened = open_sources()
            return await tool.use(self._opened.sources, arguments)

        async def use(arguments: Struct) -> Told:
            return await self._cache.through(
                tool.name, canonical(arguments), lambda: ask(arguments)
            )

        return Tool(tool.name, tool.description, tool.arguments, use)
