"""Which works exist in the fake world of the tests?"""

from hallmark.records.work import Notice, Version
from tests.fakeworld.library import Holding, holdings_of

JOURNAL = Version(
    collection="world",
    title="Tidal Memory: A Theory of Slow Networks & Their Öscillations",
    authors=("Ada Fenwick", "Zoë van der Abel", "Ursula K. Le Strand"),
    venue="J. Tides",
    venue_raw="Journal of Tides",
    year=2021,
    doi="10.5555/tides.2021.7",
    kind="article",
)
MEETING = Version(
    collection="world",
    title="Counting Waves in Shallow Water Without Supervision",
    authors=("Bo Lindqvist", "Chen Wei"),
    venue="INVENT",
    venue_raw="Conference on Invention",
    year=2024,
    url="https://invent.example/waves",
    kind="inproceedings",
)
EARLY_MEETING = Version(
    collection="world",
    title="Early Waves Are Counted Twice by Every Harbour",
    authors=("Bo Lindqvist",),
    venue="INVENT",
    venue_raw="Conference on Invention",
    year=2021,
    kind="inproceedings",
)
PREPRINT = Version(
    collection="world",
    title="Harbours as Kernels for Stationary Ships",
    authors=("Chen Wei", "Ada Fenwick"),
    venue="arXiv",
    preprint=True,
    year=2021,
    doi="10.48550/arxiv.2101.00007",
    arxiv="2101.00007",
    published_as="10.5555/harbours.2022.1",
    kind="preprint",
)
BIOLOGY = Version(
    collection="world",
    title="Spring Tides Delay the Song of Shore Larks",
    authors=("Dora Meinhardt", "Eli Ng"),
    venue="bioRxiv",
    preprint=True,
    year=2020,
    doi="10.1101/2020.12.30.424242",
    kind="preprint",
)
LANGUAGE = Version(
    collection="world",
    title="Parsing the Talk of Sailors in Low Light",
    authors=("Fay Ibrahim", "José García"),
    venue="ACL",
    venue_raw="Proceedings of the Annual Meeting of the Association for Computational Linguistics",
    year=2021,
    doi="10.18653/v1/2021.invent-long.7",
    kind="inproceedings",
)
RETRACTED = Version(
    collection="world",
    title="Cold Lamps Cure Seasickness in Young Captains",
    authors=("Gus Orlov",),
    venue="J. Lamps",
    venue_raw="Journal of Lamps",
    year=2018,
    doi="10.5555/lamps.2018.3",
    kind="article",
    retracted=True,
    notices=(Notice("retraction", "2020-05-03", "10.5555/lamps.notice", "world"),),
)
BOOK = Version(
    collection="world",
    title="The Handbook of Quiet Harbours",
    authors=("Hanna Quist",),
    venue="Quay Press",
    venue_raw="Quay Press",
    year=1999,
    kind="book",
)

VERSIONS = (JOURNAL, MEETING, EARLY_MEETING, PREPRINT, BIOLOGY, LANGUAGE, RETRACTED, BOOK)


def holdings() -> dict[str, Holding]:
    """Return the records by their titles, with the identifiers that services make up."""
    return {one.version.title: one for one in holdings_of(VERSIONS)}
