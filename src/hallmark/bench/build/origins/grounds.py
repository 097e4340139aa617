"""Which of the types apply to a reference, by the records and by what an auditor says?

A type applies where a record shows it, or where the note says so and no record belies it. Nothing
is guessed: where records and note contradict each other, or neither tells, the case is open.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from hallmark.bench.build.origins.claims import Claim
from hallmark.bench.build.origins.library import SAME_AUTHORS, SAME_TITLE, Library, title_ratio
from hallmark.bench.taxonomy import HallucinationType
from hallmark.match.compare import compare
from hallmark.records.evidence import Compared, Comparison, Relation
from hallmark.records.reference import Reference
from hallmark.records.work import Version
from hallmark.text import titles
from hallmark.text.placeholders import select_placeholders

_T = HallucinationType

IDENTITY = (
    _T.NEAR_MISS_TITLE, _T.PLAUSIBLE_FABRICATION, _T.CHIMERIC_TITLE, _T.HYBRID_FABRICATION,
    _T.SWAPPED_AUTHORS, _T.PARTIAL_AUTHOR_LIST, _T.PREPRINT_AS_PUBLISHED, _T.WRONG_VENUE,
    _T.PLACEHOLDER_AUTHORS, _T.NONEXISTENT_VENUE, _T.FABRICATED_DOI, _T.FUTURE_DATE,
)  # fmt: skip
"""Types that incidents are mapped to: within a tier, the most identity-defining field first."""
FEWEST_WORDS = 4
"""Words of a title from which two works of one title and other authors are a rare chance."""
_HALF = 0.5


class Ground(Struct, frozen=True):
    """A type that applies, with the reason."""

    type: HallucinationType
    reason: str


class Reading(Struct, frozen=True):
    """What records and note say of a reference.

    `open` says why a person must decide, "" where none needs to. `work` is the real work that the
    reference stands for or is nearest to.
    """

    grounds: tuple[Ground, ...] = ()
    open: str = ""
    work: Version | None = None

    @property
    def ranked(self) -> tuple[Ground, ...]:
        """The grounds, those of the highest tier first, then by identity."""
        return tuple(
            sorted(self.grounds, key=lambda one: (-one.type.info.tier, IDENTITY.index(one.type)))
        )


def read_case(reference: Reference, said: frozenset[Claim], library: Library, year: int) -> Reading:
    """Return which types apply to a reference.

    Args:
        reference: what was cited.
        said: what the auditor's note says.
        library: the real works.
        year: the current year; later ones lie in the future.
    """
    found = _candidates(reference, library)
    same = [one for one in found if _is_same(reference, one)]
    everywhere = tuple(_everywhere(reference, said, year))
    if same:
        return _of_real(same, reference, said, everywhere, library)
    return _of_unknown(found, reference, said, everywhere, library)


def _candidates(reference: Reference, library: Library) -> list[Compared]:
    held = [*library.titled(reference.title), *library.near(reference.title)]
    if reference.doi:
        held += library.identified(reference.doi)
    claim = library.venues.resolve(reference.venue)
    return [compare(reference, one, claim) for one in dict.fromkeys(held)]


def _is_same(reference: Reference, one: Compared) -> bool:
    """Whether a record is of the work that a reference stands for."""
    shared = one.authors.agrees or one.authors.matched_share >= SAME_AUTHORS
    if one.title.agrees:
        return shared or len(titles.words(reference.title)) >= FEWEST_WORDS
    near = any(nuance.code == "words-changed" for nuance in one.title.nuances)
    return shared and (near or title_ratio(reference.title, one.version.title) >= SAME_TITLE)


def _everywhere(reference: Reference, said: frozenset[Claim], year: int) -> Iterator[Ground]:
    """Yield what holds of a real work's reference and of an invented one's."""
    names = [author.display for author in reference.authors]
    stand_ins = select_placeholders(names)
    if stand_ins:
        yield Ground(_T.PLACEHOLDER_AUTHORS, f"{', '.join(stand_ins[:3])}: no person's name")
    elif Claim.PLACEHOLDERS in said:
        yield Ground(_T.PLACEHOLDER_AUTHORS, "the note says so")
    if reference.year is not None and reference.year > year:
        yield Ground(_T.FUTURE_DATE, f"{reference.year} lies in the future")
    if reference.doi and Claim.DEAD_DOI in said:
        yield Ground(_T.FABRICATED_DOI, "the note says that the DOI does not resolve")
    if Claim.NO_VENUE in said and reference.venue:
        yield Ground(_T.NONEXISTENT_VENUE, "the note says that there is no such venue")


def _of_real(
    same: Sequence[Compared],
    reference: Reference,
    said: frozenset[Claim],
    everywhere: Sequence[Ground],
    library: Library,
) -> Reading:
    best = max(same, key=lambda one: sum(field.agrees for field in one.fields))
    work = best.version
    if Claim.NO_WORK in said and all(not field.conflicts for field in best.fields):
        reason = f"the note says that there is no such work, but {work.collection} holds it"
        return Reading(open=reason, work=work)
    belied = _belied(same, said)
    if belied:
        return Reading(open=belied, work=work)
    known = bool(library.venues.resolve(reference.venue).ids)
    if all(one.version.preprint for one in same) and _is_listed(reference, library):
        said |= {Claim.VENUE}  # the complete list of the claimed venue lacks the work
    wrong_doi = [one for one in everywhere if one.type is _T.FABRICATED_DOI]
    if wrong_doi and work.doi and work.doi == reference.doi:
        return Reading(open="the note calls dead what a record has as its DOI", work=work)
    faults = _faults(same, best, said, known=known)
    stand_ins = any(one.type is _T.PLACEHOLDER_AUTHORS for one in everywhere)
    grounds = (*everywhere, *(one for one in faults if not (stand_ins and _is_of_names(one))))
    if any(one.type is _T.NONEXISTENT_VENUE for one in grounds) and known:
        return Reading(open="the note says that there is no such venue, but it is known", work=work)
    if not grounds:
        return Reading(open=_nothing_wrong(best), work=work)
    return Reading(grounds, work=work)


def _belied(same: Sequence[Compared], said: frozenset[Claim]) -> str:
    """Say where a record agrees with what the note calls wrong."""
    for claim, name in ((Claim.TITLE, "title"), (Claim.AUTHORS, "authors"), (Claim.VENUE, "venue")):
        fields = [getattr(one, name) for one in same]
        if claim in said and any(field.relation is Relation.EQUAL for field in fields):
            return f"the note calls the {name} wrong, but a record has the same"
    return ""


def _nothing_wrong(best: Compared) -> str:
    wrong = [str(field.field) for field in best.fields if field.conflicts]
    if wrong:
        return f"a real work of which {' and '.join(wrong)} differ: no type, or not for sure"
    return f"{best.version.collection} holds the work, and nothing is wrong with the reference"


def _faults(
    same: Sequence[Compared], best: Compared, said: frozenset[Claim], *, known: bool
) -> Iterator[Ground]:
    """Yield the faults of a real work's reference, field by field."""
    if _wrong(same, "title", Claim.TITLE in said):
        yield Ground(_T.NEAR_MISS_TITLE, f"the record's title is “{best.version.title}”")
    if _wrong(same, "authors", Claim.AUTHORS in said):
        yield _of_authors(best)
    if known and _wrong(same, "venue", Claim.VENUE in said):
        yield _of_venue(same, best)


