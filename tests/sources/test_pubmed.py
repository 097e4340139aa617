from hallmark.records.answer import Absent, Found, Unavailable
from hallmark.records.source import Question
from hallmark.records.work import Notice
from hallmark.sources.interface import Reply, Way
from hallmark.sources.pubmed import PubMed
from tests.sources.wire import DOI, TITLE, Service, ask_one, look_up, reply, versions

_FETCHED = reply("pubmed-efetch.xml")
_HELD = {"esearch": reply("pubmed-esearch.json"), "efetch": _FETCHED}


def test_a_record_is_read_with_groups_suffixes_and_a_cut_list() -> None:
    question = Question("", pmid="700007")
    (held,) = versions(ask_one(PubMed(), Way.PMID, question, Service(_FETCHED)))
    assert held.title == "Tidal Memory: A Theory of Slow Networks"
    assert held.title_others == ("Gezeitenspeicher",)
    assert held.authors == ("Ada M Fenwick Jr", "T. K. Oduya", "Slow Networks Study Group")
    assert held.authors_truncated
    assert held.all_years == (2021,)
    assert held.doi == DOI
    assert held.retracted
    assert held.notices == (
        Notice("retraction", "2023", "10.5555/tides.2023.9", "pubmed"),
        Notice("concern", "2022", "", "pubmed"),
    )


def test_a_doi_and_a_title_are_found_in_two_requests() -> None:
    for way, question in ((Way.DOI, Question("", doi=DOI)), (Way.TITLE, Question(TITLE))):
        service = Service(_HELD)
        assert isinstance(ask_one(PubMed(), way, question, service), Found)
        assert len(service.requests) == 2


def test_the_records_of_many_titles_are_fetched_together() -> None:
    service = Service(_HELD)
    questions = [Question(TITLE), Question("Counting Waves"), Question("")]
    answers = look_up(PubMed(), Way.TITLE, questions, service)
    assert isinstance(answers[0], Found)
    assert answers[1:] == [Absent(("title",)), Absent(())]
    assert len(service.requests) == 3


def test_unknown_ids_are_absent() -> None:
    none = Service(
        {"esearch": reply("pubmed-esearch-none.json"), "efetch": reply("pubmed-efetch-none.xml")}
    )
    assert ask_one(PubMed(), Way.PMID, Question("", pmid="1"), none) == Absent(("pmid",))
    assert ask_one(PubMed(), Way.DOI, Question("", doi=DOI), none) == Absent(("doi",))
    assert ask_one(PubMed(), Way.TITLE, Question(TITLE), none) == Absent(("title",))


def test_a_failed_search_and_a_lost_record_are_no_absences() -> None:
    failed = Service({"esearch": reply("pubmed-esearch-failed.json"), "efetch": _FETCHED})
    lost = Service(
        {"esearch": reply("pubmed-esearch.json"), "efetch": reply("pubmed-efetch-none.xml")}
    )
    for service in (failed, lost):
        for way, question in ((Way.DOI, Question("", doi=DOI)), (Way.TITLE, Question(TITLE))):
            assert isinstance(ask_one(PubMed(), way, question, service), Unavailable)


def test_entities_of_a_document_are_refused() -> None:
    bomb = b'<!DOCTYPE a [<!ENTITY x "xxxxxxxx">]><PubmedArticleSet>&x;</PubmedArticleSet>'
    question = Question("", pmid="1")
    assert isinstance(ask_one(PubMed(), Way.PMID, question, Service(Reply(200, bomb))), Unavailable)
