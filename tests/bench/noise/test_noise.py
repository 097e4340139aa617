"""Does noise change the dress of an entry, and nothing that it says?"""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from hallmark.bench.entry import Entry
from hallmark.bench.noise.interface import Facts, add_noise, load_all
from hallmark.bench.noise.latex import bibtex, encoded
from hallmark.bench.noise.styles import STYLES, write_in, write_in_any
from hallmark.bench.perturb.drafts import entry_of
from hallmark.bench.perturb.interface import Inapplicable
from hallmark.errors import UnknownName
from hallmark.parse.interface import parse_text
from hallmark.records.reference import Reference
from hallmark.records.work import Version
from hallmark.text import titles
from hallmark.text.venues import VenueTable
from tests.metamorphic.made import records

TABLE = VenueTable.curated()
WORK = Version(
    collection="alpha",
    title="On “Sets”: A Self-Dual View of R&D",
    authors=("Jean-Pierre K. Serre", "Kurt Gödel", "Ludwig van Beethoven", "Grace B. Hopper"),
    venue="ICML",
    venue_raw="International Conference on Machine Learning, ICML 2019, Long Beach",
    venue_id="icml",
    year=2019,
    doi="10.5555/abc.12",
    url="https://example.org/paper",
)
PREPRINT = structs.replace(
    WORK, venue="arXiv", venue_raw="arXiv", venue_id="arxiv", preprint=True, arxiv="1812.00001",
    doi="10.48550/arxiv.1812.00001", year=2018,
)  # fmt: skip
ARTICLE = structs.replace(WORK, venue="TPAMI", venue_id="tpami", doi=None)
FACTS = Facts((WORK, PREPRINT), TABLE)
ENTRY = entry_of(WORK, "k")
NAMES = load_all().names()
seeds = st.integers(0, 2**32)


def _fields(name: str, seed: int = 1, facts: Facts = FACTS) -> dict[str, str]:
    found = load_all().get(name)(entry_of(facts.record, "k"), facts, Random(seed))
    assert isinstance(found, Entry), found
    return found.fields


def _read(entry: Entry) -> Reference:
    (found,) = parse_text(bibtex(entry))
    assert isinstance(found, Reference), found
    return found


@pytest.mark.parametrize(
    ("name", "authors"),
    [
        ("initials", "J.-P. K. Serre and K. Gödel and L. van Beethoven and G. B. Hopper"),
        (
            "family-first",
            "Serre, Jean-Pierre K. and Gödel, Kurt and van Beethoven, Ludwig and Hopper, Grace B.",
        ),
        (
            "middle-names-dropped",
            "Jean-Pierre Serre and Kurt Gödel and Ludwig van Beethoven and Grace Hopper",
        ),
        (
            "accents-dropped",
            "Jean-Pierre K. Serre and Kurt Godel and Ludwig van Beethoven and Grace B. Hopper",
        ),
        (
            "latex-accents",
            'Jean-Pierre K. Serre and Kurt G{\\"o}del and Ludwig van Beethoven and Grace B. Hopper',
        ),
        (
            "comma-list",
            "Jean-Pierre K. Serre, Kurt Gödel, Ludwig van Beethoven and Grace B. Hopper",
        ),
    ],
)
def test_how_names_are_written(name: str, authors: str) -> None:
    assert _fields(name)["author"] == authors


def test_glued_initials_come_in_three_orders() -> None:
    first = {_fields("glued-initials", seed=n)["author"].split(" and ")[0] for n in range(30)}
    assert first == {"Serre JPK", "Serre, JPK", "JPK Serre"}


def test_a_list_is_cut_after_any_name_but_the_last() -> None:
    lengths = {len(_fields("and-others", seed=n)["author"].split(" and ")) for n in range(60)}
    assert lengths == {2, 3, 4}
    assert _fields("et-al")["author"].endswith("et al.")


def test_venues_are_written_in_many_ways_and_mean_the_same() -> None:
    kinds = [name for name in NAMES if name.startswith("venue-") and name != "venue-missing"]
    written = set()
    for name in kinds:
        for seed in range(40):
            fields = _fields(name, seed=seed)
            written.add(fields.get("booktitle") or fields["journal"])
    assert len(written) > 15
    assert {TABLE.resolve(name).ids for name in written} == {("icml",)}


def test_the_iso_4_form_is_the_librarys() -> None:
    assert _fields("venue-iso4")["booktitle"] == "Proc. Int. Conf. Mach. Learn."


def test_a_subtitle_is_dropped_only_where_the_head_names_the_work() -> None:
    longer = Facts((structs.replace(WORK, title="Sets of Small Sets: A View"),), TABLE)
    assert _fields("subtitle-dropped", facts=longer)["title"] == "Sets of Small Sets"
    apply = load_all().get("subtitle-dropped")
    assert apply(ENTRY, FACTS, Random(1)) == Inapplicable("has no subtitle")


