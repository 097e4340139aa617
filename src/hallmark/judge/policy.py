"""How strict is the judge?

Every number and switch that a verdict depends on, each with its reason. Thresholds were chosen on
the development split only.
"""

from msgspec import Struct

from hallmark._registry import Registry


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
        ignored: codes of findings that are neither reported nor weighed ("HM602"): for those who
            do not mind them, and to measure what a rule brings.
    """

    name: str
    future_years: int = 1
    distinctive_words: int = 4
    decisive_title_words: int = 5
    small_edit_words: int = 2
    retitled_share: float = 0.25
    attesting_collections: int = 2
    spelling_is_conflict: bool = False
    hyphen_is_conflict: bool = False
    spacing_is_conflict: bool = False
    off_by_one_is_conflict: bool = False
    given_names: int = 2
    years_before: int = 2
    unknown_venue_of_preprint: bool = True
    weak_conflicts: int = 2
    preprint_venue_span: int = 4
    absent_sources: int = 3
    settled_after: int = 1
    absent_from_complete: bool = True
    ignored: frozenset[str] = frozenset()


DEFAULT = Policy(name="default")
"""What a reader would call an error is one; what a copy editor would change is a note."""

STRICT = Policy(
    name="strict",
    spelling_is_conflict=True,
    hyphen_is_conflict=True,
    spacing_is_conflict=True,
    off_by_one_is_conflict=True,
    attesting_collections=1,
)
"""Every difference from the records is an error: for benchmarks and for final proofs."""

POLICIES: Registry[Policy] = Registry("policy")
POLICIES.add(DEFAULT.name, DEFAULT)
POLICIES.add(STRICT.name, STRICT)
