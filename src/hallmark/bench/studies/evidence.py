"""Which lines of evidence do the released files give for a finding?

Every public function maps a data folder to lines of text, or to None where inputs are missing.
"""

from collections.abc import Sequence

import msgspec
import numpy as np

from hallmark.bench.align import Floats, Pairs, Stance
from hallmark.bench.convert import first_wins, last_wins
from hallmark.bench.entry import ERROR_TAG, Entry, Label
from hallmark.bench.measures import evaluate
from hallmark.bench.resample import Plan
from hallmark.bench.statistics.paired import resampled, two_sided
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.others import further_names, marked
from hallmark.bench.studies.prompts import sample_pairs
from hallmark.bench.studies.results import (
    ece_in_file_order,
    joined,
    pairs_of,
    rate,
    recovered,
    stance_of,
)
from hallmark.bench.studies.roster import SYSTEMS, system
from hallmark.bench.studies.temporal import supplement_pairs
from hallmark.bench.studies.thresholds import structured_pairs
from hallmark.bench.twins import clusters

DEV = "dev_public"
_DR, _FPR = "detection_rate", "false_positive_rate"


def anthropic(folder: Folder) -> list[str] | None:
    """Both Anthropic rows, out of the correctness matrix."""
    lines = []
    for name in ("Claude Opus 4.7", "Claude Sonnet 4.6"):
        pairs = recovered(folder, system(name))
        if pairs is None:
            return None
        names = (_DR, _FPR, "f1", "mcc", "tier_weighted_f1")
        values = evaluate(pairs, Stance.SELECTIVE, names)
        ece = ece_in_file_order(pairs, Stance.SELECTIVE)
        shown = ", ".join(_four(values[key]) for key in names)
        lines.append(f"{name}: DR, FPR, F1, MCC, TW-F1 {shown}; ECE {_four(ece)}.")
    return lines


def preprints(folder: Folder) -> list[str] | None:
    """What the valid preprints of 2026 do to false-positive rates."""
    entries = folder.entries(DEV)
    if entries is None:
        return None
    late = {e.bibtex_key for e in entries if _is_late_preprint(e)}
    valid = sum(entry.label is Label.VALID for entry in entries)
    lines = [f"{len(late)} of {valid} valid entries are arXiv preprints of 2026."]
    for tool in SYSTEMS:
        pairs = recovered(folder, tool)
        pairs = pairs_of(folder, tool, DEV) if pairs is None else pairs
        if pairs is not None:
            lines.append(f"{tool.name}: {_without(pairs, late, stance_of(tool))}")
    return lines


def _is_late_preprint(entry: Entry) -> bool:
    return entry.label is Label.VALID and entry.fields.get("year") == "2026"


def _without(pairs: Pairs, late: set[str], stance: Stance) -> str:
    kept = np.array([key not in late for key in pairs.keys])
    with_all = rate(pairs, stance, _FPR) or 0.0
    rest = rate(pairs.select(kept), stance, _FPR) or 0.0
    alarms = _alarms(pairs, stance)
    share = 1.0 - _alarms(pairs.select(kept), stance) / alarms if alarms else 0.0
    return f"FPR {with_all:.4f} with them, {rest:.4f} without; {share:.0%} of its false positives."


def _alarms(pairs: Pairs, stance: Stance) -> int:
    valid = pairs.select(~pairs.truth)
    counted = int(valid.committed.sum()) if stance is Stance.SELECTIVE else len(valid)
    return round((rate(valid, stance, _FPR) or 0.0) * counted)


def outage(folder: Folder) -> list[str] | None:
    """How many hallucinated rows of DeepSeek-R1 are failed calls."""
    tool = system("DeepSeek-R1")
    pairs = supplement_pairs(folder, tool, first_wins)
    if pairs is None:
        return None
    tagged = [p is not None and p.reason.startswith(ERROR_TAG) for p in pairs.predictions]
    bad = int((np.array(tagged) & pairs.truth).sum())
    return [f"{bad} of {int(pairs.truth.sum())} hallucinated entries carry the error fallback tag."]


