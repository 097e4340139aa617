"""Two names fit where, and only where, they could mean one person."""

import string
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallmark.match.given_match import Fit, fit_given
from hallmark.match.name_forms import form_of_text
from hallmark.match.name_match import NameFit, fit_names
from hallmark.text.names import parse_name


def fit(one: str, other: str) -> NameFit:
    return fit_names(form_of_text(one), form_of_text(other))


@pytest.mark.parametrize(
    ("one", "other", "code"),
    [
        # The same person, the name split or ordered otherwise.
        ("Li Fei-Fei", "Fei-Fei Li", "name-order"),
        ("Tran Minh Duc", "Duc Minh Tran", "name-order"),
        ("Trần, Minh Đức", "Duc Minh Tran", "name-order"),
        ("Ahmed, Murtadha", "Ahmed Murtadha", "name-order"),
        ("Moya Ruiz, Luis", "Luis Moya Ruiz", ""),
        ("Kjær Holm, Anna", "Holm, Anna Kjær", ""),
        ("Helgason, Jón", "{Jón Helgason}", ""),
        ("Sukarno Sukarno", "Sukarno", "diacritics"),
        ("Sukarno, .", "Sukarno", ""),
        ("A Light, Roger", "Roger A. Light", "diacritics"),
        ("N Siddharth", "Siddharth Narayan", "name-order"),
        # Initials, glued and of hyphenated names.
        ("J.-P. Moulin", "Jean-Pierre Moulin", "initials"),
        ("JP Moulin", "Jean-Pierre Moulin", "initials"),
        ("J. Moulin", "Jean-Pierre Moulin", "initials"),
        ("ME Bianchi", "Maria Elena Bianchi", "initials"),
        ("Moulin J", "Jean Moulin", "initials"),
        ("H. Quist", "Helga Amara Quist", "initials"),
        ("Þ. Quist", "Þórdís Quist", "initials"),
        ("Quist, Æ", "Ægir Quist", "initials"),
        # Middle names.
        ("Dawn Quist", "C. Dawn Quist", "middle-name"),
        ("R. Quist", "R. G. Quist", "middle-name"),
        ("Philip H. S. Torr", "Philip Torr", "middle-name"),
        ("Larry Quist", "C. Lawrence Quist", "middle-name"),
        # Compound family names, particles, suffixes.
        ("Nadia Orlow", "Nadia Orlow Kestrel", "compound-family"),
        ("Nadia O. Kestrel", "Nadia Orlow Kestrel", "initials"),
        ("Nadia Kestrel", "Nadia Orlow Kestrel", "middle-name"),
        ("Nadia Kestrel", "Nadia Orlow-Kestrel", "compound-family"),
        ("Pieter Van Der Aa", "Pieter Der Aa", "particle"),
        ("Oord, Aaron van den", "Aaron Oord", "particle"),
        ("Alaa El-Nouby", "Alaa Nouby", "particle"),
        ("Alaa ElNouby", "Alaa El Nouby", "particle"),
        ("Ken Griffey", "Ken Griffey Jr.", "suffix"),
        ("K. Griffey 3rd", "Griffey, III, Ken", "initials"),
        ("Bahram Yoosefizonooz", "Bahram Zonooz", "compound-family"),
        # Spelling.
        ("Kurt Muessig", "Kurt Müßig", "transliteration"),
        ("Kurt Mussig", "Kurt Müßig", "diacritics"),
        ("Ege Adiguzel", "Ege Adıgüzel", "diacritics"),
        ("Đorđe Petrović", "Djordje Petrovic", "transliteration"),
        ("Simon Lacoste\u2010Julien", "Simon Lacoste-Julien", "diacritics"),
        ("Xiaoming Wang", "Xiao-Ming Wang", "joined-given"),
        ("Jiaqi Lyu", "Jiaqi Lv", "transliteration"),
        ("Yurii Nesterov", "Iouri Nesterov", "given-variant"),
        ("Юрий Нестеров", "Yurii Nesterov", ""),
        ("李晓测", "Xiaoce Li", "transliteration"),
        ("Vaibhava Goel", "Vaibhav Goel", "given-slip"),
        ("PM ZOBEL", "Pia MARLENE ZOBEL", "initials"),
        ("TH ZOBEL", "Tsz Ho Zobel", "initials"),
        ("Quist MKMK", "Md Kamal Mahdi Karim Quist", "initials"),
        # Short forms in several languages.
        ("Misha Belkin", "Mikhail Belkin", "given-variant"),
        ("Bob Quist", "Robert Quist", "given-variant"),
        ("Pepe Moya", "José Moya", "given-variant"),
        ("Sasha Petrov", "Alexander Petrov", "given-variant"),
        ("Manolis Zampetakis", "Emmanouil Zampetakis", "given-variant"),
        ("Alex Quist", "Alexander Quist", "given-variant"),
        ("The Survey Team", "Survey Team", "consortium"),
    ],
)
def test_documented_forms_of_one_name_fit(one: str, other: str, code: str) -> None:
    found = fit(one, other)
    assert found.fit <= Fit.VARIANT, found
    if found.fit is Fit.VARIANT and code:
        assert found.code == code


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Roger A. Light", "Roger B. Light", Fit.OTHER),
        ("R. A. Quist", "R. G. Quist", Fit.OTHER),
        ("P. Moulin", "Jean-Pierre Moulin", Fit.OTHER),
        ("A. Quist", "Helga Amara Quist", Fit.OTHER),
        ("Michael Zhang", "Wei Zhang", Fit.OTHER),
        ("Rui Xiong", "Ruoxuan Xiong", Fit.OTHER),
        ("Jian Wang", "Jianlin Wang", Fit.OTHER),
        ("Chen Chen", "Wei Chen", Fit.OTHER),
        ("Moya Ruiz, Luis", "Ruiz, Elena Moya", Fit.NONE),
        ("Nadia Orlow", "Nadia Kestrel", Fit.NONE),
        ("Simon Lacombe-Julien", "Simon Lacoste-Julien", Fit.NONE),
        ("Ann Mig", "Ann Müßig", Fit.NONE),
        ("Ada Lovelace", "Grace Hopper", Fit.NONE),
        ("Gravity Collaboration", "Ada Lovelace", Fit.NONE),
        ("Michael Johnson", "Michael Johnston", Fit.SLIP),
        ("David Lopez-Paz", "David Lopez-Pas", Fit.SLIP),
        ("Lei Zheng", "Lei Zhang", Fit.SLIP),
    ],
)
def test_other_people_do_not_fit(one: str, other: str, expected: Fit) -> None:
    assert fit(one, other).fit is expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"Kone{\v{c", "Jakub Konečný"),
        ("Richard", "Richard S. Zemel"),
        ("Geoffrey E.", "Geoffrey E. Hinton"),
        ("山田花子", "Hanako Yamada"),
        ("Griffey, Jr., Ken", "Griffey, Sr., Ken"),
        ("M. Tao", "Tao Ma"),
        ("M. Pawan Kumar", "Pawan K. Mudigonda"),
    ],
)
def test_doubt_about_a_form_is_no_contradiction(one: str, other: str) -> None:
    assert fit(one, other).fit is Fit.DOUBT


