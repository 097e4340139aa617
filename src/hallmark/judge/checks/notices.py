"""What was published later about the work: was it retracted, is there a concern, a correction?

Notices count for the work, whichever of its versions they are about; none of them makes a
reference wrong. A notice that was taken back (the work was reinstated) does not count.
"""

from collections.abc import Iterable, Iterator

from hallmark.judge.charge import Charge, charge, collections
from hallmark.judge.policy import Policy
from hallmark.judge.reading import Anchor, Reading, authors_in_common
from hallmark.records.evidence import Compared, Evidence
from hallmark.records.reference import Reference
from hallmark.records.work import Notice

_CODES = {
    "retraction": ("HM305", "was retracted"),
    "concern": ("HM306", "is under an expression of concern"),
    "correction": ("HM307", "was corrected"),
    "withdrawal": ("HM308", "was withdrawn"),
}
_REINSTATED = "reinstatement"
_WORDS = {
    "retraction": "a retraction",
    "concern": "an expression of concern",
    "correction": "a correction",
    "withdrawal": "a withdrawal",
    _REINSTATED: "a reinstatement",
}


def check(
    reference: Reference, evidence: Evidence, reading: Reading, policy: Policy
) -> Iterator[Charge]:
    """Yield a charge for each kind of notice about the work, the latest notice of the kind."""
    versions = _versions(evidence, reading)
    about = _about(evidence, reading, versions)
    for kind, (code, words) in _CODES.items():
        found = [pair for pair in about if pair[0].kind == kind]
        if found:
            notice, doi = max(found, key=lambda pair: pair[0].date)
            yield _charge(code, words, notice, doi, _sources(kind, found, versions))
    if not any(notice.kind in {"retraction", "withdrawal"} for notice, _ in about):
        yield from _marked(versions, about)
    if evidence.own_notice is not None and not any(about):
        yield _is_notice(reference, evidence.own_notice)


_About = tuple[Notice, str]
"""A notice, and the DOI of the version that it is about, "" where that is not known."""


def _versions(evidence: Evidence, reading: Reading) -> tuple[Compared, ...]:
    """Return all records of the recognised work, those with another title too."""
    if reading.best is None:
        return ()
    if reading.anchor is Anchor.IDENTIFIER and not authors_in_common(reading.best):
        return ()
    work = next((one.versions for one in evidence.works if reading.best in one.versions), ())
    return tuple(dict.fromkeys((*reading.versions, *work)))


def _about(
    evidence: Evidence, reading: Reading, versions: Iterable[Compared]
) -> tuple[_About, ...]:
    """Return the notices about the work, and about the claimed DOI unless it is another work's."""
    found = [(notice, one.version.doi or "") for one in versions for notice in one.version.notices]
    held = [one for work in evidence.works for one in work.versions if one.doi.agrees]
    if not held or any(one in versions for one in held):
        found += [(notice, "") for notice in evidence.notices]
    once = {
        (notice.kind, notice.doi or notice.date): (notice, doi) for notice, doi in reversed(found)
    }
    return tuple(once.values())


def _charge(code: str, words: str, notice: Notice, doi: str, sources: Iterable[str]) -> Charge:
    dated = f" on {notice.date}" if notice.date else ""
    about = f" (as {doi})" if doi else ""
    own = f" by {notice.doi}" if notice.doi and notice.doi != doi else ""
    sentence = f"The work{about} {words}{dated}{own}."
    return charge(code, sentence, found=notice.doi or notice.date, sources=sources)


def _sources(kind: str, found: Iterable[_About], versions: Iterable[Compared]) -> tuple[str, ...]:
    """Return who published or holds the notice."""
    named = [notice.source for notice, _ in found if notice.source]
    holding = (
        one for one in versions if any(notice.kind == kind for notice in one.version.notices)
    )
    return tuple(dict.fromkeys((*named, *(() if named else collections(holding)))))


def _marked(versions: Iterable[Compared], about: Iterable[_About]) -> Iterator[Charge]:
    """Charge a work that a record marks as retracted without naming a notice."""
    marked = [one for one in versions if one.version.retracted]
    reinstated = any(notice.kind == _REINSTATED for notice, _ in about)
    if marked and not reinstated:
        yield charge("HM305", "The work was retracted.", sources=collections(marked))


def _is_notice(reference: Reference, notice: Notice) -> Charge:
    dated = f", of {notice.date}" if notice.date else ""
    what = _WORDS.get(notice.kind, "a notice")
    return charge(
        "HM309",
        f"The DOI is that of {what} of another work{dated}.",
        claimed=reference.doi or "",
        sources=(notice.source,),
    )
