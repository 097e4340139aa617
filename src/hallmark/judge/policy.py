"""How strict is the judge?

Every number and switch that a verdict depends on, each with its reason and its range. Thresholds
were chosen on the development split only. The values here are those of the policy `default`; the
others are files (`judge.profiles`).
"""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from hallmark.records.finding import Severity

NEVER = 9
"""Collections, sources or conflicts that no reference has: a rule that asks for them never acts."""

Share: TypeAlias = Annotated[float, Meta(ge=0.0, le=1.0)]
Years: TypeAlias = Annotated[int, Meta(ge=0, le=50)]
Words: TypeAlias = Annotated[int, Meta(ge=0, le=50)]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=NEVER)]
Prevalence: TypeAlias = Annotated[float, Meta(gt=0.0, lt=1.0)]


class Policy(Struct, frozen=True, kw_only=True):
    """The judge's numbers and switches.

    Attributes:
        name: under which the policy is chosen and reported.
        future_years: years after today's in which a work in press may be dated. One: proceedings
            and journals print next year's date; the paper's future dates lie five years ahead.
        distinctive_words: words from which a title names one work only. Of the titles in the
            index 0.1 % belong to several works, nearly all of them shorter (front matter,
            "Introduction", surveys).
        decisive_title_words: words from which a title alone, without the venue, year or an
            identifier agreeing, makes other authors a contradiction.
        small_edit_words: changed words up to which a title counts as misquoted; more of them on
            an agreeing DOI are a retitled paper, which authors do at the camera-ready stage.
        retitled_share: share of a claimed title's longer words, in [0, 1], up to which it is no
            rewording of the record's title but another one.
        attesting_collections: collections that must hold the record's title before a small
            change of it is a contradiction; a complete list of the venue counts as one more, and
            so does an identifier that the entry and the record share. One of these two is needed
            in any case: without them the claimed title may be that of a work that is not held.
        spelling_is_conflict: whether British for American spelling is a changed title.
        hyphen_is_conflict: whether a hyphen added or left out is a changed title. Of 807 sound
            entries of the development data none differs from every record by a hyphen alone.
        spacing_is_conflict: whether a word written together or apart is a changed title.
        off_by_one_is_conflict: whether a year beside the record's is a contradiction.
        given_names: given names that differ on known surnames before the authors are other
            people. One may be a nickname or a slip of the record; two at once are neither.
        years_before: years by which everything known of a work, its cited preprint included,
            must lie after the claimed publication before that publication is out of the question.
            One: the preprint of a paper is often posted in the year after. On the
            development data no sound entry lies two years before its own preprint.
        unknown_venue_of_preprint: whether a venue that nobody knows is a contradiction where the
            entry gives the DOI of a preprint for it, and no record but the preprint's is known.
            Who cites a publication by its own DOI, or by none, is not charged so.
        weak_conflicts: weak conflicts of different fields that together count as one.
        preprint_people: share of the longer list of authors, in [0, 1], that a cited preprint and
            its publication must have in common before a difference may be that of two versions,
            where no record of the preprint is held; above 1 never. Of 224 preprints of 2024 to
            2026 whose publication alone was held, every 15th had other authors or another title.
        preprint_venue_span: years between a preprint and its publication, either way, within
            which citing the preprint of a published work is in order.
        absent_sources: live sources that cover such a work and must all have answered without
            a record before it counts as not found. In the paper one source's miss flags 73 % of
            the valid entries, and the agreement of all 5 %; three independent ones is the least
            that can be called agreement.
        settled_after: years after which the live sources hold what was published. One: records
            appear within months; a work of this year may be too new.
        absent_from_complete: whether absence from a complete venue-year alone makes a reference
            not found. Without it only contradictions are reported.
        live_voices: live sources that must agree before a contradiction by records of live
            sources alone stands, where none of them is the registry of the entry's identifier.
            Each of them has records that are wrong; two seldom have the same fault.
        personal_voices: people's own bibliographies that must agree before what they say otherwise
            weighs anything, where no curated collection says it. Two: of the entries of one that
            others contradicted alone, most were manuscripts, editions and slips of either.
        attesting_authors: collections that must hold the same list of authors before other
            authors are a contradiction; with fewer it is a weak one.
        attesting_places: the same for venue and year: collections whose records place the work
            elsewhere or date it otherwise. Tables of years not held need no record.
        prevalence: the share of bad references, in (0, 1), that is expected where this policy is
            used. The verdict's probability is stated for the calibration's own share (about half).
        least_probability: P(hallucinated) at `prevalence`, in [0, 1], that a contradiction or an
            absence must reach; below it the reference is unresolved. Zero: the rules alone decide.
        missing_doi: whether it is noted that an entry gives no DOI though its record has one.
        ignored: codes of findings that are neither reported nor weighed ("HM602"): for those who
            do not mind them, and to measure what a rule brings.
        severities: findings that weigh more or less than the checks say, by code. A problem that
            is made a warning is a weak conflict; a note that is made one is only shown; a note
            never weighs; what is made a problem contradicts alone. What contradicts an
            entry by default and is made less of leaves it open: it is never verified.
    """

    name: str
    future_years: Years = 1
    distinctive_words: Words = 4
    decisive_title_words: Words = 5
    small_edit_words: Words = 2
    retitled_share: Share = 0.25
    attesting_collections: Count = 2
    spelling_is_conflict: bool = False
    hyphen_is_conflict: bool = False
    spacing_is_conflict: bool = False
    off_by_one_is_conflict: bool = False
    given_names: Count = 2
    years_before: Years = 2
    unknown_venue_of_preprint: bool = True
    weak_conflicts: Annotated[int, Meta(ge=2, le=NEVER)] = 2
    preprint_people: Annotated[float, Meta(ge=0.0, le=2.0)] = 0.66
    preprint_venue_span: Years = 4
    absent_sources: Count = 3
    settled_after: Years = 1
    absent_from_complete: bool = True
    live_voices: Count = 2
    personal_voices: Count = 2
    attesting_authors: Count = 1
    attesting_places: Count = 1
    prevalence: Prevalence = 0.02
    least_probability: Share = 0.0
    missing_doi: bool = False
    ignored: frozenset[str] = frozenset()
    severities: dict[str, Severity] = {}


DEFAULT = Policy(name="default")
"""What a reader would call an error is one; what a copy editor would change is a note."""
