"""What holds of any answers: silence accuses nobody, and agreement never speaks against."""

from collections.abc import Mapping
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from hallmark.online import plan
from hallmark.online.case import Case
from hallmark.records.answer import RESOLVER, Absent, Answer, Found, Registered, Unavailable
from hallmark.records.reference import Reference
from hallmark.records.verdict import Contradicted, NotFound, Unresolved, Verdict, Verified
from hallmark.records.work import Version
from hallmark.sources import specs
from hallmark.sources.interface import Way
from hallmark.verifier import Verifier
from tests.online.scripted import EVERY, reference, version

VERIFIER = Verifier(None, today=date(2026, 12, 2))
SPECS = {name: specs.SOURCES.get(name)(None).spec for name in EVERY}
RIGHT = version()
RECORDS = (
    RIGHT,
    version(authors=("Mary Somerville", "Grace Hopper")),
    version(year=2014),
    version(venue="Annals of Other Things", venue_raw="Annals of Other Things"),
    version(title="A Robust Method for Sparse Estimation of Griefs"),
    version(title="Something Else Entirely about Whales", authors=("Grace Hopper",)),
)
CLAIMS = (
    reference(),
    reference(doi=RIGHT.doi),
    reference(title="A Theory of Clouds That Nobody Wrote", doi=None),
    reference(venue="Advances in Neural Information Processing Systems"),
    reference(year=2026),
)
Said = Mapping[tuple[str, Way], Answer]
NOWHERE: Said = {
    (name, Way.TITLE): Absent(("title",)) for name, spec in SPECS.items() if Way.TITLE in spec.ways
}


def held_by(name: str, record: Version) -> Version:
    return version(**{**_fields(record), "collection": name})


def _fields(record: Version) -> dict[str, object]:
    names = ("title", "authors", "venue", "venue_raw", "year", "doi")
    return {name: getattr(record, name) for name in names}


def asked() -> st.SearchStrategy[tuple[str, Way]]:
    pairs = [
        (name, way)
        for name, spec in SPECS.items()
        for way in (Way.DOI, Way.TITLE)
        if way in spec.ways
    ]
    return st.sampled_from(pairs)


@st.composite
def answers(draw: st.DrawFn) -> Said:
    """Any answers of a few sources, where the others lack the work or were not asked."""
    said = dict(NOWHERE) if draw(st.booleans()) else {}
    for name, way in draw(st.sets(asked(), max_size=4)):
        said[name, way] = draw(_answer(name, way))
    return said


def _answer(name: str, way: Way) -> st.SearchStrategy[Answer]:
    if name == "doi_org":
        return st.sampled_from([Registered("Crossref"), Absent((RESOLVER,)), Unavailable("Down.")])
    found = [Found((held_by(name, record),), (way.value,)) for record in RECORDS]
    return st.sampled_from([*found, Absent((way.value,)), Absent((way.value,)), Unavailable("No.")])


def judged(claim: Reference, said: Said) -> Verdict:
    """Judge as a run does: the sources that ought to have the work follow from the claim."""
    start = VERIFIER.gather(claim)
    case = Case(claim, structs.replace(start, answers=()), VERIFIER.venues)
    waves = plan.title_waves(claim, start, SPECS)
    case.ought = plan.ought(claim, start, waves)
    for (name, way), answer in said.items():
        case.add(SPECS[name], way, answer)
    return VERIFIER.judge(claim, case.evidence())


def accused(verdict: Verdict) -> bool:
    return isinstance(verdict, Contradicted | NotFound)


def test_the_answers_of_these_tests_reach_every_verdict() -> None:
    fabricated = CLAIMS[2]
    assert isinstance(judged(fabricated, NOWHERE), NotFound)
    one_down = {**NOWHERE, ("dblp", Way.TITLE): Unavailable("It is down.")}
    assert isinstance(judged(fabricated, one_down), Unresolved)
    held = {
        **NOWHERE,
        ("europepmc", Way.TITLE): Found((held_by("europepmc", RECORDS[1]),), ("title",)),
    }
    assert isinstance(judged(CLAIMS[0], held), Unresolved)


@settings(max_examples=60)
@given(st.sampled_from(CLAIMS), answers(), st.data())
def test_a_source_that_fails_turns_nothing_unresolved_into_not_found(
    claim: Reference, said: Said, data: st.DataObject
) -> None:
    before = judged(claim, said)
    if not said or not isinstance(before, Unresolved):
        return
    gone = data.draw(st.sampled_from(sorted(said)))
    after = judged(claim, {**said, gone: Unavailable("It is down.")})
    assert not isinstance(after, NotFound)


@settings(max_examples=60)
@given(st.sampled_from(CLAIMS), answers(), asked())
def test_where_any_source_failed_nothing_is_called_not_found(
    claim: Reference, said: Said, failing: tuple[str, Way]
) -> None:
    assert not isinstance(judged(claim, {**said, failing: Unavailable("Down.")}), NotFound)


@settings(max_examples=60)
@given(st.sampled_from(CLAIMS), answers(), asked())
def test_a_failure_never_raises_the_probability_of_what_is_no_accusation(
    claim: Reference, said: Said, failing: tuple[str, Way]
) -> None:
    """A source that nobody had asked and that fails leaves the verdict, or opens it."""
    if failing in said:
        return
    before, after = judged(claim, said), judged(claim, {**said, failing: Unavailable("Down.")})
    assert accused(before) or not accused(after)
    assert after.probability <= before.probability or isinstance(before, Verified)


@settings(max_examples=60)
@given(st.sets(st.sampled_from(sorted(set(EVERY) - {"doi_org"})), min_size=1), asked())
def test_one_more_source_that_agrees_never_lowers_the_confidence(
    agreeing: set[str], more: tuple[str, Way]
) -> None:
    name, way = more
    if name == "doi_org":
        return
    claim = reference(doi=RIGHT.doi)
    said: dict[tuple[str, Way], Answer] = {
        (one, Way.TITLE): Found((held_by(one, RIGHT),), ("title",)) for one in agreeing
    }
    before = judged(claim, said)
    after = judged(claim, {**said, (name, way): Found((held_by(name, RIGHT),), (way.value,))})
    assert isinstance(before, Verified)
    assert isinstance(after, Verified)
    assert after.probability <= before.probability


@settings(max_examples=60)
@given(st.sampled_from(CLAIMS), answers(), st.sampled_from(["openalex", "dblp", "europepmc"]))
def test_a_record_that_agrees_never_makes_an_accusation(
    claim: Reference, said: Said, name: str
) -> None:
    """A source that holds just what is claimed speaks for it, whatever all others say."""
    claimed = version(
        title=claim.title,
        venue=claim.venue,
        venue_raw=claim.venue,
        year=claim.year,
        doi=claim.doi,
        collection=name,
    )
    without = {place: one for place, one in said.items() if place[0] != name}
    before = judged(claim, {**without, (name, Way.TITLE): Unavailable("Down.")})
    after = judged(claim, {**without, (name, Way.TITLE): Found((claimed,), ("title",))})
    assert accused(before) or not accused(after)


@settings(max_examples=60)
@given(st.sampled_from(CLAIMS), answers(), st.randoms(use_true_random=False))
def test_the_order_of_answers_means_nothing(claim: Reference, said: Said, dice: object) -> None:
    shuffled = list(said.items())
    dice.shuffle(shuffled)  # type: ignore[attr-defined]
    assert judged(claim, dict(shuffled)) == judged(claim, said)
