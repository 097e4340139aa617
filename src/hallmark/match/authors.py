"""Do two author lists name the same people in the same order?

The claim is aligned with a record person by person. The comparison's nuances say what was seen:

- documented differences (VARIANT): `initials`, `diacritics`, `given-variant`, `middle-name`,
  `joined-given`, `joined-name`, `family-only`, `name-order`, `compound-family`, `particle`,
  `suffix`, `transliteration`, `alias`, `given-slip`, `consortium`, `and-others`,
  `truncated-record`, `editors-as-authors`, `author-order`;
- doubt (SILENT): `other-script`, `broken-name`, `broken-record`, `name-doubt`, `incomplete-record`;
- faults (CONFLICT): `foreign-author`, `missing-author`, `order`, `duplicate`, `placeholder`,
  `given-name-substitution`, `surname-typo`.

`matched` says how many (`claimed`) of how many claimed authors (`found`) the record names.

`weak` speaks of the kind of difference only; how far a record can be trusted to reject a list of
authors is its `Version.quality`, which the judge weighs.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct

from hallmark.match.author_alignment import Alignment, align
from hallmark.match.given_match import Fit
from hallmark.match.name_forms import NameForm, form_of, form_of_text
from hallmark.records.evidence import Comparison, Field, Nuance, Relation
from hallmark.records.reference import Reference
from hallmark.records.work import Quality, Version
from hallmark.text.name_lists import split_names
from hallmark.text.names import PersonName, placeholder_names

MOST_SHOWN = 12
"""Names of a list that a comparison shows; the rest is counted."""

MOST_NAMED = 20
"""Nuances of one kind that name people; the rest is counted."""

FEWEST_IN_ORDER = 3
"""Two authors are often sorted; only the order of three or more common ones says anything."""


def compare_authors(reference: Reference, version: Version) -> Comparison:
    """Compare the claimed authors (or editors, where there are none) with one record's."""
    claimed = reference.authors or reference.editors
    found = version.authors or version.editors
    if not claimed or not found:
        return Comparison(Field.AUTHORS, Relation.SILENT, _shown(_names(claimed)), _shown(found))
    names = _names(claimed)
    if names == found and not reference.authors_truncated:
        text = _shown(found)
        return Comparison(Field.AUTHORS, Relation.EQUAL, text, text)
    case = _case(claimed, found, reference, version)
    comparison = _judge(case)
    if comparison.conflicts and version.editors and found is not version.editors:
        return _with_editors(claimed, comparison, reference, version)
    return comparison


class _Case(Struct, frozen=True):
    """Both lists with their alignment, and what is known about how far they can be trusted."""

    claimed: tuple[NameForm, ...]
    found: tuple[NameForm, ...]
    alignment: Alignment
    people: tuple[PersonName, ...]
    cut_claim: bool
    cut_record: bool
    trusted: bool
    ordered: bool


def _case(
    claimed: Sequence[PersonName], found: Sequence[str], reference: Reference, version: Version
) -> _Case:
    mine = tuple(map(form_of, claimed))
    theirs = tuple(form for form in map(form_of_text, _single(found)) if form.spelled)
    return _Case(
        claimed=mine,
        found=theirs,
        alignment=align(mine, theirs, _aliases(version)),
        people=tuple(claimed),
        cut_claim=reference.authors_truncated,
        cut_record=version.authors_truncated,
        trusted=version.quality is Quality.CURATED,
        ordered=version.authors_ordered,
    )


def _aliases(version: Version) -> dict[str, list[NameForm]]:
    """Return the other names under which the source knows the record's people."""
    found: dict[str, list[NameForm]] = {}
    for name, alias in version.author_aliases:
        found.setdefault(form_of_text(name).display, []).append(form_of_text(alias))
    return found


def _single(names: Sequence[str]) -> Iterator[str]:
    """Yield a record's names; one that holds several people is split."""
    for name in names:
        if " and " in name or " & " in name or ";" in name:
            yield from split_names(name)[0]
        else:
            yield name


def _judge(case: _Case) -> Comparison:
    """Weigh what the alignment shows: faults first, then doubt, then documented differences."""
    faults, doubts, variants = _faults(case), tuple(_doubts(case)), tuple(_variants(case))
    if faults and _is_broken(case):
        doubts, faults = (Nuance("broken-record"),), ()
    if faults:
        nuances = (*faults, *doubts, *variants)
        return _comparison(case, Relation.CONFLICT, nuances, weak=_is_weak(case, faults))
    if doubts:
        return _comparison(case, Relation.SILENT, (*doubts, *variants))
    return _comparison(case, Relation.VARIANT if variants else Relation.EQUAL, variants)


