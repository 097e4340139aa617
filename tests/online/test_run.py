"""Live sources are asked about what is open, and their silence is never evidence."""

import asyncio
import contextlib
import signal
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.online.health import PROBES
from hallmark.online.run import OnlineVerifier
from hallmark.records.answer import Answer
from hallmark.records.reference import Entry, FailedEntry, Location, Reference
from hallmark.records.source import Question
from hallmark.records.verdict import Result
from hallmark.sources.cache import Cache
from hallmark.sources.interface import Ask, Way
from hallmark.verifier import Verifier
from tests.online.scripted import EVERY, Scripted, reference, refuse, version, world

TODAY = date(2026, 12, 2)
PAPER = version()


def verifier(sources: Mapping[str, Scripted], *, probe: bool = False) -> OnlineVerifier:
    return OnlineVerifier(Verifier(None, today=TODAY), sources, refuse, probe=probe)


def checked(sources: Mapping[str, Scripted], *entries: Entry) -> list[Result]:
    return list(verifier(sources).check(entries))


def one(sources: Mapping[str, Scripted], entry: Reference) -> tuple[str, set[str]]:
    result = checked(sources, entry)[0]
    return result.status, {finding.code for finding in result.verdict.findings}


def questions(sources: Mapping[str, Scripted]) -> int:
    return sum(len(source.asked) for source in sources.values())


def test_a_record_that_explains_the_claim_verifies_and_nobody_else_is_asked() -> None:
    sources = world([PAPER])
    assert one(sources, reference())[0] == "verified"
    assert {name for name, source in sources.items() if source.asked} == {"crossref"}


def test_identifiers_are_asked_before_titles() -> None:
    sources = world([PAPER])
    assert one(sources, reference(doi=PAPER.doi))[0] == "verified"
    assert sources["crossref"].asked == [(Way.DOI, PAPER.title)]


def test_absence_everywhere_is_not_found() -> None:
    found, codes = one(world(), reference())
    assert found == "not_found"
    assert "HM704" in codes


@pytest.mark.parametrize("name", ["crossref", "openalex", "semanticscholar"])
def test_one_source_that_ought_to_have_it_and_is_down_leaves_it_open(name: str) -> None:
    sources = world()
    sources[name].down = True
    result = checked(sources, reference())[0]
    assert result.status == "unresolved"
    assert name in {source.name for source in result.sources if source.outcome == "unavailable"}


def test_two_sources_are_no_agreement() -> None:
    sources = world(names=("crossref", "openalex", "doi_org"))
    assert one(sources, reference())[0] == "unresolved"


def test_a_total_outage_accuses_nobody() -> None:
    sources = world([PAPER])
    for source in sources.values():
        source.down = True
    entries = [reference(str(n), title=f"{PAPER.title} {n}", doi=PAPER.doi) for n in range(30)]
    assert {row.status for row in checked(sources, *entries)} == {"unresolved"}


def test_a_source_with_a_fault_is_one_that_did_not_answer() -> None:
    sources = world([PAPER])
    sources["crossref"].wrong = True
    result = checked(sources, reference())[0]
    assert result.status == "verified"
    failed = [source for source in result.sources if source.name == "crossref"]
    assert failed[0].outcome == "unavailable"


def test_a_work_of_this_year_may_be_too_new() -> None:
    found, codes = one(world(), reference(year=2026))
    assert found == "unresolved"
    assert "HM705" in codes


def test_a_doi_that_does_not_exist_contradicts() -> None:
    sources = world([PAPER])
    entry = reference(doi="10.1145/9999999.9999999")
    found, codes = one(sources, entry)
    assert found == "contradicted"
    assert "HM208" in codes


def test_a_registered_doi_that_nobody_describes_is_no_absence() -> None:
    sources = world(registered={"10.4230/abc": "OP"})
    found, codes = one(sources, reference(doi="10.4230/abc"))
    assert found == "unresolved"
    assert "HM704" not in codes


def test_a_resolver_that_fails_says_nothing() -> None:
    sources = world([PAPER])
    sources["doi_org"].down = True
    found, codes = one(sources, reference(doi="10.1145/9999999.9999999"))
    assert "HM208" not in codes
    assert found == "verified"


