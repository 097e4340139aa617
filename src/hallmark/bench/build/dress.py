"""How is an entry of a benchmark written, whatever its label?

Valid and hallucinated entries are written in the same citation styles, from what they claim, not
from what is true, so that no style tells a label. What would undo the fault of an entry is not done
to it. Whether a field is there at all is left to the plan (`leaks`), not to the style.
"""

import unicodedata
from collections.abc import Sequence
from random import Random

from msgspec import structs

from hallmark.bench.entry import Entry
from hallmark.bench.noise.interface import Facts, Noised, add_noise
from hallmark.bench.noise.styles import STYLES
from hallmark.bench.perturb.compound import types_of
from hallmark.bench.perturb.drafts import people, venue_of, with_fields
from hallmark.bench.taxonomy import HallucinationType
from hallmark.records.work import Version
from hallmark.text import identifiers
from hallmark.text.venues import VenueTable

ORDER = (
    "title", "author", "editor", "booktitle", "journal", "publisher", "school", "institution",
    "howpublished", "series", "volume", "number", "pages", "month", "year", "doi",
)  # fmt: skip
"""The order of fields; others follow by name."""
_PRESENCE = frozenset(
    {"doi-missing", "year-missing", "venue-missing", "arxiv-citation", "fields-reordered"}
)
"""Kinds of noise that decide which fields there are, and where."""
_CUTS = frozenset({"and-others", "et-al", "comma-list"})
_RETITLED = frozenset({"subtitle-dropped", "dashes"})
_REDATED = frozenset({"online-first-year"})
_SMALL = frozenset(
    "a an and as at but by for from in into of on or over the to via vs with without".split()
)


def dressed(
    entry: Entry, changed: Sequence[str], venues: VenueTable, rng: Random, share: float
) -> Noised:
    """Return an entry in canonical form, in a citation style with a chance of `share`.

    Args:
        entry: a valid or hallucinated entry.
        changed: the fields that were made false.
        venues: what names of venues mean.
        rng: the dice; they fall alike for both labels.
        share: the chance of a style, in [0, 1].
    """
    plain = canonical(structs.replace(entry, fields=_capitals(entry.fields)))
    in_style = rng.random() < share
    style = STYLES.get(rng.choice(STYLES.names()))
    kinds = [kind for kind, chance in style.kinds if rng.random() < chance]
    if not in_style:
        return Noised(plain, ())
    undoing = _PRESENCE | _undoing(types_of(entry), changed)
    wanted = [kind for kind in kinds if kind not in undoing]
    noised = add_noise(plain, Facts((claimed(plain, venues),), venues), wanted, rng)
    return Noised(canonical(noised.entry), noised.kinds)


def claimed(entry: Entry, venues: VenueTable) -> Version:
    """Return the record that an entry claims there is."""
    venue, year = venue_of(entry), entry.fields.get("year", "")
    ids = venues.resolve(venue).ids
    return Version(
        collection="claimed",
        title=entry.fields.get("title", ""),
        authors=tuple(people(entry)),
        venue=venue,
        venue_id=ids[0] if len(ids) == 1 else None,
        year=int(year) if year.isdecimal() else None,
        doi=identifiers.doi(entry.fields.get("doi", "")),
    )


def canonical(entry: Entry) -> Entry:
    """Return the entry with its fields in one order, one kind of white space, and no url.

    A DOI that stands in the url moves to its own field.
    """
    fields = {
        name: unicodedata.normalize("NFC", " ".join(text.split()))
        for name, text in entry.fields.items()
    }
    address = fields.pop("url", "")
    if "doi" not in fields and identifiers.doi(address):
        fields["doi"] = address
    ranked = sorted(fields, key=lambda name: (_rank(name), name))
    return structs.replace(entry, fields={name: fields[name] for name in ranked if fields[name]})


def _rank(name: str) -> int:
    return ORDER.index(name) if name in ORDER else len(ORDER)


def _undoing(types: frozenset[HallucinationType], changed: Sequence[str]) -> frozenset[str]:
    """Return the kinds of noise that could take a fault back or excuse it."""
    kinds = frozenset[str]()
    if HallucinationType.PARTIAL_AUTHOR_LIST in types:
        kinds |= _CUTS
    if "title" in changed:
        kinds |= _RETITLED
    if "year" in changed:
        kinds |= _REDATED
    return kinds


def _capitals(fields: dict[str, str]) -> dict[str, str]:
    """Write the words of a title with capitals, small ones apart, as invented titles have them."""
    words = fields.get("title", "").split()
    shown = [
        word if n and word.lower() in _SMALL else word[:1].upper() + word[1:]
        for n, word in enumerate(words)
    ]
    return {**fields, "title": " ".join(shown)}


def without(entry: Entry, field: str) -> Entry:
    """Return the entry without a field; a sub-test on the DOI then does not apply."""
    bare = with_fields(entry, {field: None})
    if field != "doi":
        return bare
    return structs.replace(bare, subtests={**entry.subtests, "doi_resolves": None})
