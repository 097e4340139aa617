"""Did the work appear at the claimed venue in the claimed year?

Venue and year are judged together, since one edition must explain both.
"""

from collections.abc import Iterator, Sequence

from msgspec import structs

from hallmark.judge.charge import Charge, charge, collections, raised, weakened
from hallmark.judge.policy import Policy
from hallmark.judge.reading import Anchor, Reading, coverage_of
from hallmark.records.answer import VenueYear
from hallmark.records.evidence import Compared, Evidence
from hallmark.records.reference import Reference
from hallmark.text.identifiers import ArxivId
from hallmark.text.venue_facts import VenueType, venues
from hallmark.text.venue_names import is_meeting, tokens
from hallmark.text.venue_tracks import Track, split
from hallmark.text.venues import VenueKind


def check(
    reference: Reference, evidence: Evidence, reading: Reading, policy: Policy
) -> Iterator[Charge]:
    """Yield the charges about venue and year."""
    if reading.anchor in (Anchor.NONE, Anchor.IDENTIFIER):
        return
    match evidence.venue.kind:
        case VenueKind.VENUE:
            yield from _venue(reference, evidence, reading, policy)
        case VenueKind.UNKNOWN:
            yield from _unknown(reference, evidence, reading, policy)
        case VenueKind.PREPRINT:
            yield from _preprint(reference, reading, policy)
        case VenueKind.MISSING if reference.arxiv is not None:
            yield from _preprint(reference, reading, policy)
        case VenueKind.MISSING:
            yield from _year(reading.versions, policy)
        case VenueKind.CONTAINER:
            yield from map(weakened, _year(reading.versions, policy))


def _venue(
    reference: Reference, evidence: Evidence, reading: Reading, policy: Policy
) -> Iterator[Charge]:
    agreeing = [one for one in reading.versions if one.venue.agrees]
    if agreeing:
        yield from _variant(agreeing)
        yield from _edition(reference, evidence, agreeing, policy)
        return
    coverage = coverage_of(evidence, reference.year)
    elsewhere = _published(reading)
    name = evidence.venue.name
    if coverage is not None and coverage.not_held:
        sentence = f"{name} had no edition in {reference.year}."
        yield charge("HM504", sentence, claimed=f"{name} {reference.year}")
    elif _before_it_existed(reference, reading, policy):
        yield _too_early(reference, reading)
    elif elsewhere:
        settled = _complete(coverage) or _surely_elsewhere(evidence, elsewhere)
        yield _other_venue(reference, elsewhere, settled=settled)
    elif _complete(coverage) and any(one.version.preprint for one in reading.versions):
        yield charge(
            "HM503",
            f"Only a preprint is known; the complete list of {name} {reference.year} lacks it.",
            claimed=name,
            found="preprint",
            sources=reading.collections,
        )
    else:
        yield _open(name, reading)


def _before_it_existed(reference: Reference, reading: Reading, policy: Policy) -> bool:
    """Whether the entry's own preprint, and all else that is known, came years after the claim.

    Old papers are posted late now and then, but then records of the publication are known.
    """
    dates = [year for one in reading.versions for year in one.version.known_years]
    cited = [one for one in reading.versions if one.doi.agrees or one.arxiv.agrees]
    if reference.year is None or not any(one.version.preprint for one in cited):
        return False
    return min(dates, default=0) - reference.year >= policy.years_before


def _too_early(reference: Reference, reading: Reading) -> Charge:
    """Charge a publication years before the work is known to have existed."""
    first = min(year for one in reading.versions for year in one.version.known_years)
    return charge(
        "HM601",
        f"The cited preprint is of {first}, and no record of the work is older.",
        claimed=str(reference.year),
        found=str(first),
        sources=reading.collections,
    )


def _edition(
    reference: Reference, evidence: Evidence, agreeing: list[Compared], policy: Policy
) -> Iterator[Charge]:
    """Judge the year of a work at the right venue.

    One year beside is a slip or a matter of dating, unless the complete list of the claimed
    year lacks the work and that of the records' year is complete as well. The year before is most
    often that of the preprint; it stays a slip, unless the entry's DOI speaks against it, too.
    """
    for one in _year(agreeing, policy):
        if one.finding.code != "HM602" or not one.weak or _is_year_before(reference, agreeing):
            yield one
            continue
        claimed = coverage_of(evidence, reference.year)
        held = [coverage_of(evidence, version.version.year) for version in agreeing]
        yield _settled_year(one) if _complete(claimed) and any(map(_complete, held)) else one


