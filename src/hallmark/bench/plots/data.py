"""Which numbers do the figures show?"""

import csv
import io
from collections.abc import Sequence

from hallmark.bench.plots.subjects import Subject

_MEASURES = ("detection_rate", "false_positive_rate", "f1", "mcc", "coverage")


def as_csv(subjects: Sequence[Subject]) -> str:
    """One line for each system: what Figures 2, 4, 5 and 6 draw, rates in [0, 1]."""
    kinds = sorted({kind for subject in subjects for kind in subject.result.per_type})
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    tiers = (1, 2, 3)
    head = ["system", "group", "origin", "stance", "seconds", *_MEASURES]
    writer.writerow([*head, *(f"tier_{tier}" for tier in tiers), *kinds])
    for subject in subjects:
        found = subject.result
        values = [found[name] for name in _MEASURES]
        values += [found.per_tier.get(tier) for tier in tiers]
        values += [found.per_type.get(kind) for kind in kinds]
        start = [subject.name, subject.group, found.origin.value, found.stance, subject.seconds]
        writer.writerow([*start, *values])
    return stream.getvalue()
