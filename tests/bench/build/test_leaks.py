"""Do form, fields and keys say the same of both labels?"""

import re
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from hallmark.bench.build.leaks import bared, in_order, keyed, leaks_of, level
from hallmark.bench.entry import Entry, Label
from hallmark.bench.taxonomy import HallucinationType
from tests.bench.made import gold

OPTIONAL = ("doi", "pages", "series")


def _entry(number: int, kind: HallucinationType | None, names: frozenset[str]) -> Entry:
    fields = {"title": f"Title {number}", "year": "2020", **dict.fromkeys(sorted(names), "x")}
    return gold(f"k{number}", kind, fields=fields, subtests={"doi_resolves": True})


kinds = st.sampled_from([None, HallucinationType.WRONG_VENUE])
rows = st.lists(st.tuples(kinds, st.frozensets(st.sampled_from(OPTIONAL))), min_size=1, max_size=60)


@given(rows=rows, share=st.floats(0, 1), seed=st.integers(0, 99))
def test_each_label_bears_each_field_as_often(
    rows: list[tuple[HallucinationType | None, frozenset[str]]], share: float, seed: int
) -> None:
    before = [_entry(n, kind, names) for n, (kind, names) in enumerate(rows)]
    after = level(before, share, Random(seed))
    assert [entry.bibtex_key for entry in after] == [entry.bibtex_key for entry in before]
    for one, other in zip(before, after, strict=True):
        assert other.fields.items() <= one.fields.items()
        assert {"title", "year"} <= other.fields.keys()
    for name in OPTIONAL:
        off = [
            (sum(name in e.fields for e in held), len(held))
            for label in (Label.VALID, Label.HALLUCINATED)
            if (held := [e for e in after if e.label is label])
        ]
        if len(off) > 1:
            (a, n), (b, m) = off
            assert abs(a / n - b / m) <= 0.5 / n + 0.5 / m + 1e-9
        if name == "doi":
            assert all(a <= (1 - share) * n + 0.5 + 1e-9 for a, n in off)


def test_a_doi_that_is_the_fault_is_never_dropped() -> None:
    false = [
        _entry(n, HallucinationType.FABRICATED_DOI, frozenset({"doi"})) for n in range(10)
    ]  # fmt: skip
    after = level([*false, *(_entry(n, None, frozenset()) for n in range(10, 20))], 0.9, Random(1))
    assert sum("doi" in entry.fields for entry in after) == 10


def test_keys_are_salted_hashes_of_what_a_tool_may_see() -> None:
    entry = _entry(1, None, frozenset())
    false = structs.replace(entry, label=Label.HALLUCINATED, explanation="made")
    assert keyed(entry, "salt").bibtex_key == keyed(false, "salt").bibtex_key
    assert keyed(entry, "salt").bibtex_key != keyed(entry, "other").bibtex_key
    other = structs.replace(entry, fields={**entry.fields, "year": "2021"})
    assert keyed(entry, "salt").bibtex_key != keyed(other, "salt").bibtex_key
    assert re.fullmatch(r"c[0-9a-f]{15}", keyed(entry, "salt").bibtex_key)


def test_the_order_of_rows_is_that_of_the_keys() -> None:
    entries = [keyed(_entry(n, None, frozenset()), "s") for n in range(20)]
    assert in_order(entries) == in_order(entries[::-1])


def test_the_audit_sees_fields_that_tell_and_works_in_two_splits() -> None:
    false = [_entry(n, HallucinationType.WRONG_VENUE, frozenset({"doi"})) for n in range(40)]
    valid = [_entry(n, None, frozenset()) for n in range(40, 80)]
    apart = [_entry(n, None, frozenset()) for n in range(80, 90)]
    found = leaks_of({"dev": [*false, *valid], "test": [false[0], *apart]})
    assert {"field-presence", "shared-titles"} <= {one.check for one in found if not one.note}


def _known(number: int, kind: HallucinationType | None, changed: list[str]) -> Entry:
    fields = {"title": f"Title {number}", "journal": "A Journal", "year": "2020"}
    return gold(f"k{number}", kind, fields=fields, extra={"changed_fields": changed})


@given(share=st.floats(0, 1), faulty=st.integers(0, 30), seed=st.integers(0, 99))
def test_a_field_is_left_out_of_as_many_of_each_label_and_never_where_the_fault_is(
    share: float, faulty: int, seed: int
) -> None:
    wrong = HallucinationType.WRONG_VENUE
    before = [_known(n, wrong, ["journal"] if n < faulty else ["title"]) for n in range(30)]
    before += [_known(n, None, []) for n in range(30, 80)]
    venue = frozenset({"booktitle", "journal"})
    once = bared(before, venue, share, Random(seed))
    after = bared(once, frozenset({"year"}), share, Random(seed))
    assert all("journal" in entry.fields for entry in after[:faulty])
    assert all(len(entry.fields) >= 2 for entry in after), "none loses both"
    for field in ("journal", "year"):
        false, valid = (
            sum(field not in entry.fields for entry in held) / len(held)
            for held in (after[:30], after[30:])
        )
        assert abs(false - valid) <= 0.5 / 30 + 0.5 / 50 + 1e-9
        assert false <= share + 0.5 / 30 + 1e-9
