from hallmark.records.answer import Absent
from hallmark.records.source import Question
from hallmark.records.work import Notice
from hallmark.sources import europepmc
from hallmark.sources.europepmc import Author, EuropePmc
from hallmark.sources.interface import Way
from tests.sources.wire import DOI, TITLE, Service, ask_one, look_up, reply, versions


def test_an_article_has_full_names_groups_and_spaced_initials() -> None:
    service = Service(reply("europepmc-one.json"))
    (held,) = versions(ask_one(EuropePmc(), Way.DOI, Question("", doi=DOI), service))
    assert held.authors == ("Ada Fenwick", "T. K. Oduya", "Slow Networks Study Group", "Z. Abel")
    assert held.title == TITLE
    assert held.all_years == (2022, 2021)
    assert (held.venue, held.venue_raw) == ("J Invent Res", "Journal of invented results")
    assert held.retracted
    assert held.notices == (Notice("retraction", "2023", "10.5555/tides.2023.9", "europepmc"),)


def test_a_preprint_names_its_server_and_what_it_became() -> None:
    service = Service(reply("europepmc-search.json"))
    _, preprint = versions(ask_one(EuropePmc(), Way.TITLE, Question(TITLE), service))
    assert preprint.preprint
    assert preprint.venue == "bioRxiv"
    assert preprint.published_as == DOI
    assert not preprint.notices


def test_pubmed_ids_are_asked_by_the_hundred() -> None:
    questions = [Question("", pmid=str(number)) for number in range(1, 251)]
    service = Service(reply("europepmc-none.json"))
    assert look_up(EuropePmc(), Way.PMID, questions, service) == [Absent(("pmid",))] * 250
    assert len(service.requests) == 3
    assert "(EXT_ID:1 AND SRC:MED) OR (EXT_ID:2 AND" in dict(service.requests[0].params)["query"]


def test_a_name_in_one_piece_is_turned() -> None:
    record = europepmc.Record(
        title="T", author_list=europepmc.Authors([Author("Baldassarre ME"), Author("Plato")])
    )
    assert europepmc.version(record).authors == ("M. E. Baldassarre", "Plato")
