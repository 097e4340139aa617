"""Which files hold the recomputed tables and the data behind the figures?"""

from collections.abc import Sequence
from pathlib import Path

from hallmark.bench.lines import write_text
from hallmark.bench.studies.compare import Report
from hallmark.bench.studies.render import as_csv, as_json


def export(reports: Sequence[Report], folder: Path) -> list[Path]:
    """Write every table as CSV and JSON; return the paths.

    Raises:
        OutputError: If a file cannot be written.
    """
    written = []
    for report in reports:
        for suffix, text in ((".csv", as_csv(report)), (".json", as_json(report) + "\n")):
            path = folder / f"table_{report.number:02d}{suffix}"
            write_text(path, text)
            written.append(path)
    return written
