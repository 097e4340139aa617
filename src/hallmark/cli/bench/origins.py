"""How do `hallmark bench build generate`, `incidents` and `coded` make entries of other origin?"""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from hallmark.cli.bench import asking
from hallmark.cli.locate import needed_index, replies_path
from hallmark.cli.options import IndexOption, NamedIndexOption
from hallmark.cli.progress import Steps
from hallmark.cli.stopping import told
from hallmark.cli.study.options import QuietOption
from hallmark.errors import InputError, ModelStopped
from hallmark.report.escape import visible

if TYPE_CHECKING:
    from hallmark.bench.build.generate.ask import Raw, Wish
    from hallmark.bench.build.origins.library import IndexLibrary
    from hallmark.bench.build.origins.trail import Case
    from hallmark.llm.interface import Caps

NOTHING = 1
"""The exit code where no entry was taken."""

OutOption: TypeAlias = Annotated[
    Path, typer.Option("--out", "-o", metavar="FILE", help="The entries, as JSON Lines.")
]
TrailOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--trail", metavar="FILE", help="What was decided of each case. Default: beside --out."
    ),
]
ColumnOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="ROLE=NAME",
        help="The column that holds the reference, note, id, source, kind or codes, where it is "
        "not recognised. Can be repeated.",
    ),
]
DateOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--date", metavar="YYYY-MM-DD", help="The date of the entries. Default: today."),
]


def generate(
    out: OutOption,
    *,
    types: Annotated[
        list[str] | None,
        typer.Option("--type", metavar="TYPE", help="A type to ask for. Can be repeated."),
    ] = None,
    venues: Annotated[
        list[str] | None,
        typer.Option("--venue", metavar="NAME", help="A venue to ask for. Can be repeated."),
    ] = None,
    years: Annotated[
        str | None, typer.Option("--years", metavar="FIRST-LAST", help="The years of the works.")
    ] = None,
    plan: Annotated[
        Path | None,
        typer.Option("--plan", metavar="FILE", help="Take years, venues and seed from a plan."),
    ] = None,
    n: Annotated[
        int, typer.Option("--n", metavar="N", min=1, max=10_000, help="Of each type and venue.")
    ] = 10,
    seed: Annotated[int | None, typer.Option("--seed", help="Of the dice. Default: 8042.")] = None,
    model: asking.ModelOption = "",
    raw: Annotated[
        Path | None,
        typer.Option("--raw", metavar="FILE", help="The answers as they came; beside --out."),
    ] = None,
    replay: Annotated[
        bool, typer.Option("--replay", help="Ask nobody: screen the kept answers again.")
    ] = False,
    trail: TrailOption = None,
    date: DateOption = None,
    index: IndexOption = None,
    max_cost: asking.MaxCostOption = None,
    max_tokens: asking.MaxTokensOption = None,
    max_calls: asking.MaxCallsOption = None,
    cache: asking.CacheOption = None,
    dry_run: asking.DryRunOption = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start anew: forget the answers beside --out.")
    ] = False,
    quiet: QuietOption = False,
) -> None:
    """Let a language model invent citations, and keep those that are invented indeed.

    The model is sent prompts and, for types that change a real work, that work's citation. What is
    near to a real work in title and authors is excluded, or becomes a valid entry where a record
    says all of it; the share of such recalls is told. Every answer is kept as it came.

    Exit codes: 0 written (or told, with --dry-run), 1 no entry was taken, 2 misuse, 4 the model
    had to stop: the same command goes on.
    """
    from hallmark.bench.build.generate.ask import read_raw

    day = _day(date)
    place = raw or _beside(out, "raw")
    _must_differ(out, trail or _beside(out, "trail"), place)
    if replay and (fresh or dry_run):
        raise InputError("--replay asks nobody; leave --fresh and --dry-run out.")
    held = _library(index)
    if replay:
        run, rows = read_raw(place)
        wish = run.wish
    else:
        wish = _wish(types, venues, years, plan, n, seed)
        spending = asking.caps(max_cost, max_tokens, max_calls)
        if dry_run:
            _tell_estimate(wish, model, place, held, fresh=fresh)
            return
        if fresh:
            for kept in (place, _spent_beside(place)):
                kept.unlink(missing_ok=True)
        rows = _asked(wish, model, place, held, day, spending, cache, quiet=quiet)
    _screen(rows, wish, held, day, out, trail)


