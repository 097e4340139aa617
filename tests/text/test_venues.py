"""Does a name mean the venue that a reader would take it for, and nothing else?"""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.text.venue_facts import VenueFact, VenueType, venues
from hallmark.text.venues import LearntName, VenueKind, VenueTable, normal

TABLE = VenueTable.curated()

WRITINGS = {
    "neurips": [
        "NeurIPS",
        "NIPS",
        "NIPS 2012",
        "NeurIPS'21",
        "Advances in Neural Information Processing Systems 30",
        "In Advances in Neural Information Processing Systems 33 (NeurIPS 2020)",
        "Adv. Neural Inf. Process. Syst.",
        "Proceedings of the 31st International Conference on Neural Information Processing Systems",
        (
            "Advances in Neural Information Processing Systems 35: Annual Conference on Neural "
            "Information Processing Systems 2022, NeurIPS 2022, New Orleans, LA, USA, November 28 - "
            "December 9, 2022"
        ),
    ],
    "icml": [
        "ICML",
        "ICML-21",
        "Proc. Int. Conf. Mach. Learn.",
        "Int'l Conf. on Machine Learning",
        "International Conference on Machine Learning (ICML)",
        "International conference on machine learning. PMLR",
        (
            "Proceedings of the 38th International Conference on Machine Learning, ICML 2021, 18-24 "
            "July 2021, Virtual Event"
        ),
    ],
    "aaai": [
        "AAAI-20",
        "Proc. Nat. Conf. Artif. Intell.",
        (
            "Thirty-Fifth AAAI Conference on Artificial Intelligence, AAAI 2021, Virtual Event, "
            "February 2-9, 2021"
        ),
        (
            "Thirty-Seventh AAAI Conference on Artificial Intelligence, AAAI 2023, Thirty-Fifth "
            "Conference on Innovative Applications of Artificial Intelligence, IAAI 2023, Washington"
        ),
    ],
    "cvpr": [
        "Proc. CVPR",
        "CVPR (1)",
        "2022 IEEE/CVF Conf. on Computer Vision and Pattern Recognition (CVPR)",
        "2016 IEEE Conference on Computer Vision and Pattern Recognition (CVPR)",
        "Proc. IEEE Comput. Soc. Conf. Comput. Vis. Pattern Recognit.",
    ],
    "acl": [
        "ACL (1)",
        "Proceedings of the 57th Annual Meeting of the Association for Computational Linguistics",
        (
            "58th Annual Meeting of the Association for Computational Linguistics (Volume 1: Long "
            "Papers)"
        ),
    ],
    "emnlp": ["Proc. Conf. Empir. Methods Nat. Lang. Process."],
    "ppsn": ["Proc. Int. Conf. Parallel Probl. Solving Nat."],
    "iclp": ["Proc. Int. Conf. Log. Program."],
    "dis": ["Proc. Conf. Des. Interact. Syst."],
    "naacl": ["NAACL-HLT (1)", "HLT-NAACL", "NAACL 2019"],
    "icassp": [
        (
            "IEEE International Conference on Acoustics, Speech and Signal Processing ICASSP 2023, "
            "Rhodes Island, Greece, June 4-10, 2023"
        )
    ],
    "crypto": ["CRYPTO'91", "Advances in Cryptology --- CRYPTO '91"],
    "euro-par": ["Euro-Par 2015: Parallel Processing"],
    "osdi": ["12th USENIX Symposium on Operating Systems Design and Implementation (OSDI 16)"],
    "tpami": [
        "IEEE Trans. Pattern Anal. Mach. Intell.",
        "IEEE Trans. on Pattern Analysis and Machine Intelligence",
        "IEEE Transactions on Pattern Analysis and Machine Intelligence (TPAMI)",
    ],
    "jmlr": ["J. Mach. Learn. Res.", "JMLR", "The Journal of Machine Learning Research"],
    "mlj": ["Machine Learning", "Mach. Learn.", "Mach Learn"],
    "pnas": [
        "Proc Natl Acad Sci USA",
        "PNAS",
        "Proc. Nat. Acad. Sci.",
        "Proc. Natl. Acad. Sci. U.S.A.",
    ],
    "science": ["Science", "Science (New York, N.Y.)"],
    "cnsm": ["2023 19th International Conference on Network and Service Management (CNSM)"],
    "cvpr-workshops": ["Workshop on Testing at CVPR (WT@CVPR)", "CVPRW", "CVPR Workshops"],
    "icml-workshops": ["ICML 2022 Workshop on Human-Machine Collaboration"],
    "neurips-workshops": ["NIPS Deep Learning Workshop", "Deep RL Workshop, NeurIPS 2018"],
    "iclr-workshops": ["ICLR (Workshop)"],
    "neurips-datasets": ["NeurIPS Datasets and Benchmarks Track"],
    "acl-findings": ["ACL/IJCNLP (Findings)", "Findings of ACL 2021"],
    "emnlp-findings": [
        "Findings of the Association for Computational Linguistics: EMNLP 2020",
        "EMNLP (Findings)",
    ],
    "chi-abstracts": ["CHI '20: CHI Conference on Human Factors, Extended Abstracts"],
    "acl-student": [
        (
            "Proceedings of the 57th Annual Meeting of the Association for Computational Linguistics: "
            "Student Research Workshop"
        )
    ],
    "eccv": ["Lecture Notes in Computer Science, ECCV 2020", "Computer Vision -- ECCV 2014"],
    "icmla": ["ICMLA"],
    "eacl": ["EACL"],
}


