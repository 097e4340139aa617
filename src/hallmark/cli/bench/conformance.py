"""What does `bench conformance` do?"""

import contextlib
import itertools
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hallmark.cli.bench import asking
from hallmark.cli.locate import index_path, replies_path, tools_path
from hallmark.cli.options import IndexOption, PolicyOption
from hallmark.cli.progress import Lines
from hallmark.errors import InputError

if TYPE_CHECKING:
    from hallmark.bench.conformance.cases import Case
    from hallmark.bench.systems.interface import System
    from hallmark.bench.systems.spec import Request

TOOL_OPTION = {"keys": "own"}
_AGAIN = 1_000_000
"""Added to the number of the run where a model is asked the same once more."""


def conformance(
    system: Annotated[
        str,
        typer.Argument(
            metavar="SYSTEM",
            help="A name of `bench systems`, FILE.py:FUNCTION, or exec:COMMAND.",
        ),
    ],
    *,
    index: IndexOption = None,
    policy: PolicyOption = "default",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="An option of it; repeatable."),
    ] = None,
    case: Annotated[
        list[str] | None,
        typer.Option("--case", metavar="NAME", help="Put this test only; repeatable."),
    ] = None,
    cut_off: Annotated[
        bool, typer.Option("--cut-off", help="Put every test without a network.")
    ] = False,
    model: asking.ModelOption = "",
    prompt: asking.PromptOption = None,
    max_cost: asking.MaxCostOption = None,
    max_tokens: asking.MaxTokensOption = None,
    max_calls: asking.MaxCallsOption = None,
    cache: asking.CacheOption = None,
    offline: asking.OfflineOption = False,
    repeat: asking.RepeatOption = 0,
    dry_run: asking.DryRunOption = False,
    json_form: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    markdown_form: Annotated[bool, typer.Option("--markdown", help="As Markdown.")] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Do not tell what is asked.")
    ] = False,
) -> None:
    """Put the tests to a system that every checker of citations should pass.

    They are a few dozen references, real and invented; the outage is made by proxy variables that
    point at a closed port of this machine, so that nothing is asked of any service meanwhile. The
    language model of --model is left out of the outage: what it looks things up in fails alone.

    Exit codes: 0 all tests passed, 1 some failed, 3 none failed but some stay open, 2 misuse or a
    system that cannot be run.
    """
    import msgspec

    from hallmark.bench.conformance import report
    from hallmark.bench.conformance.run import conformance as put
    from hallmark.bench.conformance.run import questions

    if system == "replay":
        raise InputError("`replay` answers from a file, which the tests' entries are not in.")
    request = msgspec.structs.replace(
        _request(index, policy, option or ()),
        model=model,
        prompt=prompt,
        caps=asking.caps(max_cost, max_tokens, max_calls),
        cache=cache or replies_path(),
        offline=offline,
        sample=repeat,
    )
    first, cases = _make(system, request, own_keys=False), _cases(case or ())
    asks = asking.tell_estimate(first, questions(cases), lambda text: _tell(text, quiet=quiet))
    if dry_run:
        _tell("" if asks else f"{system} asks no model.", quiet=quiet)
        return
    with _spinner(quiet=quiet) as tell, tempfile.TemporaryDirectory() as folder:
        request = msgspec.structs.replace(request, spent=Path(folder) / "spent")
        once_more = msgspec.structs.replace(request, sample=_AGAIN + repeat)
        findings = put(
            lambda own_keys: _make(system, request, own_keys=own_keys),
            os.environ,
            cases=cases,
            always_cut_off=cut_off,
            tell=tell,
            again=lambda own_keys: _make(system, once_more, own_keys=own_keys),
            spare=_host(model) if model else "",
        )
    if json_form:
        typer.echo(report.as_json(system, findings, first.settings, _now()))
    elif markdown_form:
        typer.echo(report.as_markdown(system, findings))
    else:
        typer.echo(report.as_text(system, findings))
    raise typer.Exit(report.exit_code(findings))


def _request(index: Path | None, policy: str, option: "list[str] | tuple[str, ...]") -> "Request":
    from hallmark.bench.systems.spec import Request
    from hallmark.cli.bench.run import read_pairs

    return Request(
        options=read_pairs(option),
        index=index_path(index),
        policy=policy,
        today=_now()[:10],
        environ=os.environ,
        tools=tools_path(),
    )


def _make(system: str, request: "Request", *, own_keys: bool) -> "System":
    import msgspec

    from hallmark.bench.systems.external.rows import PREFIX
    from hallmark.bench.systems.specs import build

    if own_keys and system.startswith(PREFIX):
        options = {**request.options, **TOOL_OPTION}
        request = msgspec.structs.replace(request, options=options)
    return build(system, request)


def _host(model: str) -> str:
    """Return the host of a model's end-point; "" where no model can be asked from here."""
    from urllib.parse import urlsplit

    from hallmark.bench.systems.opening import packages_missing

    if packages_missing(os.environ):
        return ""
    from hallmark.llm import anthropic_api, openai_api
    from hallmark.llm.models import find
    from hallmark.llm.session import WORLD

    spec = find(model)
    home = anthropic_api.HOME if spec.provider == "anthropic" else openai_api.HOME
    return urlsplit(os.environ.get(WORLD, "").strip() or spec.base_url or home).hostname or ""


def _tell(text: str, *, quiet: bool) -> None:
    from hallmark.report.escape import visible

    if text and not quiet:
        typer.echo(visible(text), err=True)


def _cases(names: "list[str] | tuple[str, ...]") -> "tuple[Case, ...]":
    from hallmark._registry import Registry
    from hallmark.bench.conformance.cases import CASES, Case

    known = Registry[Case]("test of conformance")
    for one in CASES:
        known.add(one.name, one)
    return tuple(map(known.get, names)) or CASES


@contextlib.contextmanager
def _spinner(*, quiet: bool) -> "Iterator[Callable[[str], None]]":
    """Show which test is being put: on a terminal at once, elsewhere about once a minute."""
    if quiet or not sys.stderr.isatty():
        lines, asked = Lines(sys.stderr, on=not quiet), itertools.count(1)
        yield lambda name: lines.tell(next(asked), f"questions, now {name}")
        return
    from rich.console import Console

    with Console(stderr=True).status("asking") as status:
        yield lambda name: status.update(f"asking: {name}")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")  # noqa: TID251 - the edge reads the clock
