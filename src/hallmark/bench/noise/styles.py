"""Which kinds of noise go together?

A style is what one house style, program or person does to an entry: kinds in order, each with its
chance. The rows are our own judgement of what these exports and styles look like.
"""

from random import Random

from msgspec import Struct

from hallmark._registry import Registry
from hallmark.bench.entry import Entry
from hallmark.bench.noise.interface import Facts, Noised, add_noise


class Style(Struct, frozen=True):
    """Kinds of noise in the order in which they are applied, each with its chance in (0, 1]."""

    name: str
    kinds: tuple[tuple[str, float], ...]


STYLES: Registry[Style] = Registry("citation style")

_ROWS = {
    "ieee": "venue-iso4 .7, venue-yearly .3, and-others .2, initials 1, sentence-case .8, "
    "pages-added .9, fields-added .3, latex-accents .5",
    "acm": "venue-yearly .8, series-added .6, and-others .05, pages-added .9, doi-as-url .3, "
    "fields-added .5, latex-accents .4",
    "apa": "venue-full .6, initials .7, family-first 1, and-others .15, "
    "sentence-case 1, full-stop .2, "
    "doi-as-url .7, online-first-year .1, pages-added .5",
    "hand-written": "venue-acronym .4, venue-yearly .4, subtitle-dropped .15, arxiv-citation .2, "
    "middle-names-dropped .4, et-al .1, comma-list .05, accents-dropped .5, title-case .2, "
    "dashes .3, doi-missing .7, year-missing .03, venue-missing .05, fields-reordered .5",
    "zotero-export": "venue-as-recorded .6, family-first 1, title-case .2, braces .7, "
    "foreign-quotes .5, html-entities .1, fields-added 1, pages-added .7, doi-as-url .1, "
    "fields-reordered .3, "
    "latex-accents .5",
    "dblp-export": "venue-as-recorded .9, doi-capitals .6, pages-added .9, fields-added .4, "
    "full-stop .2, latex-accents .9",
    "google-scholar-export": "venue-full .6, venue-in-journal-field .2, arxiv-citation .2, "
    "family-first 1, and-others .4, sentence-case .6, doi-missing 1, pages-added .7, "
    "accents-dropped .1, latex-accents .6",
    "pubmed-export": "venue-iso4 .8, glued-initials 1, and-others .2, full-stop .8, "
    "online-first-year .2, pages-added .8, html-entities .2",
    "plain": "fields-reordered .2, doi-missing .3, braces .3, upper-case .03",
}


def _parsed(name: str, row: str) -> Style:
    pairs = (part.split() for part in row.split(","))
    return Style(name, tuple((kind, float(chance)) for kind, chance in pairs))


for _name, _row in _ROWS.items():
    STYLES.add(_name, _parsed(_name, _row))


def write_in(style: Style, entry: Entry, facts: Facts, rng: Random) -> Noised:
    """Write an entry in a style; the kinds that are applied are drawn anew for each entry."""
    kinds = [kind for kind, chance in style.kinds if rng.random() < chance]
    return add_noise(entry, facts, kinds, rng)


def write_in_any(entry: Entry, facts: Facts, rng: Random) -> tuple[str, Noised]:
    """Write an entry in a style drawn at random; returns the style's name, too."""
    name = rng.choice(STYLES.names())
    return name, write_in(STYLES.get(name), entry, facts, rng)