def _wrong(same: Iterable[Compared], name: str, noted: bool) -> bool:
    """Whether a field is contradicted by every record that speaks of it, or by the note alone."""
    fields: list[Comparison] = [getattr(one, name) for one in same]
    if any(field.agrees for field in fields):
        return False
    conflicts = [field for field in fields if field.conflicts]
    return noted if not conflicts else noted or not all(field.weak for field in conflicts)


def _of_authors(best: Compared) -> Ground:
    codes = {nuance.code for nuance in best.authors.nuances}
    names = "; ".join(best.version.authors[:4])
    only_missing = "missing-author" in codes and not codes & {
        "foreign-author", "given-name-substitution", "surname-typo", "placeholder",
    }  # fmt: skip
    if only_missing and best.authors.matched_share >= 1 - 1e-9:
        return Ground(_T.PARTIAL_AUTHOR_LIST, f"the record also names others: {names}")
    return Ground(_T.SWAPPED_AUTHORS, f"the record's authors are {names}")


def _is_of_names(ground: Ground) -> bool:
    """Whether a fault is in the names, which stand-ins explain already."""
    return ground.type in {_T.SWAPPED_AUTHORS, _T.PARTIAL_AUTHOR_LIST}


def _of_venue(same: Sequence[Compared], best: Compared) -> Ground:
    if all(one.version.preprint for one in same):
        return Ground(_T.PREPRINT_AS_PUBLISHED, "only a preprint of it is on record")
    return Ground(_T.WRONG_VENUE, f"the record's venue is {best.version.venue}")


