"""How is an agent made: its model, its prompts, its tools and what they ask?"""

from collections.abc import Callable
from datetime import date
from pathlib import Path

from hallmark.bench.systems.agent import Agent
from hallmark.bench.systems.agent_desk import Close, Desk, LiveVerifier, live_sources
from hallmark.bench.systems.agent_specs import AgentSpec
from hallmark.bench.systems.interface import Setting
from hallmark.bench.systems.opening import opener
from hallmark.bench.systems.source_tools import SOURCE_TOOLS
from hallmark.bench.systems.spec import Options, Request
from hallmark.bench.systems.stages import first_stage
from hallmark.bench.systems.tool_cache import FILE, ToolCache
from hallmark.bench.systems.verifier import open_needed
from hallmark.bench.systems.verifier_tool import NAME, VerifierTool, over
from hallmark.bench.systems.zero_shot import ready_for
from hallmark.errors import InputError
from hallmark.judge.profiles import policy_of
from hallmark.llm.models import find, for_agents
from hallmark.llm.prompts.catalogue import read_prompt, shipped
from hallmark.online.session import WORLD
from hallmark.verifier import Verifier

CLOSING = "agent-closing"
MOST_CALLS_EVER = 50
"""Calls for one entry that the option `calls` may ask for."""


def agent_system(request: Request, options: Options, row: AgentSpec) -> Agent:
    """Return the agent that a run asks for.

    Args:
        request: with the model, and perhaps a prompt that takes the place of the row's.
        options: `calls`; where the row has our verifier `evidence`, `live` and `today`.
        row: which agent.

    Raises:
        InputError: the model, the prompt, the index, the evidence or an option cannot be used.
        UnknownName: there is no such model or policy.
        IndexProblem: the index cannot be opened.
    """
    spec = for_agents(find(request.model))
    prompt = read_prompt(request.prompt) if request.prompt else shipped(row.prompt)
    desk, settings = _desk(request, options, row)
    return Agent(
        row,
        spec,
        opener(request, spec),
        desk,
        ready_for(prompt, spec, request.today),
        shipped(CLOSING),
        settings=settings,
        most_calls=_calls(options),
        seed=request.seed,
        sample=request.sample,
    )


def _calls(options: Options) -> int:
    calls = options.integer("calls") if "calls" in options.values else 0
    if not 0 <= calls <= MOST_CALLS_EVER:
        raise InputError(f"The option calls is {calls}; give a number from 0 to {MOST_CALLS_EVER}.")
    return calls


def _desk(
    request: Request, options: Options, row: AgentSpec
) -> tuple[Callable[[], Desk], dict[str, Setting]]:
    """Return what opens the tools for one run, and what a manifest says of them."""
    open_sources = (lambda: live_sources(request.environ)) if row.sources else None
    names = [NAME] * row.verifier + [tool.name for tool in SOURCE_TOOLS] * row.sources
    told: dict[str, Setting] = {"tools": ",".join(names)}
    if not row.needs_verifier:
        return (lambda: Desk(cache_of(request), open_sources=open_sources)), told
    live = _live(options)
    verifier, about = _verifier(request, options, live=live)

    def desk() -> Desk:
        cache = cache_of(request) if row.sources or live else ToolCache(None)
        tool, ending = verifier(cache)
        return Desk(
            cache,
            open_sources=open_sources,
            verifier=tool,
            offers_verifier=row.verifier,
            ending=ending,
        )

    return desk, {**told, **about, "live": live}


def cache_of(request: Request) -> ToolCache:
    """Open the kept results of tools, in the folder of the kept replies.

    Raises:
        InputError: it is damaged, or there is none offline.
    """
    return ToolCache(
        None if request.cache is None else request.cache / FILE,
        place=request.environ.get(WORLD, "").strip(),
        today=request.today,
        offline=request.offline,
    )


OpenVerifier = Callable[[ToolCache], tuple[VerifierTool, Close | None]]
"""Opens our verifier for one run, over the kept results; also returns what closes it."""


def _verifier(
    request: Request, options: Options, *, live: bool
) -> tuple[OpenVerifier, dict[str, Setting]]:
    """Return what opens our verifier, and what a manifest says of it."""
    today = options.text("today") or request.today
    evidence = options.text("evidence")
    first = first_stage(request, today=today, evidence=Path(evidence) if evidence else None)
    about = dict(first.settings)
    if not live:
        return (lambda _: (over(first, fixed=bool(evidence)), None)), about
    if evidence:
        raise InputError("The options live and evidence exclude each other. Give one of them.")
    day = date.fromisoformat(today)
    local = Verifier(open_needed(request.index), policy=policy_of(request.policy), today=day)
    identity = {name: value for name, value in about.items() if name != "today"}

    def opened(cache: ToolCache) -> tuple[VerifierTool, Close | None]:
        verifier = LiveVerifier(local, day, request.environ, cache, identity)
        return verifier.tool, verifier.aclose

    return opened, about


def _live(options: Options) -> bool:
    text = options.text("live")
    if text not in ("yes", "no"):
        raise InputError(f"The option live is {text[:80]!r}; give yes or no.")
    return text == "yes"
