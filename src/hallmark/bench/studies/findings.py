"""What do the released files show that the paper gets wrong, mixes or leaves unsaid?

Each finding is computed from the data folder, or says that its inputs are missing.
"""

from collections.abc import Callable

import msgspec

from hallmark.bench.studies import evidence
from hallmark.bench.studies.folder import Folder
from hallmark.errors import UnknownName


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


FINDINGS: tuple[Finding, ...] = (
    Finding(
        "anthropic",
        "Both Anthropic rows, called unrecoverable, follow from a released matrix of confidences.",
        "3, 12, 15, 21, 22, 23",
        evidence.anthropic,
    ),
    Finding(
        "preprints",
        'Valid entries of "2021-2023" include preprints of 2026, and they carry the false alarms.',
        "3, 21, 25",
        evidence.preprints,
    ),
    Finding(
        "outage",
        "DeepSeek-R1's detection rate of 0 is an outage of the service, not caution.",
        "25",
        evidence.outage,
    ),
    Finding(
        "failures",
        "Almost every UNCERTAIN of the main runs is a failed call or answer, not an abstention.",
        "3, 23",
        evidence.not_abstentions,
    ),
    Finding(
        "stance",
        "The rows of language models leave abstentions out, though the text counts them as VALID.",
        "3, 12, 23",
        evidence.stances,
    ),
    Finding(
        "forced",
        "The row of bibtex-updater scores a forced label that no stated convention yields.",
        "3, 23, 32, 33",
        evidence.forced,
    ),
    Finding(
        "ece",
        "The printed calibration error is equal-mass in file order, so that order changes it.",
        "3, 36, 38",
        evidence.calibration,
    ),
    Finding(
        "keys",
        "Different papers share a key in the temporal files; the tables choose among them.",
        "25, 26, 27",
        evidence.repeated_keys,
    ),
    Finding(
        "dois",
        "More valid entries lack a DOI than stated, and DOI-only was scored on fewer entries.",
        "3, 10, 15",
        evidence.missing_dois,
    ),
    Finding(
        "circular",
        'The "structured any-miss" rule reads the gold sub-tests, from which the labels follow.',
        "39",
        evidence.circular,
    ),
    Finding(
        "p-value",
        'The published "two-sided" p-value is 1 whenever the tool named first is worse.',
        "(section B.1)",
        evidence.p_values,
    ),
    Finding(
        "tells",
        "The blind split gives labels away without any look-up.",
        "(section C.4.2)",
        evidence.tells,
    ),
    Finding(
        "variance",
        "The run-to-run study was scored on the labels before the audit.",
        "(section F.4, E3)",
        evidence.variance,
    ),
    Finding(
        "late-cutoff",
        "The late-cutoff control reproduces where the last row of each key counts.",
        "(section F.4, E2)",
        evidence.late_cutoff,
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
