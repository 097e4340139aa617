from hallmark.report.summary import SourceCount, Summary, Tally, is_problem
from tests.report import results


def tallied() -> Summary:
    tally = Tally()
    for result in results.every_sort():
        tally.add(result)
    return tally.summary()


def test_every_result_is_counted_once() -> None:
    summary = tallied()
    assert summary.references == sum(summary.statuses.values()) == len(results.every_sort())


def test_an_unreadable_entry_is_a_problem() -> None:
    assert is_problem(results.unreadable())
    assert not is_problem(results.web_page())
    assert tallied().problems == 4


def test_what_a_failed_source_left_open_is_counted_apart() -> None:
    summary = tallied()
    assert summary.incomplete == 1
    assert summary.failures == ("index: No index was given.",)


def test_sources_are_counted_by_name_and_date() -> None:
    assert tallied().sources == (
        SourceCount(name="index", unavailable=1),
        SourceCount(name="index", as_of="2021-09-07", found=6, absent=3),
    )


def test_types_and_codes_count_problems_only() -> None:
    summary = tallied()
    assert summary.codes == {"HM301": 1, "HM402": 1, "HM701": 1}
    assert set(summary.types) == {
        "near_miss_title",
        "partial_author_list",
        "plausible_fabrication",
    }


def test_no_result_at_all_is_no_problem() -> None:
    assert Tally().summary().references == 0
