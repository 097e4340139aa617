"""Which systems can be scored, and what do they need?

A row of `SYSTEMS` is a system: its kind, a sentence, its options and how it is made. Two more
kinds have names of their own making: a function, `./my_verifier.py:check`, and a program,
`exec:./my_verifier --flag`. A tool that others wrote is `tool:NAME`.
"""

from collections.abc import Callable
from pathlib import Path

from hallmark._registry import Registry
from hallmark.bench.systems.constant import always, chance
from hallmark.bench.systems.ensemble import any_vote, k_of_n, majority, weighted
from hallmark.bench.systems.external import rows as external
from hallmark.bench.systems.external import system as external_system
from hallmark.bench.systems.function import function_system, looks_like_function
from hallmark.bench.systems.interface import System
from hallmark.bench.systems.llm_specs import LLM_SYSTEMS
from hallmark.bench.systems.oracle import title_oracle
from hallmark.bench.systems.prescreen import Prescreened, prescreening
from hallmark.bench.systems.presence import doi_presence
from hallmark.bench.systems.program import PREFIX, ProgramSystem
from hallmark.bench.systems.replay import replay
from hallmark.bench.systems.spec import Option, Options, Request, Spec, read_options
from hallmark.bench.systems.staged_specs import STAGED
from hallmark.bench.systems.tells import format_tells
from hallmark.errors import InputError

# The year in which the benchmark was released: later years lie in the future for its entries.
REFERENCE_YEAR = 2026

_LISTED = "see `bench systems`"
_HELP = {
    "--index": "name one there or in $HALLMARK_INDEX, or make one: hallmark index build --out "
    ".hallmark/starter starter"
}

ASKING = (*LLM_SYSTEMS, *STAGED)
"""Every system that asks a language model."""


def build(name: str, request: Request) -> System:
    """Make the system of this name.

    Raises:
        UnknownName: no such system or option.
        InputError: something that it needs was not given, or cannot be used.
    """
    _check_model(name, request)
    if name.startswith(PREFIX):
        options = read_options(name, PROGRAM_OPTIONS, request.options)
        return ProgramSystem(name.removeprefix(PREFIX), options.number("timeout_s"))
    if name.startswith(external.PREFIX):
        options = read_options(name, external_system.OPTIONS, request.options)
        return external_system.external_system(name.removeprefix(external.PREFIX), request, options)
    if name not in SYSTEMS and looks_like_function(name):
        read_options(name, (), request.options)
        return function_system(name)
    spec = SYSTEMS.get(name)
    options = read_options(name, spec.options, request.options)
    _check_needs(spec, request)
    return spec.make(request, options)


def is_cheat(name: str) -> bool:
    """Tell whether a system of this name is a cheat, kept to measure leaks and bounds."""
    return name in SYSTEMS and SYSTEMS.get(name).cheat


def _check_model(name: str, request: Request) -> None:
    """Refuse a model or a prompt for a system that would pass over it in silence."""
    if (request.model or request.prompt) and name not in {spec.name for spec in ASKING}:
        raise InputError(
            f"The system `{name}` asks no language model; leave --model and --prompt out, or "
            "choose one of `bench systems` that needs --model."
        )


def _check_needs(spec: Spec, request: Request) -> None:
    given = {"--from": request.files, "--index": request.index, "--model": request.model}
    for need in spec.needs:
        if not given[need]:
            raise InputError(f"The system `{spec.name}` needs {need}; {_HELP.get(need, _LISTED)}.")


def _replay(request: Request, options: Options) -> System:
    if len(request.files) != 1:
        raise InputError(f"`replay` takes one --from FILE; got {len(request.files)}.")
    return replay(request.files[0], repeated=_repeated(options))


def _repeated(options: Options) -> str:
    choice = options.text("repeated")
    if choice not in ("error", "first", "last"):
        raise InputError(f"The option repeated is {choice!r}; give error, first or last.")
    return choice


