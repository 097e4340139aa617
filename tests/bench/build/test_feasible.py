"""Is what is called unmeetable really so, and what is not, meetable?"""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_flow

from hallmark.bench.build.feasible import Cell, fewest_bare, shortage

KINDS, FIELDS = ("book", "article", ""), ("vision", "language", "data", "")
numbers = st.integers(0, 9)
cells = st.fixed_dictionaries({(k, f): numbers for k in KINDS for f in FIELDS})
wanted = st.lists(st.tuples(st.sampled_from(KINDS), st.sampled_from(FIELDS)), max_size=25)


def _flow(kinds: dict[str, int], fields: dict[str, int], held: dict[Cell, int]) -> int:
    """Return how many entries there can be, by another algorithm."""
    size = 2 + len(KINDS) + len(FIELDS)
    room = np.zeros((size, size), dtype=np.int32)
    for n, kind in enumerate(KINDS):
        room[0, 2 + n] = kinds[kind]
        for m, field in enumerate(FIELDS):
            room[2 + n, 2 + len(KINDS) + m] = held[kind, field]
            room[2 + len(KINDS) + m, 1] = fields[field]
    return int(maximum_flow(csr_matrix(room), 0, 1).flow_value)


@given(asked=wanted, held=cells)
def test_what_lacks_is_what_a_maximal_flow_leaves_over(
    asked: list[Cell], held: dict[Cell, int]
) -> None:
    kinds = {one: sum(kind == one for kind, _ in asked) for one in KINDS}
    fields = {one: sum(field == one for _, field in asked) for one in FIELDS}
    found = shortage(kinds, fields, held)
    lacking = 0 if found is None else found.lacking
    assert lacking == len(asked) - _flow(kinds, fields, held)


def test_shares_that_are_small_enough_alone_may_be_too_much_together() -> None:
    held = {("article", "vision"): 2, ("", "vision"): 50, ("", "data"): 50}
    found = shortage({"article": 5, "": 5}, {"vision": 5, "data": 5}, held)
    assert found is not None
    assert (found.kinds, found.wanted, found.most) == (("article",), 5, 2)


def test_books_without_a_doi_leave_no_room_for_other_works_without_one() -> None:
    """The articles could go where there are DOIs, but then the books find no field."""
    kinds, fields = {"article": 2, "book": 2}, {"vision": 2, "": 2}
    with_doi = {("article", ""): 99}
    bare = {("article", "vision"): 9, ("book", ""): 9}
    assert fewest_bare(kinds, fields, with_doi, bare) == 4


@given(asked=wanted, with_doi=cells, bare=cells)
def test_no_fewer_entries_lack_a_doi_than_are_said_to(
    asked: list[Cell], with_doi: dict[Cell, int], bare: dict[Cell, int]
) -> None:
    kinds = {one: sum(kind == one for kind, _ in asked) for one in KINDS}
    fields = {one: sum(field == one for _, field in asked) for one in FIELDS}
    both = {cell: with_doi[cell] + bare[cell] for cell in with_doi}
    if shortage(kinds, fields, both) is not None:
        return
    rows = [[kind == one for kind, _ in both] * 2 for one in KINDS]
    rows += [[field == one for _, field in both] * 2 for one in FIELDS]
    least = linprog(
        [0] * len(both) + [1] * len(both),
        A_eq=np.array(rows, dtype=float),
        b_eq=[*kinds.values(), *fields.values()],
        bounds=[(0, n) for n in (*with_doi.values(), *bare.values())],
    ).fun
    found = fewest_bare(kinds, fields, with_doi, bare)
    assert found <= least + 1e-6
    assert found >= least - 1, "three exchanges are rare among so few"
