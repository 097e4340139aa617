"""Is the title right?"""

from collections.abc import Iterator

from hallmark.judge.charge import Charge, charge, collections, raised
from hallmark.judge.policy import Policy
from hallmark.judge.reading import Anchor, Reading, authors_in_common, coverage_of
from hallmark.records.evidence import Compared, Comparison, Evidence
from hallmark.records.reference import Reference
from hallmark.text import titles


def check(
    reference: Reference, evidence: Evidence, reading: Reading, policy: Policy
) -> Iterator[Charge]:
    """Yield the charges about the title."""
    best = reading.best
    if best is None:
        return
    if reading.anchor is Anchor.SAME:
        yield from _variant(reading, policy)
    elif reading.anchor is Anchor.NEAR:
        yield _altered(reference, evidence, reading, best, policy)
    elif authors_in_common(best):
        yield _other_title(reference, evidence, best, policy)


def _variant(reading: Reading, policy: Policy) -> Iterator[Charge]:
    """Note an equivalence that the best record needed; strict switches make it a problem."""
    if any(not one.title.nuances for one in reading.versions):
        return
    title = reading.versions[0].title
    code = title.nuances[0].code
    if code == "annotation":
        return
    note = charge(
        "HM304",
        f"The title differs from the records' by {_VARIANTS.get(code, code)} only.",
        claimed=title.claimed,
        found=title.found,
        sources=reading.collections,
    )
    strict = {
        "spelling": policy.spelling_is_conflict,
        "hyphen": policy.hyphen_is_conflict,
        "spacing": policy.spacing_is_conflict,
    }
    yield raised(note) if strict.get(code, False) else note


_VARIANTS = {
    "hyphen": "hyphens",
    "spacing": "words written together or apart",
    "spelling": "British or American spelling",
    "subtitle-dropped": "a subtitle left out",
    "maths": "the way a formula is written",
    "former-title": "being an earlier title of the work",
    "ampersand": "“&” for “and”",
    "umlaut": "the way an umlaut is written",
    "numeral": "a numeral in Roman or Arabic digits",
    "cut": "an ellipsis where one of them is cut",
}


def _altered(
    reference: Reference, evidence: Evidence, reading: Reading, best: Compared, policy: Policy
) -> Charge:
    """Judge a title that is nearly a record's, of the same authors."""
    message = f"The records call it “{best.title.found}”."
    sources = _attesting(reading, best)
    found, claimed = best.title.found, best.title.claimed
    if best.title.weak:
        return charge("HM303", message, claimed=claimed, found=found, sources=sources, weak=True)
    listed = _listed_elsewhere_only(reference, evidence)
    identified = any(one.doi.agrees or one.arxiv.agrees for one in reading.versions)
    enough = len(sources) + listed + identified >= policy.attesting_collections
    attested = enough and (listed or identified)
    small = changed_words(best.title) <= policy.small_edit_words
    if small:
        return charge(
            "HM301",
            message,
            claimed=claimed,
            found=found,
            sources=sources,
            suggestion=found,
            weak=not attested,
        )
    return charge("HM303", message, claimed=claimed, found=found, sources=sources, weak=True)


def _listed_elsewhere_only(reference: Reference, evidence: Evidence) -> bool:
    """Whether the complete list of the claimed venue and year lacks the claimed title."""
    coverage = coverage_of(evidence, reference.year)
    return coverage is not None and coverage.complete


def _attesting(reading: Reading, best: Compared) -> tuple[str, ...]:
    """Return the collections that hold the best record's title."""
    key = titles.key(best.version.title)
    return collections(one for one in reading.versions if titles.key(one.version.title) == key)


def changed_words(title: Comparison) -> int:
    """Return how many words a changed title has changed, added or dropped."""
    return sum(
        max(len(nuance.claimed.split()), len(nuance.found.split()))
        for nuance in title.nuances
        if nuance.code == "words-changed"
    )


def _other_title(
    reference: Reference, evidence: Evidence, best: Compared, policy: Policy
) -> Charge:
    """Judge a title unlike that of the record to which the identifier leads, of these authors.

    Retitled papers keep some of their words; a title that shares none was made up.
    """
    absent = _listed_elsewhere_only(reference, evidence)
    unrelated = _shared_words(best.title) <= policy.retitled_share
    decisive = absent or unrelated
    return charge(
        "HM302" if decisive else "HM303",
        f"The cited identifier leads these authors to “{best.title.found}”.",
        claimed=best.title.claimed,
        found=best.title.found,
        sources=(best.version.collection,),
        weak=not decisive,
    )


def _shared_words(title: Comparison) -> float:
    """Return the share of the claimed title's longer words that the record's has, in [0, 1]."""
    claimed = {word for word in titles.words(title.claimed) if len(word) > _SHORT}
    found = {word for word in titles.words(title.found) if len(word) > _SHORT}
    return len(claimed & found) / len(claimed) if claimed else 1.0


_SHORT = 3
"""Letters of a word up to which it may stand in any title ("of", "for", "with" aside)."""