def _is_year_before(reference: Reference, agreeing: Sequence[Compared]) -> bool:
    years = [year for one in agreeing for year in one.version.all_years]
    return reference.year is not None and reference.year + 1 in years


def _settled_year(one: Charge) -> Charge:
    """Return a year beside the records' as a contradiction, with what settles it."""
    message = f"{one.finding.message} The complete list of the claimed year lacks it."
    return raised(Charge(structs.replace(one.finding, message=message)))


def _complete(coverage: VenueYear | None) -> bool:
    return coverage is not None and coverage.complete


def _published(reading: Reading) -> list[Compared]:
    """Return the records that place the work at a venue of a known identity."""
    return [
        one for one in reading.versions if one.venue.conflicts and one.version.venue_id is not None
    ]


def _other_venue(reference: Reference, elsewhere: list[Compared], *, settled: bool) -> Charge:
    """Charge a venue other than the records'.

    It is weak unless the claimed venue is known to lack the work (its list is complete), or to be
    out of the question: the entry's own DOI leads to the records' venue, or the work is on the
    complete list of another meeting of the same year. Else there may be a second publication. It
    stays weak where a record of the work writes the claimed venue itself.
    """
    best = max(elsewhere, key=lambda one: (one.year.agrees, one.doi.agrees))
    found = best.version.venue_raw or best.version.venue
    track = _is_track(best)
    listed_so = any(one.venue.has("listed-so") for one in elsewhere)
    led_there = any(one.doi.agrees and not one.version.preprint for one in elsewhere)
    year = best.version.year
    return charge(
        "HM505" if track else "HM501",
        f"The records place it at {best.venue.found or found}{f' {year}' if year else ''}.",
        claimed=f"{best.venue.claimed} {reference.year or ''}".strip(),
        found=best.venue.found or found,
        sources=collections(elsewhere),
        suggestion=found if best.year.agrees else None,
        weak=listed_so or (led_there and track) or not (settled or led_there),
    )


def _surely_elsewhere(evidence: Evidence, elsewhere: list[Compared]) -> bool:
    """Whether the work appeared in another place that excludes the claimed one.

    Nobody publishes one paper at two meetings; a journal may print it again, and workshops show
    what appears elsewhere, so both places must be main tracks of known meetings. (Of 91,000 works
    in the development records 21 are listed at two such meetings of different years.) Another
    track of the claimed meeting counts where the entry writes the proceedings' title out.
    """
    claimed_known = all(map(_is_known_meeting, evidence.venue.ids))
    for one in elsewhere:
        if one.venue.weak:
            continue
        if _is_track(one) and evidence.venue.explicit and one.year.agrees:
            return True
        if claimed_known and not _is_track(one) and _is_known_meeting(one.version.venue_id or ""):
            return True
    return False


def _is_known_meeting(venue_id: str) -> bool:
    """Whether an identity is the main track of a conference of the curated table."""
    fact = venues().get(venue_id)
    if fact is None or fact.type is not VenueType.CONFERENCE or not _is_main(venue_id):
        return False
    return not any("workshop" in name.lower() for name in fact.names[:1])


def _is_main(venue_id: str) -> bool:
    return split(venue_id)[1] is Track.MAIN


def _is_track(one: Compared) -> bool:
    return one.venue.has("track") or one.venue.has("other-track")


def _open(name: str, reading: Reading) -> Charge:
    return charge(
        "HM703",
        f"No record places it at {name}, and none would have to.",
        claimed=name,
        sources=reading.collections,
    )


def _unknown(
    reference: Reference, evidence: Evidence, reading: Reading, policy: Policy
) -> Iterator[Charge]:
    """Charge a venue that nobody knows, if the work is listed at a known one.

    Years away from the record it may be the place of another version, and the year that version's:
    the two are one difference.
    """
    listed = [
        one
        for one in reading.versions
        if one.version.venue_id is not None and not one.version.preprint
    ]
    if any(one.venue.agrees for one in reading.versions):
        agreeing = [one for one in reading.versions if one.venue.agrees]
        yield from _year(agreeing, policy)
        return
    name = evidence.venue.name
    if evidence.venue_exists:
        yield _open(name, reading)
        return
    if not listed:
        if policy.unknown_venue_of_preprint and _of_preprint(reference, name, reading):
            yield _unknown_of_preprint(name, reading)
        else:
            yield _open(name, reading)
        return
    best = max(listed, key=lambda one: (one.year.agrees, one.doi.agrees))
    found = best.version.venue_raw or best.version.venue
    near_in_time = reference.year is not None and (not best.year.conflicts or best.year.weak)
    sure = near_in_time and is_outlet(name) and _is_written_out(name)
    yield charge(
        "HM502",
        f"No venue of this name is known; the records place it at {best.version.venue}.",
        claimed=name,
        found=found,
        sources=collections(listed),
        suggestion=found,
        weak=not sure,
    )
    if sure:
        yield from _year(listed, policy)


