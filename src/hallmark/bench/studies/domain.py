"""Tables 34 and 35: what changes outside machine learning, and what is only recency?"""

import re
from typing import NamedTuple

import numpy as np

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.convert import first_wins
from hallmark.bench.entry import Entry
from hallmark.bench.studies.cells import Computed, Origin, Sheet, Study, derived, minus
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.others import further_systems, tell
from hallmark.bench.studies.printed import rows_of
from hallmark.bench.studies.results import joined, named, needed, rate, result, scored
from hallmark.bench.studies.roster import CASCADE, System, system
from hallmark.bench.studies.temporal import further, supplement_pairs

DEV, OUTSIDE, MATCHED = "dev_public", "test_crossdomain", "test_crossdomain_matched"
_COLUMNS = {"DR": "detection_rate", "FPR": "false_positive_rate", "F1": "f1", "Cov.": "coverage"}
_FPR = "false_positive_rate"
_BIOMEDICAL = re.compile(r"pubmed|biorxiv|medrxiv|biomed", re.IGNORECASE)
_OTHER_FIELDS = re.compile(r"dblp", re.IGNORECASE)
_PREPRINT_PREFIXES = ("10.1101/", "10.64898/")  # bioRxiv and medRxiv; openRxiv since 2025


def _table_34(folder: Folder) -> Computed:
    sheet = Sheet()
    tool = system("bibtex-updater")
    for split in (DEV, OUTSIDE, MATCHED):
        pairs = _pairs(folder, tool, split)
        if pairs is not None:
            found = scored(pairs, Stance.FORCED)
        else:
            known = result(folder, tool, split)
            if known is None:
                sheet.lacks(split, _COLUMNS, _file(tool, split))
                continue
            found = known
        sheet.row(split, named(found, _COLUMNS), found.origin, stance=found.stance)
    _cascade(sheet, folder)
    return sheet.done()


def _cascade(sheet: Sheet, folder: Folder) -> None:
    """Add the two-stage cascade on the matched split, which the text reports."""
    pairs = _pairs(folder, CASCADE, MATCHED)
    if pairs is not None:
        found = scored(pairs, Stance.CONSERVATIVE)
        row = f"{MATCHED} (cascade)"
        sheet.row(row, named(found, _COLUMNS), found.origin, stance=found.stance)
        sheet.note("The text gives DR 0.975, FPR 0.189 and F1 0.941 for the cascade.")


def _pairs(folder: Folder, tool: System, split: str) -> Pairs | None:
    entries = folder.entries(split)
    names = (
        tool.prediction_names if tool.matched is None else (tool.matched, *tool.prediction_names)
    )
    predictions = folder.predictions(split, names)
    return joined(folder, entries, predictions, f"predictions/{split} of {tool.name}")


def _file(tool: System, split: str) -> str:
    name = tool.matched if split == MATCHED and tool.matched else tool.tool
    return f"{split}.jsonl and predictions/{split}/{name}.jsonl"


def is_biomedical(entry: Entry) -> bool:
    """Whether an entry of the cross-domain split is from PubMed, bioRxiv or medRxiv."""
    if entry.source is not None and _OTHER_FIELDS.search(entry.source):
        return False
    places = (
        entry.source,
        entry.source_conference,
        *(entry.fields.get(name) for name in ("journal", "booktitle", "url", "publisher")),
    )
    return (
        "pmid" in entry.fields
        or any(prefix in entry.fields.get("doi", "") for prefix in _PREPRINT_PREFIXES)
        or any(_BIOMEDICAL.search(place) for place in places if place)
    )


class _Rate(NamedTuple):
    """One false-positive rate, how abstentions count in it, and what it needs."""

    value: float | None
    origin: Origin
    stance: Stance
    need: str


def _table_35(folder: Folder) -> Computed:
    sheet = Sheet()
    for name in rows_of(35):
        for column, rate_ in _rates(folder, system(name)).items():
            _cell(sheet, name, column, rate_)
    more = _further(folder)
    for tool in more:
        for column, rate_ in _rates(folder, tool).items():
            _cell(sheet, tool.name, column, rate_)
    tell(sheet, more)
    sheet.note("Out-of-domain columns count abstentions as VALID; the others leave them out.")
    return sheet.done()


def _further(folder: Folder) -> list[System]:
    """Systems that the paper does not have: asked outside the domain, or before and after."""
    outside = further_systems(folder, MATCHED, OUTSIDE)
    before = {tool.tool for tool in further_systems(folder, DEV)}
    recent = [tool for tool in further(folder) if tool.tool in before]
    return sorted({*outside, *recent}, key=lambda tool: tool.name)


def _rates(folder: Folder, tool: System) -> dict[str, _Rate]:
    """Every cell of one model's row."""
    inside = result(folder, tool, DEV)
    before, origin = (None, Origin.MISSING) if inside is None else (inside[_FPR], inside.origin)
    matched, outside = _pairs(folder, tool, MATCHED), _pairs(folder, tool, OUTSIDE)
    recent = supplement_pairs(folder, tool, first_wins)
    plain, out = Stance.SELECTIVE, Stance.CONSERVATIVE
    here, there = _fpr(matched, out), _fpr(outside, out, biomedical=True)
    temporal = f"predictions/temporal/{tool.temporal}.jsonl"
    return {
        "pre in": _Rate(before, origin, plain, needed(tool, DEV)),
        "pre out": _Rate(here, Origin.PREDICTIONS, out, _file(tool, MATCHED)),
        "d domain": _Rate(minus(here, before), derived(origin), out, _file(tool, MATCHED)),
        "post in": _Rate(_fpr(recent, plain), Origin.PREDICTIONS, plain, temporal),
        "post out": _Rate(there, Origin.PREDICTIONS, out, _file(tool, OUTSIDE)),
    }


def _fpr(pairs: Pairs | None, stance: Stance, *, biomedical: bool = False) -> float | None:
    """False-positive rate, of the biomedical entries only where asked and where there are any."""
    if pairs is None:
        return None
    mask = np.array([is_biomedical(entry) for entry in pairs.entries])
    chosen = pairs.select(mask) if biomedical and (mask & ~pairs.truth).any() else pairs
    return rate(chosen, stance, _FPR)


def _cell(sheet: Sheet, row: str, column: str, found: _Rate) -> None:
    if found.value is None:
        sheet.lacks(row, [column], found.need, stance=found.stance)
    else:
        sheet.row(row, {column: found.value}, found.origin, stance=found.stance)


STUDIES = (
    Study(34, "bibtex-updater in and out of its domain", _table_34),
    Study(35, "False positives by domain and recency", _table_35),
)
