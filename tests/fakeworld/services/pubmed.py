"""What would PubMed's E-utilities answer?"""

import re
from xml.sax.saxutils import escape

from hallmark.text.names import PersonName
from tests.fakeworld.library import Holding, Library, words
from tests.fakeworld.wire import NOT_FOUND, XML, Answer, Call, as_json, as_text, family, initials

_DOI = re.compile(r'"([^"]*)"\[doi\]')
_TITLE = re.compile(r"(\S+)\[Title\]")
_REFS = {"retraction": "RetractionIn", "concern": "ExpressionOfConcernIn"}
_HEAD = """<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" \
"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">
<PubmedArticleSet>
"""


def answer(library: Library, call: Call) -> Answer:
    """Answer a search or a fetch."""
    match call.steps:
        case ["esearch.fcgi"]:
            return _search(library, call)
        case ["efetch.fcgi"]:
            ids = call.params.get("id", "").split(",")
            found = [one for pmid in ids for one in library.pmid(pmid)[:1]]
            text = _HEAD + "".join(map(article, found)) + "</PubmedArticleSet>\n"
            return as_text(text, content_type=XML)
        case _:
            return NOT_FOUND


def _search(library: Library, call: Call) -> Answer:
    term = call.params.get("term", "")
    found: dict[str, Holding] = {}
    for doi in _DOI.findall(term):
        found.update((one.pmid, one) for one in library.doi(doi)[:1])
    for group in term.split(") OR ("):
        if terms := [word for one in _TITLE.findall(group) for word in words(one)]:
            found.update((one.pmid, one) for one in library.with_all(terms))
    if call.params.get("datetype") == "pdat":
        first, last = (int(call.params[name][:4]) for name in ("mindate", "maxdate"))
        found = {one.pmid: one for one in library.holdings if first <= one.year <= last}
    ids = [pmid for pmid, one in found.items() if not one.version.preprint]
    most, start = call.number("retmax", 20), call.number("retstart", 0)
    result = {
        "count": str(len(ids)),
        "retmax": str(min(most, len(ids))),
        "retstart": str(start),
        "idlist": ids[start : start + most],
        "translationset": [],
        "querytranslation": term,
    }
    return as_json({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result})


def article(one: Holding) -> str:
    """Return a record as PubMed writes it."""
    version = one.version
    kinds = ["Journal Article", *(["Retracted Publication"] if version.retracted else [])]
    types = "".join(f'<PublicationType UI="D016428">{kind}</PublicationType>' for kind in kinds)
    people = "".join(map(_author, one.people))
    doi = escape(version.doi or "")
    return f"""<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM">\
<PMID Version="1">{one.pmid}</PMID>\
<DateRevised><Year>2026</Year><Month>01</Month><Day>01</Day></DateRevised>\
<Article PubModel="Print"><Journal><ISSN IssnType="Electronic">0000-0000</ISSN>\
<JournalIssue CitedMedium="Internet"><Volume>1</Volume><PubDate><Year>{one.year}</Year></PubDate>\
</JournalIssue><Title>{escape(one.venue)}</Title>\
<ISOAbbreviation>{escape(version.venue)}</ISOAbbreviation></Journal>\
<ArticleTitle>{escape(version.title)}.</ArticleTitle>\
<ELocationID EIdType="doi" ValidYN="Y">{doi}</ELocationID>\
<AuthorList CompleteYN="{"N" if version.authors_truncated else "Y"}">{people}</AuthorList>\
<Language>eng</Language><PublicationTypeList>{types}</PublicationTypeList></Article>\
{_comments(one)}</MedlineCitation><PubmedData><PublicationStatus>ppublish</PublicationStatus>\
<ArticleIdList><ArticleId IdType="pubmed">{one.pmid}</ArticleId>\
<ArticleId IdType="doi">{doi}</ArticleId></ArticleIdList></PubmedData></PubmedArticle>
"""


def _author(name: PersonName) -> str:
    if name.literal:
        return (
            f'<Author ValidYN="Y"><CollectiveName>{escape(name.literal)}</CollectiveName></Author>'
        )
    return (
        f'<Author ValidYN="Y"><LastName>{escape(family(name))}</LastName>'
        f"<ForeName>{escape(name.given)}</ForeName>"
        f"<Initials>{escape(initials(name))}</Initials></Author>"
    )


def _comments(one: Holding) -> str:
    told = "".join(
        f'<CommentsCorrections RefType="{_REFS.get(note.kind, "ErratumIn")}">'
        f"<RefSource>J Fake. {note.date[:4]};1:1. doi: {escape(note.doi)}</RefSource>"
        f'<PMID Version="1">{40_000_000 + one.number}</PMID></CommentsCorrections>'
        for note in one.version.notices
    )
    return f"<CommentsCorrectionsList>{told}</CommentsCorrectionsList>" if told else ""
