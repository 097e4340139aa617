"""Does each adapter read what the services really sent?"""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hallmark.records.answer import Absent, Answer, Found, Registered, Unavailable
from hallmark.records.source import Question
from hallmark.sources import arxiv, crossref, dblp, decode, europepmc, openalex, semanticscholar
from hallmark.sources.interface import Reply, Way
from hallmark.sources.specs import SOURCES
from hallmark.text import identifiers
from tests.sources.wire import Service, ask_one, look_up, versions

pytestmark = pytest.mark.shared_data


@pytest.fixture(scope="session")
def wire(shared: Path) -> Path:
    if not (shared / "wire").is_dir():
        pytest.skip("there are no recorded payloads")
    return shared / "wire"


def _recorded(path: Path) -> tuple[Reply, str]:
    """Return a recording as a reply, and the address that was asked."""
    body = path.read_bytes()
    if path.suffix == ".xml":
        return Reply(200, body), ""
    value: Any = json.loads(body)
    if "status_code" in value:
        return Reply(value["status_code"], value["body"].encode()), value["url"]
    if not {"request", "status"} <= set(value):
        return Reply(200, body), ""
    inner = value["body"]
    text = inner if isinstance(inner, str) else json.dumps(inner)
    return Reply(value["status"], text.encode()), value["request"]["uri"]


def _files(wire: Path, pattern: str) -> list[Path]:
    found = sorted(wire.glob(pattern))
    assert found, pattern
    return found


def _ask(name: str, way: Way, question: Question, reply: Reply) -> Answer:
    return ask_one(SOURCES.get(name)(None), way, question, Service(reply))


def _is_good(version: Any) -> bool:
    return all(name == name.strip() and name for name in version.authors)


def test_single_records_of_crossref_are_read(wire: Path) -> None:
    for path in [*_files(wire, "crossref-work-200-*"), *_files(wire, "crossref-message-*")]:
        reply, _ = _recorded(path)
        body = json.loads(reply.body) if reply.body[:1] == b"{" else None
        if body is None:
            question = Question("", doi="10.5555/with,comma")
            assert isinstance(_ask("crossref", Way.DOI, question, reply), Unavailable), path
            continue
        listed = Reply(200, json.dumps({"message": {"items": [body["message"]]}}).encode())
        doi = identifiers.doi(body["message"]["DOI"])
        (held,) = versions(_ask("crossref", Way.DOI, Question("", doi=doi), listed))
        assert held.title or held.kind == "component", path
        assert _is_good(held), path
        assert held.year is None or 1400 < held.year < 2100


def test_lists_of_crossref_are_read(wire: Path) -> None:
    files = [*_files(wire, "crossref-works-list-200-*"), *_files(wire, "crossref-search-200-*")]
    for path in files:
        reply, _ = _recorded(path)
        items = json.loads(reply.body)["message"].get("items")
        if items is None:
            answer = _ask("crossref", Way.TITLE, Question("A title"), reply)
            assert isinstance(answer, Unavailable), "an error came with status 200"
            continue
        titles = [title for item in items for title in item.get("title", [])[:1]]
        for title in titles:
            answer = _ask("crossref", Way.TITLE, Question(title), reply)
            assert isinstance(answer, Found), (path, title, answer)
        if not items:
            answer = _ask("crossref", Way.TITLE, Question("abs12032jsdafn"), reply)
            assert answer == Absent(("title",)), path


def test_a_list_that_is_gone_is_no_absence(wire: Path) -> None:
    reply, _ = _recorded(wire / "crossref-works-list-404-01.json")
    assert isinstance(_ask("crossref", Way.TITLE, Question("widget"), reply), Unavailable)
    reply, _ = _recorded(wire / "crossref-work-400-01.json")
    assert isinstance(
        _ask("crossref", Way.DOI, Question("", doi="10.1000/a,b"), reply), Unavailable
    )


def test_an_unknown_doi_is_absent_from_crossref(wire: Path) -> None:
    reply, _ = _recorded(wire / "crossref-work-404-01.json")
    assert _ask("crossref", Way.DOI, Question("", doi="10.1371/not,a"), reply) == Absent(("doi",))


@pytest.mark.parametrize("kind", ["agency", "transform"])
def test_other_end_points_of_crossref_are_never_absences(wire: Path, kind: str) -> None:
    for path in _files(wire, f"crossref-{kind}-*"):
        reply, _ = _recorded(path)
        if reply.status == 404:
            continue
        answer = _ask("crossref", Way.TITLE, Question("A title of some length"), reply)
        assert isinstance(answer, Unavailable), path


