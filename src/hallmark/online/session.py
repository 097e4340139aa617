"""How is everything opened that a run with live sources needs?

Sources, client, limits, cache, recorder: put together here, once, for the command line and for
programs. Keys and the contact address come from the environment that is handed in.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct, structs

from hallmark.online.health import Health
from hallmark.online.run import OnlineVerifier
from hallmark.sources import specs
from hallmark.sources.cache import Cache
from hallmark.sources.http import Client, Traffic
from hallmark.sources.interface import LiveSource, Rate, SourceSpec
from hallmark.sources.limits import Limits, shared_folder
from hallmark.sources.patience import Settings
from hallmark.sources.recording import Recorder, Replay
from hallmark.sources.secrets import Secrets, from_environment
from hallmark.verifier import Verifier

WORLD = "HALLMARK_SOURCES_AT"
"""The variable of an address at which all services are served (a mirror, a test), by name."""
CACHE_FILE = "answers.sqlite"
_THIS_MACHINE = frozenset({"127.0.0.1", "::1", "localhost"})
_OWN = Rate(50, connections=4)
"""What a service on this very machine allows."""


class Wishes(Struct, frozen=True, kw_only=True):
    """What is wanted of the live sources.

    Attributes:
        sources: the sources to ask, by name; None for all.
        budget_s: seconds after which nothing more is asked.
        max_requests: requests that are sent at the most.
        record: the file that every exchange is written to.
        replay: the recording that answers in place of the network.
        cached: whether answers of the last days count.
        thorough: whether every source is asked about every reference (see `OnlineVerifier`).
    """

    sources: tuple[str, ...] | None = None
    budget_s: float | None = None
    max_requests: int | None = None
    record: Path | None = None
    replay: Path | None = None
    cached: bool = True
    thorough: bool = False


class Session:
    """One run with live sources."""

    def __init__(
        self,
        verifier: OnlineVerifier,
        client: Client | None,
        finish: Callable[[bool], None],
    ) -> None:
        self.verifier = verifier
        self._client = client
        self._finish = finish

    def close(self, *, complete: bool = True) -> None:
        """Finish the recording, where there is one; an incomplete one is given up."""
        self._finish(complete)

    def account(self) -> Iterator[str]:
        """Yield, as lines, who was asked how much, and whose answers did not count."""
        if self._client is not None:
            yield from traffic_lines(self._client)
        for name, reason in sorted(self.verifier.health.doubts().items()):
            yield f"{name}: {reason} Its absences were not counted."


def traffic_lines(client: Client) -> Iterator[str]:
    """Yield, as lines, who was asked how much by a client, and whose key was refused."""
    asked = ", ".join(
        f"{place.partition('@')[0]} {_told(traffic)}"
        for place, traffic in sorted(client.traffic.items())
    )
    yield f"Requests: {asked or 'none'}."
    for name in client.dropped_keys:
        yield f"The key of {name} was refused and left out."


def _told(traffic: Traffic) -> str:
    """Return how many requests went out, and how many attempts failed, those at connecting too."""
    attempts = f"{traffic.failures} attempt{'' if traffic.failures == 1 else 's'}"
    if not traffic.failures:
        return f"{traffic.requests}"
    if not traffic.requests:
        return f"could not be reached ({attempts})"
    return f"{traffic.requests} ({attempts} failed)"


def open_session(
    wishes: Wishes, verifier: Verifier, today: date, environ: Mapping[str, str]
) -> Session:
    """Open the live sources for a run.

    Raises:
        UnknownName: there is no source of a wished name.
        SourceProblem: the shared limits cannot be kept, or a source of another package is faulty.
        InputError: the recording cannot be read.
        OutputError: the recording cannot be written.
    """
    sources = chosen(wishes.sources, environ)
    if wishes.replay is not None:
        replay = Replay(wishes.replay)
        replayed = OnlineVerifier(verifier, sources, replay.ask, thorough=wishes.thorough)
        return Session(replayed, None, lambda _: None)
    opened = open_client(sources, wishes, environ)
    client, usable, folder = opened.client, opened.sources, opened.folder
    recorder = (
        Recorder(wishes.record, today.isoformat(), client.ask)
        if wishes.record is not None
        else None
    )
    online = OnlineVerifier(
        verifier,
        usable,
        client.ask if recorder is None else recorder.ask,
        cache=Cache(folder / CACHE_FILE) if wishes.cached else None,
        health=Health(),
        on_close=client.aclose,
        thorough=wishes.thorough,
    )

    def finish(complete: bool) -> None:
        if recorder is not None:
            recorder.close(complete=complete)

    return Session(online, client, finish)


class Opened(Struct, frozen=True):
    """A client, the sources that may be asked with it, and the folder that processes share."""

    client: Client
    sources: Mapping[str, LiveSource]
    folder: Path


def open_client(
    sources: Mapping[str, LiveSource], wishes: Wishes, environ: Mapping[str, str]
) -> Opened:
    """Open the one client of these sources, with keys, contact address and the shared limits.

    Raises:
        SourceProblem: the shared limits cannot be kept.
    """
    specifications = [source.spec for source in sources.values()]
    secrets = from_environment(specifications, environ)
    usable = {name: one for name, one in sources.items() if _may_answer(one.spec, secrets)}
    folder = shared_folder(environ)
    settings = Settings(budget_s=wishes.budget_s, max_requests=wishes.max_requests)
    client = Client(specifications, Limits(folder), secrets=secrets, settings=settings)
    return Opened(client, usable, folder)


def chosen(names: tuple[str, ...] | None, environ: Mapping[str, str]) -> dict[str, LiveSource]:
    """Return the sources of these names, all of them for None.

    Raises:
        UnknownName: there is none of a name.
        SourceProblem: a source of another package cannot be loaded.
    """
    registry = specs.with_plugins()
    wanted = names if names is not None else tuple(name for name, _ in registry.items())
    made: dict[str, LiveSource] = {}
    for name in wanted:
        source = registry.get(name)(None)
        if environ.get(WORLD):
            source = registry.get(name)(_at(environ[WORLD], source.spec))
        made[name] = source
    return made


def _at(address: str, spec: SourceSpec) -> SourceSpec:
    """Return a source at an address; on this very machine its limits protect nobody."""
    moved = specs.relocated(spec, address)
    if urlsplit(address).hostname not in _THIS_MACHINE:
        return moved
    return structs.replace(moved, rate=_OWN, keyed_rate=None, contact_rate=None)


def _may_answer(spec: SourceSpec, secrets: Secrets) -> bool:
    """Whether a source answers us: one that answers only with a key is left out without one."""
    return not spec.needs_key or spec.name in secrets.keys