@pytest.mark.parametrize(
    ("venue_id", "name"), [(key, name) for key, written in WRITINGS.items() for name in written]
)
def test_every_usual_writing_resolves_to_its_one_venue(venue_id: str, name: str) -> None:
    claim = TABLE.resolve(name)
    assert (claim.kind, claim.ids) == (VenueKind.VENUE, (venue_id,))


@pytest.mark.parametrize(
    "name",
    [
        "International Conference on Advanced AI Systems",
        "Conference on Neural Vision Research",
        "International Conference on Neural Vision (ICNV)",
        "Journal of Machine Learning",
        "International Journal of Machine Learning Research",
        "IEEE Transactions on Neural Architecture",
        "Nature Machine Learning",
        "Cell Learning",
        "Conference on Computer Vision",
        "ICML Asia Summit",
        "Symposium on Deep Representations, Paris, 2021",
        "Workshop on Reliable Agents",
        "Education for Health",
    ],
)
def test_an_unheard_of_venue_is_not_attached_to_a_similar_one(name: str) -> None:
    assert TABLE.resolve(name).kind is VenueKind.UNKNOWN


@pytest.mark.parametrize(
    "name",
    [
        "Lecture Notes in Computer Science",
        "CEUR Workshop Proceedings",
        "Proceedings of Machine Learning Research, vol. 70",
        "Springer",
        "ACM",
        "MIT Press",
        "University of Chicago Press, Chicago, IL",
        "OpenReview.net",
        "Proceedings of the ...",
        "Submitted to ICLR 2023",
        "University of Toronto",
    ],
)
def test_publishers_series_and_platforms_are_containers(name: str) -> None:
    assert TABLE.resolve(name).kind is VenueKind.CONTAINER


@pytest.mark.parametrize(
    "name",
    ["arXiv preprint arXiv:1606.06565", "CoRR", "ArXiv, abs/1706.03762", "bioRxiv", "SSRN"],
)
def test_preprint_servers_are_no_venues(name: str) -> None:
    assert TABLE.resolve(name).kind is VenueKind.PREPRINT


@pytest.mark.parametrize("name", ["", "  ", "{}", "..."])
def test_nothing_is_missing(name: str) -> None:
    assert TABLE.resolve(name).kind is VenueKind.MISSING


def test_a_joint_meeting_means_both() -> None:
    assert TABLE.resolve("ACL-IJCNLP").ids == ("acl", "ijcnlp")
    long = (
        "Proceedings of the 59th Annual Meeting of the Association for Computational Linguistics "
        "and the 11th International Joint Conference on Natural Language Processing (Volume 1)"
    )
    assert TABLE.resolve(long).ids == ("acl", "ijcnlp")