def test_one_source_alone_contradicts_nothing() -> None:
    sources = world()
    sources["openalex"].records = [version(authors=("Mary Somerville", "Grace Hopper"))]
    assert one(sources, reference())[0] == "unresolved"


def test_two_sources_contradict() -> None:
    sources = world()
    for name in ("openalex", "semanticscholar"):
        sources[name].records = [version(authors=("Mary Somerville", "Grace Hopper"))]
    found, codes = one(sources, reference())
    assert found == "contradicted"
    assert "HM401" in codes


def test_the_registry_of_the_identifier_contradicts_alone() -> None:
    sources = world(registered={PAPER.doi or "": "Crossref"})
    sources["crossref"].records = [version(authors=("Mary Somerville", "Grace Hopper"))]
    found, codes = one(sources, reference(doi=PAPER.doi))
    assert found == "contradicted"
    assert "HM401" in codes


def test_a_corrupt_record_is_outvoted_and_reported() -> None:
    sources = world([PAPER])
    sources["semanticscholar"].records = [
        version(title="Something Else Entirely about Whales", authors=("Grace Hopper",))
    ]
    assert one(sources, reference(doi=PAPER.doi))[0] == "verified"


def test_a_venue_that_an_end_point_knows_is_not_invented() -> None:
    held = version(venue="Made Conference", venue_raw="Made Conference")
    known, unknown = world([held]), world([held])
    known["openalex"].venues = ("Journal of Imaginary Results",)
    known_row, unknown_row = one(known, reference()), one(unknown, reference())
    assert known_row[0] == "unresolved"
    assert "HM502" not in known_row[1]
    assert unknown_row[0] == "contradicted"
    assert "HM502" in unknown_row[1]


def test_results_come_in_order_however_long_they_take() -> None:
    sources = world([PAPER])
    sources["crossref"].delay_s = 0.01
    entries: list[Entry] = [reference(str(n), title=f"{PAPER.title} {n}") for n in range(450)]
    entries[3] = FailedEntry(location=Location("refs.bib", 9), reason="No key.", key="3")
    assert [row.key for row in checked(sources, *entries)] == [str(n) for n in range(450)]


def test_identifiers_of_many_references_go_out_together() -> None:
    records = [version(title=f"{PAPER.title} {n}", doi=f"10.1145/1.{n}") for n in range(200)]
    sources = world(records)
    calls: list[int] = []
    crossref = sources["crossref"]
    look_up = crossref.look_up

    async def counted(*given: object) -> object:
        calls.append(1)
        return await look_up(*given)  # type: ignore[arg-type]

    crossref.look_up = counted  # type: ignore[method-assign, assignment]
    rows = checked(
        sources, *[reference(str(n), title=r.title, doi=r.doi) for n, r in enumerate(records)]
    )
    assert {row.status for row in rows} == {"verified"}
    assert len(calls) == 1
    assert questions(sources) == 200


def test_the_same_answers_in_any_order_give_the_same_verdict() -> None:
    outcomes = set()
    for order in (1, -1):
        sources = world()
        for number, name in enumerate(("openalex", "semanticscholar", "dblp")):
            sources[name].records = [version(authors=("Mary Somerville", "Grace Hopper"))]
            sources[name].delay_s = 0.002 * (number if order > 0 else 3 - number)
        row = checked(sources, reference())[0]
        outcomes.add((row.status, row.verdict.probability, row.verdict.findings))
    assert len(outcomes) == 1


def test_leaving_early_loses_no_row_that_was_ready() -> None:
    sources = world([PAPER])
    results = verifier(sources).check(reference(str(n)) for n in range(500))
    kept: Sequence[Result] = [next(results) for _ in range(5)]
    results.close()  # type: ignore[attr-defined]
    assert [row.key for row in kept] == ["0", "1", "2", "3", "4"]


def test_one_reference_can_be_explained() -> None:
    evidence, row = asyncio.run(verifier(world([PAPER])).explain(reference()))
    assert row.status == "verified"
    assert [answer.source for answer in evidence.answers if answer.live] == ["crossref"]


