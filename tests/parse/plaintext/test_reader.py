"""References as printed: what is read out of each style, and what is said to be unread."""

from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.parse.interface import parse_text, read
from hallmark.parse.plaintext.reader import read_reference
from hallmark.records.reference import FailedEntry, Kind, Reference

STYLES = {
    "APA": (
        "Lovelace, A. B., Babbage, C., & van der Zuse, K. (2015, June). Weaving numbers: A study. "
        "Journal of Engines, 12(3), 45-67. https://doi.org/10.1000/eng.2015.1"
    ),
    "Harvard": (
        "Lovelace, A. B., Babbage, C. and van der Zuse, K. (2015) 'Weaving numbers: A study', "
        "Journal of Engines, 12(3), pp. 45–67. doi:10.1000/eng.2015.1."
    ),
    "IEEE": (
        "[3] A. B. Lovelace, C. Babbage, and K. van der Zuse, “Weaving numbers: A study,” "
        "Journal of Engines, vol. 12, no. 3, pp. 45–67, Jun. 2015, doi: 10.1000/eng.2015.1."
    ),
    "ACM": (
        "A. B. Lovelace, C. Babbage, and K. van der Zuse. 2015. Weaving numbers: A study. "
        "Journal of Engines 12, 3 (2015), 45–67. https://doi.org/10.1000/eng.2015.1"
    ),
    "Vancouver": (
        "7. Lovelace AB, Babbage C, van der Zuse K. Weaving numbers: A study. Journal of Engines. "
        "2015 Jun 3;12(3):45-67. doi: 10.1000/eng.2015.1. PMID: 123456"
    ),
    "Springer": (
        "Lovelace, A.B., Babbage, C., van der Zuse, K.: Weaving numbers: A study. Journal of "
        "Engines 12(3), 45–67 (2015). https://doi.org/10.1000/eng.2015.1"
    ),
    "Nature": (
        "Lovelace, A. B., Babbage, C. & van der Zuse, K. Weaving numbers: A study. Journal of "
        "Engines 12, 45–67 (2015). https://doi.org/10.1000/eng.2015.1"
    ),
    "plain": (
        "A. B. Lovelace, C. Babbage, and K. van der Zuse. Weaving numbers: A study. Journal of "
        "Engines, 12(3):45–67, 2015. doi:10.1000/eng.2015.1"
    ),
    "MLA": (
        "Lovelace, A. B., C. Babbage, and K. van der Zuse. “Weaving Numbers: A Study.” Journal of "
        "Engines, vol. 12, no. 3, 2015, pp. 45-67. doi:10.1000/eng.2015.1"
    ),
}  # fmt: skip


def one(text: str) -> Reference:
    found = read_reference(text)
    assert isinstance(found, Reference), found
    return found


@pytest.mark.parametrize("style", STYLES)
def test_every_style_says_who_wrote_what_where_and_when(style: str) -> None:
    found = one(STYLES[style])
    assert found.title.lower() == "weaving numbers: a study"
    assert [author.family for author in found.authors] == ["Lovelace", "Babbage", "Zuse"]
    assert not found.authors_truncated
    assert (found.venue, found.year, found.volume) == ("Journal of Engines", 2015, "12")
    assert found.pages == "45-67"
    assert found.doi == "10.1000/eng.2015.1"
    assert found.kind is Kind.PAPER


@pytest.mark.parametrize("mark", ["...", "…", "et al."])
def test_a_list_that_is_cut_stays_cut(mark: str) -> None:
    found = one(
        f"Adams, B., Brown, C., {mark} (2011). A title of three words. Journal of X, 2, 1-5."
    )
    assert found.authors_truncated
    assert [author.family for author in found.authors] == ["Adams", "Brown"]


def test_names_behind_an_ellipsis_leave_the_list_cut() -> None:
    found = one("Adams, B., Brown, C., ... Zuse, K. (2011). A title. Journal of X, 2, 1-5.")
    assert found.authors_truncated
    assert "Zuse" not in [author.family for author in found.authors]


def test_the_last_author_before_the_year_is_kept() -> None:
    found = one("Adams, B., Brown, C., & Clark, D. (2011). A title. Journal of X, 2, 1-5.")
    assert [author.family for author in found.authors] == ["Adams", "Brown", "Clark"]


@pytest.mark.parametrize("names", ["Justin A. Fox", "Justin A. Fox and Andrew W. Dahl"])
def test_a_middle_initial_does_not_end_the_list(names: str) -> None:
    found = one(f"{names}. pmWeave: Searching for threads. In AISTATS, pages 1–9, 1997.")
    assert found.title == "pmWeave: Searching for threads"
    assert [author.display for author in found.authors] == names.split(" and ")


def test_a_paper_of_proceedings_is_told_from_one_of_a_journal() -> None:
    found = one(
        "Ada Lovelace and Charles Babbage. Weaving numbers. In Advances in Neural Information "
        "Processing Systems, volume 30, pages 5–9, 2017."
    )
    assert found.entry_type == "inproceedings"
    assert found.venue == "Advances in Neural Information Processing Systems"


