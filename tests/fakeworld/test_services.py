"""Do the adapters read what the fake services write, and find what these hold?"""

import asyncio

import pytest

from hallmark.records.answer import RESOLVER, Absent, Answer, Found, Registered
from hallmark.records.source import Question
from hallmark.records.work import Version
from hallmark.sources.interface import KnownVenue, UnknownVenue, VenueSource, Way
from hallmark.sources.specs import SOURCES
from hallmark.text.names import parse_name
from tests.fakeworld import records
from tests.fakeworld.direct import asking, source
from tests.fakeworld.world import SERVICES, World

EXAMPLES: list[tuple[str, Way, Version]] = [
    ("crossref", Way.DOI, records.JOURNAL),
    ("crossref", Way.TITLE, records.JOURNAL),
    ("datacite", Way.DOI, records.PREPRINT),
    ("datacite", Way.ARXIV, records.PREPRINT),
    ("datacite", Way.TITLE, records.PREPRINT),
    ("dblp", Way.TITLE, records.JOURNAL),
    ("dblp", Way.TITLE, records.PREPRINT),
    ("acl", Way.DOI, records.LANGUAGE),
    ("openreview", Way.TITLE, records.MEETING),
    ("openreview", Way.TITLE, records.EARLY_MEETING),
    ("arxiv", Way.ARXIV, records.PREPRINT),
    ("arxiv", Way.DOI, records.PREPRINT),
    ("arxiv", Way.TITLE, records.PREPRINT),
    ("openalex", Way.DOI, records.JOURNAL),
    ("openalex", Way.ARXIV, records.PREPRINT),
    ("openalex", Way.PMID, records.JOURNAL),
    ("openalex", Way.TITLE, records.JOURNAL),
    ("semanticscholar", Way.DOI, records.JOURNAL),
    ("semanticscholar", Way.ARXIV, records.PREPRINT),
    ("semanticscholar", Way.PMID, records.RETRACTED),
    ("semanticscholar", Way.TITLE, records.MEETING),
    ("europepmc", Way.DOI, records.RETRACTED),
    ("europepmc", Way.PMID, records.RETRACTED),
    ("europepmc", Way.TITLE, records.BIOLOGY),
    ("pubmed", Way.PMID, records.RETRACTED),
    ("pubmed", Way.DOI, records.RETRACTED),
    ("pubmed", Way.TITLE, records.RETRACTED),
    ("biorxiv", Way.DOI, records.BIOLOGY),
    ("openlibrary", Way.ISBN, records.BOOK),
    ("openlibrary", Way.TITLE, records.BOOK),
    ("googlebooks", Way.ISBN, records.BOOK),
    ("googlebooks", Way.TITLE, records.BOOK),
]


def question(version: Version, way: Way) -> Question:
    """Return the question about a record that this way of asking needs."""
    held = records.holdings()[version.title]
    return Question(
        title=version.title,
        authors=tuple(parse_name(name) for name in version.authors),
        year=version.year,
        doi=version.doi if way is Way.DOI else None,
        arxiv=version.arxiv if way is Way.ARXIV else None,
        pmid=held.pmid if way is Way.PMID else None,
        isbn=held.isbn if way is Way.ISBN else None,
    )


def ask(world: World, name: str, way: Way, *questions: Question) -> list[Answer]:
    return asyncio.run(source(name).look_up(way, questions, asking(world)))


def found(answer: Answer) -> Version:
    assert isinstance(answer, Found), answer
    return answer.versions[0]


def _same(name: str) -> str:
    return parse_name(name).family.casefold()


@pytest.mark.parametrize(("name", "way", "version"), EXAMPLES)
def test_what_a_service_holds_is_found(name: str, way: Way, version: Version) -> None:
    (answer,) = ask(World(records.VERSIONS), name, way, question(version, way))
    held = found(answer)
    assert held.title.casefold() == version.title.casefold()
    assert [_same(one) for one in held.authors] == [_same(one) for one in version.authors]
    if held.year is not None:
        assert held.year == version.year
    if held.doi and version.doi:
        assert held.doi == version.doi


ASKED = sorted({(name, way) for name, way, _ in EXAMPLES})


@pytest.mark.parametrize(("name", "way"), ASKED)
def test_what_a_service_lacks_is_absent(name: str, way: Way) -> None:
    version = next(one for service, by, one in EXAMPLES if (service, by) == (name, way))
    (answer,) = ask(World([]), name, way, question(version, way))
    assert answer == Absent((way.value,))


def test_every_service_has_an_example_and_an_emitter() -> None:
    assert {name for name, _, _ in EXAMPLES} | {"doi_org"} == set(SOURCES.names())
    assert set(SOURCES.names()) <= set(SERVICES)


def test_the_resolver_knows_what_is_registered_and_what_is_not() -> None:
    world = World(records.VERSIONS)
    dois = (records.JOURNAL.doi, records.PREPRINT.doi, "10.5555/nobody.1")
    answers = ask(world, "doi_org", Way.DOI, *(Question("", doi=doi) for doi in dois))
    assert answers == [Registered("Crossref"), Registered("DataCite"), Absent((RESOLVER,))]
    assert [call.path for call in world.asked("doi_org")][1:] == ["/api/handles/10.5555/nobody.1"]


def test_a_batch_is_one_request() -> None:
    world = World(records.VERSIONS)
    asked = [Question("", doi=one.doi) for one in records.VERSIONS if one.doi]
    ask(world, "crossref", Way.DOI, *asked)
    ask(world, "semanticscholar", Way.DOI, *asked)
    assert len(world.asked("crossref")) == len(world.asked("semanticscholar")) == 1


def test_an_id_that_nobody_has_is_left_out_by_arxiv() -> None:
    world = World(records.VERSIONS)
    answers = ask(
        world,
        "arxiv",
        Way.ARXIV,
        *(Question("", arxiv=one) for one in ("2101.00007", "2199.99999")),
    )
    assert [type(one) for one in answers] == [Found, Absent]


def test_retractions_are_told_by_those_who_hold_them() -> None:
    world = World(records.VERSIONS)
    for name in ("crossref", "europepmc", "pubmed"):
        (answer,) = ask(world, name, Way.DOI, question(records.RETRACTED, Way.DOI))
        assert found(answer).retracted, name
        assert found(answer).notices[0].kind == "retraction"
    (answer,) = ask(world, "openalex", Way.DOI, question(records.RETRACTED, Way.DOI))
    assert found(answer).retracted


@pytest.mark.parametrize("name", ["crossref", "openalex", "dblp"])
def test_venues_are_known_or_not(name: str) -> None:
    world = World(records.VERSIONS)
    asked = source(name)
    assert isinstance(asked, VenueSource)
    known = asyncio.run(asked.venue("Conference on Invention", asking(world)))
    unknown = asyncio.run(asked.venue("Symposium of Nobody", asking(world)))
    assert isinstance(known, KnownVenue)
    assert isinstance(unknown, UnknownVenue)


def test_crossref_has_no_arxiv_dois_and_arxiv_nothing_else() -> None:
    world = World(records.VERSIONS)
    (answer,) = ask(world, "crossref", Way.DOI, question(records.PREPRINT, Way.DOI))
    assert answer == Absent(("doi",))
    (answer,) = ask(world, "arxiv", Way.TITLE, question(records.JOURNAL, Way.TITLE))
    assert answer == Absent(("title",))
