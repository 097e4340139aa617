"""Does a claimed venue contradict a record only where both are known?"""

import pytest

from hallmark.match.venue import compare_venue
from hallmark.records.evidence import Comparison, Relation
from hallmark.records.reference import Location, Reference
from hallmark.records.work import Quality, Version
from hallmark.text.venues import LearntName, VenueTable, normal

TABLE = VenueTable.curated()


def compared(
    claimed: str,
    held: str,
    *,
    year: int | None = 2021,
    raw: str = "",
    doi: str | None = None,
    url: str = "",
    quality: Quality = Quality.CURATED,
    table: VenueTable = TABLE,
) -> Comparison:
    venue_id, preprint = TABLE.identity(held, raw, doi, url)
    version = Version(
        collection="test",
        title="T",
        venue=held,
        venue_raw=raw,
        venue_id=venue_id,
        preprint=preprint,
        year=year,
        doi=doi,
        url=url,
        quality=quality,
    )
    reference = Reference(key="k", location=Location("t.bib", 1), venue=claimed, year=year)
    return compare_venue(table.resolve(claimed), reference, version)


@pytest.mark.parametrize(
    ("claimed", "held"),
    [
        ("NIPS", "NeurIPS"),
        ("2016 IEEE Conference on Computer Vision and Pattern Recognition (CVPR)", "CVPR"),
        ("ACL (1)", ("Proceedings of the 57th Annual Meeting of the Association for Computational "
         "Linguistics")),
        ("IEEE Trans. Pattern Anal. Mach. Intell.", "TPAMI"),
    ],
)  # fmt: skip
def test_two_writings_of_one_venue_are_equal(claimed: str, held: str) -> None:
    assert compared(claimed, held).relation is Relation.EQUAL


@pytest.mark.parametrize(
    ("claimed", "held", "year", "code"),
    [
        ("ACL", "IJCNLP", 2021, "joint-conference"),
        ("VLDB", "PVLDB", 2020, "journal-of-conference"),
        ("SIGGRAPH", "ACM Trans. Graph.", 2018, "journal-of-conference"),
        ("OOPSLA", "Proc. ACM Program. Lang.", 2019, "journal-of-conference"),
        ("ECML/PKDD", "ECML", 2008, "joint-conference"),
        ("NeurIPS", "NeurIPS Datasets and Benchmarks", 2021, "track-variant"),
        ("NeurIPS Datasets and Benchmarks", "NeurIPS", 2021, "track-variant"),
        ("EMNLP", "Findings of EMNLP", 2020, "track-variant"),
        ("Findings of ACL 2021", "Findings of EMNLP", 2021, "track-variant"),
        ("AAAI", "IAAI", 2021, "track-variant"),
        ("arXiv preprint arXiv:2101.00001", "arXiv", 2021, "preprint-cited-as-preprint"),
    ],
)
def test_documented_equivalences_are_variants(
    claimed: str, held: str, year: int, code: str
) -> None:
    comparison = compared(claimed, held, year=year)
    assert (comparison.relation, comparison.has(code)) == (Relation.VARIANT, True)


@pytest.mark.parametrize(
    ("claimed", "held"),
    [
        ("ICML", "NeurIPS"),
        ("EACL", "ACL"),
        ("International Conference on Machine Learning (ICML)", "ICMLA"),
        ("AISTATS", "ICML"),
        ("International Conference on Supercomputing", "Euro-Par 2015: Parallel Processing"),
        ("ECCV", "ICCV"),
        ("Nature", "Nature Communications"),
    ],
)
def test_two_known_venues_contradict_each_other(claimed: str, held: str) -> None:
    comparison = compared(claimed, held)
    assert comparison.conflicts
    assert comparison.has("other-venue")
    assert not comparison.weak


def test_a_joint_meeting_stands_for_both_only_in_its_year() -> None:
    assert compared("ACL", "IJCNLP", year=2021).agrees
    assert compared("ACL", "IJCNLP", year=2017).conflicts


@pytest.mark.parametrize(
    ("claimed", "held"),
    [
        ("CVPR", "CVPR Workshops"),
        ("Proceedings of the 2020 Conference on Empirical Methods in Natural Language Processing",
         "Findings of EMNLP"),
        ("Workshop on Testing at CVPR (WT@CVPR)", "CVPR"),
    ],
)  # fmt: skip
def test_a_track_published_apart_contradicts_the_main_track(claimed: str, held: str) -> None:
    comparison = compared(claimed, held)
    assert comparison.conflicts
    assert comparison.has("track")


def test_a_record_that_marks_no_track_contradicts_one_weakly() -> None:
    assert compared("Findings of EMNLP 2021", "EMNLP").weak
    marked = compared("Findings of EMNLP 2021", "EMNLP", doi="10.18653/v1/2021.emnlp-main.3")
    assert marked.conflicts
    assert not marked.weak


