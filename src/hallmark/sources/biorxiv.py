"""How are bioRxiv and medRxiv asked, and how are their preprints read?

API as documented at https://api.biorxiv.org: one preprint a request, with one item for each of its
versions. Both servers share a DOI prefix, so that the second is asked where the first has none.
"""

from collections.abc import Sequence
from urllib.parse import quote

from msgspec import Struct

from hallmark.records.answer import Answer, Unavailable
from hallmark.records.reference import Kind
from hallmark.records.source import Question
from hallmark.records.work import Notice, Version
from hallmark.sources import asking, decode, identify, people
from hallmark.sources.asking import Held
from hallmark.sources.interface import Ask, Rate, Request, SourceSpec, Way
from hallmark.text import clean, identifiers

SPEC = SourceSpec(
    name="biorxiv",
    title="bioRxiv and medRxiv",
    base="https://api.biorxiv.org",
    rate=Rate(1),
    ways=(Way.DOI,),
    batch={"doi": 1},
    kinds=frozenset({Kind.PREPRINT}),
    fields=("biology", "medicine"),
    sends="DOIs of preprints (10.1101, 10.64898)",
    homepage="https://api.biorxiv.org",
    covers="its own preprints, with all versions and the article that each became",
    quirks=(
        "No batches: one request for each preprint, two where it is on medRxiv.",
        "Every version is an item of its own; title and authors may differ between them.",
        "Names are `Family, A. B.` joined by semicolons.",
        "That there is no article is written `NA`.",
        "The prefix 10.1101 is also that of journals, whose DOIs it does not hold.",
    ),
    facts_as_of="2026-12",
)

SERVERS = ("biorxiv", "medrxiv")
PREFIXES = ("10.1101/", "10.64898/")
_NONE = frozenset({"no posts found", "no articles found"})


class Item(Struct):
    """One version of one preprint, as far as it is needed."""

    doi: str
    title: str | None = None
    authors: str | None = None
    date: str | None = None
    version: str | int | None = None
    type: str | None = None
    published: str | None = None
    server: str | None = None


class Message(Struct):
    """Whether the server has anything."""

    status: str | None = None


class Details(Struct):
    """An answer: the versions of a preprint, or a message that there is none."""

    messages: list[Message]
    collection: list[Item] | None = None


class Biorxiv:
    """bioRxiv and medRxiv, asked by DOI, one preprint at a time."""

    def __init__(self, spec: SourceSpec = SPEC) -> None:
        self.spec = spec

    async def look_up(self, way: Way, questions: Sequence[Question], ask: Ask) -> list[Answer]:
        """Answer every question, in order."""
        if way is not Way.DOI:
            return asking.not_asked(questions)
        return await asking.by_identifier(
            questions, _preprint, lambda dois: self._details(dois[0], ask), way="doi", size=1
        )

    async def _details(self, doi: str, ask: Ask) -> Held | Unavailable:
        for server in SERVERS:
            url = f"{self.spec.base}/details/{server}/{quote(doi, safe='/')}"
            details = decode.json_as(Details, await ask(Request(self.spec.name, url)))
            if isinstance(details, Unavailable):
                return details
            status = clean.field(details.messages[0].status).lower() if details.messages else ""
            items = [one for one in details.collection or () if identifiers.doi(one.doi) == doi]
            if items:
                return Held({doi: [preprint(items, doi, server)]})
            if status not in _NONE or details.collection:
                return Unavailable(f"It answered with other preprints, and {status or 'nothing'}.")
        return Held()


def _preprint(question: Question) -> str | None:
    doi = identify.doi(question) or ""
    return doi if doi.startswith(PREFIXES) else None


def preprint(items: Sequence[Item], doi: str, server: str) -> Version:
    """Return a preprint with what all its versions say, in the order of their numbers."""
    ordered = sorted(items, key=_number)
    last = ordered[-1]
    found = [year for one in ordered if (year := clean.year(one.date)) is not None]
    texts = [clean.line(one.title)[: clean.MAX_TITLE] for one in ordered]
    others = dict.fromkeys(text for text in texts if text and text != texts[-1])
    authors, cut = clean.people(_names(last))
    published = clean.field(last.published)
    withdrawn = "withdraw" in clean.field(last.type).lower()
    name = clean.field(last.server) or server
    return Version(
        collection=SPEC.name,
        title=texts[-1],
        authors=authors,
        origin=f"{server}:{doi}",
        authors_truncated=cut,
        title_others=tuple(others),
        venue=name,
        venue_raw=name,
        preprint=True,
        year=found[-1] if found else None,
        years=tuple(dict.fromkeys(year for year in found if year != found[-1])),
        doi=doi,
        url=f"https://doi.org/{doi}",
        kind="preprint",
        retracted=withdrawn,
        notices=(Notice("withdrawal", source=SPEC.name),) if withdrawn else (),
        published_as=identifiers.doi(published),
    )


def _number(item: Item) -> int:
    number = str(item.version or "")
    return int(number) if number.isdecimal() and len(number) < _MOST_DIGITS else 0


_MOST_DIGITS = 6


def _names(item: Item) -> list[str]:
    listed = (item.authors or "").split(";")
    return [people.turned(clean.field(name)) for name in listed]
