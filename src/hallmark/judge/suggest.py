"""What should the entry say instead, and may that be applied unseen?"""

from hallmark.judge.charge import Charge
from hallmark.judge.reading import Anchor, Reading
from hallmark.records.finding import Safety
from hallmark.records.reference import Reference
from hallmark.records.verdict import Suggestion

_ATTESTING = 2
"""Collections that must agree on a value before it may be applied unseen."""


def suggest(reference: Reference, charges: list[Charge], reading: Reading) -> Suggestion | None:
    """Return the fields to change, under the entry's own names, or None for no suggestion.

    It is safe only if the work was recognised by title and authors, a single field is wrong, and
    at least two collections attest the record's value.
    """
    with_value = [one for one in charges if one.finding.suggestion is not None]
    fields = {
        _field(reference, one.finding.field): one.finding.suggestion
        for one in reversed(with_value)
        if one.finding.suggestion is not None
    }
    if not fields:
        return None
    recognised = reading.anchor is Anchor.SAME and reading.best is not None
    attested = all(len(one.finding.sources) >= _ATTESTING for one in with_value)
    people = reading.best is not None and reading.best.authors.agrees
    safe = recognised and people and attested and len(fields) == 1
    return Suggestion(fields, Safety.SAFE if safe else Safety.UNSAFE)


_NAMES = {
    "venue": ("booktitle", "journal", "journaltitle", "maintitle", "howpublished"),
    "year": ("date", "year"),
}
"""Fields of an entry that say one thing; the one that the entry has is changed."""


def _field(reference: Reference, name: str) -> str:
    """Return the entry's own name for a field ("journal" for the venue of an article)."""
    names = _NAMES.get(name, (name,))
    default = "journal" if reference.entry_type == "article" else "booktitle"
    return next(
        (one for one in names if one in reference.fields), default if name == "venue" else name
    )