def test_an_ambiguous_acronym_means_several_until_the_name_is_written_out() -> None:
    assert set(TABLE.resolve("FSE").ids) == {"fse", "fse-crypto"}
    assert TABLE.resolve("Fast Software Encryption (FSE)").ids == ("fse-crypto",)


def test_one_mistyped_letter_in_a_long_name_is_forgiven() -> None:
    assert TABLE.resolve("International Conference on Learning Represntations").ids == ("iclr",)


def test_one_other_letter_in_a_short_word_is_another_name() -> None:
    assert TABLE.resolve("Physical Review F").kind is VenueKind.UNKNOWN


def test_small_words_tell_journals_apart() -> None:
    rows = [LearntName("education for health", "name:education-for-health")]
    table = TABLE.with_learnt(rows)
    assert table.resolve("Education for Health (Abingdon)").ids == ("name:education-for-health",)
    assert table.resolve("Educ. for Health").ids == ("name:education-for-health",)
    assert table.resolve("Education and Health").kind is VenueKind.UNKNOWN


def test_learnt_names_never_change_what_a_curated_name_means() -> None:
    table = TABLE.with_learnt([LearntName("icml", "name:something-else")])
    assert table.resolve("ICML").ids == ("icml",)


def test_learnt_rows_may_come_back_from_storage_as_plain_arrays() -> None:
    table = TABLE.with_learnt([["journal of vision", "name:journal-of-vision", 3]])
    assert table.resolve("J. Vis.").ids == ("name:journal-of-vision",)


def test_the_year_is_read_from_the_name() -> None:
    assert TABLE.resolve("NeurIPS'21").year == 2021
    assert TABLE.resolve("Proc. ICML 2019, Long Beach").year == 2019
    assert TABLE.resolve("ICML").year is None


def test_only_a_written_out_title_is_explicit() -> None:
    assert TABLE.resolve("Proceedings of the 2020 Conference on Empirical Methods in NLP").explicit
    assert not TABLE.resolve("EMNLP").explicit
    assert not TABLE.resolve("Proc. EMNLP 2020").explicit


@pytest.mark.parametrize(
    ("short", "raw", "doi", "url", "expected"),
    [
        ("CVPR", "CVPR 2021: Virtual Event", None, None, "cvpr"),
        ("CVPR Workshops", "CVPR", None, None, "cvpr-workshops"),
        ("CVPR", "", "10.1109/cvprw53098.2021.00012", None, "cvpr-workshops"),
        ("CVPR", "", None, "https://openaccess.thecvf.com/content/CVPR2021W/X/p.html",
         "cvpr-workshops"),
        ("EMNLP", "EMNLP", "10.18653/v1/2021.findings-emnlp.12", None, "emnlp-findings"),
        ("ACL", "", None, "https://aclanthology.org/2021.acl-demo.3", "acl-demo"),
        ("IJCNLP", "IJCNLP", "10.18653/v1/2021.acl-long.1", None, "acl"),
        ("FSE", ("ACM Joint European Software Engineering Conference and Symposium on the "
         "Foundations of Software Engineering"), None, None, "fse"),
        ("OOPSLA", "Proc. ACM Program. Lang", None, None, "oopsla"),
        ("", "Lecture Notes in Computer Science", None, None, None),
        ("", "", None, None, None),
        ("ACL Workshop", "Proceedings of the 8th Workshop on Asian Translation", None, None,
         "workshop:workshop-on-asian-translation"),
        ("WAT", "Proceedings of the 8th Workshop on Asian Translation", None, None,
         "workshop:workshop-on-asian-translation"),
        ("", "Journal of Vision", None, None, "name:journal-of-vision"),
        ("ICML (OpenReview, not in main list)", "ICML", None, None, None),
        ("EACL", "Demonstrations", None, None, "eacl-demo"),
        ("Columbia University", "DataCite", None, None, None),
    ],
)  # fmt: skip
def test_a_records_names_and_identifiers_give_one_identity(
    short: str, raw: str, doi: str | None, url: str | None, expected: str | None
) -> None:
    assert TABLE.identity(short, raw, doi, url) == (expected, False)


