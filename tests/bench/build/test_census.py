"""Are all works counted that can be drawn, and are shares met that only few works can meet?"""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest
from msgspec import structs

from hallmark.bench.build.census import Census, is_due, take_census
from hallmark.bench.build.openings import Openings, allotted
from hallmark.bench.build.plan import Plan, SplitPlan
from hallmark.bench.build.release import build
from hallmark.bench.build.sample import Drawn, admit, rules_of, widest
from hallmark.bench.entry import Entry, Label
from hallmark.bench.perturb.drafts import entry_type
from hallmark.bench.perturb.pool import ListPool
from hallmark.bench.taxonomy import HallucinationType
from hallmark.errors import InputError
from hallmark.index.schema import title_mark
from hallmark.records.work import Quality, Version
from tests.bench.build.little import POOL, WORKS, plan

TYPES = {
    HallucinationType.PLACEHOLDER_AUTHORS: 6,
    HallucinationType.SWAPPED_AUTHORS: 6,
    HallucinationType.CHIMERIC_TITLE: 6,
    HallucinationType.WRONG_VENUE: 6,
    HallucinationType.FUTURE_DATE: 6,
}


class Shelf:
    """Records in memory, as a stock."""

    def __init__(self, works: Sequence[Version]) -> None:
        self._works = works

    def every(self) -> Sequence[Version]:
        return self._works

    def group(self, mark: int) -> Sequence[Version]:
        return [one for one in self._works if title_mark(one.title) == mark]


def _books(count: int) -> list[Version]:
    """Return books that two people's bibliographies agree on."""
    made = (
        structs.replace(
            one,
            title=f"The {one.title} as a Book",
            kind="book",
            venue="A Publisher",
            venue_raw="A Publisher",
            venue_id=None,
            doi=None,
            quality=Quality.PERSONAL,
        )
        for one in WORKS[100 : 100 + count]
    )
    return [
        structs.replace(one, collection=name, origin=str(n))
        for n, one in enumerate(made)
        for name in ("one", "two")
    ]


def _plan(books: float, **changes: object) -> Plan:
    return plan(
        kinds=("inproceedings", "article", "book"),
        kind_shares={"book": books},
        without_doi=0.8,
        splits={"dev": SplitPlan(valid=30, types=TYPES, compound=2)},
        **changes,
    )


def _census(asked: Plan, works: Sequence[Version]) -> Census:
    return take_census(Shelf(works), rules_of(asked, POOL.venues))


def test_a_plan_that_asks_for_what_may_be_rare_has_the_records_counted() -> None:
    assert not is_due(plan())
    assert is_due(plan(kind_shares={"article": 0.1}))
    assert is_due(plan(fields={"vision": 0.1}))
    assert is_due(plan(venues=("ICML",)))
    assert is_due(plan(kinds=("article", "book")))


def test_every_work_that_a_draw_would_admit_is_counted_once() -> None:
    asked = _plan(0.1, attested=1)
    works = [*WORKS, *_books(5)]
    rules = widest(rules_of(asked, POOL.venues).values())
    shelf = Shelf(works)
    marks = {title_mark(one.title) for one in works}
    admitted = {mark for mark in marks if isinstance(admit(shelf.group(mark), rules), Drawn)}
    counted = [one.mark for one in _census(asked, works).candidates]
    assert set(counted) == admitted
    assert len(set(counted)) == len(counted)


def test_books_that_are_rare_in_an_index_are_found() -> None:
    works = [*WORKS, *_books(9)]
    asked = _plan(0.1)
    made = build(asked, _census(asked, works), ListPool(works)).splits["dev"]
    assert len(made) == 62
    found = Counter((e.label, e.bibtex_type == "book") for e in made)
    assert found[Label.VALID, True] == 3
    assert found[Label.HALLUCINATED, True] == 3


def test_the_order_of_the_records_makes_no_difference() -> None:
    works = [*WORKS, *_books(9)]
    mixed = list(works)
    Random(3).shuffle(mixed)
    asked = _plan(0.1)
    one, other = (_census(asked, each).candidates for each in (works, mixed))
    assert one == other


def test_shares_that_the_records_cannot_meet_are_refused_before_anything_is_drawn() -> None:
    works = [*WORKS, *_books(4)]
    asked = _plan(0.2)
    with pytest.raises(InputError, match=r"6 are to be book, and the works .* leave 2 ") as told:
        build(asked, _census(asked, works), ListPool(works))
    assert "split 'dev': valid entries" in str(told.value)
    assert "split 'dev': hallucinated entries" in str(told.value)


def test_works_are_shared_out_whole_and_none_twice() -> None:
    asked = _plan(0.1)
    held = _census(asked, [*WORKS, *_books(9)]).held()
    parts = allotted(asked, held)
    shared = Counter(
        {one: n for row in parts.values() for one, n in row.items() if one.valid}
    ) + Counter(
        {
            structs.replace(one, valid=True): n
            for row in parts.values()
            for one, n in row.items()
            if not one.valid
        }
    )
    total = Counter[object]()
    for (_, place), n in held.items():
        total[place] += n
    assert shared == total


def test_a_work_that_is_the_last_of_its_kind_is_kept_for_who_needs_it() -> None:
    works = [*WORKS, *_books(2)]
    asked = _plan(0.04)
    openings = Openings(asked, _census(asked, works))
    assert openings.unmet() == []
    book = next(one for one in _census(asked, works).candidates if one.kind == "book")
    assert openings.suits(("dev", None), book.place())
    openings.take(("dev", None), _entry(works[-1]), works[-1])
    assert not openings.suits(("dev", None), book.place()), "one valid book was asked for"


def _entry(record: Version) -> Entry:
    return Entry(
        bibtex_key="k",
        bibtex_type=entry_type(record),
        label=Label.VALID,
        fields={"title": record.title},
        extra={"field": ""},
    )
