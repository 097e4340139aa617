"""What do `hallmark cache info` and `hallmark cache clear` do?"""

import os
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from hallmark.errors import OutputError
from hallmark.online.session import CACHE_FILE
from hallmark.sources import specs
from hallmark.sources.cache import ABSENT_S, DAY_S, FOUND_S, Cache, Held
from hallmark.sources.limits import shared_folder

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Show or empty the cache of live answers.",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command()
def info(*, as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show where the cache is, how large it is, and what it holds of which source."""
    path = cache_path(os.environ)
    rows = _opened(path).info() if path.exists() else []
    if as_json:
        whole = {"path": str(path), "bytes": _size(path), "answers": rows}
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(whole)).decode() + "\n")
        return
    sys.stdout.write("\n".join(_lines(path, rows)) + "\n")


@app.command()
def clear(
    source: Annotated[
        str | None, typer.Argument(metavar="[SOURCE]", help="Only answers of this source.")
    ] = None,
) -> None:
    """Drop the kept answers, of one source or of all; they are asked for again when needed."""
    if source is not None:
        specs.with_plugins().get(source)
    path = cache_path(os.environ)
    dropped = _opened(path).clear(source) if path.exists() else 0
    whose = f" of {source}" if source is not None else ""
    sys.stdout.write(f"{dropped:,} {_noun(dropped)}{whose} dropped.\n")


def cache_path(environ: Mapping[str, str]) -> Path:
    """Return where the answers are kept."""
    return shared_folder(environ) / CACHE_FILE


def _opened(path: Path) -> Cache:
    """Open the cache.

    Raises:
        OutputError: the file can be neither used nor replaced.
    """
    cache = Cache(path)
    if not cache.usable:
        raise OutputError(
            f"The cache `{path}` cannot be used. Make it writable, delete it, or name another "
            "folder: HALLMARK_CACHE."
        )
    if cache.replaced:
        sys.stderr.write(f"The cache `{path}` was damaged; an empty one takes its place.\n")
    return cache


def _lines(path: Path, rows: Sequence[Held]) -> list[str]:
    if not rows:
        return [f"{path}: nothing is kept."]
    answers = sum(row.answers for row in rows)
    head = f"{path}: {answers:,} {_noun(answers)}, {_size(path) / 2**20:.1f} MB on disk"
    table = [
        f"  {row.source:<16} {row.outcome:<11} {row.answers:>9,}  {row.size / 1024:>9,.0f} KB"
        f"  oldest {_day(row.oldest)}"
        for row in rows
    ]
    kept = (
        f"Records are kept {FOUND_S / DAY_S:.0f} days, absences {ABSENT_S / DAY_S:.0f} day; "
        "failures never."
    )
    return [head, *table, kept]


def _noun(count: int) -> str:
    return "answer" if count == 1 else "answers"


def _day(stored: float) -> str:
    return datetime.fromtimestamp(stored, UTC).date().isoformat()


def _size(path: Path) -> int:
    """Return the bytes of the file with what is not yet merged into it."""
    parts = (path.with_name(path.name + ending) for ending in ("", "-wal", "-shm"))
    return sum(part.stat().st_size for part in parts if part.exists())
