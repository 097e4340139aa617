"""Could this version rightly be cited under the claimed year?

EQUAL: one of the version's years. VARIANT `preprint-year`: a preprint cited under the year after
its first version. CONFLICT, weak, `off-by-one`: one year beside (online and print dates, the
meeting and its proceedings). CONFLICT, `off-by-more`: two years or more. For preprints later
years are weak up to `PREPRINT_SPAN`, since every later version of the text has its own year.
"""

from hallmark.records.evidence import Comparison, Field, Nuance, Relation
from hallmark.records.reference import Reference
from hallmark.records.work import Version

PREPRINT_SPAN = 3
"""Years after its first version in which a preprint may have been revised."""


def compare_year(reference: Reference, version: Version) -> Comparison:
    """Compare the claimed year with the years of one version."""
    years = version.known_years
    claimed, found = _text(reference.year), _text(years[0] if years else None)
    if reference.year is None or not years:
        return Comparison(Field.YEAR, Relation.SILENT, claimed, found)
    if reference.year in years:
        return Comparison(Field.YEAR, Relation.EQUAL, claimed, str(reference.year))
    gap = min((reference.year - year for year in years), key=abs)
    if version.preprint and gap == 1:
        nuance = Nuance("preprint-year", claimed, found)
        return Comparison(Field.YEAR, Relation.VARIANT, claimed, found, (nuance,))
    weak = abs(gap) == 1 or (version.preprint and 0 < gap <= PREPRINT_SPAN)
    nuance = Nuance("off-by-one" if abs(gap) == 1 else "off-by-more", claimed, found)
    return Comparison(Field.YEAR, Relation.CONFLICT, claimed, found, (nuance,), weak=weak)


def _text(year: int | None) -> str:
    return "" if year is None else str(year)
