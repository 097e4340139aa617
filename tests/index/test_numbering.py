"""Do the numbers of its papers show that a list is whole?"""

from hypothesis import given
from hypothesis import strategies as st

from hallmark.index.coverage import NUMBERING, Ledger
from hallmark.index.prepare import place_number
from hallmark.records.answer import VenueYear
from hallmark.records.work import Version
from hallmark.text.venue_dois import anthology_number

YEAR = 2021


def _url(volume: str, number: int) -> str:
    return f"https://aclanthology.org/{volume}.{number}"


def _ledger(lists: dict[str, list[str]], *, later: bool = True, venue: str = "acl") -> Ledger:
    """Return the ledger of lists of addresses, with a later volume in each collection."""
    ledger = Ledger()
    for collection, urls in lists.items():
        _see(ledger, collection, venue, YEAR, urls)
        if later:
            _see(ledger, collection, venue, YEAR + 1, [_url("2022.acl-long", 1)])
    return ledger


def _see(ledger: Ledger, collection: str, venue: str, year: int, urls: list[str]) -> None:
    for url in urls:
        version = Version(collection=collection, title=url, url=url)
        title = hash(url) % 2**63
        ledger.see(collection, venue, year, title, toc=False, number=place_number(version))


def _row(ledger: Ledger) -> VenueYear:
    return next(row for row in ledger.rows({}, lambda _, __: False) if row.year == YEAR)


LONG = [_url("2021.acl-long", number) for number in range(1, 31)]
SHORT = [_url("2021.acl-short", number) for number in range(1, 21)]


def test_a_list_without_gaps_is_whole() -> None:
    row = _row(_ledger({"a": LONG}))
    assert (row.complete, row.basis, row.held) == (True, NUMBERING, 30)


def test_a_gap_ends_it() -> None:
    assert not _row(_ledger({"a": LONG[:10] + LONG[11:]})).complete


def test_a_list_that_lacks_a_volume_which_another_has_is_not_whole() -> None:
    row = _row(_ledger({"a": LONG, "b": LONG + SHORT}))
    assert (row.complete, row.sources) == (True, ("b",))


def test_papers_without_a_number_leave_the_question_open() -> None:
    assert not _row(_ledger({"a": [*LONG, "https://example.org/one"]})).complete


def test_the_last_year_of_a_collection_proves_nothing() -> None:
    assert not _row(_ledger({"a": LONG}, later=False)).complete


def test_a_handful_may_be_without_gaps_by_chance() -> None:
    assert not _row(_ledger({"a": LONG[:9]})).complete


def test_workshops_may_have_published_elsewhere() -> None:
    assert not _row(_ledger({"a": LONG}, venue="acl-workshops")).complete


def test_the_ledger_keeps_the_numbers_when_it_is_stored() -> None:
    assert _row(Ledger(_ledger({"a": LONG}).tallies())).complete


@given(st.sets(st.sampled_from(LONG), min_size=10, max_size=28))
def test_a_thinned_list_is_whole_only_from_the_front(kept: set[str]) -> None:
    left = [url for url in LONG if url in kept]
    row = _row(_ledger({"a": left}))
    assert row.complete == (left == LONG[: len(left)])


def test_numbers_are_read_from_ids_of_both_styles() -> None:
    assert anthology_number("https://aclanthology.org/2021.acl-long.571/") == ("2021.acl-long", 571)
    assert anthology_number("10.18653/v1/P18-1012") == ("p18-1", 12)
    assert anthology_number("https://www.aclweb.org/anthology/W18-5401") == ("w18-54", 1)
    assert anthology_number("D19-5012") == ("d19-50", 12)
    assert anthology_number("D19-1012") == ("d19-1", 12)
    assert anthology_number("2021.findings-emnlp.30") == ("2021.findings-emnlp", 30)


def test_front_matter_and_other_addresses_have_no_number() -> None:
    for text in (
        "2021.acl-long.0",
        "P18-1000",
        "10.1145/3442381.3449876",
        "",
        "AB18-1001",
        "2021.5",
    ):
        assert anthology_number(text) is None
