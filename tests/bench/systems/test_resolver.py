from pathlib import Path

import pytest

from hallmark.bench.entry import BlindEntry, Label
from hallmark.bench.systems.resolver import RULES, resolver_system
from hallmark.errors import InputError


def entry(title: str, author: str = "", **fields: str) -> BlindEntry:
    return BlindEntry("k", "inproceedings", {"title": title, "author": author, **fields})


IN_BOTH = entry(
    "GLUE: A Multi-Task Benchmark and Analysis Platform for Natural Language Understanding"
)
IN_ONE = entry("Deep Residual Learning for Image Recognition")
IN_NONE = entry("A Title That Nobody Has Ever Given to Any Work of Theirs")
OTHER_AUTHORS = entry(
    "Deep Residual Learning for Image Recognition", "Ada Lovelace and Grace Hopper"
)
ENTRIES = (IN_BOTH, IN_ONE, IN_NONE, OTHER_AUTHORS)


@pytest.mark.parametrize(
    ("rule", "labels"),
    [("any-miss", "VHHH"), ("majority", "VVHV"), ("consensus", "VVHV"), ("contradiction", "VVHH")],
)
def test_the_rule_alone_decides_what_is_flagged(index: Path, rule: str, labels: str) -> None:
    rows = resolver_system(index, rule, similarity=0.85).predict(ENTRIES)
    assert "".join(row.label[0] for row in rows) == labels


def test_a_looser_rule_flags_whatever_a_stricter_one_flags(index: Path) -> None:
    def flagged(rule: str) -> set[int]:
        rows = resolver_system(index, rule, similarity=0.85).predict(ENTRIES)
        return {i for i, row in enumerate(rows) if row.label is Label.HALLUCINATED}

    assert flagged("consensus") <= flagged("majority") <= flagged("any-miss")
    assert flagged("consensus") <= flagged("contradiction")


def test_only_the_named_sources_count(index: Path) -> None:
    system = resolver_system(index, "any-miss", similarity=0.85, sources=("dblp",))
    assert [row.label for row in system.predict([IN_ONE])] == [Label.VALID]
    assert system.settings["sources"] == "dblp"


def test_an_entry_without_a_title_cannot_be_looked_for(index: Path) -> None:
    system = resolver_system(index, "consensus", similarity=0.85)
    assert [row.label for row in system.predict([BlindEntry("k")])] == [Label.UNCERTAIN]


def test_a_near_title_confirms_from_the_asked_similarity_on(index: Path) -> None:
    near = entry("Deep Residual Learning for Image Recognitions")
    loose = resolver_system(index, "consensus", similarity=0.85)
    exact = resolver_system(index, "consensus", similarity=1.0)
    assert [row.label for row in loose.predict([near])] == [Label.VALID]
    assert [row.label for row in exact.predict([near])] == [Label.HALLUCINATED]


def test_what_does_not_fit_is_refused(index: Path) -> None:
    with pytest.raises(InputError, match="similarity is 85"):
        resolver_system(index, "consensus", similarity=85)
    with pytest.raises(InputError, match="no source named crossref; it has: acl, dblp"):
        resolver_system(index, "consensus", similarity=0.85, sources=("crossref",))
    assert RULES.names() == ["any-miss", "majority", "consensus", "contradiction"]
