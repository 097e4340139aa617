"""Are the authors right?"""

from collections.abc import Iterator, Sequence

from msgspec import structs

from hallmark.judge.charge import Charge, charge, collections, raised
from hallmark.judge.policy import Policy
from hallmark.judge.reading import Anchor, Reading, names_people, rejecting
from hallmark.records.evidence import Compared, Evidence, Nuance, Relation
from hallmark.records.reference import Reference
from hallmark.records.work import Quality


def check(
    reference: Reference, evidence: Evidence, reading: Reading, policy: Policy
) -> Iterator[Charge]:
    """Yield the charges about the authors."""
    if reading.anchor in (Anchor.NONE, Anchor.IDENTIFIER) or not reference.authors:
        return
    named = [one for one in reading.versions if one.version.authors]
    if not named:
        return
    agreeing = [one for one in named if names_people(one)]
    if agreeing:
        yield from _variant(max(agreeing, key=_closeness))
        return
    best = max(rejecting(named) or named, key=_closeness)
    doubtful = any(one.authors.relation is Relation.SILENT and _curated(one) for one in named)
    if best.authors.conflicts and not (doubtful and best.authors.matched_share == 1.0):
        yield from _conflict(reference, best, named, policy)


def _closeness(one: Compared) -> tuple[float, ...]:
    """Order records by how well their authors agree; doubt ranks above contradiction."""
    relation = one.authors.relation
    rank = {Relation.EQUAL: 3.0, Relation.VARIANT: 2.0, Relation.SILENT: 1.0}.get(relation, 0.0)
    return (rank, one.authors.weak, one.authors.matched_share, _curated(one))


def _curated(one: Compared) -> bool:
    return one.version.quality is Quality.CURATED


def _variant(best: Compared) -> Iterator[Charge]:
    codes = [nuance for nuance in best.authors.nuances if nuance.code in _NOTED]
    if codes:
        first = codes[0]
        yield charge(
            "HM405",
            f"Written otherwise than in the record: {first.claimed} for {first.found}.",
            claimed=first.claimed,
            found=first.found,
            sources=(best.version.collection,),
        )


_NOTED = frozenset({"given-variant", "transliteration", "name-order", "compound-family"})


def _conflict(
    reference: Reference, best: Compared, named: Sequence[Compared], policy: Policy
) -> Iterator[Charge]:
    """Turn the reasons of an author conflict into charges, one for each kind."""
    others = len(_of(best, "given-name-substitution")) >= policy.given_names
    weak = (best.authors.weak and not others) or not any(map(_curated, named))
    agreeing = collections(one for one in named if one.version.authors == best.version.authors)
    weak = weak or (len(agreeing) < _UNCUT and _may_be_cut(reference, best))
    nuances = [*_foreign(best, named), *_elsewhere(best, named), *_at_home(best)]
    for nuance_code, (code, sentence, always_weak) in _KINDS.items():
        about = [nuance for nuance in nuances if nuance.code == nuance_code]
        if not about or (code == "HM402" and not best.authors.matched_share):
            continue  # who is missing says nothing where nobody is right
        claimed = "; ".join(nuance.claimed for nuance in about if nuance.claimed)
        found = "; ".join(nuance.found for nuance in about if nuance.found)
        one = charge(
            code,
            sentence.format(claimed=claimed, found=found),
            claimed=best.authors.claimed,
            found=best.authors.found,
            sources=agreeing,
            suggestion=_as_bibtex(best),
            weak=weak or always_weak or (code == "HM403" and len(agreeing) < _ORDERING),
        )
        substituted = nuance_code == "given-name-substitution"
        if nuance_code == "surname-typo":
            yield structs.replace(one, weak=False)  # a slip of the key is shown, and weighs nothing
        else:
            yield raised(one) if substituted and others and not weak else one


def _may_be_cut(reference: Reference, best: Compared) -> bool:
    """Whether the record's list is the beginning of the claimed one.

    Collections cut long lists without saying so; whoever adds an author does it anywhere.
    """
    held, foreign = best.version.authors, [one.claimed for one in _of(best, "foreign-author")]
    claimed = [author.display for author in reference.authors]
    return (
        len(held) >= _FEWEST_HELD
        and not _of(best, "missing-author")
        and len(held) + len(foreign) == len(claimed)
        and claimed[len(held) :] == foreign
    )


_UNCUT = 2
"""Collections that give the same list: they are not cut at the same place by chance."""
_FEWEST_HELD = 4


def _foreign(best: Compared, named: Sequence[Compared]) -> list[Nuance]:
    """Return the foreign authors who are on no other record of the work either."""
    return [one for one in _of(best, "foreign-author") if not _on_another(one, named)]


def _elsewhere(best: Compared, named: Sequence[Compared]) -> list[Nuance]:
    """Return the claimed authors whom only another record of the work names.

    Preprint and publication often differ by a few authors; an entry that joins both lists names
    nobody who has no part in the work.
    """
    mixed = [one for one in _of(best, "foreign-author") if _on_another(one, named)]
    return [Nuance("mixed-lists", one.claimed, one.found) for one in mixed]


def _at_home(best: Compared) -> list[Nuance]:
    """Return the reasons that do not depend on the other records."""
    return [one for one in best.authors.nuances if one.code != "foreign-author"]


def _of(one: Compared, code: str) -> list[Nuance]:
    return [nuance for nuance in one.authors.nuances if nuance.code == code]


def _on_another(author: Nuance, named: Sequence[Compared]) -> bool:
    """Whether some record compares with the claim without finding this author foreign."""
    return not all(
        any(nuance.claimed == author.claimed for nuance in _of(one, "foreign-author"))
        for one in named
        if one.authors.relation is not Relation.SILENT
    )


_ORDERING = 2
"""Collections that must give the same order; single ones were often sorted or typed anew."""

_KINDS = {
    "foreign-author": ("HM401", "On no record of this work: {claimed}.", False),
    "mixed-lists": ("HM406", "Named by one record of this work only: {claimed}.", False),
    "missing-author": ("HM402", "Missing from the entry: {found}.", False),
    "order": ("HM403", "The records name them in another order.", False),
    "given-name-substitution": ("HM404", "“{claimed}” is “{found}” in the records.", True),
    "surname-typo": ("HM404", "“{claimed}” is “{found}” in the records.", True),
}


def _as_bibtex(best: Compared) -> str | None:
    return " and ".join(best.version.authors) if best.version.authors else None
