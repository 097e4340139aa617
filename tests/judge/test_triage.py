"""Does the queue hold the references most worth a person's time, and say so truly?"""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from hallmark.bench.taxonomy import HallucinationType
from hallmark.errors import InputError
from hallmark.judge.calibrate import packaged
from hallmark.judge.codes import CODES
from hallmark.judge.triage import (
    CANDIDATE_MINUTES,
    EFFORTS,
    HARMS,
    LONGEST_TITLE,
    MOST_CANDIDATES,
    Chance,
    Triage,
    effort_of,
    harm_of,
    pick_of,
)
from hallmark.records.finding import Finding, Severity
from hallmark.records.reference import Location
from hallmark.records.verdict import (
    Contradicted,
    Grounds,
    NotChecked,
    NotFound,
    Result,
    Unresolved,
    Verdict,
    Verified,
)
from hallmark.records.work import Version

TYPES = frozenset(one.value for one in HallucinationType)
WORK = Version(collection="dblp", title="A Work")
_lines = itertools.count(1)


def finding(code: str, severity: Severity = Severity.PROBLEM) -> Finding:
    return Finding(code=code, severity=severity, message="It is so.")


def row(verdict: Verdict, grounds: Grounds | None = None, key: str = "") -> Result:
    line = next(_lines)
    return Result(key or f"r{line}", Location("a.bib", line), verdict, (), "A Work", grounds)


def charged(
    p: float = 0.9, kind: str | None = "wrong_venue", code: str = "HM501", work: bool = True
) -> Result:
    verdict = Contradicted(
        probability=p,
        reason="",
        type=kind,
        findings=(finding(code),),
        work=WORK if work else None,
    )
    return row(verdict, Grounds(works=1))


def open_(p: float = 0.7, link: str = "", works: int = 0) -> Result:
    return row(Unresolved(probability=p, reason=""), Grounds(link=link, works=works))


def keys(triage: Triage, share: float | None = None) -> list[str]:
    return [pick.key for pick in triage.queue(share).picks]


def filled(size: int, rows: "list[Result]", prevalence: float = 0.02) -> Triage:
    triage = Triage(size, prevalence)
    for one in rows:
        triage.add(one)
    return triage


def test_every_kind_of_hallucination_does_one_harm() -> None:
    for name in TYPES:
        assert [harm for harm in HARMS if name in harm.types], name
    assert sum(len(harm.types) for harm in HARMS) == len(TYPES)


def test_every_finding_that_can_accuse_is_about_one_harm() -> None:
    hundreds = {code[2:3] for code, about in CODES.items() if about.severity is Severity.PROBLEM}
    for hundred in hundreds:
        assert sum(hundred in harm.groups for harm in HARMS) == 1, hundred


def test_harms_stand_in_the_order_of_their_weight() -> None:
    weights = [harm.weight for harm in HARMS]
    assert weights == sorted(weights, reverse=True)
    assert all(0 < weight <= 1 for weight in weights)


def test_every_link_has_its_effort() -> None:
    for link in ("doi", "arxiv", "url", ""):
        action, minutes = effort_of(open_(link=link))
        assert (action, minutes) == (EFFORTS[link].action, EFFORTS[link].minutes)


def test_without_a_record_it_is_the_work_that_may_be_fabricated() -> None:
    assert harm_of(open_()).name == "fabricated work"
    assert harm_of(charged(kind="future_date", code="HM101", work=False)).name == "fabricated work"


def test_the_type_tells_the_harm_and_where_there_is_none_the_gravest_finding() -> None:
    assert harm_of(charged(kind="swapped_authors")).name == "wrong people"
    weak = Unresolved(
        probability=0.6,
        reason="",
        work=WORK,
        findings=(finding("HM204", Severity.WARNING), finding("HM703", Severity.NOTE)),
    )
    assert harm_of(row(weak)).name == "wrong venue"
    assert harm_of(row(structs.replace(weak, findings=()))).name == "details"


def test_a_record_at_hand_is_sooner_seen_than_a_link_and_a_link_than_a_search() -> None:
    steps = [charged(), open_(link="doi"), open_(link="url"), open_()]
    minutes = [effort_of(one)[1] for one in steps]
    assert minutes == sorted(set(minutes))


def test_each_further_candidate_costs_time_up_to_a_bound() -> None:
    few, many = effort_of(open_(works=1))[1], effort_of(open_(works=1000))[1]
    none = effort_of(open_())[1]
    assert few == none + CANDIDATE_MINUTES
    assert many == none + CANDIDATE_MINUTES * MOST_CANDIDATES


def test_what_the_entry_shows_by_itself_needs_no_look_elsewhere() -> None:
    evident = charged(kind="future_date", code="HM101", work=False)
    assert effort_of(evident) == (EFFORTS["entry"].action, EFFORTS["entry"].minutes)


def test_a_result_without_grounds_is_searched_by_its_title() -> None:
    assert effort_of(row(Unresolved(probability=0.5, reason="")))[0] == EFFORTS[""].action


def test_the_gravest_the_likeliest_and_the_soonest_seen_come_first() -> None:
    invented = charged(kind="hybrid_fabrication")
    venue, people = charged(), charged(kind="swapped_authors")
    doubtful = charged(p=0.6)
    far, near = open_(), open_(link="doi")
    order = keys(filled(9, [far, doubtful, venue, near, people, invented]))
    assert order == [one.key for one in (invented, people, venue)] + order[3:]
    assert order.index(near.key) < order.index(far.key)
    assert order.index(venue.key) < order.index(doubtful.key)


def test_equal_ones_keep_the_order_of_the_file() -> None:
    rows = [charged() for _ in range(20)]
    assert keys(filled(5, rows)) == [one.key for one in rows[:5]]


