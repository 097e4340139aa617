"""How are the live sources opened for a run of `check`, and what is said about it?"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from msgspec import Struct

from hallmark.errors import InputError
from hallmark.records.reference import Entry
from hallmark.verifier import Verifier

if TYPE_CHECKING:
    from hallmark.online.run import Checked

Online: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--online",
        help="Ask the public bibliographic services about what the index leaves open. Titles, "
        "names and identifiers of these references are sent to them (see `hallmark sources`).",
    ),
]
Offline: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--offline",
        help="Ask nobody: the default, said aloud. With --llm: kept replies of the model only.",
    ),
]
Sources: TypeAlias = Annotated[
    str | None,
    typer.Option("--sources", metavar="A,B", help="Ask only these services (with --online)."),
]
Budget: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--budget-s", metavar="S", min=0.0, help="Seconds after which nothing more is asked."
    ),
]
MaxRequests: TypeAlias = Annotated[
    int | None,
    typer.Option("--max-requests", metavar="N", min=0, help="Requests that are sent at the most."),
]
Record: TypeAlias = Annotated[
    Path | None,
    typer.Option("--record", metavar="FILE", help="Write down every exchange (with --online)."),
]
ReplayFrom: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--replay", metavar="FILE", help="Answer from a recording instead of the network."
    ),
]
Thorough: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--thorough",
        help="Ask every service about every reference, settled or not: to record what they hold "
        "(with --online). Takes many times the requests.",
    ),
]
NoCache: TypeAlias = Annotated[
    bool, typer.Option("--no-cache", help="Ask again even what was answered lately.")
]


class OnlineWish(Struct, frozen=True, kw_only=True):
    """What the user asked of the live sources."""

    online: bool = False
    offline: bool = False
    sources: str | None = None
    budget_s: float | None = None
    max_requests: int | None = None
    record: Path | None = None
    replay: Path | None = None
    no_cache: bool = False
    thorough: bool = False

    @property
    def wanted(self) -> bool:
        """Whether live sources, or a recording of them, are to be asked."""
        return self.online or self.replay is not None

    def check(self) -> None:
        """Raise InputError where wishes exclude each other."""
        if self.offline and self.online:
            raise InputError("--online and --offline exclude each other. Give one of them.")
        if self.record is not None and self.replay is not None:
            raise InputError("--record and --replay exclude each other. Give one of them.")
        if self.online and self.replay is not None:
            raise InputError("--replay asks no network. Leave --online out.")
        needing = {
            "--sources": self.sources,
            "--budget-s": self.budget_s,
            "--max-requests": self.max_requests,
            "--record": self.record,
            "--thorough": self.thorough or None,
        }
        without = [name for name, value in needing.items() if value is not None]
        if without and not self.wanted:
            raise InputError(f"{', '.join(without)} needs --online.")


class Opened:
    """The live sources of one run: the verifier that asks them, and what is to be said of it."""

    def __init__(
        self,
        wish: OnlineWish,
        verifier: Verifier,
        today: date,
        *,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        from hallmark.online import session  # noqa: PLC0415 - loaded only where it is used

        self.interrupted = False
        self._records = wish.record is not None
        self._session = session.open_session(
            session.Wishes(
                sources=_names(wish.sources),
                budget_s=wish.budget_s,
                max_requests=wish.max_requests,
                record=wish.record,
                replay=wish.replay,
                cached=not wish.no_cache and wish.record is None,
                thorough=wish.thorough,
            ),
            verifier,
            today,
            environ,
        )

    def results(self, entries: Iterable[Entry]) -> Iterator["Checked"]:
        """Yield the rows; an interruption ends them early, with what is there."""
        complete = False
        try:
            yield from self._session.verifier.check_with_evidence(entries)
            complete = True
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            self._session.close(complete=complete)

    def say(self) -> None:
        """Tell, on standard error, who was asked, and whose answers did not count."""
        for line in self._session.account():
            print(line, file=sys.stderr)  # noqa: T201 - the edge
        if self.interrupted:
            lost = ", and no recording was written" if self._records else ""
            print(  # noqa: T201 - the edge
                f"Interrupted: the references after the last one reported were not checked{lost}.",
                file=sys.stderr,
            )


def recorded_day(wish: OnlineWish) -> str | None:
    """Return the date of the recording that is to be replayed, None where there is none."""
    if wish.replay is None:
        return None
    from hallmark.sources.recording import Replay  # noqa: PLC0415 - loaded only where it is used

    return Replay(wish.replay).today


def _names(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if not names:
        raise InputError("--sources names no source. List them: --sources crossref,dblp")
    return names