def test_a_record_from_a_preprint_server_is_said_to_be_one() -> None:
    assert TABLE.identity("arXiv", "arXiv:2101.00001 [cs.CV]") == ("arxiv", True)
    assert TABLE.identity("medRxiv", "medRxiv") == ("medrxiv", True)
    assert TABLE.identity("", "", "10.48550/arxiv.2101.00001") == ("arxiv", True)


def test_a_paper_keeps_its_venue_though_its_doi_is_arxivs() -> None:
    assert TABLE.identity("ICLR", "ICLR", "10.48550/arxiv.1412.6980") == ("iclr", False)


@pytest.mark.parametrize("fact", venues().values(), ids=lambda fact: fact.id)
def test_every_curated_name_means_its_own_venue(fact: VenueFact) -> None:
    for name in fact.names:
        claim = TABLE.resolve(name)
        if fact.type is VenueType.PREPRINT:
            assert claim.kind is VenueKind.PREPRINT, name
        elif fact.type is VenueType.CONTAINER:
            assert claim.kind is VenueKind.CONTAINER, name
        else:
            assert fact.id in claim.ids, name


def test_the_years_held_are_known_where_they_are_regular() -> None:
    assert TABLE.held("eccv", 2021) is False
    assert TABLE.held("iccv", 2022) is False
    assert TABLE.held("iccv", 2023) is True
    assert TABLE.held("naacl", 2020) is False
    assert TABLE.held("naacl", 2023) is False
    assert TABLE.held("eacl", 2022) is False
    assert TABLE.held("iclr", 2012) is None
    assert TABLE.held("neurips", 2099) is None
    assert TABLE.held("name:journal-of-vision", 2001) is None
    assert TABLE.held("wacv", 2003) is None


@given(st.text(max_size=200))
def test_normalising_twice_changes_nothing(name: str) -> None:
    assert normal(normal(name)) == normal(name)


@given(st.text(max_size=300))
def test_no_name_breaks_the_table(name: str) -> None:
    claim = TABLE.resolve(name)
    assert (claim.kind is VenueKind.VENUE) == bool(claim.ids)


@given(
    st.sampled_from([name for written in WRITINGS.values() for name in written]),
    st.sampled_from([str.upper, str.lower, str.title, str.swapcase]),
)
def test_plain_names_do_not_depend_on_case(name: str, change: object) -> None:
    assert callable(change)
    assert normal(change(name)) == normal(name)


@pytest.mark.shared_data
def test_every_venue_of_a_valid_entry_of_the_development_split_resolves(shared: Path) -> None:
    lines = (shared / "data" / "hallmark" / "dev_public.jsonl").read_text("utf-8").splitlines()
    fields = [entry["fields"] for entry in map(json.loads, lines) if entry["label"] == "VALID"]
    claimed = {one.get("booktitle") or one.get("journal") or "" for one in fields} - {""}
    kinds = {name: TABLE.resolve(name).kind for name in claimed}
    assert {name for name, kind in kinds.items() if kind is not VenueKind.VENUE} == set()


@pytest.mark.parametrize(
    "name",
    [
        "Behavioral Sciences and the Law",
        "Psychology, Public Policy, and Law",
        "BEHAVIORAL SCIENCES AND THE LAW",
        "Crime, Media, Culture",
        "Journal of Fast, Cheap Computing",
        "The Wine Journal",
        "Animals, Pets, and People",
    ],
)
def test_a_word_of_the_language_is_no_acronym(name: str) -> None:
    assert TABLE.resolve(name).ids == ()


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Linguistic Annotation Workshop (LAW)", "law"),
        ("Proceedings of the 12th LAW, Berlin", "law"),
        ("Proceedings of Fast, 2019", "fast"),
        ("Advances in Cryptology - CRYPTO 2019", "crypto"),
        ("Crypto 2019, Santa Barbara", "crypto"),
        ("Proceedings of CLeaR 2022, Eureka", "clear"),
    ],
)
def test_an_acronym_that_is_a_word_is_meant_in_capitals_or_alone(name: str, meant: str) -> None:
    assert TABLE.resolve(name).ids == (meant,)
