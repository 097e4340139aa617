"""Why is a difference between an entry and a record not held against the entry?

One sentence for each documented equivalence, by the nuance codes that `match` gives. A code that
stands here and in no comparison does no harm; one that a comparison gives and that has no sentence
is shown by its name.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from msgspec import Struct

from hallmark.records.evidence import Compared, Comparison, Field, Nuance, Relation
from hallmark.records.finding import Finding, Severity

WHY = {
    "hyphen": "only hyphens stand in other places",
    "spacing": "the same letters, written together or apart",
    "annotation": "a publisher's label around the same title",
    "ampersand": "“&” means “and”",
    "umlaut": "an umlaut may be written with an e",
    "numeral": "Roman and Arabic numerals count as the same",
    "cut": "an ellipsis says that the title is cut",
    "subtitle-dropped": "a subtitle may be left out",
    "maths": "formulas are written in several ways",
    "spelling": "British and American spelling count as the same",
    "former-title": "it is an earlier title of this work",
    "initials": "initials stand for given names",
    "diacritics": "accents may be left out",
    "given-variant": "a short or other form of the same given name",
    "middle-name": "a middle name may be left out or added",
    "joined-given": "parts of a given name may be joined",
    "joined-name": "parts of a name may be joined",
    "family-only": "the family name stands alone",
    "name-order": "family and given name stand in the other order",
    "compound-family": "one part of a double family name",
    "particle": "particles such as “van” may stand apart or be left out",
    "suffix": "suffixes such as “Jr.” may be left out",
    "transliteration": "names of other scripts are written in several ways",
    "alias": "the person is also known under this name",
    "given-slip": "a slip of one letter in a given name",
    "consortium": "a group may be named by its short name",
    "and-others": "“and others” says that the list is cut",
    "truncated-record": "the record's own list is cut",
    "editors-as-authors": "editors may stand for the authors of a volume",
    "author-order": "this source does not keep the order of authors",
    "venue-alias": "a name of the same venue",
    "renamed": "a former or later name of the same venue",
    "joint-conference": "two meetings were held together",
    "journal-of-conference": "the journal publishes this meeting's papers",
    "track-variant": "a track that is commonly cited by the name of the meeting",
    "findings-as-main": "Findings are commonly cited by the name of the meeting",
    "co-located": "the two were held together",
    "same-series": "volumes of the same series",
    "preprint-cited-as-preprint": "a preprint may be cited as one",
    "preprint-year": "a preprint may be dated by a later version",
    "off-by-one": "one year beside the record's, as with online and print dates",
    "off-by-more": "a preprint may be dated by a later version",
    "arxiv-doi": "it is the DOI that stands for this arXiv id",
}

_COUNTS = frozenset({"matched", "words-changed"})
_OF_LISTS = frozenset({"and-others", "truncated-record"})
"""Nuances whose two values are counts, not names."""


class Benign(Struct, frozen=True):
    """One difference that does not count: the two values, which may be empty, and why."""

    field: Field
    claimed: str
    found: str
    why: str


def benign(one: Compared, findings: Sequence[Finding] = ()) -> Iterator[Benign]:
    """Yield the differences between an entry and this record that are not held against it.

    Args:
        one: the record, as it was compared.
        findings: what was said of the entry; a weak conflict of which something was said is none.
    """
    said = {finding.field for finding in findings if finding.severity is not Severity.NOTE}
    for comparison in one.fields:
        for nuance in dict.fromkeys(comparison.nuances):
            if _is_benign(comparison, nuance, said):
                yield _of(comparison.field, nuance)


def _is_benign(comparison: Comparison, nuance: Nuance, said: AbstractSet[str]) -> bool:
    match comparison.relation:
        case Relation.VARIANT:
            return nuance.code not in _COUNTS
        case Relation.CONFLICT if comparison.weak:
            return nuance.code in WHY and comparison.field not in said
        case Relation.CONFLICT:
            return nuance.code in WHY and comparison.field is Field.AUTHORS
        case _:
            return False


def _of(field: Field, nuance: Nuance) -> Benign:
    why = WHY.get(nuance.code, nuance.code.replace("-", " "))
    if nuance.code in _OF_LISTS:
        return Benign(field, "", "", why)
    return Benign(field, nuance.claimed, nuance.found, why)