def _weighted(request: Request, options: Options) -> System:
    text = options.text("weights")
    try:
        weights = [float(part) for part in text.split(",")] if text else [1.0] * len(request.files)
    except ValueError:
        raise InputError(f"The weights {text!r} are not numbers separated by commas.") from None
    threshold = options.number("threshold")
    return weighted(
        request.files,
        weights,
        threshold,
        repeated=_repeated(options),
        absent=options.text("absent"),
    )


def _prescreen(_: Request, options: Options) -> System:
    file = options.text("prefixes")
    return prescreening(
        reference_year=options.integer("reference_year"), prefixes=Path(file) if file else None
    )


def _hallmark(request: Request, options: Options) -> System:
    # Loads the search engine, which the other systems do without.
    from hallmark.bench.systems.verifier import verifier_system  # noqa: PLC0415

    return verifier_system(
        request.index,
        request.policy,
        today=options.text("today") or request.today,
        workers=options.integer("workers"),
    )


def _resolver(rule: str) -> Callable[[Request, Options], System]:
    def make(request: Request, options: Options) -> System:
        # Loads the search engine, which the other systems do without.
        from hallmark.bench.systems.resolver import resolver_system  # noqa: PLC0415

        return resolver_system(
            request.index,
            rule,
            similarity=options.number("similarity"),
            sources=tuple(s for s in options.text("sources").split(",") if s),
        )

    return make


def _recorded(rule: str) -> Callable[[Request, Options], System]:
    def make(request: Request, options: Options) -> System:
        # Loads the search engine, which the other systems do without.
        from hallmark.bench.systems.recorded import recorded_rule  # noqa: PLC0415

        return recorded_rule(
            _only_file(request),
            rule,
            similarity=options.number("similarity"),
            sources=tuple(s for s in options.text("sources").split(",") if s),
            failures=options.text("failures"),
        )

    return make


def _doi_only(request: Request, options: Options) -> System:
    # Loads the search engine, which the other systems do without.
    from hallmark.bench.systems.recorded import doi_only  # noqa: PLC0415

    return doi_only(_only_file(request), without=options.text("without"))


def _doi_only_screened(request: Request, options: Options) -> System:
    inner = _doi_only(request, options)
    return Prescreened(inner, reference_year=options.integer("reference_year"))


def _only_file(request: Request) -> Path:
    if len(request.files) != 1:
        raise InputError(f"This system takes one --from FILE; got {len(request.files)}.")
    return request.files[0]


_YEAR = Option("reference_year", REFERENCE_YEAR, "the last year that is not in the future")
_REPEATED = Option("repeated", "error", "a key with several rows: error, first or last counts")
_ABSENT = Option("absent", "error", "an entry that a file has no row for: error, or no-vote")
_RESOLVER = (
    Option("similarity", 0.85, "title similarity in [0, 1] from which a source confirms"),
    Option(
        "sources", "", "names of the index's sources that vote, by commas; all of them if empty"
    ),
)
_RECORDED = (
    Option("similarity", 0.85, "title similarity in [0, 1] from which a source confirms"),
    Option("sources", "", "names of the sources that vote, by commas; all live ones if empty"),
    Option("failures", "skip", "skip: who did not answer has no vote; miss: silence is a miss"),
)
_WITHOUT = Option("without", "valid", "what an entry without a DOI is: valid or uncertain")
PROGRAM_OPTIONS = (Option("timeout_s", 0.0, "seconds to wait for one answer; 0 is for ever"),)

SYSTEMS = Registry[Spec]("system")


def _row(
    name: str,
    kind: str,
    summary: str,
    make: Callable[[Request, Options], System],
    *options: Option,
    needs: tuple[str, ...] = (),
    cheat: bool = False,
) -> None:
    spec = Spec(
        name=name,
        kind=kind,
        summary=summary,
        make=make,
        options=options,
        needs=needs,
        cheat=cheat,
    )
    SYSTEMS.add(name, spec)