def _of_preprint(reference: Reference, name: str, reading: Reading) -> bool:
    """Whether an entry claims a venue, written out, for which it gives a preprint's DOI."""
    own = reference.doi is not None and any(
        one.version.preprint and one.doi.agrees for one in reading.versions
    )
    return own and _is_written_out(name) and all(one.version.preprint for one in reading.versions)


def _unknown_of_preprint(name: str, reading: Reading) -> Charge:
    return charge(
        "HM502",
        "No venue of this name is known; the DOI is a preprint's, and only that is known of it.",
        claimed=name,
        found="preprint",
        sources=reading.collections,
    )


def is_outlet(name: str) -> bool:
    """Whether a name is that of a meeting or a journal: any other may be a book of reprints."""
    told = tokens(name)
    return is_meeting(told) or not _JOURNAL_WORDS.isdisjoint(told)


_JOURNAL_WORDS = frozenset(
    "advances annals archive archives bulletin forum international journal letters magazine "
    "quarterly review reviews studies transactions".split()
)


def _is_written_out(name: str) -> bool:
    """Whether a name is written in full: an abbreviation may stand for a venue that is known."""
    words = [word for word in name.split() if any(letter.isalpha() for letter in word)]
    cut = any(word.endswith(".") for word in words)
    return len(words) >= _FEWEST_WORDS and not cut


_FEWEST_WORDS = 3


def _preprint(reference: Reference, reading: Reading, policy: Policy) -> Iterator[Charge]:
    """Judge the year of a work that is cited as a preprint.

    A number of arXiv tells the year of the cited preprint by itself: some are posted years after
    the publication.
    """
    preprints = [one for one in reading.versions if one.version.preprint]
    published = [one for one in reading.versions if not one.version.preprint]
    if published and any(one.version.venue_id for one in published):
        one = published[0]
        sentence = f"Published at {one.version.venue or one.version.venue_raw}."
        yield charge("HM507", sentence, found=one.version.venue, sources=collections(published))
    if _is_dated_by_number(reference):
        return
    if preprints:
        yield from _year(preprints, policy)
    elif reference.year is not None and published:
        yield from _preprint_of_published(reference.year, published, policy)


def _is_dated_by_number(reference: Reference) -> bool:
    first = ArxivId(reference.arxiv).year if reference.arxiv is not None else None
    return first is not None and reference.year in (first, first + 1)


def _preprint_of_published(
    year: int, published: list[Compared], policy: Policy
) -> Iterator[Charge]:
    """Judge the year of a preprint that is not held itself: it lies before the publication."""
    years = [held for one in published for held in one.version.all_years]
    if years and not any(-1 <= held - year <= policy.preprint_venue_span for held in years):
        yield from _year(published, policy)


def _variant(agreeing: list[Compared]) -> Iterator[Charge]:
    noted = [nuance for nuance in agreeing[0].venue.nuances if nuance.code in _NOTED]
    if noted and all(one.venue.nuances for one in agreeing):
        one = noted[0]
        yield charge(
            "HM506",
            f"“{agreeing[0].venue.claimed}” is {agreeing[0].venue.found} in the records.",
            claimed=one.claimed or agreeing[0].venue.claimed,
            found=one.found or agreeing[0].venue.found,
        )


_NOTED = frozenset({"joint-conference", "track-variant", "journal-of-conference"})


def _year(candidates: Sequence[Compared], policy: Policy) -> Iterator[Charge]:
    """Judge the year against the records that explain the venue."""
    dated = [one for one in candidates if one.version.all_years]
    if not dated or not all(one.year.conflicts for one in dated):
        yield from _later_preprint(dated)
        return
    best = max(dated, key=lambda one: one.year.weak)
    code = "HM602" if best.year.has("off-by-one") else "HM601"
    found = best.year.found
    one = charge(
        code,
        f"The records say {found}.",
        claimed=best.year.claimed,
        found=found,
        sources=collections(dated),
        suggestion=found,
        weak=best.year.weak,
    )
    yield raised(one) if code == "HM602" and policy.off_by_one_is_conflict else one


def _later_preprint(dated: list[Compared]) -> Iterator[Charge]:
    if dated and all(one.year.has("preprint-year") for one in dated):
        one = dated[0].year
        sentence = f"The first version of the preprint is of {one.found}."
        yield charge("HM603", sentence, claimed=one.claimed, found=one.found)
