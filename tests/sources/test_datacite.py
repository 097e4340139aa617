from hallmark.records.source import Question
from hallmark.sources import datacite
from hallmark.sources.datacite import Attributes, DataCite, Record
from hallmark.sources.interface import Way
from tests.sources.wire import TITLE, Service, ask_one, reply, versions


def test_a_preprint_of_arxiv_has_its_id_years_and_published_version() -> None:
    service = Service(reply("datacite-dois.json"))
    question = Question("", arxiv="2101.00007")
    (held,) = versions(ask_one(DataCite(), Way.ARXIV, question, service))
    assert held.arxiv == "2101.00007"
    assert held.doi == "10.48550/arxiv.2101.00007"
    assert held.preprint
    assert held.all_years == (2021, 2020)
    assert held.published_as == "10.5555/tides.2021.7"
    assert held.authors == ("Ada Fenwick", "T. K. Oduya", "The Slow Networks Consortium")
    assert held.title_others == ("Gezeitenspeicher",)
    asked = dict(service.requests[0].params)["query"]
    assert asked == 'doi:("10.48550/arxiv.2101.00007")'


def test_a_search_quotes_every_word() -> None:
    service = Service(reply("datacite-dois.json"))
    ask_one(DataCite(), Way.TITLE, Question('Tidal "Memory": OR doi:*'), service)
    assert dict(service.requests[0].params)["query"] == (
        'titles.title:("tidal" AND "memory" AND "doi")'
    )


def test_drafts_and_withdrawn_records_are_left_out() -> None:
    body = reply("datacite-dois.json").body.replace(b'"findable"', b'"registered"')
    service = Service(type(reply("datacite-dois.json"))(200, body))
    assert not hasattr(ask_one(DataCite(), Way.TITLE, Question(TITLE), service), "versions")


def test_the_publisher_may_be_an_object_and_a_container_goes_before_it() -> None:
    named = Attributes(doi="10.5281/zenodo.1", publisher=datacite.Named("Zenodo"))
    assert datacite.version(Record(named)).venue == "Zenodo"
    inside = Attributes(
        doi="10.4230/x.1",
        publisher="Invented Press",
        container=datacite.Container("Series of Inventions"),
    )
    assert datacite.version(Record(inside)).venue == "Series of Inventions"


def test_a_later_version_at_the_same_registrant_is_no_publication() -> None:
    later = datacite.Related("IsPreviousVersionOf", "10.5281/zenodo.2", "DOI")
    item = Attributes(doi="10.5281/zenodo.1", related_identifiers=[later])
    assert datacite.version(Record(item)).published_as is None