def not_abstentions(folder: Folder) -> list[str] | None:
    """How many UNCERTAIN rows of the main runs are failed calls."""
    lines = []
    for tool in SYSTEMS:
        pairs = None if tool.forced else pairs_of(folder, tool, DEV)
        if pairs is None:
            continue
        unsure = [p for p in pairs.predictions if p is not None and p.label is Label.UNCERTAIN]
        failed = sum(p.reason.startswith(ERROR_TAG) for p in unsure)
        if unsure:
            lines.append(f"{tool.name}: {failed} of {len(unsure)} UNCERTAIN rows are failed calls.")
    return lines or None


def stances(folder: Folder) -> list[str] | None:
    """One row under two stances."""
    pairs = pairs_of(folder, system("Gemini 2.5 Pro"), DEV)
    if pairs is None:
        return None
    return [
        f"Gemini 2.5 Pro, {stance}: "
        + ", ".join(_four(rate(pairs, stance, name)) for name in (_DR, _FPR, "f1"))
        + " (DR, FPR, F1)."
        for stance in (Stance.SELECTIVE, Stance.CONSERVATIVE)
    ]


def forced(folder: Folder) -> list[str] | None:
    """bibtex-updater under all stances."""
    pairs = pairs_of(folder, system("bibtex-updater"), DEV)
    if pairs is None:
        return None
    return [
        f"bibtex-updater, {stance}: DR {_four(rate(pairs, stance))}, "
        f"FPR {_four(rate(pairs, stance, _FPR))}."
        for stance in Stance
    ]


def calibration(folder: Folder) -> list[str] | None:
    """One calibration error, binned and ordered in four ways."""
    pairs = pairs_of(folder, system("GPT-5.1 + bibtex-updater (agentic)"), DEV)
    if pairs is None:
        return None
    stance = Stance.SELECTIVE
    grouped = pairs.select(np.argsort(pairs.type, kind="stable"))
    return [
        (
            f"Agentic GPT-5.1 + bibtex-updater, equal mass in file order: "
            f"{_four(ece_in_file_order(pairs, stance))}; the same file grouped by type: "
            f"{_four(ece_in_file_order(grouped, stance))}."
        ),
        (
            f"Equal width, as in Eq. 2: {_four(rate(pairs, stance, 'ece'))}; equal mass with ties "
            f"pooled: {_four(rate(pairs, stance, 'ece_equal_mass'))} (both whatever the order)."
        ),
    ]


def repeated_keys(folder: Folder) -> list[str] | None:
    """One temporal file, with the first and the last row of each key."""
    tool = system("GPT-5.1")
    first = supplement_pairs(folder, tool, first_wins)
    last = supplement_pairs(folder, tool, last_wins)
    rows = folder.predictions("temporal", [tool.temporal or ""])
    if first is None or last is None or rows is None:
        return None
    stance = Stance.SELECTIVE
    return [
        (
            f"{len(rows)} rows for {len(first)} keys; FPR {_four(rate(first, stance, _FPR))} with "
            f"the first row of each key, {_four(rate(last, stance, _FPR))} with the last."
        )
    ]


def missing_dois(folder: Folder) -> list[str] | None:
    """How many entries lack a DOI, and on how many DOI-only was scored."""
    entries = folder.entries(DEV)
    if entries is None:
        return None
    valid = [entry for entry in entries if entry.label is Label.VALID]
    if not valid:
        return ["The split has no valid entry."]
    lacking = sum(not entry.fields.get("doi") for entry in valid)
    lines = [f"{lacking} of {len(valid)} valid entries lack a DOI ({lacking / len(valid):.1%})."]
    aggregate = folder.aggregate("doi_only", DEV)
    if aggregate is not None:
        lines.append(f"DOI-only was scored on {aggregate.num_entries} of {len(entries)} entries.")
    return lines


def circular(folder: Folder) -> list[str] | None:
    """The "structured any-miss" rule on the gold sub-tests."""
    entries = folder.entries(DEV)
    if entries is None:
        return None
    pairs = structured_pairs(entries, "structured: any-miss")
    values = ", ".join(_four(rate(pairs, Stance.SELECTIVE, name)) for name in (_DR, _FPR, "f1"))
    return [f"The gold sub-tests alone give DR, FPR, F1 {values}: the printed row, and no tool."]


