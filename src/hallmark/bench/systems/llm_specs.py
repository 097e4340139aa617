"""Which systems ask a language model about every entry, and what do they need?

A row of `LLM_SYSTEMS` is a system, as in `specs`: more of them are added to the tuple. What makes
them is imported when a row is chosen, so that the list of systems needs no vendor's package.
"""

from collections.abc import Callable

from msgspec import structs

from hallmark.bench.systems.agent_specs import AGENTS, AgentSpec
from hallmark.bench.systems.interface import System
from hallmark.bench.systems.opening import packages_missing
from hallmark.bench.systems.spec import Option, Options, Request, Spec

MODEL = "--model"
KIND = "model"
"""The kind of systems that ask a language model and nothing else."""

INPUT = Option("input", "bibtex", "what is shown of an entry: bibtex or fields")
WITHOUT = Option(
    "without", "", "fields that are left out, by commas: title, authors, venue, year, doi"
)


def _zero_shot(variant: str) -> Callable[[Request, Options], System]:
    def make(request: Request, options: Options) -> System:
        from hallmark.bench.systems.zero_shot import zero_shot_system  # noqa: PLC0415

        return zero_shot_system(
            request, variant, shape=options.text("input"), without=options.text("without")
        )

    return make


def _variant(name: str, variant: str, summary: str) -> Spec:
    return Spec(
        name=name,
        kind=KIND,
        summary=summary,
        make=_zero_shot(variant),
        options=(INPUT, WITHOUT),
        needs=(MODEL,),
    )


ZERO_SHOT = (
    _variant("zero-shot", "default", "asks a model once about each entry; --prompt FILE for yours"),
    _variant("zero-shot-notaxo", "notaxo", "the same without the list of types"),
    _variant("zero-shot-uncertain", "uncertain", "the same, with abstention encouraged"),
    _variant("zero-shot-terse", "terse", "the same in a few words"),
    _variant("zero-shot-cutoff-aware", "cutoff-aware", "the same, reminded of its cutoff"),
    _variant("zero-shot-cutoff-named", "cutoff-named", "the same, told the month of its cutoff"),
)

EVIDENCE = Option("evidence", "", "a file of check --store-evidence, in the place of --index")
TODAY = Option("today", "", "YYYY-MM-DD, after which years lie in the future; today if empty")

CALLS = Option("calls", 5, "calls of tools for one entry; then the verdict is asked for")
LIVE = Option("live", "no", "yes: our verifier also asks live sources about what is left open")


def _agent_row(row: AgentSpec) -> Spec:
    def make(request: Request, options: Options) -> System:
        from hallmark.bench.systems.agents import agent_system  # noqa: PLC0415

        return agent_system(request, options, row)

    calls = (CALLS,) if row.sources or row.verifier else ()
    verifier = (EVIDENCE, TODAY, LIVE) if row.needs_verifier else ()
    return Spec(
        name=row.name,
        kind="agent",
        summary=row.summary,
        make=make,
        options=(*calls, *verifier),
        needs=(MODEL,),
    )


AGENT_ROWS = tuple(map(_agent_row, AGENTS))

LLM_SYSTEMS: tuple[Spec, ...] = tuple(
    structs.replace(spec, missing=packages_missing) for spec in (*ZERO_SHOT, *AGENT_ROWS)
)
"""Every system that asks a language model about each entry, in the order of `bench systems`."""