@pytest.mark.parametrize(
    ("claimed", "held", "code"),
    [
        ("", "ICML", "claim-missing"),
        ("Lecture Notes in Computer Science", "ECCV", "claim-container"),
        ("Proceedings of Machine Learning Research", "ICML", "claim-container"),
        ("International Conference on Advanced AI Systems", "ICML", "unknown-venue"),
        ("ICML", "arXiv", "preprint-version"),
        ("arXiv", "ICML", "published-version"),
        ("ICML", "", "record-without-venue"),
        ("ICML", "Lecture Notes in Computer Science", "record-unresolved"),
        ("ICML Workshop on Causality", "Workshop on Causal Structure Learning", "workshop-host"),
    ],
)
def test_what_says_nothing_is_silent(claimed: str, held: str, code: str) -> None:
    comparison = compared(claimed, held)
    assert (comparison.relation, comparison.has(code)) == (Relation.SILENT, True)


def test_a_journal_against_a_meeting_is_marked() -> None:
    assert compared("JMLR", "ICML").has("journal-vs-conference")
    assert not compared("ICML", "CVPR").has("journal-vs-conference")


def test_names_in_no_table_agree_where_one_abbreviates_the_other() -> None:
    assert compared("J. Imaginary Sci.", "Journal of Imaginary Science").agrees
    table = TABLE.with_learnt([LearntName("j imaginary sci", "name:j-imaginary-sci")])
    assert compared("J. Imaginary Sci.", "Journal of Imaginary Science", table=table).agrees


def test_two_learnt_journals_of_other_words_contradict_each_other() -> None:
    table = TABLE.with_learnt([LearntName("education and health", "name:education-and-health")])
    comparison = compared("Education and Health", "Journal of Vision", table=table)
    assert comparison.conflicts
    assert comparison.weak


def test_somebodys_own_bibliography_contradicts_only_weakly_with_an_unknown_name() -> None:
    comparison = compared("ICML", "Journal of Odd Names", quality=Quality.PERSONAL)
    assert comparison.conflicts
    assert comparison.weak


def test_a_longer_form_of_a_learnt_name_is_no_contradiction() -> None:
    name = normal("Proceedings of the Royal Society B")
    table = TABLE.with_learnt([LearntName(name, "name:royal-society-b")])
    other = compared("Proceedings of the Royal Society B", "Journal of Odd Names", table=table)
    assert other.conflicts
    full = "Proceedings of the Royal Society B: Biological Sciences"
    assert not compared("Proceedings of the Royal Society B", full, table=table).conflicts


def test_a_catalogues_name_for_all_tracks_is_no_claim_of_the_main_one() -> None:
    claimed = "Conference on Empirical Methods in Natural Language Processing"
    comparison = compared(claimed, "Findings of EMNLP")
    assert comparison.agrees
    assert comparison.has("findings-as-main")


@pytest.mark.parametrize(
    ("claimed", "held"),
    [
        ("IEEE Conference on Robotics and Automation", "ICRA"),
        ("Proceedings of the International Conference in Machine Learning", "ICML"),
        ("Comm. ACM", "Communications of the ACM"),
    ],
)
def test_an_odd_writing_of_the_records_own_venue_is_a_variant(claimed: str, held: str) -> None:
    assert compared(claimed, held).agrees


@pytest.mark.parametrize(
    "claimed", ["International Conference on Quantum Machine Learning", "Symposium on Learning"]
)
def test_an_invented_venue_never_agrees_with_a_similar_one(claimed: str) -> None:
    assert not compared(claimed, "ICML").agrees


WORKSHOP = "Coling 2008: Proceedings of the Workshop on Knowledge for Answering Questions"


def test_the_records_own_words_are_its_venue_whatever_they_are_taken_for() -> None:
    learnt = TABLE.with_learnt([LearntName(normal(WORKSHOP), "coling", 3)])
    held = "https://aclanthology.org/W08-1604"
    assert compared(WORKSHOP, "WS", raw=WORKSHOP, url=held, year=2008, table=learnt).agrees
    named = TABLE.with_learnt([LearntName(normal("MULTILING"), "lrec-workshops", 3)])
    link = "https://aclanthology.org/W03-1204"
    assert compared("MULTILING", "MULTILING", raw=WORKSHOP, url=link, table=named).agrees


def test_a_list_that_files_a_workshop_under_the_meeting_excuses_who_copies_it() -> None:
    link = "https://aclanthology.org/D19-6105"
    copied = compared("EMNLP", "EMNLP", raw="EMNLP", url=link, year=2019)
    assert copied.relation is Relation.CONFLICT
    assert copied.has("listed-so")
    assert copied.weak
    told = compared("EMNLP", "WS", raw="Workshop on Deep Learning", url=link, year=2019)
    assert not told.has("listed-so")


def test_a_meeting_that_calls_itself_a_workshop_is_its_workshops() -> None:
    claimed = "Proceedings of the DARPA Speech and Natural Language Workshop"
    link = "https://aclanthology.org/H90-1013"
    held = "Speech and Natural Language: Proceedings of a Workshop Held at Hidden Valley"
    assert compared(claimed, "HLT", raw=held, url=link, year=1990).agrees
    assert not compared("ICML", "ICML Workshop", year=2020).agrees