def test_an_arxiv_number_makes_a_preprint() -> None:
    found = one("Ada Lovelace. Weaving numbers. arXiv preprint arXiv:2101.00001v2, 2021.")
    assert (found.arxiv, found.arxiv_version, found.kind) == ("2101.00001", 2, Kind.PREPRINT)


def test_an_old_arxiv_number_without_its_name_is_seen() -> None:
    found = one("[9] A. B. Lovelace, Adv. Engines. Phys. 2 (1998) 231, hep-th/9711999.")
    assert (found.arxiv, found.year, found.pages) == ("hep-th/9711999", 1998, "231")
    assert any("no title" in note.message for note in found.notes)


def test_several_places_of_one_list_of_authors_are_several_references() -> None:
    text = "[4] A. B. Lovelace, Phys. Rev. A 49, 12 (1994); Phys. Rev. A 51, 74 (1995)."
    found = list(parse_text(text, "text"))
    assert [(e.key, e.year, e.volume) for e in found if isinstance(e, Reference)] == [
        ("4", 1994, "49"),
        ("4b", 1995, "51"),
    ]


def test_accents_that_stand_before_their_letter_are_composed() -> None:
    found = one("K. M¨uller and P. Erd˝os. On random engines. Journal of X, 3(1):1–5, 1959.")
    assert [author.family for author in found.authors] == ["Müller", "Erdős"]


def test_words_and_identifiers_broken_at_line_ends_are_joined() -> None:
    found = one(
        "Ada Lovelace and Charles Babbage. Weaving num-\nbers by hand. Journal of X, 3(1):1–5, "
        "2001. doi:10.1000/j.eng.2001.\n004"
    )
    assert found.title == "Weaving numbers by hand"
    assert found.doi == "10.1000/j.eng.2001.004"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[2] S. Brunel. Words of bridges. RFC 9999, March 1997.", Kind.STANDARD),
        ("Muster, K. (1987). Vom Dorf. Diplomarbeit, Universität Musterstadt.", Kind.THESIS),
        ('Example Herald, "Council opens bridge", 3 March 1991, p. 4.', Kind.NEWS),
        ("Lovelace, A. (2010). Engines and makers. Cambridge University Press.", Kind.BOOK),
    ],
)
def test_other_kinds_are_told_from_papers(text: str, kind: Kind) -> None:
    assert one(text).kind is kind


def test_what_was_not_understood_is_said() -> None:
    found = one("Adams, B. (2011). A title. Journal of X, 2(1), 1-5. (read on a rainy day)")
    assert any("rainy day" in note.message for note in found.notes)


def test_a_text_without_anything_to_hold_on_to_is_a_failed_entry() -> None:
    assert isinstance(read_reference("2011."), FailedEntry)


def test_a_file_with_labels_holds_one_reference_for_each(tmp_path: Path) -> None:
    path = tmp_path / "refs.txt"
    path.write_text(
        "References\n"
        "[1] A. Lovelace. First title of all. Journal of X, 1(1):1–2,\n1990.\n"
        "[2] C. Babbage. Second title of all. Journal of X, 2(1):1–2, 1991.\n"
        "A  Proof of a lemma\nWe show that [1] holds in 2019.\n"
    )
    found = list(read(str(path)))
    assert [(e.key, e.location.line) for e in found] == [("1", 2), ("2", 4)]
    assert [e.year for e in found if isinstance(e, Reference)] == [1990, 1991]


SHOWN = "A. Vaswani, N. Shazeer. Attention is all you need. In NeurIPS, 2017."


def test_a_label_is_the_key_also_where_the_list_begins_without_one() -> None:
    """A line is the key of what has no label, and every key is there once."""
    for gap in ("\n", "\n\n"):
        text = gap.join([SHOWN, f"[12] {SHOWN}", f"[12] {SHOWN}", SHOWN, f"[30] {SHOWN}"])
        line = len(gap)
        found = [one.key for one in parse_text(text, "text")]
        assert found == ["1", "12", f"12:{1 + 2 * line}", f"{1 + 3 * line}", "30"]


def test_a_label_that_comes_twice_is_shown_with_its_line() -> None:
    text = f"References\n\n[2] {SHOWN}\n[2] {SHOWN}\n\n[7] {SHOWN}\n"
    assert [one.key for one in parse_text(text, "text")] == ["2", "2:4", "7"]


def test_a_file_without_labels_holds_one_reference_for_each_line_or_paragraph() -> None:
    lines = [STYLES["APA"], STYLES["Nature"]]
    for text in ("\n".join(lines), "\n\n".join(lines)):
        assert len(list(parse_text(text, "text"))) == 2


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert isinstance(read_reference(text), Reference | FailedEntry)


@pytest.mark.parametrize(
    "text",
    ["Aa-" * 6000, "A. " * 6000, "Abc, A., " * 2000, "(" * 20000, "1 - " * 5000, "van der " * 2500],
)
def test_hostile_text_takes_little_time(text: str) -> None:
    start = process_time()
    read_reference(text)
    assert process_time() - start < 1.0
