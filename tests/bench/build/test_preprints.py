"""Are preprints known that no record of the index is?"""

from pathlib import Path

import pytest

from hallmark.bench.build.preprints import WithPreprints, preprint_of, read_preprints
from hallmark.errors import InputError
from tests.bench.build.little import POOL, preprints, published

PLANS = Path(__file__).resolve().parents[3] / "benchmarks" / "plans"


def test_a_published_record_with_an_arxiv_number_has_a_preprint_of_the_numbers_year() -> None:
    found = preprint_of(published(1, seed=1)[0])
    assert found is not None
    assert (found.preprint, found.year, found.venue_id, found.doi) == (True, 2019, "arxiv", None)
    assert preprint_of(found) is None
    assert preprint_of(published(2, seed=1)[1]) is None


def test_the_pool_finds_records_and_preprints_under_one_title() -> None:
    (more,) = preprints(1, seed=77)
    pool = WithPreprints(POOL, [more], whole_lists=False)
    assert list(pool.titled(more.title.upper())) == [more]
    with_number = published(1, seed=5)[0]
    assert [one.preprint for one in pool.titled(with_number.title)] == [False, True]
    assert pool.complete("icml", 2019) is None


def test_the_shipped_table_can_be_read_whole() -> None:
    rows = read_preprints(PLANS / "preprints.tsv")
    assert len({one.arxiv for one in rows}) == len(rows) > 40
    assert all(one.preprint and one.authors and one.year for one in rows)


@pytest.mark.parametrize("line", ["1901.00001\tA title", "none\tA title\tA B", "1901.00001\t\tA B"])
def test_a_broken_row_is_named_with_its_line(tmp_path: Path, line: str) -> None:
    table = tmp_path / "table.tsv"
    table.write_text(f"# comment\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2"):
        read_preprints(table)
