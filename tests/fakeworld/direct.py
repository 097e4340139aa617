"""How is the fake world asked without any client: no limits, no retries, no sockets?"""

from urllib.parse import urlencode

from hallmark.records.answer import Unavailable
from hallmark.sources.interface import Ask, LiveSource, Reply, Request
from hallmark.sources.specs import SOURCES, relocated
from tests.fakeworld.server import call_of
from tests.fakeworld.world import World

ADDRESS = "http://world.example"
_WORST = 500
_REFUSED = frozenset({401, 403, 429})


def asking(world: World) -> Ask:
    """Return what sends a request straight to the world."""

    async def ask(request: Request) -> Reply | Unavailable:
        target = request.url.removeprefix(ADDRESS)
        if request.params:
            target = f"{target}?{urlencode(request.params)}"
        method = "GET" if request.body is None else "POST"
        answer, _ = world.handle(call_of(method, target, {}, request.body or b""))
        if answer.status >= _WORST or answer.status in _REFUSED or answer.closed or answer.cut:
            return Unavailable(f"It answered with status {answer.status}.")
        return Reply(answer.status, answer.body, answer.content_type, request.url)

    return ask


def source(name: str, address: str = ADDRESS) -> LiveSource:
    """Return the adapter of a service, pointed at the world."""
    factory = SOURCES.get(name)
    return factory(relocated(factory(None).spec, address))
