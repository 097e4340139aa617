"""Which systems put a language model behind our verifier, and what do they need?"""

from collections.abc import Callable

from msgspec import structs

from hallmark.bench.systems.interface import System
from hallmark.bench.systems.llm_specs import EVIDENCE, MODEL, TODAY
from hallmark.bench.systems.opening import packages_missing
from hallmark.bench.systems.spec import Option, Options, Request, Spec

KIND = "cascade"
"""The kind of systems that put a model behind our verifier."""


def _cascade(
    *, aggressive: bool = False, careful: bool = False
) -> Callable[[Request, Options], System]:
    def make(request: Request, options: Options) -> System:
        from hallmark.bench.systems.staged import cascade_system  # noqa: PLC0415

        return cascade_system(request, options, aggressive=aggressive, careful=careful)

    return make


def _assisted(request: Request, options: Options) -> System:
    from hallmark.bench.systems.staged import assisted_system  # noqa: PLC0415

    return assisted_system(request, options)


SECOND = Option("second", "zero-shot", "the system asked about what the verifier leaves open")
ROWS = (
    Spec(
        name="cascade",
        kind=KIND,
        summary="our verifier, then --model (or --from FILE) about what it leaves open",
        make=_cascade(),
        options=(SECOND, EVIDENCE, TODAY),
    ),
    Spec(
        name="cascade-aggressive",
        kind=KIND,
        summary="the same, and flags what neither stage verifies",
        make=_cascade(aggressive=True),
        options=(SECOND, EVIDENCE, TODAY),
    ),
    Spec(
        name="cascade-careful",
        kind=KIND,
        summary="as cascade, but --model is asked only about what no source holds a record of",
        make=_cascade(careful=True),
        options=(SECOND, EVIDENCE, TODAY),
    ),
    Spec(
        name="assisted",
        kind=KIND,
        summary="our verifier; --model's vote on what it leaves open weighs as fitted",
        make=_assisted,
        options=(
            Option("weights", "", "a file of study llm-weights; without it votes weigh nothing"),
            Option("flag", 0.8, "P(hallucinated) from which it commits to a flag"),
            Option("accept", 0.002, "P(hallucinated) up to which it commits to VALID"),
            Option("prevalence", 0.0, "the share of bad entries for these; 0: the policy's"),
            EVIDENCE,
            TODAY,
        ),
        needs=(MODEL,),
    ),
)

STAGED: tuple[Spec, ...] = tuple(structs.replace(spec, missing=packages_missing) for spec in ROWS)
"""Every system that asks a model about what our verifier leaves open."""
