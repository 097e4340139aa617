"""What does the page on triage say?"""

from collections.abc import Iterator, Sequence

from hallmark.judge.triage import (
    CANDIDATE_MINUTES,
    DEFAULT_PREVALENCE,
    EFFORTS,
    HARMS,
    MOST_CANDIDATES,
)
from hallmark.report.holdings import FEWEST, FITTING_SHARE, MISFIT, MOST_LACKING, MOST_PLACES
from hallmark.report.ranking import minutes, percent
from hallmark.study.context import told
from hallmark.study.document import Part, Section, Table
from hallmark.study.triage import TriageStudy, table

COMMAND = "hallmark check examples/paper.bib --queue 5 --today 2026-01-31"


def page(output: str, studies: Sequence[TriageStudy]) -> list[Section]:
    """Return the page.

    Args:
        output: what `COMMAND` prints, from its queue on.
        studies: what `hallmark study triage` found, for each gold file.
    """
    shown = f"```console\n$ {COMMAND}\n[...]\n\n{output.strip()}\n```"
    return [
        Section("Triage: what to look at first", (_MADE, _WHAT, shown, _READ), level=1),
        Section("How the order comes about", (_ORDER, _CHANCE)),
        Section("How grave it would be", (_HARM, _harms()), level=3),
        Section("How long looking takes", (_EFFORT, _efforts(), _MORE), level=3),
        Section("Who enters", (_ENTERS,)),
        Section("What the stated precision is worth", (_WORTH, *_figures(studies), _LIMITS)),
        Section("How much of the bibliography the index knows", (_HOLDINGS, _LEVEL, _USED)),
        Section("In a script", (_SCRIPT,)),
    ]


_MADE = (
    "Generated from `src/hallmark/judge/triage.py`, `docs/data/queue.txt` and the results of "
    "`hallmark study triage` in `docs/data` by `make docs`; do not edit."
)
_WHAT = (
    "Nobody looks at everything. `hallmark check --queue N` ends the report with the N references "
    "most worth a person's time, and says how many of them to expect to be bad:"
)
_READ = (
    "*P* is the probability that this reference is bad, at the prevalence that you name with "
    "`--prevalence` (the share of bad references that you expect; "
    f"{percent(DEFAULT_PREVALENCE)} if you name none). *List so far* is the expected share of bad "
    "ones from the first reference down to this one: the positive predictive value (PPV) of "
    "stopping there. Exit codes are those of a check without a queue."
)
_ORDER = (
    "By expected harm found per minute: P × harm ÷ minutes (Smith's rule: whenever you stop, you "
    "have found the most that the time allowed). Equal references keep the order of the file."
)
_CHANCE = (
    "P comes from the verdict's P(hallucinated), which holds at the prevalence of the "
    "calibration's training data; the odds are moved to your prevalence "
    "([calibration](calibration.md#other-prevalences)). `--calibration FILE` counts here as in the "
    "verdicts. A reference that is open and has no record is discounted before by how much of the "
    "bibliography the index knows (see below)."
)
_HARM = "A choice, not a measurement: harm 0.5 means that it is worth half the time of harm 1."
_EFFORT = "Estimates for a person with a browser. A record at hand comes first, then a link."
_MORE = (
    f"Each further candidate work adds {minutes(CANDIDATE_MINUTES)}, up to {MOST_CANDIDATES} of "
    "them."
)
_ENTERS = (
    "Contradicted, not found and open references. A verified one does not: a record confirms it, "
    "and looking again would find the faults of records. One that is not checked (a web page, "
    "software) does not: no evidence stands behind its P. Entries that cannot be read are counted, "
    "since they need a repair and no judgement. Any number of references can stream through; at "
    "most N of each sort are held."
)
_WORTH = (
    "`hallmark study triage` draws bibliographies from a gold file in which references are bad "
    "with the probability of the prevalence, queues each, and compares what the queues state with "
    "the labels. In brackets is the 95 % interval that the size of the gold file leaves open."
)
_LIMITS = (
    "At a prevalence of 2 % everything hangs on the few valid entries that are flagged: one more "
    "or less of 500 moves the true precision by some points. The labels of several of them are "
    "disputed by the evidence ([accuracy](accuracy.md)); they count as released here. The "
    "calibration was fitted on dev\\_public, so that the second table is the fairer one."
)
_HOLDINGS = (
    "That a work has no record says much where the index holds its field, and nothing where it "
    "does not. So every report says what the index knows of the venues that are cited: for what "
    "share of the references that name a venue it holds records of that venue in that year (a year "
    "known to have had no edition is known, too), for how many of the different years of venues it "
    f"holds the complete list, and of which venues, up to {MOST_LACKING}, it lacks most. Preprint "
    "servers, publishers and platforms count as no venue. A work missing from a complete list is "
    f"not counted as the index's lack. Beyond {MOST_PLACES:,} different venues or years of venues, "
    "only references are counted."
)
_LEVEL = (
    f"Where the index knows less than {percent(FITTING_SHARE)} of at least {FEWEST} references "
    f"that name a venue, the report says: *{MISFIT}* Measured: the full index of the development "
    "data knows venue and year of 93 % of the references of dev\\_public and has a record of 99.8 "
    "% of the valid ones with a venue; the starter index, which ends in 2021, knows 2 % and has a "
    "record of none."
)
_USED = (
    "Where it counts: a verdict does not depend on it, and neither does its P(hallucinated), which "
    "uses what is known of the reference's own venue and year (the atoms *no-record-of-most* and "
    "*held-little* of the [calibration](calibration.md)). A single reference cannot know the rest "
    "of its bibliography; the queue does, and multiplies the log-odds of references without record "
    "by the share that the index knows (`Calibration.at_coverage`): with nothing known, they are "
    f"as likely bad as any. With fewer than {FEWEST} references no share is stated or used."
)
_SCRIPT = (
    "The JSON report holds `queue` and `summary.holdings`; JSON lines end with a line that holds "
    "`summary` and `queue` (with `--quiet` only if a queue is wished). The fields are described in "
    "[output](output.md). `hallmark replay EVIDENCE --queue N` makes another queue of a stored "
    "check, for another prevalence or calibration, without asking any source. "
    "`hallmark.judge.triage.Triage` does the same in Python: `add` every result, then `queue()`."
)


def _harms() -> Table:
    rows = ((harm.name, f"{harm.weight:g}", _types(harm.types), harm.reason) for harm in HARMS)
    return Table(("what is wrong", "harm", "types", "reason"), tuple(rows))


def _types(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))


def _efforts() -> Table:
    rows = ((one.action, minutes(one.minutes), one.reason) for one in EFFORTS.values())
    return Table(("what to do", "takes", "reason"), tuple(rows))


def _figures(studies: Sequence[TriageStudy]) -> Iterator[Part]:
    for study in studies:
        yield f"{_escaped(told(study.origin))} Flagged valid entries: {study.alarms}."
        yield table(study)


def _escaped(text: str) -> str:
    return text.replace("_", "\\_")