def tells(folder: Folder) -> list[str] | None:
    """What the blind split gives away."""
    entries = folder.entries(DEV)
    if entries is None:
        return None
    sizes = np.bincount(clusters(entries))
    shared = int(sizes[sizes > 1].sum())
    return [
        _tell("Keys that start with a digit", [e for e in entries if e.bibtex_key[0].isdigit()]),
        _tell("Entries with a journal", [e for e in entries if "journal" in e.fields]),
        f"{shared} of {len(entries)} entries share their title with another.",
    ]


def _tell(name: str, chosen: Sequence[Entry]) -> str:
    bad = sum(entry.label is Label.HALLUCINATED for entry in chosen)
    return f"{name}: {bad} of {len(chosen)} are hallucinated."


def variance(folder: Folder) -> list[str] | None:
    """The run-to-run study on two sets of labels."""
    runs = [sample_pairs(folder, "variance", f"run{i}") for i in (1, 2, 3)]
    changed = folder.changed()
    found = [run for run in runs if run is not None]
    if len(found) < len(runs) or changed is None:
        return None
    before = {key: label is Label.HALLUCINATED for key, label in changed.items()}
    return [
        f"On the released labels: {_mean_of(found)}.",
        f"On the labels before the audit: {_mean_of([_relabelled(run, before) for run in found])}.",
    ]


def _relabelled(pairs: Pairs, truth: dict[str, bool]) -> Pairs:
    now = [truth.get(key, bool(t)) for key, t in zip(pairs.keys, pairs.truth, strict=True)]
    return msgspec.structs.replace(pairs, truth=np.array(now))


def _mean_of(runs: Sequence[Pairs]) -> str:
    means = {
        name: float(np.mean([rate(run, Stance.SELECTIVE, key) or 0.0 for run in runs]))
        for name, key in (("F1", "f1"), ("FPR", _FPR), ("DR", _DR))
    }
    return ", ".join(f"{name} {value:.4f}" for name, value in means.items())


_LATE = {
    "GPT-5.1": "openai_gpt-5.1",
    "Claude Sonnet 4.6": "openrouter_anthropic_claude-sonnet-4.6",
    "DeepSeek-V4-Pro": "openrouter_deepseek_deepseek-v4-pro",
}


def late_cutoff(folder: Folder) -> list[str] | None:
    """The late-cutoff control, the last row of each key, for every model that the folder holds."""
    entries = folder.entries("temporal_superset_858")
    group = "late_cutoff"
    further = {marked(name): name for name in further_names(folder, group, set(_LATE.values()))}
    if entries is None:
        return None
    lines = []
    for name, file in (_LATE | further).items():
        rows = folder.predictions(group, [file]) or ()
        keys = {row.bibtex_key for row in rows}
        sample = [entry for entry in entries if entry.bibtex_key in keys]
        pairs = joined(folder, sample, rows, f"predictions/{group}/{file}.jsonl")
        if pairs is not None and len(pairs):
            lines.append(f"{name}: {_by_year(pairs)}")
    return lines or None


def _by_year(pairs: Pairs) -> str:
    stance = Stance.SELECTIVE
    years = [int(year) for year in np.unique(pairs.year[~pairs.truth])]
    rates = [rate(pairs.select(pairs.year == year), stance, _FPR) for year in years]
    return (
        f"FPR {_four(rate(pairs, stance, _FPR))}, DR {_four(rate(pairs, stance))}; FPR of "
        f"{' and '.join(map(str, years))}: {', '.join(_four(value) for value in rates)}."
    )


def p_values(folder: Folder) -> list[str] | None:
    """Compare two tools in both orders by the published formula and by a symmetric test."""
    names = ("Gemini 2.5 Pro", "Llama 4 Maverick")
    pairs = [pairs_of(folder, system(name), DEV) for name in names]
    if pairs[0] is None or pairs[1] is None:
        return None
    a, b = names
    forward = resampled(pairs[0], pairs[1], Stance.CONSERVATIVE, "f1", Plan(2000))
    return [_p_value(a, b, forward), _p_value(b, a, -forward)]


def _p_value(first: str, second: str, values: Floats) -> str:
    published = min(1.0, 2 * float((values <= 0).mean()))
    return (
        f"F1 of {first} against {second}: published formula p = {published:.3f}, symmetric "
        f"two-sided p = {two_sided(values):.3f}."
    )


def _four(value: float | None) -> str:
    return "0/0" if value is None else f"{value:.4f}"
