"""What do the released files show that the paper gets wrong, mixes or leaves unsaid?

Each finding is computed from the data folder, or says that its inputs are missing.
"""

from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from hallmark.bench.align import Pairs, Stance
from hallmark.bench.convert import first_wins, last_wins
from hallmark.bench.entry import ERROR_TAG, Entry, Label
from hallmark.bench.measures import evaluate
from hallmark.bench.studies.folder import Folder
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
from hallmark.errors import UnknownName

DEV = "dev_public"
_DR, _FPR = "detection_rate", "false_positive_rate"


class Finding(msgspec.Struct, frozen=True):
    """One thing to report next to the reproduction.

    Attributes:
        name: Short name, for the command line.
        title: What is claimed, in one sentence.
        see: Tables of the paper that it concerns.
        compute: Data folder -> lines of evidence, or None where inputs are missing.
    """

    name: str
    title: str
    see: str
    compute: Callable[[Folder], list[str] | None]


def _anthropic(folder: Folder) -> list[str] | None:
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


def _preprints(folder: Folder) -> list[str] | None:
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


def _outage(folder: Folder) -> list[str] | None:
    tool = system("DeepSeek-R1")
    pairs = supplement_pairs(folder, tool, first_wins)
    if pairs is None:
        return None
    tagged = [p is not None and p.reason.startswith(ERROR_TAG) for p in pairs.predictions]
    bad = int((np.array(tagged) & pairs.truth).sum())
    return [f"{bad} of {int(pairs.truth.sum())} hallucinated entries carry the error fallback tag."]


def _not_abstentions(folder: Folder) -> list[str] | None:
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


def _stances(folder: Folder) -> list[str] | None:
    pairs = pairs_of(folder, system("Gemini 2.5 Pro"), DEV)
    if pairs is None:
        return None
    return [
        f"Gemini 2.5 Pro, {stance}: "
        + ", ".join(_four(rate(pairs, stance, name)) for name in (_DR, _FPR, "f1"))
        + " (DR, FPR, F1)."
        for stance in (Stance.SELECTIVE, Stance.CONSERVATIVE)
    ]


def _forced(folder: Folder) -> list[str] | None:
    pairs = pairs_of(folder, system("bibtex-updater"), DEV)
    if pairs is None:
        return None
    return [
        f"bibtex-updater, {stance}: DR {_four(rate(pairs, stance))}, "
        f"FPR {_four(rate(pairs, stance, _FPR))}."
        for stance in Stance
    ]


def _calibration(folder: Folder) -> list[str] | None:
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


def _repeated_keys(folder: Folder) -> list[str] | None:
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


def _missing_dois(folder: Folder) -> list[str] | None:
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


def _circular(folder: Folder) -> list[str] | None:
    entries = folder.entries(DEV)
    if entries is None:
        return None
    pairs = structured_pairs(entries, "structured: any-miss")
    values = ", ".join(_four(rate(pairs, Stance.SELECTIVE, name)) for name in (_DR, _FPR, "f1"))
    return [f"The gold sub-tests alone give DR, FPR, F1 {values}: the printed row, and no tool."]


def _tells(folder: Folder) -> list[str] | None:
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


def _variance(folder: Folder) -> list[str] | None:
    runs = [sample_pairs(folder, "variance", f"run{i}") for i in (1, 2, 3)]
    changed = folder.json("changed_keys_dev_public.json")
    found = [run for run in runs if run is not None]
    if len(found) < len(runs) or changed is None:
        return None
    before = {row["bibtex_key"]: row["old_label"] == Label.HALLUCINATED for row in changed}
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


def _late_cutoff(folder: Folder) -> list[str] | None:
    entries = folder.entries("temporal_superset_858")
    lines = []
    for name, file in _LATE.items():
        rows = folder.predictions("late_cutoff", [file])
        if entries is None or rows is None:
            return None
        keys = {row.bibtex_key for row in rows}
        sample = [entry for entry in entries if entry.bibtex_key in keys]
        pairs = joined(folder, sample, rows, f"predictions/late_cutoff/{file}.jsonl")
        if pairs is not None:
            lines.append(f"{name}: {_by_year(pairs)}")
    return lines


def _by_year(pairs: Pairs) -> str:
    stance = Stance.SELECTIVE
    years = (rate(pairs.select(pairs.year == year), stance, _FPR) for year in (2024, 2025))
    return (
        f"FPR {_four(rate(pairs, stance, _FPR))}, DR {_four(rate(pairs, stance))}; FPR of 2024 and "
        f"2025: {', '.join(_four(value) for value in years)}."
    )


def _four(value: float | None) -> str:
    return "0/0" if value is None else f"{value:.4f}"


FINDINGS: tuple[Finding, ...] = (
    Finding(
        "anthropic",
        "Both Anthropic rows, called unrecoverable, follow from a released matrix of confidences.",
        "3, 12, 15, 21, 22, 23",
        _anthropic,
    ),
    Finding(
        "preprints",
        'Valid entries of "2021-2023" include preprints of 2026, and they carry the false alarms.',
        "3, 21, 25",
        _preprints,
    ),
    Finding(
        "outage",
        "DeepSeek-R1's detection rate of 0 is an outage of the service, not caution.",
        "25",
        _outage,
    ),
    Finding(
        "failures",
        "Almost every UNCERTAIN of the main runs is a failed call or answer, not an abstention.",
        "3, 23",
        _not_abstentions,
    ),
    Finding(
        "stance",
        "The rows of language models leave abstentions out, though the text counts them as VALID.",
        "3, 12, 23",
        _stances,
    ),
    Finding(
        "forced",
        "The row of bibtex-updater scores a forced label that no stated convention yields.",
        "3, 23, 32, 33",
        _forced,
    ),
    Finding(
        "ece",
        "The printed calibration error is equal-mass in file order, so that order changes it.",
        "3, 36, 38",
        _calibration,
    ),
    Finding(
        "keys",
        "Different papers share a key in the temporal files; the tables choose among them.",
        "25, 26, 27",
        _repeated_keys,
    ),
    Finding(
        "dois",
        "More valid entries lack a DOI than stated, and DOI-only was scored on fewer entries.",
        "3, 10, 15",
        _missing_dois,
    ),
    Finding(
        "circular",
        'The "structured any-miss" rule reads the gold sub-tests, from which the labels follow.',
        "39",
        _circular,
    ),
    Finding(
        "tells",
        "The blind split gives labels away without any look-up.",
        "(section C.4.2)",
        _tells,
    ),
    Finding(
        "variance",
        "The run-to-run study was scored on the labels before the audit.",
        "(section F.4, E3)",
        _variance,
    ),
    Finding(
        "late-cutoff",
        "The late-cutoff control reproduces where the last row of each key counts.",
        "(section F.4, E2)",
        _late_cutoff,
    ),
)


def finding_of(name: str) -> Finding:
    """The finding of this name.

    Raises:
        UnknownName: If there is none.
    """
    for finding in FINDINGS:
        if finding.name == name:
            return finding
    known = ", ".join(finding.name for finding in FINDINGS)
    raise UnknownName(f"There is no finding {name!r}. There are: {known}.")