def _wish(
    types: list[str] | None,
    venues: list[str] | None,
    years: str | None,
    plan: Path | None,
    n: int,
    seed: int | None,
) -> "Wish":
    from hallmark.bench.build.generate.ask import Wish
    from hallmark.bench.build.generate.prompts import prompt
    from hallmark.bench.build.plan import SEED, read_plan
    from hallmark.bench.taxonomy import parse_type

    asked = read_plan(plan) if plan else None
    kinds = tuple(parse_type(one) for one in types or [])
    if not kinds:
        raise InputError("Say what to ask for: --type plausible_fabrication.")
    for kind in kinds:
        prompt(kind)
    places = tuple(venues or (asked.venues if asked else ()))
    if not places:
        raise InputError("Say for which venue: --venue NeurIPS, or --plan FILE with `venues`.")
    span = _years(years) if years else asked.years if asked else None
    if span is None:
        raise InputError("Say for which years: --years 2021-2023, or --plan FILE.")
    dice = seed if seed is not None else asked.seed if asked else SEED
    return Wish(tuple(dict.fromkeys(kinds)), tuple(dict.fromkeys(places)), span, n, dice)


def _years(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    if not (first.isdecimal() and (last or first).isdecimal()):
        raise InputError(f"--years takes 2021 or 2021-2023, not {visible(text[:40])}.")
    span = int(first), int(last or first)
    if not 1500 <= span[0] <= span[1] <= 2200:  # noqa: PLR2004 - years that papers can have
        raise InputError(f"--years is {visible(text[:40])}; the first comes before the last.")
    return span


def _asked(
    wish: "Wish",
    model: str,
    place: Path,
    held: "IndexLibrary",
    day: str,
    spending: "Caps",
    cache: Path | None,
    *,
    quiet: bool,
) -> "list[Raw]":
    from hallmark.bench.build.generate.ask import collect, jobs, journal_of, run_of
    from hallmark.llm.models import find
    from hallmark.llm.session import open_model

    spec = find(_named(model))
    wanted = jobs(wish, held)
    run = run_of(wish, spec.name, spec.id, held.digest)
    spent = _spent_beside(place)
    if not place.exists():
        spent.unlink(missing_ok=True)  # a new run has spent nothing
    with (
        open_model(
            spec,
            environ=os.environ,
            caps=spending,
            cache=cache or replies_path(os.environ),
            spent=spent,
        ) as opened,
        told(lambda: f"Stopped; the answers are kept in {place}. The same command goes on."),
        journal_of(place, run) as journal,
        Steps("answers", len(wanted) - len(journal.rows), quiet=quiet) as shown,
    ):
        try:
            rows = collect(wanted, wish, opened, journal, day, shown.step)
        except ModelStopped as stopped:
            kept = f"{len(journal.rows)} answers are kept in {visible(str(place))}"
            raise ModelStopped(f"{stopped}\n{kept}; the same command goes on.") from stopped
        for line in opened.account():
            typer.echo(line, err=True)
    return rows


def _named(model: str) -> str:
    if not model:
        raise InputError("Say which model is asked: --model NAME, or --replay for kept answers.")
    return model


def _spent_beside(place: Path) -> Path:
    """Return where it is written down what a run has spent."""
    return place.with_name(place.name + ".spent")


def _tell_estimate(
    wish: "Wish", model: str, place: Path, held: "IndexLibrary", *, fresh: bool
) -> None:
    """Tell what a run would ask and cost, less the answers that lie beside --out."""
    from hallmark.bench.build.generate.ask import answered_in, jobs, question, run_of
    from hallmark.llm.estimate import estimate, in_words
    from hallmark.llm.models import find

    spec = find(_named(model))
    wanted = jobs(wish, held)
    run = run_of(wish, spec.name, spec.id, held.digest)
    done = set() if fresh else answered_in(place, run)
    left = [question(job, wish) for job in wanted if job.number not in done]
    typer.echo(
        f"Estimate for {len(left):,} of {len(wanted):,} citations: "
        f"{in_words(estimate(left, spec))}. Nothing was asked; what is answered is left out.",
        err=True,
    )


def _screen(
    rows: "Sequence[Raw]",
    wish: "Wish",
    held: "IndexLibrary",
    day: str,
    out: Path,
    trail: Path | None,
) -> None:
    from hallmark.bench.build.generate.screen import WHOLE, recall, screened

    cases = screened(rows, wish, held, day)
    settled = _write(cases, out, trail)
    for kinds in (tuple(WHOLE), *((kind,) for kind in wish.types if kind in WHOLE)):
        found = recall(settled, kinds)
        if found is not None:
            name = "recall failures" if len(kinds) > 1 else f"  {kinds[0]}"
            typer.echo(
                f"{name}: {found.real} of {found.n} ({found.rate:.1%}, 95 % interval "
                f"{found.low:.1%} to {found.high:.1%})"
            )
    _end(settled)


def incidents(
    file: Annotated[Path, typer.Argument(help="The audit list: CSV with a header, or JSON Lines.")],
    out: OutOption,
    *,
    trail: TrailOption = None,
    column: ColumnOption = None,
    date: DateOption = None,
    index: IndexOption = None,
    quiet: QuietOption = False,
) -> None:
    """Make entries of citations that audits found in papers, each of the highest tier that applies.

    References may be BibTeX or plain text. What a record shows counts, and what the note says where
    no record belies it. What is left open is listed for a person, and never guessed.

    Exit codes: 0 written, 1 no entry was taken, 2 misuse.
    """
    from hallmark.bench.build.origins.incidents import incidents as decided
    from hallmark.bench.build.origins.rows import read_table

    day = _day(date)
    _must_differ(file, out, trail or _beside(out, "trail"))
    table = read_table(file, _columns(column))
    held = _library(index, donors=0)
    with Steps("cases", len(table.rows), quiet=quiet) as shown:
        cases = list(shown.each(decided(table, held, source=file.stem, date=day)))
    _end(_write(cases, out, trail))


def coded(
    file: Annotated[Path, typer.Argument(help="The corpus: CSV with a header, or JSON Lines.")],
    out: OutOption,
    *,
    scheme: Annotated[
        str,
        typer.Option(
            "--scheme", metavar="NAME|FILE.toml", help="How it is coded: see docs/other-origins.md."
        ),
    ] = "walters-wilder",
    trail: TrailOption = None,
    column: ColumnOption = None,
    date: DateOption = None,
    index: NamedIndexOption = None,
    quiet: QuietOption = False,
) -> None:
    """Make entries of a corpus whose references people coded by hand; articles only.

    Of several faults the most identity-defining one decides; a wrong year or page alone is
    excluded. With --index, codes that a record belies are left open.

    Exit codes: 0 written, 1 no entry was taken, 2 misuse.
    """
    from hallmark.bench.build.origins.coded import cases_of, find_scheme, read_corpus

    day = _day(date)
    _must_differ(file, out, trail or _beside(out, "trail"))
    chosen = find_scheme(scheme)
    table = read_corpus(file, chosen, _columns(column))
    held = _library(index, donors=0) if index is not None else None
    with Steps("cases", len(table.rows), quiet=quiet) as shown:
        cases = list(shown.each(cases_of(table, chosen, date=day, library=held)))
    _end(_write(cases, out, trail))


def _write(cases: "Sequence[Case]", out: Path, trail: Path | None) -> "list[Case]":
    """Write entries and trail, say what was decided, and list what a person must decide."""
    from hallmark.bench.build.origins.trail import Decision, counts, entries_of, write_trail
    from hallmark.bench.entry import write_jsonl

    entries, settled = entries_of(cases)
    place = trail or _beside(out, "trail")
    write_jsonl(out, entries)
    write_trail(place, settled)
    for decision, by_reason in counts(settled).items():
        typer.echo(f"{decision}: {sum(by_reason.values())}")
        for reason, n in by_reason.items():
            typer.echo(f"  {n:>5}  {visible(reason)}")
    open_ = [one for one in settled if one.decision is Decision.OPEN]
    for one in open_:
        typer.echo(f"for a person: line {one.line} ({visible(one.id)}): {visible(one.reason)}")
    typer.echo(f"written to {visible(str(out))}; every case: {visible(str(place))}")
    return settled


def _end(settled: "Sequence[Case]") -> None:
    """End with an exit code of its own where no entry was taken."""
    from hallmark.bench.build.origins.trail import Decision

    if not any(one.decision is Decision.TAKEN for one in settled):
        typer.echo("No entry was taken; the reasons are above.", err=True)
        raise typer.Exit(NOTHING)


def _library(given: Path | None, donors: int | None = None) -> "IndexLibrary":
    from random import Random

    from hallmark.bench.build.origins.library import DONORS, IndexLibrary
    from hallmark.bench.build.plan import SEED
    from hallmark.index import open_index

    place = needed_index(given)
    rng = Random(f"{SEED}/donors")
    return IndexLibrary(open_index(place), rng, DONORS if donors is None else donors)


def _columns(texts: list[str] | None) -> dict[str, str]:
    from hallmark.bench.build.origins.rows import COLUMNS

    found: dict[str, str] = {}
    for text in texts or []:
        role, equals, name = text.partition("=")
        if not equals or role not in COLUMNS:
            raise InputError(
                f"--column takes ROLE=NAME, not {visible(text[:80])}; roles: {', '.join(COLUMNS)}."
            )
        found[role] = name
    return found


def _day(given: str | None) -> str:
    if given is None:
        return datetime.now(UTC).date().isoformat()  # noqa: TID251 - the edge reads the clock
    try:
        return datetime.strptime(given, "%Y-%m-%d").replace(tzinfo=UTC).date().isoformat()
    except ValueError:
        raise InputError(f"--date takes 2026-12-02, not {visible(given[:40])}.") from None


def _beside(out: Path, what: str) -> Path:
    return out.with_name(f"{out.stem}.{what}.jsonl")


def _must_differ(*paths: Path) -> None:
    if len({path.resolve() for path in paths}) < len(paths):
        raise InputError("Input, --out, --trail and --raw must be different files.")
