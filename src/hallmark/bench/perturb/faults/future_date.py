"""future_date: what if the year has not come yet?

The paper sets the current year plus five; MEDIUM adds five to ten years, LOW severity two to four,
HIGH ten to forty.
"""

from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import mark, with_fields
from hallmark.bench.perturb.interface import Inapplicable, Knobs, Level, Outcome, Pool, register
from hallmark.bench.taxonomy import HallucinationType

_AHEAD = {Level.LOW: (2, 4), Level.MEDIUM: (5, 10), Level.HIGH: (10, 40)}


@register(HallucinationType.FUTURE_DATE, "year")
def future_date(
    entry: Entry,
    pool: Pool,  # noqa: ARG001 - all share one signature
    rng: Random,
    knobs: Knobs,
) -> Outcome:
    """Set a year in the future."""
    if "year" not in entry.fields:
        return Inapplicable("names no year")
    year = str(knobs.year + rng.randint(*_AHEAD[knobs.severity]))
    note = f"The year {year} lies in the future"
    return mark(entry, with_fields(entry, {"year": year}), HallucinationType.FUTURE_DATE, note)
