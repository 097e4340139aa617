"""Are names of venues taken apart without losing what tells them from one another?"""

import pytest

from hallmark.text import venue_names as names
from hallmark.text.venue_tracks import Track, joined, split, track_of


def test_years_ordinals_and_societies_are_not_part_of_a_meetings_name() -> None:
    words = names.tokens("Proceedings of the Twenty-Third IEEE Conference on Robots 2019")
    assert names.core(words) == ("conference", "on", "robots")


def test_a_journal_keeps_its_ordinals_and_societies() -> None:
    assert names.core(names.tokens("Second Language Research")) == (
        "second",
        "language",
        "research",
    )
    assert names.core(names.tokens("IEEE Transactions on Multimedia"))[0] == "ieee"


def test_short_years_are_written_out() -> None:
    assert names.tokens("CRYPTO '91") == ("crypto", "1991")
    assert names.tokens("NeurIPS’21") == ("neurips", "2021")
    assert names.tokens("LREC2022") == ("lrec", "2022")


@pytest.mark.parametrize(
    ("short", "full", "expected"),
    [
        ("J. Mach. Learn. Res.", "Journal of Machine Learning Research", True),
        ("Proc. Natl. Acad. Sci.", "Proceedings of the National Academy of Sciences", True),
        ("Educ. for Health", "Education and Health", False),
        ("Education for Health", "Education and Health", False),
        ("Neural Comput.", "Neural Computation", True),
        ("Neural Computation", "Neural Computation", False),
        ("Mach. Learn.", "Machine Vision", False),
        ("J. Learn. Res.", "Journal of Machine Learning Research", False),
    ],
)
def test_abbreviation_cuts_words_and_drops_only_small_ones(
    short: str, full: str, *, expected: bool
) -> None:
    assert names.abbreviates(names.tokens(short), names.tokens(full)) is expected


@pytest.mark.parametrize(
    ("text", "track"),
    [
        ("findings of acl", Track.FINDINGS),
        ("acl student research workshop", Track.STUDENT),
        ("workshop on vision at cvpr", Track.WORKSHOPS),
        ("chi extended abstracts", Track.ABSTRACTS),
        ("www companion", Track.COMPANION),
        ("acl system demonstrations", Track.DEMO),
        ("neurips datasets and benchmarks", Track.DATASETS),
        ("proceedings of icml", Track.MAIN),
    ],
)
def test_the_track_is_read_from_the_words(text: str, track: Track) -> None:
    assert track_of(tuple(text.split())) is track


def test_an_identity_splits_into_series_and_track_and_back() -> None:
    assert split("acl-findings") == ("acl", Track.FINDINGS)
    assert split("siggraph-asia") == ("siggraph-asia", Track.MAIN)
    assert split("name:open-source-workshops") == ("name:open-source-workshops", Track.MAIN)
    assert joined("acl", Track.MAIN) == "acl"
    assert joined("acl", Track.DEMO) == "acl-demo"
