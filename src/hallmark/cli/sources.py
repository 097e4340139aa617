"""What does `hallmark sources` say of the live sources, before and without asking them?"""

import asyncio
import os
import sys
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
import typer
from msgspec import Struct

from hallmark import _signals
from hallmark.online.health import PROBES
from hallmark.online.session import chosen
from hallmark.records.answer import Answer, Found, Registered, Unavailable
from hallmark.report.escape import visible
from hallmark.sources.http import Client
from hallmark.sources.interface import LiveSource, Rate, SourceSpec
from hallmark.sources.limits import Limits, shared_folder
from hallmark.sources.patience import Settings
from hallmark.sources.secrets import CONTACT, Secrets, from_environment

INCOMPLETE = 3
PATIENCE_S = 30.0
"""Seconds that one probe may take."""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class Key(StrEnum):
    """What is known of a source's key, never the key."""

    NONE = "none is used"
    FOUND = "found"
    MISSING = "missing"
    NEEDED = "missing, and needed"


class Row(Struct, frozen=True, omit_defaults=True):
    """What is said of one source.

    `limit` is what is kept with the key and contact that were found. `probe` is "answers", or why
    it does not; "" where it was not asked.
    """

    name: str
    title: str
    hosts: tuple[str, ...]
    asked_by: dict[str, int]
    limit: str
    sends: str
    covers: str
    terms: str
    key: Key
    key_variable: str = ""
    contact: str = ""
    probe: str = ""

    @property
    def failed(self) -> bool:
        """Whether it was asked, and did not answer as it should."""
        return self.probe not in {"", ANSWERS, NO_PROBE}


ANSWERS = "answers"
NO_PROBE = "there is no work that it is known to hold"


@app.command()
def sources(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Sources; all by default.")
    ] = None,
    *,
    probe: Annotated[
        bool,
        typer.Option("--probe", help="Ask each source for a work that it is known to hold."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the live sources: what is sent where, their limits, which keys were found.

    Nobody is asked anything, except with --probe. Exit code 3 then says that one did not answer.
    """
    rows = listed(tuple(names) if names else None, os.environ, probe=probe)
    if as_json:
        _print(msgspec.json.format(msgspec.json.encode(rows)).decode())
    else:
        _print("\n".join(line for row in rows for line in _lines(row)))
        _print(_about_contact(from_environment((), os.environ)))
    if any(row.failed for row in rows):
        raise typer.Exit(INCOMPLETE)


def listed(
    names: tuple[str, ...] | None, environ: Mapping[str, str], *, probe: bool = False
) -> list[Row]:
    """Return what is said of sources.

    Args:
        names: which; None for all.
        environ: holds keys, the contact address and the folder of the limits.
        probe: whether to ask each for a work that it is known to hold.

    Raises:
        UnknownName: there is no source of a name.
        SourceProblem: a source of another package is faulty, or limits cannot be kept.
    """
    found = chosen(names, environ)
    secrets = from_environment([one.spec for one in found.values()], environ)
    told = _signals.run(_probed(found, secrets, environ)) if probe else {}
    return [_row(one.spec, secrets, told.get(name, "")) for name, one in found.items()]


async def _probed(
    found: Mapping[str, LiveSource], secrets: Secrets, environ: Mapping[str, str]
) -> dict[str, str]:
    """Ask all sources at once, each for its work."""
    client = Client(
        [one.spec for one in found.values()],
        Limits(shared_folder(environ)),
        secrets=secrets,
        settings=Settings(attempts=2, patience_s=PATIENCE_S),
    )
    try:
        told = await asyncio.gather(*(_probe(one, client) for one in found.values()))
    finally:
        await client.aclose()
    return dict(zip(found, told, strict=True))


async def _probe(source: LiveSource, client: Client) -> str:
    probe = PROBES.get(source.spec.name)
    if probe is None:
        return NO_PROBE
    try:
        (answer,) = await source.look_up(probe.way, [probe.question], client.ask)
    except Exception as error:  # noqa: BLE001 - sources may be other people's code
        answer = Unavailable(f"The source failed ({type(error).__name__}).")
    return _told(answer)


def _told(answer: Answer) -> str:
    match answer:
        case Found() | Registered():
            return ANSWERS
        case Unavailable(reason):
            return reason
        case _:
            return "It answers, and does not find a work that it is known to hold."


def _row(spec: SourceSpec, secrets: Secrets, probe: str) -> Row:
    return Row(
        name=spec.name,
        title=spec.title,
        hosts=tuple(_host(base) for base in (spec.base, *spec.more_bases)),
        asked_by={way.value: spec.batch.get(way.value, 1) for way in spec.ways},
        limit=_limit(_rate(spec, secrets)),
        sends=spec.sends,
        covers=spec.covers,
        terms=spec.homepage,
        key=_key(spec, secrets),
        key_variable=spec.key_variable,
        contact=spec.contact_param,
        probe=secrets.hide(probe),
    )


def _host(base: str) -> str:
    return urlsplit(base).netloc or base


def _key(spec: SourceSpec, secrets: Secrets) -> Key:
    if not spec.key_variable:
        return Key.NONE
    if spec.name in secrets.keys:
        return Key.FOUND
    return Key.NEEDED if spec.needs_key else Key.MISSING


def _rate(spec: SourceSpec, secrets: Secrets) -> Rate:
    """Return the limit that holds with what was found."""
    if spec.keyed_rate is not None and spec.name in secrets.keys:
        return spec.keyed_rate
    if spec.contact_rate is not None and secrets.contact:
        return spec.contact_rate
    return spec.rate


def _limit(rate: Rate) -> str:
    noun = "request" if rate.requests == 1 else "requests"
    period = "a second" if rate.per_s == 1 else f"in {rate.per_s:g} s"
    connections = "1 connection" if rate.connections == 1 else f"{rate.connections} connections"
    return f"{rate.requests:g} {noun} {period}, {connections}"


def _lines(row: Row) -> Iterator[str]:
    """Yield what is printed of one source."""
    yield f"{row.name}  {row.title}"
    yield f"  holds  {row.covers}"
    yield f"  sent   {row.sends} to {', '.join(row.hosts)}"
    yield f"  asked  {_ways(row.asked_by)}"
    yield f"  limit  {row.limit}"
    if row.key is not Key.NONE:
        yield f"  key    {row.key_variable}: {row.key.value}"
    if row.probe:
        yield f"  probe  {visible(row.probe)}"
    yield ""


def _ways(asked_by: Mapping[str, int]) -> str:
    ways = (
        f"by {way}" + (f" ({size} a request)" if size > 1 else "") for way, size in asked_by.items()
    )
    return ", ".join(ways) or "about venues only"


def _about_contact(secrets: Secrets) -> str:
    if secrets.contact:
        return f"The contact address in {CONTACT} is sent along: some services then allow more."
    return f"No contact address is sent; with {CONTACT}=you@example.org some services allow more."


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
