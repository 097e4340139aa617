"""What does `hallmark bench score` do?"""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hallmark.cli.bench.evaluate import ShortForm, one_thread_for_each_product
from hallmark.report.escape import visible

if TYPE_CHECKING:
    from hallmark.bench.sealing.score import Rate, Score

KeyOption = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        help="The seal's key. Default: $HALLMARK_SEAL_KEY or $HALLMARK_SEAL_PASSPHRASE.",
    ),
]


def score(
    predictions: Annotated[Path, typer.Argument(metavar="PREDICTIONS", help="A prediction file.")],
    *,
    sealed: Annotated[
        Path, typer.Option("--sealed", metavar="FILE", help="A release's sealed/<split>.sealed.")
    ],
    uses: Annotated[
        Path,
        typer.Option("--uses", metavar="FILE", help="The ledger of uses; rows are added to it."),
    ],
    key_file: KeyOption = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", min=1, help="Uses of these labels at the most."),
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", metavar="NAME", help="What to call the tool.")
    ] = None,
    form: Annotated[ShortForm, typer.Option("--format", help="How to write it.")] = ShortForm.TEXT,
) -> None:
    """Score a prediction file over sealed labels: rounded shares of large groups, nothing else.

    Every scoring is written to the ledger first. A file whose flags differ from those of an earlier
    one in a few entries is refused: two such scores would show single labels.

    Exit codes: 0 scored, 2 misuse, input that cannot be used, or a scoring that is refused.
    """
    one_thread_for_each_product()
    from hallmark.bench.align import align
    from hallmark.bench.dataset import digest
    from hallmark.bench.entry import read_predictions
    from hallmark.bench.report.as_json import render_any
    from hallmark.bench.sealing.key import needed_key
    from hallmark.bench.sealing.score import score as score_pairs
    from hallmark.bench.sealing.seal import entries_in, read_sealed
    from hallmark.bench.sealing.uses import Ledger

    held = read_sealed(sealed)
    key = needed_key(os.environ, key_file, held.header.name)
    answers = read_predictions(predictions)
    pairs = align(entries_in(held, key, sealed), answers)
    labels = digest(sealed)
    with Ledger(uses, key) as ledger:
        begun = not ledger.uses
        ledger.admit(labels, answers, limit)
        ledger.add(
            labels,
            answers,
            date=datetime.now(UTC).date().isoformat(),  # noqa: TID251 - the edge
            system=system or predictions.stem,
            predictions_sha256=digest(predictions),
        )
        head, number = ledger.head, len(ledger.of(labels))
    found = score_pairs(pairs)
    typer.echo(render_any(found) if form is ShortForm.JSON else _text(found), nl=False)
    note = f"use {number}{f' of {limit}' if limit else ''} of these labels; ledger {head}"
    if begun:
        note = f"a new ledger was begun, {visible(str(uses))}; {note}"
    print(note, file=sys.stderr)  # noqa: T201


def _text(found: "Score") -> str:
    told = (
        f"Counts are rounded to multiples of {found.step}; groups below {found.smallest_group} are "
        f"not told. All this says {found.bits:g} bits of {found.entries} labels at the most."
    )
    rows = [
        ("entries", str(found.entries)),
        ("coverage", f"{found.coverage:.3f}"),
        ("error rate", f"{found.error_rate:.3f}"),
        ("detection rate", _rate(found.detection_rate)),
        ("false-positive rate", _rate(found.false_positive_rate)),
        ("F1", "not told" if found.f1 is None else f"{found.f1:.3f}"),
        *((f"detection, tier {tier}", _rate(rate)) for tier, rate in found.per_tier.items()),
        *((f"detection, {kind}", _rate(rate)) for kind, rate in found.per_type.items()),
    ]
    return "".join(f"{name:34} {value}\n" for name, value in rows) + told + "\n"


def _rate(rate: "Rate | None") -> str:
    return "not told" if rate is None else f"{rate.value:.3f} of {rate.entries}"
