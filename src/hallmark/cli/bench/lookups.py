"""What does `bench lookups` do?"""

from pathlib import Path
from typing import Annotated

import typer

from hallmark.cli.locate import replies_path
from hallmark.cli.output import tell_written


def lookups(
    predictions: Annotated[
        Path, typer.Argument(metavar="PREDICTIONS", help="The predictions of an agent.")
    ],
    *,
    out: Annotated[
        Path, typer.Option("--out", "--output", "-o", metavar="FILE", help="The evidence.")
    ],
    cache: Annotated[
        Path | None,
        typer.Option("--cache", metavar="DIR", help="The folder of kept results, as for run."),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Do not tell what is written.")
    ] = False,
) -> None:
    """Write what an agent's searches returned as evidence, for the systems recorded-*.

    So the rules any-miss, majority and consensus are applied to what the model saw.

    Exit codes: 0 done, 2 misuse or input that cannot be used.
    """
    import msgspec

    from hallmark.bench.entry import read_predictions
    from hallmark.bench.lines import write_text
    from hallmark.bench.systems import tool_evidence
    from hallmark.bench.systems.tool_cache import FILE, ToolCache

    kept = ToolCache((cache or replies_path()) / FILE, offline=True)
    rows = tool_evidence.lookups(read_predictions(predictions), kept)
    write_text(out, "".join(f"{msgspec.json.encode(one.row()).decode()}\n" for one in rows))
    kept.close()
    tell_written(out, quiet=quiet)
