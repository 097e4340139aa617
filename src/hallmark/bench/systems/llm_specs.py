"""Which systems ask a language model, and what do they need?

A row of `LLM_SYSTEMS` is a system, as in `specs`: more of them are added to the tuple. What makes
them is imported when a row is chosen, so that the list of systems needs no vendor's package.
"""

from collections.abc import Callable

from hallmark.bench.systems.interface import System
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

LLM_SYSTEMS: tuple[Spec, ...] = (*ZERO_SHOT,)
"""Every system that asks a language model, in the order of `bench systems`."""
