"""How does a value out of a dump become a clean field of a version?

The functions that all loaders share; those that live sources use too stand in `text.clean`.
"""

from hallmark.records.work import Quality
from hallmark.text.clean import (
    MAX_AUTHORS,
    MAX_FIELD,
    MAX_TITLE,
    field,
    line,
    people,
    without_homonym_number,
    year,
)

__all__ = [
    "MAX_AUTHORS",
    "MAX_FIELD",
    "MAX_TITLE",
    "field",
    "line",
    "people",
    "quality",
    "without_homonym_number",
    "year",
]


def quality(*, personal: bool = False, extracted: bool = False) -> Quality:
    """Return how far author lists of such an origin can be trusted."""
    if extracted:
        return Quality.EXTRACTED
    return Quality.PERSONAL if personal else Quality.CURATED
