"""Is a table of retractions read, kept in the index, and told by any version's DOI?"""

import csv
import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.errors import IndexDamaged, IndexMissing, InputError, SourceProblem
from hallmark.index import open_index, schema
from hallmark.index.build import add, add_notices, build
from hallmark.index.loaders.opening import Silent
from hallmark.index.notice_file import NoticeRow, read_table
from hallmark.index.notices import standing
from hallmark.index.source import LocalIndex, verify_index
from hallmark.records.answer import Found
from hallmark.records.source import Question
from hallmark.records.work import Notice
from tests.index.helpers import record, write_records

COLUMNS = (
    "Record ID,Title,Subject,Institution,Journal,Publisher,Country,Author,URLS,ArticleType,"
    "RetractionDate,RetractionDOI,RetractionPubMedID,OriginalPaperDate,OriginalPaperDOI,"
    "OriginalPaperPubMedID,RetractionNature,Reason,Paywalled,Notes"
).split(",")


def table(path: Path, *rows: dict[str, str]) -> Path:
    """Write a table with all public columns; what a row does not name is empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, restval="")
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(text.getvalue(), encoding="utf-8")
    return path


def row(
    doi: str, nature: str = "Retraction", day: str = "", own: str = "", **more: str
) -> dict[str, str]:
    return {
        "OriginalPaperDOI": doi,
        "RetractionNature": nature,
        "RetractionDate": day,
        "RetractionDOI": own,
        **more,
    }


def rows_of(path: Path) -> tuple[NoticeRow, ...]:
    return read_table(path, Silent()).rows


def test_a_full_table_is_read(tmp_path: Path) -> None:
    path = table(
        tmp_path / "rw.csv",
        row("10.1000/A", day="1/29/2024 0:00", own="10.1000/n", Author="A;B\nC", Notes='"x", y'),
        row("https://doi.org/10.1000/b", "Expression of concern", "12/5/2019 0:00"),
        row("unavailable", "Correction", "2021-03", OriginalPaperPubMedID="123"),
        row("10.1000/c", "Reinstatement", "31/12/2020", own="Unavailable"),
    )
    assert rows_of(path) == (
        NoticeRow("doi:10.1000/a", "2024-01-29", "retraction", "10.1000/n"),
        NoticeRow("doi:10.1000/b", "2019-12-05", "concern", ""),
        NoticeRow("doi:10.1000/c", "2020-12-31", "reinstatement", ""),
        NoticeRow("pmid:123", "2021-03", "correction", ""),
    )


def test_a_reduced_table_is_read_packed_or_not(tmp_path: Path) -> None:
    text = "doi,nature\n10.1000/a,Retraction;Expression of concern\n10.1000/b,Correction\n"
    plain, packed = tmp_path / "r.csv", tmp_path / "r.csv.gz"
    plain.write_text(f"\ufeff{text}", encoding="utf-8")
    packed.write_bytes(gzip.compress(text.encode()))
    assert rows_of(plain) == rows_of(packed)
    assert [(one.id, one.kind) for one in rows_of(plain)] == [
        ("doi:10.1000/a", "concern"),
        ("doi:10.1000/a", "retraction"),
        ("doi:10.1000/b", "correction"),
    ]


def test_rows_that_say_nothing_are_counted(tmp_path: Path) -> None:
    path = table(tmp_path / "rw.csv", row("10.1000/a"), row("none"), row("10.1000/b", "Praise"))
    assert read_table(path, Silent()).skipped == {
        "no DOI or PubMed id of the work": 1,
        "no notice of a known nature": 1,
    }


@pytest.mark.parametrize("day", ["13/13/2020", "2/30/2021", "0/0/0000", "soon", "", "99"])
def test_a_day_that_is_none_is_left_out(tmp_path: Path, day: str) -> None:
    assert rows_of(table(tmp_path / "rw.csv", row("10.1000/a", day=day)))[0].date == ""


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no table of retractions"),
        (b"name,age\nAda,36\n", "no table of retractions"),
        (b"%PDF-1.7\n\x80\x81\n", "no table of retractions"),
        (b"doi,nature\n", "holds no notice"),
        (b"doi,nature\nnone,Retraction\n", "holds no notice"),
        ("doi,nature\n10.1000/a,Retraction\n".encode("utf-16"), "NUL characters"),
        (b'doi,nature\n10.1000/a,"' + b"x\n" * 600_000, "no sound CSV|never closed"),
        (b"doi,nature\n" + b"x" * 1_100_000, "more than 1,048,576 characters"),
    ],
)
def test_what_is_no_such_table_is_told_in_one_sentence(
    tmp_path: Path, content: bytes, words: str
) -> None:
    path = tmp_path / "rw.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words) as told:
        read_table(path, Silent())
    assert "rw.csv" in str(told.value)


def test_bytes_in_another_encoding_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "rw.csv"
    path.write_bytes(b"Title,OriginalPaperDOI,RetractionNature\n\xe9t\xe9,10.1000/a,Retraction\n")
    assert [one.id for one in rows_of(path)] == ["doi:10.1000/a"]


def test_a_cut_or_missing_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "rw.csv.gz"
    path.write_bytes(gzip.compress(b"doi,nature\n" + b"10.1000/a,Retraction\n" * 9999)[:-20])
    with pytest.raises(SourceProblem, match="cut or damaged"):
        read_table(path, Silent())
    with pytest.raises(InputError, match="There is no file"):
        read_table(tmp_path / "none.csv", Silent())


CELLS = st.text(st.characters(codec="utf-8"), max_size=12)
ROWS = st.lists(st.lists(CELLS, max_size=4), max_size=5)


@given(ROWS)
def test_whatever_cells_hold_a_table_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]]
) -> None:
    path = tmp_path_factory.mktemp("t") / "rw.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["doi", "nature", "x"], ["10.1000/a", "Retraction"], *rows])
    try:
        found = rows_of(path)
    except InputError:
        return
    assert any(one.id == "doi:10.1000/a" for one in found)


def notice(kind: str, day: str = "") -> NoticeRow:
    return NoticeRow("doi:10.1000/a", day, kind, "")


def kinds(*rows: NoticeRow) -> set[tuple[str, str]]:
    return {(one.kind, one.date) for one in standing(rows)}


def test_a_reinstated_work_is_not_retracted() -> None:
    back = notice("reinstatement", "2021-01-01")
    assert kinds(notice("retraction", "2020-01-01"), back) == {("reinstatement", "2021-01-01")}
    assert kinds(notice("retraction"), notice("reinstatement")) == {("reinstatement", "")}
    assert ("retraction", "2022-05-01") in kinds(notice("retraction", "2022-05-01"), back)
    assert ("correction", "2020-01-01") in kinds(notice("correction", "2020-01-01"), back)


def test_a_reinstatement_concerns_its_own_work_only() -> None:
    other = NoticeRow("doi:10.1000/b", "", "retraction", "")
    assert other in set(standing([other, notice("reinstatement")]))


@pytest.fixture
def built(tmp_path: Path) -> Path:
    rows = [
        record("A Retracted Study of Reefs", doi="10.1000/a", year=2020),
        record("A Sound Study of Reefs", doi="10.1000/z", year=2020),
    ]
    build(tmp_path / "idx", [str(write_records(tmp_path / "made.jsonl", rows))])
    return tmp_path / "idx"


def found(index: LocalIndex, doi: str) -> tuple[bool, tuple[Notice, ...]]:
    answer = index.look_up(Question("", doi=doi))
    assert isinstance(answer, Found)
    return answer.versions[0].retracted, answer.versions[0].notices


def test_records_bear_the_notices_about_them(tmp_path: Path, built: Path) -> None:
    path = table(tmp_path / "rw.csv", row("10.1000/a", day="5/3/2021 0:00", own="10.1000/n"))
    before = open_index(built).info().digest
    add_notices(built, path)
    index = open_index(built)
    told = Notice("retraction", "2021-05-03", "10.1000/n", "retraction-watch")
    assert found(index, "10.1000/a") == (True, (told,))
    assert found(index, "10.1000/z") == (False, ())
    assert index.info().digest != before
    assert index.records == 2
    verify_index(built)


def test_notices_are_known_without_a_record(tmp_path: Path, built: Path) -> None:
    path = table(
        tmp_path / "rw.csv",
        row("10.1000/q", "Expression of concern", own="10.1000/n", OriginalPaperPubMedID="77"),
    )
    add_notices(built, path)
    index = open_index(built)
    about, own = index.notices(Question("", doi="10.1000/q"))
    assert ([one.kind for one in about], own) == (["concern"], None)
    assert [one.kind for one in index.notices(Question("", pmid="77"))[0]] == ["concern"]
    about, own = index.notices(Question("", doi="10.1000/n"))
    assert about == ()
    assert own is not None
    assert own.kind == "concern"
    assert index.notices(Question("")) == ((), None)


def test_a_notice_under_the_works_own_doi_is_no_notice_of_another(
    tmp_path: Path, built: Path
) -> None:
    add_notices(built, table(tmp_path / "rw.csv", row("10.1000/a", own="10.1000/a")))
    about, own = open_index(built).notices(Question("", doi="10.1000/a"))
    assert len(about) == 1
    assert own is None


def test_a_newer_table_replaces_the_older_and_records_can_still_be_added(
    tmp_path: Path, built: Path
) -> None:
    add_notices(built, table(tmp_path / "old.csv", row("10.1000/a")))
    add_notices(built, table(tmp_path / "new.csv", row("10.1000/z")))
    add(built, [str(write_records(tmp_path / "more.jsonl", [record("A Third Study of Reefs")]))])
    index = open_index(built)
    assert found(index, "10.1000/a") == (False, ())
    assert found(index, "10.1000/z")[0]
    assert index.records == 3
    assert [one.format for one in index.info().sources].count("retractions") == 1
    assert index.as_of == open_index(built).as_of
    verify_index(built)


def test_the_same_table_gives_the_same_digest(tmp_path: Path, built: Path) -> None:
    path = table(tmp_path / "rw.csv", row("10.1000/a"), row("10.1000/b"))
    one = add_notices(built, path).digest
    assert add_notices(built, path).digest == one


def test_a_failed_table_leaves_the_index_as_it_was(tmp_path: Path, built: Path) -> None:
    before = sorted(path.name for path in built.iterdir())
    (tmp_path / "bad.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError):
        add_notices(built, tmp_path / "bad.csv")
    with pytest.raises(IndexMissing):
        add_notices(tmp_path / "none", table(tmp_path / "rw.csv", row("10.1000/a")))
    assert sorted(path.name for path in built.iterdir()) == before
    assert open_index(built).records == 2


def test_a_damaged_table_is_told(tmp_path: Path, built: Path) -> None:
    description = add_notices(built, table(tmp_path / "rw.csv", row("10.1000/a")))
    path = built / description.data / schema.NOTICES
    path.write_bytes(b"\0" * path.stat().st_size)
    with pytest.raises(IndexDamaged):
        open_index(built).notices(Question("", doi="10.1000/a"))
    with pytest.raises(IndexDamaged):
        verify_index(built)


@pytest.mark.shared_data
def test_the_real_table_is_read(shared: Path) -> None:
    found = read_table(shared / "data" / "tables" / "retraction_watch_dois.csv.gz", Silent())
    assert len(found.rows) > 50_000
    assert sum(one.kind == "retraction" for one in standing(found.rows)) > 50_000