def test_quotes_entities_dashes_and_cases_leave_the_title_what_it_is() -> None:
    key = titles.key(WORK.title)
    same = "title-case sentence-case braces foreign-quotes html-entities dashes full-stop".split()
    for name in same:
        for seed in range(10):
            assert titles.key(_fields(name, seed=seed)["title"]) == key, name
    assert _fields("html-entities")["title"].endswith("R&amp;D")


def test_a_preprint_is_cited_for_the_published_work() -> None:
    found = [_fields("arxiv-citation", seed=n) for n in range(30)]
    assert {one["year"] for one in found} == {"2018"}
    assert any("eprint" in one for one in found)
    assert any("journal" in one for one in found)
    assert not any("booktitle" in one or "doi" in one for one in found)


def test_an_article_is_dated_a_year_early_unless_its_doi_says_otherwise() -> None:
    assert _fields("online-first-year", facts=Facts((ARTICLE,), TABLE))["year"] == "2018"
    dated = structs.replace(ARTICLE, doi="10.1109/tpami.2019.2900000")
    apply = load_all().get("online-first-year")
    for version in (dated, WORK):
        found = apply(entry_of(version, "k"), Facts((version,), TABLE), Random(1))
        assert isinstance(found, Inapplicable)


def test_the_doi_stays_the_same_however_it_is_written() -> None:
    for name in ("doi-as-url", "doi-capitals"):
        for seed in range(20):
            entry = structs.replace(ENTRY, fields=_fields(name, seed=seed))
            assert _read(entry).doi == WORK.doi


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=20)
@given(version=st.sampled_from([*records(40, seed=4), WORK, PREPRINT, ARTICLE]), seed=seeds)
def test_noise_is_pure_and_the_same_for_the_same_seed(
    name: str, version: Version, seed: int
) -> None:
    entry, facts = entry_of(version, "k"), Facts((version, PREPRINT), TABLE)
    before = dict(entry.fields)
    one, other = (load_all().get(name)(entry, facts, Random(seed)) for _ in range(2))
    assert one == other
    assert entry.fields == before
    if isinstance(one, Entry):
        assert (one.label, one.bibtex_key) == (entry.label, entry.bibtex_key)


@settings(max_examples=150)
@given(version=st.sampled_from(records(60, seed=4)), seed=seeds)
def test_an_entry_in_any_style_is_read_back_with_its_title_and_first_author(
    version: Version, seed: int
) -> None:
    style, noised = write_in_any(entry_of(version, "k"), Facts((version,), TABLE), Random(seed))
    found = _read(noised.entry)
    assert style in STYLES
    assert titles.key(version.title).startswith(titles.key(found.title))
    family = version.authors[0].split()[-1]
    assert titles.key(family)[-3:] in titles.key(found.authors[0].display)


def test_what_does_not_apply_is_not_named_among_the_kinds() -> None:
    noised = add_noise(ENTRY, FACTS, ["subtitle-dropped", "full-stop", "doi-missing"], Random(1))
    assert noised.kinds == ("full-stop", "doi-missing")
    with pytest.raises(UnknownName, match="full-stop"):
        add_noise(ENTRY, FACTS, ["ful-stop"], Random(1))


def test_every_style_names_known_kinds_and_every_kind_is_in_a_style() -> None:
    used = {kind for _, style in STYLES.items() for kind, _ in style.kinds}
    assert used == set(NAMES)
    assert all(0 < chance <= 1 for _, style in STYLES.items() for _, chance in style.kinds)


def test_a_style_leaves_a_trace() -> None:
    done = {
        kind
        for n in range(30)
        for kind in write_in(STYLES.get("ieee"), ENTRY, FACTS, Random(n)).kinds
    }
    assert {"initials", "venue-iso4", "pages-added"} <= done


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("R&D at 50% of #1", r"R\&D at 50\% of \#1"),
        (r"R\&D", r"R\&D"),
        ("R&amp;D &#233;", "R&amp;D &#233;"),
        ("snake_case $x_1$", r"snake\_case $x_1$"),
        ("a $100 bill", r"a \$100 bill"),
        ("open { brace", "open  brace"),
        ("} {", " "),
    ],
)
def test_bibtex_is_escaped_and_balanced(text: str, written: str) -> None:
    entry = structs.replace(ENTRY, fields={"title": text})
    assert f"title = {{{written}}}" in bibtex(entry)


@settings(max_examples=100)
@given(text=st.text(max_size=60))
def test_whatever_stands_in_a_field_the_entry_behind_it_is_read(text: str) -> None:
    made = structs.replace(ENTRY, fields={"title": text, "year": "2019"})
    both = list(parse_text(bibtex(made) + bibtex(structs.replace(ENTRY, bibtex_key="next"))))
    assert [getattr(one, "key", None) for one in both][-1] == "next"


def test_letters_without_a_command_stay_as_they_are() -> None:
    assert encoded("Gödel 深度") == 'G{\\"o}del 深度'