def _comparison(
    case: _Case, relation: Relation, nuances: tuple[Nuance, ...], *, weak: bool = False
) -> Comparison:
    matched = Nuance("matched", str(len(case.alignment.pairs)), str(len(case.claimed)))
    return Comparison(
        Field.AUTHORS,
        relation,
        _shown([form.display for form in case.claimed]),
        _shown([form.display for form in case.found]),
        (*nuances, matched) if relation is not Relation.EQUAL else (),
        weak,
    )


def _faults(case: _Case) -> tuple[Nuance, ...]:
    """Return everything in the claim that the record contradicts."""
    kinds = (_placeholders, _foreign, _likened, _missing, _slips, _order)
    return tuple(nuance for kind in kinds for nuance in _first_ones(kind(case)))


def _first_ones(nuances: Iterator[Nuance]) -> Iterator[Nuance]:
    """Yield the first nuances and one that counts the rest: lists of thousands stay readable."""
    yield from islice(nuances, MOST_NAMED)
    rest = list(nuances)
    if rest:
        more = f"and {len(rest)} more"
        yield Nuance(rest[0].code, more if rest[0].claimed else "", more if rest[0].found else "")


def _placeholders(case: _Case) -> Iterator[Nuance]:
    named = {case.claimed[pair.claimed].display for pair in case.alignment.pairs}
    for name in placeholder_names(case.people):
        if name not in named:
            yield Nuance("placeholder", name)


def _foreign(case: _Case) -> Iterator[Nuance]:
    """Yield the claimed people whom the record does not name; a second mention is a duplicate."""
    paired = {case.claimed[pair.claimed].spelled for pair in case.alignment.pairs}
    for place in case.alignment.foreign:
        form = case.claimed[place]
        if form.group or not form.spelled or form.broken or _is_beyond_cut(case, place):
            continue
        if _is_lone_single(case, place) or _only_groups(case.found):
            continue
        code = "duplicate" if form.spelled in paired else "foreign-author"
        yield Nuance(code, form.display)


def _is_lone_single(case: _Case, place: int) -> bool:
    """Whether this is the only foreign author and has one name only: sources lose such people."""
    return (
        len(case.alignment.foreign) == 1
        and len(case.claimed[place].spelled) == 1
        and bool(case.alignment.pairs)
    )


def _is_beyond_cut(case: _Case, place: int) -> bool:
    """Whether a cut record may have lost this author: nobody else stands in the place."""
    if not case.cut_record or not case.alignment.pairs:
        return False
    return place >= len(case.found) or place not in case.alignment.missing


def _likened(case: _Case) -> Iterator[Nuance]:
    for pair in case.alignment.likened:
        claimed, found = case.claimed[pair.claimed], case.found[pair.found]
        yield Nuance("given-name-substitution", claimed.display, found.display)


def _missing(case: _Case) -> Iterator[Nuance]:
    """Yield the record's people who are not claimed, if nothing explains their absence."""
    if case.cut_claim or case.cut_record or not case.trusted or _group_stands_in(case):
        return
    for place in case.alignment.missing:
        form = case.found[place]
        lost = len(case.alignment.missing) == 1 and len(form.spelled) == 1
        if (
            not form.group
            and not lost
            and not _is_repeated(case, form)
            and not _is_replaced(case, place)
        ):
            yield Nuance("missing-author", found=form.display)


def _is_repeated(case: _Case, form: NameForm) -> bool:
    """Whether the record names somebody twice whom the claim names once."""
    return any(case.found[pair.found].spelled == form.spelled for pair in case.alignment.pairs)


def _is_replaced(case: _Case, place: int) -> bool:
    """Whether somebody foreign stands for this author, so that the lists are equally long."""
    return place in case.alignment.foreign and len(case.claimed) == len(case.found)


def _group_stands_in(case: _Case) -> bool:
    """Whether a group is claimed as author: it stands for its members."""
    return any(form.group for form in case.claimed) or _only_groups(case.found)


def _only_groups(forms: tuple[NameForm, ...]) -> bool:
    return all(form.group for form in forms)


def _slips(case: _Case) -> Iterator[Nuance]:
    for pair in case.alignment.pairs:
        if pair.fit.fit is Fit.SLIP:
            claimed, found = case.claimed[pair.claimed], case.found[pair.found]
            yield Nuance("surname-typo", claimed.display, found.display)


def _order(case: _Case) -> Iterator[Nuance]:
    if _is_reordered(case) and case.ordered and not _is_sorted(case):
        yield Nuance("order", _shown(_spelled(case.claimed)), _shown(_spelled(case.found)))


def _is_reordered(case: _Case) -> bool:
    places = [pair.found for pair in case.alignment.pairs if pair.fit.fit is not Fit.DOUBT]
    return len(places) >= FEWEST_IN_ORDER and places != sorted(places)


