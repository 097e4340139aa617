"""What do the cells of a thinking-budget study come to, and how do Tables 30 and 31 read them?

Abstentions and replies that could not be read count as VALID, as in Table 30. The two summary
files have the columns of the released ones and, after these, how many entries of each label there
were; cells of models that were asked before stay in them.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from hallmark._files import read_text
from hallmark.bench.align import Pairs, Stance, align
from hallmark.bench.entry import Label, read_predictions
from hallmark.bench.lines import write_text
from hallmark.bench.live.cells import Cell
from hallmark.bench.live.outcome import is_unparsed, p95
from hallmark.bench.measures import evaluate
from hallmark.bench.studies.budget import DISPLAYED, EXCLUDED_FROM
from hallmark.bench.studies.folder import BUDGET_FILES, as_published
from hallmark.bench.systems.asking import is_of_service
from hallmark.bench.taxonomy import TAXONOMY, HallucinationType
from hallmark.errors import InputError

_COLUMNS = (
    "cell", "display", "budget", "n", "parse_failure", "p95", "cap", "saturation", "dr", "fpr",
    "f1", "mcc", "mean_tokens", "p95_tokens", "wall_clock_s", "cost_usd", "hallucinated", "valid",
)  # fmt: skip
_TYPE_COLUMNS = ("type", "tier", "n")
_MEASURES = {"dr": "detection_rate", "fpr": "false_positive_rate", "f1": "f1", "mcc": "mcc"}

Row = dict[str, str]


class Figures(Struct, frozen=True, kw_only=True):
    """What one cell came to; rates in [0, 1], None where undefined.

    `parse_failure` is the share of entries whose reply could not be read; `unserved` counts those
    that the service failed for. Tokens are completion tokens of an entry (None where the service
    tells none), `cap` their limit; `seconds` and `cost` (US dollars, None where it is not
    known) are of all entries. `types` holds number and detection rate of each type.
    """

    name: str
    key: str
    letter: str
    display: str
    budget: str
    hallucinated: int
    valid: int
    parse_failure: float
    unserved: int
    mean_tokens: float | None
    p95_tokens: int | None
    cap: int
    measures: Mapping[str, float | None]
    seconds: float
    cost: float | None
    types: Mapping[str, tuple[int, float | None]]

    @property
    def n(self) -> int:
        """How many entries were asked about."""
        return self.hallucinated + self.valid

    @property
    def saturation(self) -> float | None:
        """95th percentile of completion tokens, as a share of the cap."""
        return None if self.p95_tokens is None else self.p95_tokens / self.cap

    @property
    def excluded(self) -> bool:
        """Whether the rule of Table 29 keeps the model out of the main table for this cell."""
        return self.letter == "a" and self.parse_failure >= EXCLUDED_FROM


def figures(cell: Cell) -> Figures:
    """Return what a finished cell came to.

    Raises:
        InputError: its file cannot be read.
    """
    rows = read_predictions(cell.out)
    pairs = align(cell.split.entries, list(map(as_published, rows)))
    model, _, letter = cell.out.stem.rpartition(".")
    slug, display = DISPLAYED.get(cell.model.name, (model, cell.model.name))
    served = [row for row in rows if not is_of_service(row)]
    tokens = [used for row in served if (used := int(row.extra.get("tokens_out", 0)))]
    costs = [row.cost for row in rows if row.cost is not None]
    found = evaluate(pairs, Stance.CONSERVATIVE, tuple(_MEASURES.values()))
    return Figures(
        name=cell.model.name,
        key=f"{slug}_{letter}",
        letter=letter,
        display=display,
        budget=cell.variant.name,
        hallucinated=int(pairs.truth.sum()),
        valid=int((~pairs.truth).sum()),
        parse_failure=sum(map(is_unparsed, rows)) / len(rows),
        unserved=len(rows) - len(served),
        mean_tokens=sum(tokens) / len(tokens) if tokens else None,
        p95_tokens=p95(tokens) if tokens else None,
        cap=cell.model.max_tokens,
        measures={column: found[name] for column, name in _MEASURES.items()},
        seconds=sum(row.seconds or 0.0 for row in rows),
        cost=round(sum(costs), 9) if len(costs) == len(rows) else None,
        types=_types(pairs),
    )


def _types(pairs: Pairs) -> dict[str, tuple[int, float | None]]:
    """Return number and detection rate of each type, in the order of the taxonomy."""
    order = [str(kind) for kind in TAXONOMY]
    names = sorted(set(pairs.type[pairs.truth]) - {""}, key=order.index)
    of = {name: pairs.select(pairs.truth & (pairs.type == name)) for name in names}
    measure = "detection_rate"
    return {
        str(name): (len(some), evaluate(some, Stance.CONSERVATIVE, (measure,))[measure])
        for name, some in of.items()
    }


def in_words(found: Figures) -> list[str]:
    """Return a cell's outcome as lines for people."""
    dr, fpr, f1, mcc = (_three(found.measures[name]) for name in _MEASURES)
    cost = "cost not known" if found.cost is None else f"US$ {found.cost:,.2f}"
    measured = (
        f"{found.name} {found.budget}: n {found.n:,}, parse failures {found.parse_failure:.1%}, "
        f"{_tokens(found)}, DR {dr}, FPR {fpr}, F1 {f1}, MCC {mcc}, {cost}."
    )
    lines = [measured]
    if found.unserved:
        lines.append(
            f"{found.name} {found.budget}: the service failed for {found.unserved:,} entries, "
            "which count as VALID, and not as parse failures; --retry-errors asks again."
        )
    if found.letter == "a":
        rule = "keeps the model out of" if found.excluded else "allows the model into"
        lines.append(
            f"{found.name}: {found.parse_failure:.1%} of the replies under regime A could not be "
            f"read; the paper's rule (under {EXCLUDED_FROM:.0%}) {rule} the main table."
        )
    return lines


