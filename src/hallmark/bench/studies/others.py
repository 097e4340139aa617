"""Which systems does a data folder hold predictions of that the paper does not know?

Their rows stand below the paper's, are marked, and are never compared with a printed cell.
"""

from collections.abc import Collection

from hallmark.bench.studies.cells import Sheet
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.roster import CASCADE, SYSTEMS, System
from hallmark.report.escape import visible

MARK = "(not in the paper)"
NOTE = (
    f'Rows and columns marked "{MARK}" are of further prediction files in the folder; they are '
    "compared with nothing."
)
TEMPORAL = "temporal"
_ENDING = "_temporal"
_FILES = ((*tool.prediction_names, tool.chatgpt, tool.matched) for tool in (*SYSTEMS, CASCADE))
_KNOWN = frozenset(name for names in _FILES for name in names if name)


def marked(name: str) -> str:
    """Name of a row or column that the paper does not have; control characters are escaped."""
    return f"{visible(name)} {MARK}"


def further_names(
    folder: Folder, group: str, known: Collection[str], *, prefix: str = "", suffix: str = ""
) -> tuple[str, ...]:
    """Names of what lies in `predictions/<group>` beside the paper's files, in order.

    Args:
        folder: The data folder.
        group: The folder under `predictions/`.
        known: Names of the paper's files, without `.jsonl`.
        prefix: What a file's name begins with; not part of the name that is returned.
        suffix: What it ends with before `.jsonl`, likewise. Files named otherwise do not count.
    """
    return tuple(
        stem.removeprefix(prefix).removesuffix(suffix)
        for stem in folder.names(group)
        if stem not in known
        and stem.startswith(prefix)
        and stem.endswith(suffix)
        and len(stem) > len(prefix) + len(suffix)
    )


def further_systems(folder: Folder, *splits: str) -> tuple[System, ...]:
    """Systems with predictions on one of these splits that are not in the roster, by name."""
    names = {name for split in splits for name in further_names(folder, split, _KNOWN)}
    return tuple(system_of(folder, name) for name in sorted(names))


def system_of(folder: Folder, name: str) -> System:
    """The system whose files have this name; on the temporal supplement, `_temporal` may follow."""
    files = folder.names(TEMPORAL)
    temporal = next((file for file in (f"{name}{_ENDING}", name) if file in files), None)
    return System(marked(name), name, temporal=temporal)


def further_temporal(folder: Folder, known: Collection[str]) -> tuple[System, ...]:
    """Systems with predictions on the temporal supplement that are not among `known` files."""
    names = further_names(folder, TEMPORAL, known)
    return tuple(system_of(folder, name) for name in sorted({_short(name) for name in names}))


def _short(name: str) -> str:
    return name.removesuffix(_ENDING) or name


def tell(sheet: Sheet, found: Collection[object]) -> None:
    """Note what the marked rows are, where any were found."""
    if found:
        sheet.note(NOTE)
