import msgspec

from hallmark.records.answer import RESOLVER, Absent, Registered, Unavailable
from hallmark.records.source import Question
from hallmark.sources.doi_org import DoiOrg
from hallmark.sources.interface import Reply, Way
from tests.sources.wire import DOI, Service, ask_one, look_up, reply

_ASKED = Question("", doi=DOI)


def _agencies(*told: dict[str, str]) -> Reply:
    return Reply(200, msgspec.json.encode(told))


_DENIED = _agencies({"DOI": DOI, "status": "DOI does not exist"})


def test_a_registered_doi_is_known_with_its_agency() -> None:
    service = Service(_agencies({"DOI": DOI.upper(), "RA": "Crossref"}))
    assert ask_one(DoiOrg(), Way.DOI, _ASKED, service) == Registered("Crossref")


def test_a_doi_does_not_exist_only_where_the_handle_api_confirms_it() -> None:
    none = reply("doi_org-handle-none.json", status=404)
    service = Service({"/ra/": _DENIED, "/api/handles/": none})
    assert ask_one(DoiOrg(), Way.DOI, _ASKED, service) == Absent((RESOLVER,))
    assert len(service.requests) == 2


def test_a_denial_that_the_handle_api_does_not_share_is_withdrawn() -> None:
    service = Service({"/ra/": _DENIED, "/api/handles/": reply("doi_org-handle.json")})
    assert ask_one(DoiOrg(), Way.DOI, _ASKED, service) == Registered()


def test_a_denial_that_cannot_be_confirmed_says_nothing() -> None:
    for failing in (
        Reply(404, b"<!DOCTYPE html><title>DOI Not Found</title>"),
        Reply(500, b'{"responseCode": 2}'),
        Reply(200, b'{"responseCode": 2}'),
        Unavailable("It timed out."),
    ):
        service = Service({"/ra/": _DENIED, "/api/handles/": failing})
        assert isinstance(ask_one(DoiOrg(), Way.DOI, _ASKED, service), Unavailable)


def test_an_agency_that_is_not_told_says_nothing() -> None:
    for told in ({"DOI": DOI, "status": "Unknown"}, {"DOI": DOI}, {"DOI": "10.5555/other"}):
        answer = ask_one(DoiOrg(), Way.DOI, _ASKED, Service(_agencies(told)))
        assert isinstance(answer, Unavailable)


def test_commas_inside_a_doi_are_encoded_and_those_between_are_not() -> None:
    service = Service(_agencies())
    questions = [Question("", doi="10.5555/a,b"), Question("", doi="10.5555/c")]
    look_up(DoiOrg(), Way.DOI, questions, service)
    assert service.requests[0].url == "https://doi.org/ra/10.5555/a%2Cb,10.5555/c"


def test_500_dois_are_few_requests() -> None:
    questions = [Question("", doi=f"10.5555/x.{number}") for number in range(500)]
    service = Service(_agencies(*({"DOI": q.doi or "", "RA": "Crossref"} for q in questions)))
    answers = look_up(DoiOrg(), Way.DOI, questions, service)
    assert answers == [Registered("Crossref")] * 500
    assert len(service.requests) == 5


def test_an_arxiv_id_is_asked_for_as_its_doi() -> None:
    told = {"DOI": "10.48550/arXiv.2101.00007", "RA": "DataCite"}
    service = Service(_agencies(told))
    question = Question("", arxiv="2101.00007")
    assert ask_one(DoiOrg(), Way.ARXIV, question, service) == Registered("DataCite")
    assert service.requests[0].url.endswith("/ra/10.48550/arxiv.2101.00007")
