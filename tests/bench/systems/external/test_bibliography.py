from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.entry import BlindEntry
from hallmark.bench.systems.external.bibliography import bibliography, keys_for
from hallmark.parse.interface import parse_text
from hallmark.records.reference import Reference
from tests.bench.systems.conftest import HOSTILE

texts = st.text(max_size=20)


def test_every_entry_gets_a_key_of_its_own() -> None:
    entries = [BlindEntry("same"), BlindEntry("same"), BlindEntry("a,b}{")]
    assert keys_for(entries, "safe") == ["ref1", "ref2", "ref3"]


def test_own_keys_are_kept_where_bibtex_can_hold_them() -> None:
    entries = [BlindEntry("same"), BlindEntry("same"), BlindEntry("a,b}{")]
    assert keys_for(entries, "own") == ["same", "same", "ref3"]


def test_hostile_entries_are_written_so_that_each_can_be_read_again() -> None:
    keys = keys_for(HOSTILE, "safe")
    parsed = list(parse_text(bibliography(HOSTILE, keys)))
    assert [entry.key for entry in parsed if isinstance(entry, Reference)] == keys


@given(st.lists(st.dictionaries(st.sampled_from(["title", "author", "note"]), texts), max_size=4))
def test_no_field_can_forge_a_line_of_its_own(fields: list[dict[str, str]]) -> None:
    entries = [BlindEntry("k", "misc", f) for f in fields]
    text = bibliography(entries, keys_for(entries, "safe"))
    assert len(text.splitlines()) == sum(len(f) + 3 for f in fields) - bool(fields)


def test_an_entry_that_could_not_be_parsed_is_written_as_it_stands() -> None:
    broken = BlindEntry("own", "misc", {}, "@article{own, title = {never closed,\n")
    assert bibliography([broken], ["ref7"]) == "@article{ref7, title = {never closed,\n\n"
