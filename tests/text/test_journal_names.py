"""Abbreviated names of journals mean the full ones, and no others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyiso4.ltwa import Abbreviate

from hallmark.text.journal_names import same_journal
from hallmark.text.venue_facts import VenueType, venues
from hallmark.text.venues import VenueTable


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("J. Mach. Learn. Res.", "Journal of Machine Learning Research"),
        ("J Mach Learn Res", "The Journal of Machine Learning Research"),
        ("Phys. Rev. Lett.", "Physical Review Letters"),
        ("Annu. Rev. Psychol.", "Annual Review of Psychology"),
        ("Phys. Rev. A", "Physical Review A"),
        ("Jpn. J. Math.", "Japanese Journal of Mathematics"),
        ("Z. Math.", "Zeitschrift für Mathematik"),
        ("Rev. Histoire", "Revue de l'histoire"),
        ("Arch. Fisiol.", "Archivio di fisiologia"),
        ("Br. J. Phys.", "The British Journal of Physics : official journal of a society"),
        ("Br. J. Phys.", "British journal of physics / a learned society"),
        ("Odontostomatol. Rev.", "Odonto-Stomatological Review"),
        ("Curr. Med. Anticancer Agents", "Current Medicine. Anti-Cancer Agents"),
        ("Choices", "Choices (New York, N.Y.)"),
        ("Ann. Odontol. (Lyon)", "Annales Odontologiques"),
        ("CuadArquitRom", "Cuadernos de arquitectura romana"),
        ("HLB", "Harlow Library Bulletin"),
        ("IEEE Trans. Plan.", "Institute of Electrical and Electronics Engineers. Transactions on Planning"),
        ("J. Plan. Theory Ser. A", "Journal of Planning Theory, Series A"),
        ("Sci. Plan. D: Earth Plan.", "Science in Planning, Series D: Earth Planning"),
        ("Commun. Korean Plan. Soc.", "Korean Planning Society. Communications"),
        ("Stud. Econ. Des.", "Studies in Economic Design"),
        ("Hum Biol", "Human biology; an international record of research"),
        ("Plan. Rep. G", "Planning Reports. Series G, Subjects of Planning"),
        ("J. Plan. B", "Journal of Planning. B, Atomic and Molecular Planning"),
        ("Natl. Dent. Q.", "National Dental Quarterly"),
        ("Int. J. Plan.", "Intl. Journal of Planning"),
    ],
)  # fmt: skip
def test_a_short_form_means_the_full_name(short: str, full: str) -> None:
    assert same_journal(short, full)
    assert same_journal(full, short)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Nature", "Nature Medicine"),
        ("Science", "Science Advances"),
        ("Cell", "Cell Reports"),
        ("Brain", "Brain Research"),
        ("Phys. Rev. A", "Physical Review B"),
        ("Phys. Rev. A", "Physical Review"),
        ("J. Combin. Theory Ser. A", "Journal of Combinatorial Theory"),
        ("J. Phys. A", "J. Phys. B"),
        ("Plan. Rep. A", "Planning Reports. Series G, Subjects of Planning"),
        ("Physica A", "Physica D"),
        ("Vital Stat. 21", "Vital Statistics 23"),
        ("J. Phys.: Energy", "Journal of Physiology"),
        ("Machine Learning", "Machine Learning: Science and Technology"),
        ("Neural Computation", "Neural Computation and Applications"),
        ("J. Plan.", "Journal of Learning"),
        ("JP", "Journal of Planning"),
        ("", "Journal of Planning"),
    ],
)
def test_another_journal_is_not_meant(one: str, other: str) -> None:
    assert not same_journal(one, other)
    assert not same_journal(other, one)


ABBREVIATE = Abbreviate.create()


def iso_4(name: str) -> str:
    """Abbreviate by the list of title word abbreviations that the package pyiso4 holds.

    A few words make it fail; "" for names with one.
    """
    try:
        return str(ABBREVIATE(name, remove_part=False))
    except IndexError:
        return ""


def test_iso_4_abbreviations_of_every_curated_journal_mean_it() -> None:
    table = VenueTable.curated()
    journals = [fact for fact in venues().values() if fact.type is VenueType.JOURNAL]
    shorts = {fact.id: iso_4(fact.names[0]) for fact in journals}
    assert sum(map(bool, shorts.values())) > 0.9 * len(journals)
    lost = {
        fact.id: shorts[fact.id]
        for fact in journals
        if shorts[fact.id]
        and fact.id not in table.resolve(shorts[fact.id]).ids
        and not same_journal(shorts[fact.id], fact.names[0])
    }
    assert not lost


OF_SECTIONS = ("part", "sect", "supp", "seri", "volu", "numb", "issu")
WORD = st.text("abcdefghiklmnoprstuvz", min_size=5, max_size=9).filter(
    lambda word: not word.startswith(OF_SECTIONS)
)
NAME = st.lists(WORD, min_size=3, max_size=6, unique=True)


@given(NAME)
def test_words_cut_anywhere_mean_the_name(words: list[str]) -> None:
    short = " ".join(f"{word[:4]}.".capitalize() for word in words)
    assert same_journal(short, " of ".join(words).title())


@given(NAME, NAME)
def test_the_relation_is_symmetric(one: list[str], other: list[str]) -> None:
    mine, theirs = " ".join(one), " ".join(other)
    assert same_journal(mine, theirs) == same_journal(theirs, mine)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_can_be_compared(one: str, other: str) -> None:
    assert isinstance(same_journal(one, other), bool)
