"""Retractions from end to end: marks in titles, notices in a table, works that only talk of them."""

from pathlib import Path

import pytest

from hallmark.index import LocalIndex, open_index
from hallmark.index.build import add_notices
from tests.verifier.library import check, library, record

BIB = """
@article{reef, author={Okafor, N. and Lind, P. and others},
  title={Coral Growth Under Warming in Shallow Lagoons}, journal={Journal of Marine Examples},
  year={2015}, doi={10.5555/reef}}
@article{notice, author={Baker, Ines}, title={Retraction of an Earlier Article},
  journal={Journal of Marine Examples}, year={2017}, doi={10.5555/notice}}
@article{about, author={Novak, Jan}, title={Retracted Articles and Their Later Citations},
  journal={Journal of Marine Examples}, year={2018}, doi={10.5555/about}}
@article{unknown, author={Nobody, Anna}, title={An Article That No Index Holds At All},
  journal={Annals of Nowhere}, year={2012}, doi={10.5555/unknown}}
@article{preprint, author={Abe, Rin}, title={Deep Currents and How to Draw Them},
  journal={bioRxiv}, year={2020}, doi={10.5555/preprint}}
@article{back, author={Sato, Mai}, title={Kelp Forests After the Long Winter},
  journal={Journal of Marine Examples}, year={2016}, doi={10.5555/back}}
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> LocalIndex:
    folder = tmp_path_factory.mktemp("retractions")
    journal = "Journal of Marine Examples"
    rows = [
        record("RETRACTED: Coral Growth Under Warming in Shallow Lagoons",
               "Ngozi Okafor; Peter Lind; Ada Moss", journal, 2015, doi="10.5555/reef"),
        record("Retraction of an Earlier Article", "Ines Baker", journal, 2017, doi="10.5555/notice"),
        record("Retracted Articles and Their Later Citations", "Jan Novak", journal, 2018, doi="10.5555/about"),
        record("Deep Currents and How to Draw Them", "Rin Abe", "bioRxiv", 2020, doi="10.5555/preprint"),
        record("Deep Currents and How to Draw Them", "Rin Abe", journal, 2021, doi="10.5555/published"),
        record("Kelp Forests After the Long Winter", "Mai Sato", journal, 2016, doi="10.5555/back"),
    ]  # fmt: skip
    library(folder, rows)
    path = folder / "rw.csv"
    path.write_text(
        "RetractionDate,RetractionDOI,OriginalPaperDOI,RetractionNature\n"
        "2/1/2017 0:00,10.5555/notice,10.5555/reef,Retraction\n"
        "3/4/2013 0:00,,10.5555/unknown,Expression of concern\n"
        "6/5/2022 0:00,10.5555/n2,10.5555/published,Retraction\n"
        "1/1/2017 0:00,,10.5555/back,Retraction\n"
        "1/1/2019 0:00,,10.5555/back,Reinstatement\n"
    )
    add_notices(folder / "index", path)
    return open_index(folder / "index")


def test_each_kind_of_case_is_told_as_it_is(tmp_path: Path, index: LocalIndex) -> None:
    results = {one.key: one for one in check(tmp_path, index, BIB)}
    told = {
        key: {
            (one.code, one.message)
            for one in result.verdict.findings
            if one.code.startswith("HM30") and one.code > "HM304"
        }
        for key, result in results.items()
    }
    assert told == {
        "reef": {
            ("HM305", "The work (as 10.5555/reef) was retracted on 2017-02-01 by 10.5555/notice.")
        },
        "notice": {("HM309", "The DOI is that of a retraction of another work, of 2017-02-01.")},
        "about": set(),
        "unknown": {("HM306", "The work is under an expression of concern on 2013-03-04.")},
        "preprint": {
            ("HM305", "The work (as 10.5555/published) was retracted on 2022-06-05 by 10.5555/n2.")
        },
        "back": set(),
    }
    assert results["reef"].status == results["about"].status == "verified"
    assert results["notice"].status == results["back"].status == "verified"
    assert not [one for one in results.values() if one.status in {"contradicted", "not_found"}]