def _tokens(found: Figures) -> str:
    if found.mean_tokens is None or found.p95_tokens is None or found.saturation is None:
        return "tokens out not told"
    return (
        f"tokens out mean {found.mean_tokens:,.0f}, p95 {found.p95_tokens:,} of {found.cap:,} "
        f"({found.saturation:.2f})"
    )


def check(cells: Sequence[Cell], root: Path) -> None:
    """Refuse, before anything is asked, a folder whose summaries this study must not change.

    Raises:
        InputError: there are summaries that it did not write, or of another sample.
    """
    _, types = _summaries(root)
    for cell in cells:
        counts: dict[str, int] = {}
        for entry in cell.split.entries:
            if entry.label is Label.HALLUCINATED and entry.hallucination_type:
                kind = str(entry.hallucination_type)
                counts[kind] = counts.get(kind, 0) + 1
        _check_sample(counts, types, root)


def write(found: Sequence[Figures], root: Path) -> list[Path]:
    """Write the cells into the summaries that Tables 30 and 31 read; return their paths.

    Cells of the same model and regime are replaced, all others stay.

    Raises:
        InputError: there are summaries that the study did not write, or of another sample.
        OutputError: one cannot be written.
    """
    cells, types = _summaries(root)
    for one in found:
        _check_sample({kind: n for kind, (n, _) in one.types.items()}, types, root)
        cells[one.key] = _cell_row(one)
        for kind, (n, rate) in one.types.items():
            row = types.setdefault(kind, {"type": kind, "tier": _tier(kind), "n": str(n)})
            row[one.key] = _text(rate)
    paths = [root / "aggregates" / name for name in BUDGET_FILES]
    columns = (_COLUMNS, (*_TYPE_COLUMNS, *cells))
    for path, names, rows in zip(paths, columns, (cells, types), strict=True):
        kept = (name for row in rows.values() for name in row)
        write_text(path, _csv(tuple(dict.fromkeys((*names, *kept))), list(rows.values())))
    return paths


def _summaries(root: Path) -> tuple[dict[str, Row], dict[str, Row]]:
    """Return the rows of both summaries by cell and by type, empty where there are none."""
    first, second = (root / "aggregates" / name for name in BUDGET_FILES)
    return _rows(first, "cell", set(_COLUMNS)), _rows(second, "type", set(_TYPE_COLUMNS))


def _rows(path: Path, key: str, needed: set[str]) -> dict[str, Row]:
    if not path.exists():
        return {}
    try:
        reader = csv.DictReader(io.StringIO(read_text(path)), strict=True)
        rows = [{k: v or "" for k, v in row.items() if k} for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} cannot be read ({error}); choose another --data-out.") from error
    lacking = sorted(needed - set(reader.fieldnames or ()))
    if lacking:
        raise InputError(
            f"{path} was not written by this study: it lacks the columns {', '.join(lacking)}. "
            "Choose another --data-out."
        )
    return {row[key]: row for row in rows}


def _check_sample(counts: Mapping[str, int], types: Mapping[str, Row], root: Path) -> None:
    there = {kind: row["n"] for kind, row in types.items()}
    if there and there != {kind: str(n) for kind, n in counts.items()}:
        raise InputError(
            f"{root / 'aggregates' / BUDGET_FILES[1]} is of another sample. Give the same --gold, "
            "--sample and --seed as before, or another --data-out."
        )


def _cell_row(found: Figures) -> Row:
    values = (
        found.key, found.display, found.budget, found.n, found.parse_failure, found.p95_tokens,
        found.cap, found.saturation, *(found.measures[name] for name in _MEASURES),
        found.mean_tokens, found.p95_tokens, found.seconds, found.cost, found.hallucinated,
        found.valid,
    )  # fmt: skip
    return dict(zip(_COLUMNS, map(_text, values), strict=True))


def _csv(columns: Sequence[str], rows: Sequence[Row]) -> str:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def _tier(kind: str) -> str:
    info = TAXONOMY[HallucinationType(kind)]
    return "S" if info.stress else str(int(info.tier))


def _text(value: float | str | None) -> str:
    return "" if value is None else str(value)


def _three(value: float | None) -> str:
    return "0/0" if value is None else f"{value:.3f}"