KNOWN = [
    version(title=probe.question.title, doi=probe.question.doi, arxiv=probe.question.arxiv)
    for probe in PROBES.values()
]
"""The works that sources are probed for."""


def invented(count: int) -> list[Entry]:
    return [reference(str(n), title=f"An Invented Work about the {n}th Kind") for n in range(count)]


def test_a_source_that_lacks_what_it_is_known_to_hold_accuses_nobody() -> None:
    broken = verifier(world(), probe=True)
    rows = list(broken.check(invented(3)))
    assert {row.status for row in rows} == {"unresolved"}
    assert "crossref" in broken.health.doubts()


def test_a_source_that_passes_its_probe_is_believed() -> None:
    sound = verifier(world(KNOWN, registered={"10.1038/nature14539": "Crossref"}), probe=True)
    rows = list(sound.check(invented(3)))
    assert {row.status for row in rows} == {"not_found"}
    assert not sound.health.doubts()


def test_many_absences_without_a_probe_are_not_believed() -> None:
    rows = list(verifier(world()).check(invented(60)))
    assert {row.status for row in rows[-10:]} == {"unresolved"}


def test_what_is_cached_is_not_asked_again(tmp_path: Path) -> None:
    sources = world([PAPER])
    for _ in range(2):
        cache = Cache(tmp_path / "answers.sqlite")
        online = OnlineVerifier(
            Verifier(None, today=TODAY), sources, refuse, cache=cache, probe=False
        )
        assert [row.status for row in online.check([reference()])] == ["verified"]
    assert questions(sources) == 1


def test_a_failure_is_asked_again(tmp_path: Path) -> None:
    sources = world([PAPER])
    cache = Cache(tmp_path / "answers.sqlite")
    sources["crossref"].down = True
    for _ in range(2):
        online = OnlineVerifier(
            Verifier(None, today=TODAY), sources, refuse, cache=cache, probe=False
        )
        list(online.check([reference()]))
    assert len(sources["crossref"].asked) == 2


@given(st.sets(st.sampled_from(EVERY)), st.booleans())
def test_no_set_of_failures_raises_the_probability(down: set[str], held: bool) -> None:
    records = [PAPER] if held else []
    whole, broken = world(records), world(records)
    for name in down:
        broken[name].down = True
    before, after = checked(whole, reference())[0], checked(broken, reference())[0]
    assert after.status in {before.status, "unresolved"}
    if before.status != "verified":
        assert after.verdict.probability <= before.verdict.probability
    assert after.status not in {"contradicted", "not_found"} or before.status == after.status


class Deaf(Scripted):
    """A source whose client takes the end of its task for its own, as a time-out in it may."""

    async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        """Answer, and go on when told to end."""
        if not self.asked:
            signal.raise_signal(signal.SIGINT)
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(0.01)
        return await super().look_up(way, questions, ask)


def test_ctrl_c_is_heard_though_a_source_goes_on() -> None:
    sources = {
        name: Deaf(source.spec, source.records, source.registered)
        for name, source in world([PAPER]).items()
    }
    with pytest.raises(KeyboardInterrupt):
        checked(sources, *(reference(str(n)) for n in range(500)))
    assert questions(sources) < 500


def test_what_is_under_way_ends_before_connections_are_closed() -> None:
    """A signal that comes while a row is waited for gives up all rows before `on_close`."""
    ended: list[str] = []

    class Slow(Scripted):
        async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
            signal.raise_signal(signal.SIGINT)
            try:
                await asyncio.sleep(60)
            finally:
                ended.append("question")
            raise AssertionError

    async def close() -> None:
        ended.append("connections")

    sources = {name: Slow(source.spec) for name, source in world([PAPER]).items()}
    online = OnlineVerifier(
        Verifier(None, today=TODAY), sources, refuse, probe=False, on_close=close
    )
    with pytest.raises(KeyboardInterrupt):
        list(online.check([reference()]))
    assert ended[-1] == "connections"
    assert "question" in ended
