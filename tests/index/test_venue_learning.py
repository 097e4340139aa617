"""Is learnt from the records what their venues are called, and nothing that is in doubt?"""

from collections.abc import Iterator

from hallmark.index.venue_learning import VenueLearner
from hallmark.records.work import Version
from hallmark.text.venues import LearntName, VenueTable

TABLE = VenueTable.curated()


def record(short: str, raw: str) -> Version:
    venue_id, preprint = TABLE.identity(short, raw)
    return Version(
        collection="c", title="T", venue=short, venue_raw=raw, venue_id=venue_id, preprint=preprint
    )


def learnt(*records: tuple[str, str]) -> list[LearntName]:
    learner = VenueLearner()
    for short, raw in records:
        learner.see(record(short, raw))
    return learner.rows()


def meanings(rows: list[LearntName], name: str) -> Iterator[str]:
    return (row.venue_id for row in rows if row.name == name)


def test_the_short_name_becomes_a_name_of_the_long_ones_identity() -> None:
    rows = learnt(("WAT", "Proceedings of the 8th Workshop on Asian Translation"))
    assert list(meanings(rows, "wat")) == ["workshop:workshop-on-asian-translation"]


def test_an_acronym_in_brackets_is_learnt() -> None:
    rows = learnt(("", "2021 16th IEEE International Conference on Odd Gestures (OG 2021)"))
    assert list(meanings(rows, "og")) == ["name:international-conference-on-odd-gestures"]


def test_a_curated_name_is_never_learnt_again() -> None:
    assert learnt(("CVPR", "CVPR 2021: Virtual Event")) == []


def test_preprints_and_publishers_teach_nothing() -> None:
    assert learnt(("arXiv", "arXiv:2101.00001"), ("", "Oxford University Press")) == []


def test_a_name_with_too_many_meanings_is_dropped() -> None:
    rows = learnt(*(("ODDWS", f"Workshop on Odd Matter {word}") for word in "Ab Cd Ef Gh".split()))
    assert list(meanings(rows, "oddws")) == []


def test_a_dominant_meaning_outvotes_a_stray_one() -> None:
    often = [("ODDWS", "Workshop on Odd Matter")] * 20
    rows = learnt(*often, ("ODDWS", "Workshop on Even Matter"))
    assert list(meanings(rows, "oddws")) == ["workshop:workshop-on-odd-matter"]


def test_the_order_of_records_does_not_matter() -> None:
    records = [("A1B", "Journal of Odd Names"), ("", "Journal of Even Names"), ("A1B", "Odd News")]
    assert learnt(*records) == learnt(*reversed(records))


def test_what_is_learnt_resolves_again() -> None:
    rows = learnt(("JON", "Journal of Odd Names"))
    table = TABLE.with_learnt(rows)
    assert table.resolve("J. Odd Names").ids == ("name:journal-of-odd-names",)
    assert table.resolve("JON").ids == ("name:journal-of-odd-names",)