def _is_sorted(case: _Case) -> bool:
    """Whether either list stands in the order of the alphabet: then its order says nothing."""
    return _is_alphabetical(case.claimed) or _is_alphabetical(case.found)


def _is_alphabetical(forms: tuple[NameForm, ...]) -> bool:
    keys = [_family_of(form) for form in forms]
    return keys == sorted(keys)


def _family_of(form: NameForm) -> str:
    return min(form.readings[0].keys, key=len) if form.readings else form.joined


def _is_weak(case: _Case, faults: tuple[Nuance, ...]) -> bool:
    """Whether the faults are too slight to count alone.

    One other given name, one slip of a key, or one repeated name is as often an error of a record
    as of the claim, provided that the other authors fit.
    """
    slight = all(
        nuance.code in _SLIGHT or (nuance.code == "order" and _is_slight_move(case))
        for nuance in faults
    )
    substituted = sum(nuance.code == "given-name-substitution" for nuance in faults)
    return slight and substituted <= 1 and bool(case.alignment.pairs)


_SLIGHT = frozenset({"given-name-substitution", "surname-typo", "duplicate"})


def _is_slight_move(case: _Case) -> bool:
    """Whether the first author stands first in both lists: then others were moved on revision."""
    first = case.alignment.pairs[0]
    return first.claimed == 0 and first.found == 0


def _doubts(case: _Case) -> Iterator[Nuance]:
    """Yield what leaves it open whether the lists agree."""
    for pair in case.alignment.pairs:
        if pair.fit.fit is Fit.DOUBT:
            claimed, found = case.claimed[pair.claimed], case.found[pair.found]
            yield Nuance(pair.fit.code, claimed.display, found.display)
    if any(
        case.claimed[place].group or _only_groups(case.found) for place in case.alignment.foreign
    ):
        yield Nuance("consortium")
    elif case.alignment.missing and not (case.trusted or case.cut_claim or case.cut_record):
        yield Nuance("incomplete-record")
    for place in case.alignment.foreign:
        form = case.claimed[place]
        if form.broken:
            yield Nuance("broken-name", form.display)
        elif _is_lone_single(case, place):
            yield Nuance("single-name", form.display)


def _variants(case: _Case) -> Iterator[Nuance]:
    """Yield the documented differences, each kind once."""
    seen: set[str] = set()
    for pair in case.alignment.pairs:
        if pair.fit.fit is Fit.VARIANT and pair.fit.code not in seen:
            seen.add(pair.fit.code)
            claimed, found = case.claimed[pair.claimed], case.found[pair.found]
            yield Nuance(pair.fit.code, claimed.display, found.display)
    if case.cut_claim:
        yield Nuance("and-others", str(len(case.claimed)), str(len(case.found)))
    if case.cut_record:
        yield Nuance("truncated-record", str(len(case.claimed)), str(len(case.found)))
    if _group_stands_in(case) and case.alignment.missing and not case.alignment.foreign:
        yield Nuance("consortium")
    if _is_reordered(case) and not (case.ordered and not _is_sorted(case)):
        yield Nuance("author-order")


_BROKEN = re.compile(
    r"^[a-z]+[._]\w+$|&#?\w+;|[<>{}\[\]\\;@\u00b7\u2022|*\u2020\u2021]|\d{2}|^\W*$|"
    r"^(?:\w\.\s?){1,3}$|^.{80,}$|^[^()]*\)|\([^)]*$|"
    r"\b(?:University|Universit\u00e9|Universit\u00e4t|Institute of|Department of|School of)\b"
)


def _is_broken(case: _Case) -> bool:
    """Whether the record's list is no list of names: split at commas or entities."""
    return any(_BROKEN.search(form.display) or form.broken for form in case.found)


def _with_editors(
    claimed: Sequence[PersonName], comparison: Comparison, reference: Reference, version: Version
) -> Comparison:
    """Accept a volume's editors in the place of its authors."""
    edited = _judge(_case(claimed, version.editors, reference, version))
    if not edited.agrees:
        return comparison
    return Comparison(
        Field.AUTHORS,
        Relation.VARIANT,
        edited.claimed,
        edited.found,
        (*edited.nuances, Nuance("editors-as-authors")),
    )


def _names(people: Sequence[PersonName]) -> tuple[str, ...]:
    return tuple(person.display for person in people)


def _spelled(forms: Sequence[NameForm]) -> list[str]:
    return [form.display for form in forms]


def _shown(names: Sequence[str]) -> str:
    """Return the names in one line; of long lists the first ones and a count."""
    if len(names) <= MOST_SHOWN:
        return "; ".join(names)
    return "; ".join(names[:MOST_SHOWN]) + f"; and {len(names) - MOST_SHOWN} more"