def test_records_of_datacite_are_read(wire: Path) -> None:
    for path in _files(wire, "datacite-dois-200-0*"):
        reply, _ = _recorded(path)
        data = json.loads(reply.body)["data"]
        listed = Reply(200, json.dumps({"data": [data], "meta": {"total": 1}}).encode())
        doi = identifiers.doi(data["attributes"]["doi"])
        (held,) = versions(_ask("datacite", Way.DOI, Question("", doi=doi), listed))
        assert held.title, path
        assert _is_good(held), path
        assert held.year, path
        one = _ask("datacite", Way.DOI, Question("", doi=doi), reply)
        assert isinstance(one, Unavailable), "a single record is no list"


def test_what_is_no_list_of_datacite_is_no_absence(wire: Path) -> None:
    reply, _ = _recorded(wire / "datacite-dois-200-10.json")
    answer = _ask("datacite", Way.DOI, Question("", doi="10.5281/zenodo.1"), reply)
    assert isinstance(answer, Unavailable)


def test_agencies_and_pages_of_the_resolver(wire: Path) -> None:
    reply, _ = _recorded(wire / "doi-negotiation-200-01.json")
    told = decode.json_as(list[Any], reply)
    assert isinstance(told, list)
    told[0]["DOI"] = "10.1045/january2017-burton"
    asked = Question("", doi="10.1045/january2017-burton")
    good = Reply(200, json.dumps(told).encode())
    assert _ask("doi_org", Way.DOI, asked, good) == Registered("Crossref")
    for path in _files(wire, "doi-negotiation-[34]*"):
        reply, _ = _recorded(path)
        assert isinstance(_ask("doi_org", Way.DOI, asked, reply), Unavailable), path


def test_works_of_openalex_are_read(wire: Path) -> None:
    for path in [*_files(wire, "openalex-works-200-*"), *_files(wire, "openalex-search-*")]:
        reply, _ = _recorded(path)
        value = json.loads(reply.body)
        for item in value.get("results", [value]):
            if "id" not in item:
                continue
            record = msgspec.json.decode(json.dumps(item), type=openalex.Record)
            held = openalex.versions(record)
            assert 1 <= len(held) <= 2
            assert _is_good(held[0]), path
            if item["title"]:
                listed = Reply(200, json.dumps({"results": [item]}).encode())
                answer = _ask("openalex", Way.TITLE, Question(item["title"]), listed)
                assert isinstance(answer, Found), path


def test_an_unknown_doi_is_absent_from_openalex(wire: Path) -> None:
    reply, _ = _recorded(wire / "openalex-works-404-01.json")
    assert _ask("openalex", Way.DOI, Question("", doi="10.1046/a,b"), reply) == Absent(("doi",))
    assert isinstance(_ask("openalex", Way.DOI, Question("", doi="10.1046/ab"), reply), Unavailable)


def test_hits_of_dblp_are_read(wire: Path) -> None:
    reply, _ = _recorded(wire / "dblp-search-200-01.xml")
    title = "Leveraging Relation Attention Mechanisms for Enhanced Knowledge Graph Completion"
    held = versions(_ask("dblp", Way.TITLE, Question(title), reply))
    assert [one.dblp for one in held] == ["journals/sis/ShiLZYL25", "journals/sis/ShiLZYL25a"]
    assert held[0].authors[0] == "Jiahao Shi"
    assert held[0].doi == "10.4108/eetsis.9117"
    assert held[0].venue == "EAI Endorsed Trans. Scalable Inf. Syst."
    assert dblp.SPEC.name == held[0].collection


def test_papers_of_semantic_scholar_are_read(wire: Path) -> None:
    for path in _files(wire, "semanticscholar-match-200-*"):
        reply, _ = _recorded(path)
        items = json.loads(reply.body)["data"]
        title = items[0]["title"] if items else "empty results edge case query"
        answer = _ask("semanticscholar", Way.TITLE, Question(title), reply)
        assert isinstance(answer, Found) if items else answer == Absent(("title",)), path
    reply, _ = _recorded(wire / "semanticscholar-match-404-01.json")
    assert _ask("semanticscholar", Way.TITLE, Question("abs"), reply) == Absent(("title",))
    reply, _ = _recorded(wire / "semanticscholar-paper-404-01.json")
    assert isinstance(_ask("semanticscholar", Way.TITLE, Question("abs"), reply), Unavailable)


def test_batches_of_semantic_scholar_are_read(wire: Path) -> None:
    reply, _ = _recorded(wire / "semanticscholar-batch-200-02.json")
    items = json.loads(reply.body)
    questions = [Question("", doi=f"10.1000/{number}") for number in range(len(items))]
    source = semanticscholar.SemanticScholar()
    service = Service(reply)
    answers = look_up(source, Way.DOI, questions, service)
    assert [isinstance(one, Found) for one in answers] == [one is not None for one in items]
    assert Absent(("doi",)) in answers
    for kind in ("author", "search", "paper"):
        for path in _files(wire, f"semanticscholar-{kind}-200-*"):
            other, _ = _recorded(path)
            answer = _ask("semanticscholar", Way.DOI, questions[0], other)
            assert isinstance(answer, Unavailable), path


