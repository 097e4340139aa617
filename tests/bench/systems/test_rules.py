from hallmark.bench.entry import BlindEntry, Label
from hallmark.bench.systems.oracle import title_oracle
from hallmark.bench.systems.presence import doi_presence
from hallmark.bench.systems.tells import find_tell, format_tells
from tests.bench.systems.conftest import entry


def test_a_missing_or_blank_doi_is_flagged() -> None:
    rows = doi_presence().predict(
        [
            BlindEntry("a"),
            BlindEntry("b", fields={"doi": "  "}),
            BlindEntry("c", fields={"doi": "10.1/x"}),
        ]
    )
    assert [row.label for row in rows] == [Label.HALLUCINATED, Label.HALLUCINATED, Label.VALID]


def test_each_mark_of_form_is_read() -> None:
    usual = {"title": "t", "author": "a", "year": "2021", "booktitle": "b"}
    assert find_tell(BlindEntry("abc", "inproceedings", usual), 2026) is None
    assert (
        find_tell(BlindEntry("1bc", "inproceedings", usual), 2026) == "the key starts with a digit"
    )
    assert find_tell(BlindEntry("abc", "article", {"title": "t", "journal": "j"}), 2026)
    assert find_tell(BlindEntry("abc", "misc", {"author": "a", "title": "t"}), 2026)
    assert find_tell(BlindEntry("abc", "inproceedings", {"title": "t"}), 2026)
    assert find_tell(BlindEntry("abc", "misc", {**usual, "year": "2027"}), 2026)


def test_the_tell_rule_commits_itself_on_everything() -> None:
    rows = list(format_tells(reference_year=2026).predict([BlindEntry("1"), BlindEntry("a")]))
    assert [row.label for row in rows] == [Label.HALLUCINATED, Label.VALID]


def test_the_oracle_knows_titles_and_abstains_on_others() -> None:
    gold = [
        entry("a", Label.VALID, title="A Title"),
        entry("b", Label.HALLUCINATED, title="Another"),
        entry("c", Label.VALID, title="Twice"),
        entry("d", Label.HALLUCINATED, title="Twice"),
    ]
    asked = [
        BlindEntry("x", fields={"title": "a  title"}),
        BlindEntry("y", fields={"title": "Another"}),
        BlindEntry("z", fields={"title": "Twice"}),
        BlindEntry("w", fields={"title": "Unheard of"}),
    ]
    rows = list(title_oracle(gold).predict(asked))
    assert [row.p_hallucinated for row in rows] == [0.0, 1.0, 0.5, 0.5]
    assert rows[3].label is Label.UNCERTAIN
