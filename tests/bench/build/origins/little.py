"""A few real works to compare cases with."""

from hallmark.bench.build.origins.library import ListLibrary
from hallmark.records.work import Version

WEAVING = Version(
    collection="little",
    title="Weaving Numbers with Punched Cards and Patience",
    authors=("Ada Lovelace", "Charles Babbage", "Konrad Zuse"),
    venue="NeurIPS",
    venue_raw="NeurIPS",
    venue_id="neurips",
    year=2021,
    doi="10.1000/weaving",
    kind="inproceedings",
)
KNITTING = Version(
    collection="little",
    title="Knitting Logic Gates from Copper Threads",
    authors=("Grace Hopper", "Edith Clarke"),
    venue="ICML",
    venue_raw="ICML",
    venue_id="icml",
    year=2022,
    doi="10.1000/knitting",
    kind="inproceedings",
)
DRAFT = Version(
    collection="little",
    title="Notes Toward a Theory of Unfinished Engines",
    authors=("Mary Somerville", "Ada Lovelace"),
    venue="arXiv",
    venue_raw="arXiv",
    venue_id="arxiv",
    preprint=True,
    year=2021,
    arxiv="2101.00001",
)
LIBRARY = ListLibrary((WEAVING, KNITTING, DRAFT))
DATE = "2026-12-02"