def test_entries_of_arxiv_are_read(wire: Path) -> None:
    known = {
        "1605.08386": ("Heat-bath random walks with Markov bases", 2016),
        "1707.08567": ("Proceedings of Workshop AEW10: Concepts in Information Theory", 2017),
        "astro-ph/0601001": ("Frequency of Hot Jupiters and Very Hot Jupiters", 2006),
        "quant-ph/0201082": ("Quantum Computers and Quantum Computer Languages", 2002),
        "2104.12255": ("0", 2021),
    }
    found = set()
    for path in _files(wire, "arxiv-id_*"):
        reply, _ = _recorded(path)
        for arxiv_id, (title, year) in known.items():
            if arxiv_id.replace("/", "_") in path.name:
                (held,) = versions(_ask("arxiv", Way.ARXIV, Question("", arxiv=arxiv_id), reply))
                assert held.title.startswith(title)
                assert held.year == year
                assert held.authors
                found.add(arxiv_id)
    assert found == set(known)


def test_ids_that_arxiv_does_not_know_are_absent(wire: Path) -> None:
    reply, _ = _recorded(wire / "arxiv-id_0808.05394_1707.08567-200.json")
    question = Question("", arxiv="0808.0539")
    assert _ask("arxiv", Way.ARXIV, question, reply) == Absent(("arxiv",))
    reply, _ = _recorded(wire / "arxiv-id_abc-200.json")
    feed = arxiv.read_feed(reply)
    assert isinstance(feed, arxiv.Feed)
    assert feed.error == "incorrect id format for abc"
    harvested, _ = _recorded(wire / "arxiv-oai-200-01.xml")
    assert isinstance(_ask("arxiv", Way.ARXIV, question, harvested), Unavailable)


def test_a_search_of_arxiv_returns_only_near_titles(wire: Path) -> None:
    reply, _ = _recorded(wire / "arxiv-search-200-01.xml")
    title = "Synthesis of Mechanism for single- and hybrid-tasks using Differential Evolution"
    held = versions(_ask("arxiv", Way.TITLE, Question(title), reply))
    assert [one.arxiv for one in held] == ["1102.2017", "1112.2954"], "one more is nearly alike"
    assert _ask("arxiv", Way.TITLE, Question("Attention"), reply) == Absent(("title",))


def test_records_of_europe_pmc_are_read(wire: Path) -> None:
    reply, _ = _recorded(wire / "europepmc-search-200-01.json")
    title = "Object tracking algorithm based on deformable attention mechanism"
    (held,) = versions(_ask("europepmc", Way.TITLE, Question(title), reply))
    assert held.title == title
    assert held.authors == ("Qiaoling Liu", "Na Yu", "Jinfu Cheng")
    assert held.venue_raw == "Scientific reports"
    assert held.year == 2026
    assert europepmc.SPEC.name == held.collection


def test_records_of_pubmed_are_read(wire: Path) -> None:
    reply, _ = _recorded(wire / "pubmed-efetch-200-01.xml")
    (held,) = versions(_ask("pubmed", Way.PMID, Question("", pmid="41884867"), reply))
    assert held.authors[0] == "Giorgia Parisi"
    assert held.doi == "10.1162/imag.a.1176"
    assert held.year == 2026
    reply, _ = _recorded(wire / "pubmed-efetch-200-02.xml")
    (held,) = versions(_ask("pubmed", Way.PMID, Question("", pmid="29768149"), reply))
    assert held.doi == "10.1056/nejmoa1715274"
    assert held.year == 2018
    assert not held.notices


def test_preprints_of_biorxiv_are_read(wire: Path) -> None:
    reply, _ = _recorded(wire / "biorxiv-details-200-01.json")
    (held,) = versions(_ask("biorxiv", Way.DOI, Question("", doi="10.1101/060400"), reply))
    assert held.published_as == "10.1371/journal.pone.0307156"
    assert held.authors[:2] == ("P. Cardoso", "M. A. Arnedo")
    other = Question("", doi="10.1101/2099.01.01.1")
    assert isinstance(_ask("biorxiv", Way.DOI, other, reply), Unavailable)


def test_a_refusal_is_no_answer(wire: Path) -> None:
    reply, _ = _recorded(wire / "semanticscholar-batch-403-01.json")
    answer = _ask("semanticscholar", Way.DOI, Question("", doi="10.1000/1"), reply)
    assert answer == Unavailable("It answered with status 403.")
    assert crossref.SPEC.registry_of == ("Crossref",)