def test_given_names_of_other_languages_stay_apart() -> None:
    assert fit_given(("jian",), ("jianlin",))[0] is Fit.OTHER
    assert fit_given(("alex",), ("alexander",))[0] is Fit.VARIANT


WORD = st.text(string.ascii_lowercase, min_size=1, max_size=8).map(str.capitalize)
NAME = st.lists(WORD, min_size=1, max_size=4).map(" ".join)
ANY = NAME | st.text(max_size=20).filter(lambda text: bool(text.strip()))


@given(ANY, ANY)
def test_fitting_is_symmetric(one: str, other: str) -> None:
    assert fit(one, other) == fit(other, one)


@given(ANY)
def test_every_name_fits_itself(name: str) -> None:
    assert fit(name, name).fit is Fit.SAME


@given(st.lists(st.text("bdgmnoa", min_size=4, max_size=8), min_size=2, max_size=3).map(" ".join))
def test_case_does_not_matter(name: str) -> None:
    assert form_of_text(name).spelled == form_of_text(name.upper()).spelled
    assert fit(name, name.upper()).fit <= Fit.VARIANT


ACCENTS = st.sampled_from(["\u0301", "\u0300", "\u0302", "\u030c", "\u0327"])
LONG_WORD = st.text("bcdfghklmnprst", min_size=2, max_size=4).map(lambda text: f"Ma{text}o")


@given(LONG_WORD, LONG_WORD, ACCENTS)
def test_accents_do_not_matter(first: str, last: str, accent: str) -> None:
    accented = unicodedata.normalize("NFC", f"{first} {last[:2]}{accent}{last[2:]}")
    assert fit(accented, f"{first} {last}").fit <= Fit.VARIANT


COMMANDS = {"\u0301": "\\'", "\u0300": "\\`", "\u0302": "\\^"}


@given(LONG_WORD, LONG_WORD, st.sampled_from(sorted(COMMANDS)), st.booleans())
def test_latex_accents_do_not_matter(first: str, last: str, accent: str, braced: bool) -> None:
    command = f"{COMMANDS[accent]}{{{last[1]}}}"
    latex = (
        f"{first} {last[0]}{{{command}}}{last[2:]}"
        if braced
        else f"{first} {last[0]}{command}{last[2:]}"
    )
    plain = unicodedata.normalize("NFC", f"{first} {last[:2]}{accent}{last[2:]}")
    assert fit(latex, plain).fit is Fit.SAME


@given(LONG_WORD, LONG_WORD)
def test_initials_of_a_name_fit_it(first: str, last: str) -> None:
    assert fit(f"{first[0]}. {last}", f"{first} {last}").fit is Fit.VARIANT


@given(LONG_WORD, LONG_WORD)
def test_display_and_parse_go_round(first: str, last: str) -> None:
    turned = parse_name(f"{last}, {first}")
    assert parse_name(turned.display).display == turned.display
