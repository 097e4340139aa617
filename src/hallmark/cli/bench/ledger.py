"""What do `hallmark bench build audit` and `apply-ledger` do?"""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hallmark._files import read_text
from hallmark.cli.bench.data import DataOption, GoldArgument
from hallmark.cli.bench.score import KeyOption
from hallmark.cli.online import (
    Budget,
    MaxRequests,
    NoCache,
    Online,
    OnlineWish,
    Opened,
    Record,
    ReplayFrom,
    Sources,
    recorded_day,
)
from hallmark.cli.options import IndexOption
from hallmark.cli.output import destination
from hallmark.cli.study.options import (
    FormOption,
    OutputOption,
    PolicyOption,
    QuietOption,
    TodayOption,
    setting,
    write,
)
from hallmark.errors import InputError, OutputError
from hallmark.report.escape import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hallmark.study.context import Setting
    from hallmark.study.flips import Flip
    from hallmark.study.judged import Judged
    from hallmark.study.labels import Labels

LedgerOption = Annotated[
    Path,
    typer.Option("--ledger", metavar="FILE", help="The ledger of disputed labels (JSON Lines)."),
]


def audit(
    gold: GoldArgument,
    *,
    ledger: LedgerOption,
    data: DataOption = None,
    index: IndexOption = None,
    online: Online = False,
    sources: Sources = None,
    budget_s: Budget = None,
    max_requests: MaxRequests = None,
    record: Record = None,
    replay: ReplayFrom = None,
    no_cache: NoCache = False,
    policy: PolicyOption = "default",
    today: TodayOption = None,
    form: FormOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """Resolve every entry of a split again and list the labels and types that evidence disputes.

    Labels are not shown to who resolves. Proposals go to the ledger with both sides, records and
    addresses; a reviewer fills in `reviewer`, `decision` (accept or reject), `date` and `note`.
    What is filled in is kept when the audit is made again. The split is never changed.

    Exit codes: 0 done, 2 misuse or input that cannot be used.
    """
    from hallmark.study.labels import document, labels
    from hallmark.study.ledger import as_lines, read_ledger

    wish = OnlineWish(
        online=online, sources=sources, budget_s=budget_s, max_requests=max_requests,
        record=record, replay=replay, no_cache=no_cache,
    )  # fmt: skip
    wish.check()
    chosen = setting(gold, data, index, policy, today or recorded_day(wish))
    before = read_ledger(ledger) if ledger.exists() else []
    found = labels(chosen, _judged(chosen, wish, quiet=quiet), before)
    with destination(ledger, [str(chosen.split.path)]) as stream:
        stream.write(as_lines(found.disputes))
    for line in _counted(found):
        typer.echo(line)
    if output is not None or form is not None:
        write(found, lambda: document(found), form, output, [str(chosen.split.path), str(ledger)])


def _judged(chosen: "Setting", wish: OnlineWish, *, quiet: bool) -> "list[Judged]":
    from hallmark.cli.progress import Progress
    from hallmark.index import open_index
    from hallmark.study.context import judge
    from hallmark.study.judged import judge_live
    from hallmark.verifier import Verifier

    progress = Progress(sys.stderr, on=not quiet)
    if not wish.wanted:
        judged = judge(chosen, step=progress.step)
        progress.end()
        return judged
    verifier = Verifier(open_index(chosen.index), policy=chosen.policy, today=chosen.today)
    live = Opened(wish, verifier, chosen.today, environ=os.environ)
    judged = judge_live(chosen.split.entries, live.results, progress.step)
    progress.end()
    live.say()
    if live.interrupted:
        raise KeyboardInterrupt
    return judged


def _counted(found: "Labels") -> list[str]:
    flips = [row for row in found.disputes if row.is_flip]
    to_valid = sum(row.proposed == "VALID" for row in flips)
    reviewed = [row.decision for row in found.disputes if row.decision]
    labels = (
        f"{found.origin.entries} entries resolved again; {len(flips)} labels disputed: "
        f"{len(flips) - to_valid} VALID ones, {to_valid} HALLUCINATED ones; "
        f"{len(found.disputes) - len(flips)} types disputed"
    )
    decided = (
        f"reviewed: {reviewed.count('accept')} accepted, {reviewed.count('reject')} rejected, "
        f"{len(found.disputes) - len(reviewed)} open"
    )
    return [labels, decided]


def apply_ledger(
    gold: Annotated[
        str | None,
        typer.Argument(metavar="SPLIT|FILE", help="A split's name, or a gold file."),
    ] = None,
    *,
    ledger: LedgerOption,
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", metavar="PLACE", help="The new gold file, or release's folder."
        ),
    ],
    version: Annotated[
        str | None, typer.Option("--version", metavar="X.Y.Z", help="The new split's version.")
    ] = None,
    changes: Annotated[
        Path | None,
        typer.Option("--changelog", metavar="FILE", help="A section is added here, at the top."),
    ] = None,
    data: DataOption = None,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="DIR", help="Make a new version of this release instead."),
    ] = None,
    plan: Annotated[
        Path | None,
        typer.Option(
            "--plan", metavar="FILE", help="With --to: name, new version, date, licence; no splits."
        ),
    ] = None,
    key_file: KeyOption = None,
) -> None:
    """Make a new version of a split, or of a release, with the flips that reviewers accepted.

    What was there stays. A row that is about another entry or label than the reviewer saw is
    refused, and nothing is written.

    Exit codes: 0 written, 1 no change was accepted and nothing is written, 2 misuse, or a ledger
    that does not fit.
    """
    if (gold is None) == (to is None):
        raise InputError("Give a split, or --to DIR for a whole release; one of the two.")
    if to is None:
        if version is None:
            raise InputError("A new version of a split needs its number: --version 1.0.1")
        _apply_to_split(str(gold), data, ledger, out, version, changes)
        return
    if plan is None:
        raise InputError("A new version of a release needs a plan with its number: --plan FILE")
    _apply_to_release(to, plan, ledger, out, key_file)