def test_confirmed_and_out_of_scope_and_unreadable_ones_are_counted_and_left_out() -> None:
    rows = [
        row(Verified(probability=0.01, reason="", work=WORK)),
        row(NotChecked(probability=0.6, reason="")),
        row(NotChecked(probability=0.5, reason="", unreadable=True)),
        open_(),
    ]
    queue = filled(9, rows).queue()
    assert [pick.key for pick in queue.picks] == [rows[3].key]
    assert (queue.open, queue.confirmed, queue.out_of_scope, queue.unreadable) == (1, 1, 1, 1)


def test_a_queue_of_nothing_promises_nothing() -> None:
    queue = Triage(5).queue()
    assert (queue.precision, queue.expected_bad, queue.minutes, queue.picks) == (None, 0, 0, ())


def test_probabilities_are_those_of_the_prevalence_that_is_named() -> None:
    stated = packaged().at_prevalence(0.9, 0.1)
    (pick,) = filled(1, [charged(0.9)], 0.1).queue().picks
    assert pick.probability == pytest.approx(stated, rel=1e-5)
    assert pick.value == pytest.approx(stated * pick.harm_weight / pick.minutes, rel=1e-5)


def test_another_calibration_has_another_prevalence() -> None:
    model = structs.replace(packaged().model, prevalence=0.02)
    triage = Triage(1, 0.02, type(packaged())(model))
    triage.add(charged(0.9))
    assert triage.queue().picks[0].probability == pytest.approx(0.9)


def test_the_precision_is_the_mean_of_the_list_so_far() -> None:
    queue = filled(9, [charged(0.9), charged(0.8), open_(0.7)]).queue()
    seen = [pick.probability for pick in queue.picks]
    means = [sum(seen[:end]) / end for end in range(1, len(seen) + 1)]
    assert [pick.precision for pick in queue.picks] == pytest.approx(means, rel=1e-4)
    assert queue.precision == queue.picks[-1].precision
    assert queue.expected_bad == pytest.approx(sum(seen), rel=1e-4)


def test_what_is_absent_says_less_where_the_index_knows_less() -> None:
    triage = filled(9, [open_(0.9), charged(0.9)])
    half, whole = triage.queue(0.5), triage.queue(1.0)
    chances = [{pick.status: pick.probability for pick in queue.picks} for queue in (half, whole)]
    assert chances[0]["unresolved"] < chances[1]["unresolved"]
    assert chances[0]["contradicted"] == chances[1]["contradicted"]
    assert half.known_share == 0.5


def test_where_nothing_is_known_what_is_absent_is_as_likely_bad_as_any() -> None:
    (pick,) = filled(1, [open_(0.95)]).queue(0.0).picks
    assert pick.probability == pytest.approx(0.02, rel=1e-4)


@pytest.mark.parametrize("prevalence", [0.0, 1.0, -0.1, 7.0, float("nan")])
def test_a_prevalence_out_of_range_is_refused(prevalence: float) -> None:
    with pytest.raises(InputError, match="strictly between 0 and 1"):
        Triage(5, prevalence)


def test_a_queue_of_none_is_refused() -> None:
    with pytest.raises(InputError, match="1 or more"):
        Triage(0)


def test_long_titles_are_cut() -> None:
    long = structs.replace(open_(), title="x" * 10_000)
    assert len(pick_of(long).title) == LONGEST_TITLE


def test_memory_does_not_grow_with_the_references() -> None:
    triage = Triage(3)
    for number in range(2000):
        triage.add(open_(0.6 + (number % 7) / 50, "doi" if number % 2 else "", number % 9))
        triage.add(charged(0.9))
    sorts = 2 * (MOST_CANDIDATES + 1) + 1
    assert sum(len(heap) for heap in triage._heaps.values()) <= 3 * sorts


_chances = st.floats(0.01, 0.99)
_results = st.lists(
    st.one_of(
        st.builds(charged, _chances, st.sampled_from(sorted(TYPES)), work=st.booleans()),
        st.builds(open_, _chances, st.sampled_from(["", "doi", "arxiv", "url"]), st.integers(0, 6)),
        st.builds(lambda p: row(NotFound(probability=p, reason=""), Grounds()), _chances),
    ),
    max_size=40,
)


@given(_results, st.integers(1, 10), st.floats(0.001, 0.999), st.one_of(st.none(), st.floats(0, 1)))
def test_a_short_queue_is_the_head_of_the_long_one(
    rows: list[Result], size: int, prevalence: float, share: float | None
) -> None:
    assert (
        keys(filled(size, rows, prevalence), share)
        == (keys(filled(len(rows) + 1, rows, prevalence), share)[:size])
    )


def test_where_nothing_is_known_the_stated_probability_still_decides() -> None:
    rows = [open_(0.6 + n / 100) for n in range(9)]
    assert keys(filled(3, rows), 0.0) == keys(filled(9, rows), 0.0)[:3]


@given(_results, st.floats(0.001, 0.999), st.floats(0, 1))
def test_no_probability_rises_where_bad_ones_are_rarer_or_less_is_known(
    rows: list[Result], prevalence: float, share: float
) -> None:
    triage, rarer = filled(99, rows, prevalence), filled(99, rows, prevalence / 2)
    held = {pick.key: pick.probability * (1 + 1e-5) for pick in triage.queue().picks}
    for pick in (*triage.queue(share).picks, *rarer.queue().picks):
        assert pick.probability <= held[pick.key]


def test_a_chance_without_a_share_is_not_discounted() -> None:
    chance = Chance(packaged(), 0.02)
    assert chance.of(0.9, absent=True) == chance.of(0.9, absent=False)