_row(
    "hallmark",
    "verifier",
    "our verifier over a local index; --policy as for check",
    _hallmark,
    Option("today", "", "YYYY-MM-DD, after which years lie in the future; today if empty"),
    Option("workers", 1, "processes to check with"),
    needs=("--index",),
)
_row("always-valid", "constant", "says VALID", lambda _r, _o: always(hallucinated=False))
_row("always-hallucinated", "constant", "flags all", lambda _r, _o: always(hallucinated=True))
_row(
    "random",
    "constant",
    "flags a share of entries by lot, from the seed",
    lambda request, o: chance(rate=o.number("rate"), seed=request.seed),
    Option("rate", 0.5, "the share that is flagged, in [0, 1]"),
)
_row("doi-presence", "rule", "flags entries without a DOI", lambda _r, _o: doi_presence())
_row(
    "prescreening",
    "rule",
    "the paper's layer B.2.1 alone: DOI form, year bounds, placeholder names",
    _prescreen,
    _YEAR,
    Option("prefixes", "", "a file of known DOI prefixes; every other one is flagged"),
)
_row(
    "format-tell",
    "cheat",
    "reads the label off the form of the development split's entries",
    lambda _r, o: format_tells(reference_year=o.integer("reference_year")),
    _YEAR,
    cheat=True,
)
_row(
    "title-oracle",
    "cheat",
    "is handed the gold labels and answers by title",
    lambda request, _o: title_oracle(request.gold),
    cheat=True,
)
_row("replay", "files", "a prediction file again", _replay, _REPEATED, needs=("--from",))
_row(
    "any-vote",
    "ensemble",
    "flags where any of the files flags",
    lambda request, o: any_vote(request.files, repeated=_repeated(o), absent=o.text("absent")),
    _REPEATED,
    _ABSENT,
    needs=("--from",),
)
_row(
    "majority",
    "ensemble",
    "flags where more than half of the files flag",
    lambda request, o: majority(request.files, repeated=_repeated(o), absent=o.text("absent")),
    _REPEATED,
    _ABSENT,
    needs=("--from",),
)
_row(
    "k-of-n",
    "ensemble",
    "flags where at least k of the files flag",
    lambda request, o: k_of_n(
        request.files, o.integer("k"), repeated=_repeated(o), absent=o.text("absent")
    ),
    Option("k", 2, "how many must flag"),
    _REPEATED,
    _ABSENT,
    needs=("--from",),
)
_row(
    "weighted",
    "ensemble",
    "flags where the flagging share of weight exceeds a threshold",
    _weighted,
    Option("weights", "", "one number per file, by commas; all 1 if empty"),
    Option("threshold", 0.5, "the share of weight, in [0, 1)"),
    _REPEATED,
    _ABSENT,
    needs=("--from",),
)
for _name, _rule, _summary in (
    ("resolver-any-miss", "any-miss", "flags where any source of the index lacks the title"),
    ("resolver-majority", "majority", "flags where fewer than half of the sources have the title"),
    ("resolver-consensus", "consensus", "flags where no source has the title"),
    (
        "resolver-contradiction",
        "contradiction",
        "flags where no source has the title, or every record of it contradicts a field",
    ),
):
    _row(_name, "resolver", _summary, _resolver(_rule), *_RESOLVER, needs=("--index",))
for _name, _rule, _summary in (
    ("recorded-any-miss", "any-miss", "flags where any source that answered lacks the title"),
    ("recorded-majority", "majority", "flags where fewer than half of those that answered have it"),
    ("recorded-consensus", "consensus", "flags where no source that answered has the title"),
    (
        "recorded-contradiction",
        "contradiction",
        "flags where none has the title, or every record of it contradicts a field",
    ),
):
    _row(_name, "recorded", _summary, _recorded(_rule), *_RECORDED, needs=("--from",))
_row(
    "doi-only",
    "recorded",
    "the paper's DOI-only baseline over recorded answers of the resolver",
    _doi_only,
    _WITHOUT,
    needs=("--from",),
)
_row(
    "doi-only-prescreened",
    "recorded",
    "the same behind the paper's pre-screening layer",
    _doi_only_screened,
    _WITHOUT,
    _YEAR,
    needs=("--from",),
)
for _spec in ASKING:
    SYSTEMS.add(_spec.name, _spec)