def _apply_to_split(
    gold: str, data: Path | None, ledger: Path, out: Path, version: str, changes: Path | None
) -> None:
    from hallmark.bench.dataset import load_split
    from hallmark.bench.entry import write_jsonl
    from hallmark.study.flips import applied, flips, section
    from hallmark.study.ledger import read_ledger

    split = load_split(gold, data)
    if out.exists():
        raise OutputError(f"There is something at {visible(str(out))}: a split is never edited.")
    made = flips(split.entries, read_ledger(ledger), version)
    _must_change(made, ledger)
    before = _changes_in(changes) if changes is not None and changes.exists() else ""
    day = datetime.now(UTC).date().isoformat()  # noqa: TID251 - the edge
    write_jsonl(out, applied(split.entries, made))
    if changes is not None:
        _add_section(
            changes,
            before or f"# Changes of {split.name}\n",
            section(split.name, version, day, made),
        )
    _say(made, out)


def _add_section(file: Path, before: str, text: str) -> None:
    from hallmark.bench.lines import write_text

    head, _, past = before.partition("\n## ")
    write_text(file, f"{head.rstrip()}\n\n{text}" + (f"\n## {past}" if past else ""))


def _changes_in(file: Path) -> str:
    from hallmark.bench.lines import printable

    try:
        return read_text(file)
    except OSError as error:
        raise InputError(f"{printable(file, 300)} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{printable(file, 300)} is no UTF-8 text. Save it as UTF-8.") from None


def _apply_to_release(to: Path, plan: Path, ledger: Path, out: Path, key_file: Path | None) -> None:
    from hallmark.bench.build.earlier import read_earlier
    from hallmark.bench.build.plan import read_plan
    from hallmark.bench.build.release import Past, refuse_taken, relabelled, write
    from hallmark.bench.dataset import digest
    from hallmark.bench.sealing.key import find_key
    from hallmark.study.flips import applied, flips
    from hallmark.study.ledger import read_ledger

    refuse_taken(out)
    asked = read_plan(plan, with_splits=False)
    key = find_key(os.environ, key_file, asked.name)
    past = Past(read_earlier(to, key), extended=True, key=key)
    splits = past.base.splits if past.base else {}
    every = [entry for entries in splits.values() for entry in entries]
    made = flips(every, read_ledger(ledger), asked.version)
    _must_change(made, ledger)
    after = {name: applied(entries, made) for name, entries in splits.items()}
    inputs = {file.name: digest(file) for file in (plan, ledger)}
    write(relabelled(asked, after, inputs, past), out)
    _say(made, out)


def _must_change(made: "Sequence[Flip]", ledger: Path) -> None:
    """End where reviewers accepted nothing: a version that changes nothing is none."""
    if not made:
        typer.echo(
            f"No row of {visible(str(ledger))} is accepted, so there is nothing to write. "
            "Reviewers decide in its column `decision`.",
            err=True,
        )
        raise typer.Exit(1)


def _say(made: "Sequence[Flip]", out: Path) -> None:
    typer.echo(f"{len(made)} labels or types changed as reviewers accepted")
    typer.echo(f"written to {visible(str(out))}")