def _of_unknown(
    found: Sequence[Compared],
    reference: Reference,
    said: frozenset[Claim],
    everywhere: Sequence[Ground],
    library: Library,
) -> Reading:
    """Read a reference of which no real work is known."""
    nearest = max(
        (one.version for one in found),
        key=lambda one: title_ratio(reference.title, one.title),
        default=None,
    )
    if Claim.WORK_RIGHT in said:
        return Reading(open="the note says that the work is real, but none is found", work=nearest)
    grounds = list(everywhere)
    owner = next((one for one in found if one.doi.agrees), None)
    if owner is not None:
        grounds.append(_of_owner(owner))
    elif Claim.OTHER_DOI in said and reference.doi:
        grounds.append(Ground(_T.HYBRID_FABRICATION, "the note says so of the DOI"))
    if _is_invented(reference, said, library):
        grounds.extend(_invented(reference, said, library, grounds))
    elif owner is None:
        reason = "neither the records nor the note tell whether the work exists"
        return Reading(open=reason, work=nearest)
    return Reading(tuple(grounds), work=owner.version if owner else nearest)


def _of_owner(owner: Compared) -> Ground:
    title = f"the DOI is that of “{owner.version.title}”"
    if owner.authors.agrees:
        return Ground(_T.CHIMERIC_TITLE, f"{title}, by the same authors")
    return Ground(_T.HYBRID_FABRICATION, title)


def _is_invented(reference: Reference, said: frozenset[Claim], library: Library) -> bool:
    """Whether it is known that there is no such work: by the note, or by a complete list."""
    if {Claim.NO_WORK, Claim.TITLE} & said:
        return True
    return _is_listed(reference, library)


def _is_listed(reference: Reference, library: Library) -> bool:
    """Whether all papers of the claimed venue and year are held."""
    ids = library.venues.resolve(reference.venue).ids
    return (
        len(ids) == 1
        and reference.year is not None
        and library.complete(ids[0], reference.year) is True
    )


def _invented(
    reference: Reference, said: frozenset[Claim], library: Library, grounds: Sequence[Ground]
) -> Iterator[Ground]:
    names = [author.display for author in reference.authors]
    if any(one.type in {_T.HYBRID_FABRICATION, _T.CHIMERIC_TITLE} for one in grounds):
        return
    together = Claim.AUTHORS not in said and len(names) > 1 and library.together(names)
    if Claim.AUTHORS_RIGHT in said or together:
        yield Ground(_T.CHIMERIC_TITLE, "its authors published together, but no such work")
    else:
        yield Ground(_T.PLAUSIBLE_FABRICATION, "there is no such work")
