"""How do people write the names of authors?"""

import re
import unicodedata
from collections.abc import Callable
from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.noise.interface import Facts, noise
from hallmark.bench.noise.latex import encoded
from hallmark.bench.perturb.drafts import people, with_fields
from hallmark.bench.perturb.interface import Inapplicable
from hallmark.text.name_folding import is_latin
from hallmark.text.names import PersonName, parse_name

_PART = re.compile(r"[\s\-\u2010]+")


@noise("initials")
def initials(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Write given names as initials: "J.-P. K. Serre"."""
    return _each(entry, lambda name: f"{_initials(name.given, '. ')} {_rest(name)}")


@noise("glued-initials")
def glued_initials(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Write initials as medicine does: "Serre JP", or "Serre, JP" and "JP Serre"."""
    form = rng.choice(("{1} {0}", "{1}, {0}", "{0} {1}"))
    return _each(entry, lambda name: form.format(_initials(name.given, ""), _rest(name)))


@noise("family-first")
def family_first(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Write the family name first: "Serre, Jean-Pierre"."""
    return _each(entry, lambda name: f"{_rest(name)}, {name.given}")


@noise("middle-names-dropped")
def middle_names_dropped(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Leave out initials in the middle: "Donald Knuth"."""
    return _each(entry, _without_middle)


@noise("and-others")
def and_others(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Cut the list and write "and others" in BibTeX's way."""
    names = people(entry)
    if len(names) < 3:  # noqa: PLR2004 - the fewest that are cut
        return Inapplicable("has fewer than three authors")
    kept = names[: rng.randrange(1, len(names))]
    return with_fields(entry, {"author": " and ".join([*kept, "others"])})


@noise("et-al")
def et_al(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Cut the list by hand: "Jean-Pierre Serre et al."."""
    names = people(entry)
    if len(names) < 3:  # noqa: PLR2004 - the fewest that are cut
        return Inapplicable("has fewer than three authors")
    return with_fields(entry, {"author": f"{names[0]} {rng.choice(('et al.', 'and et al.'))}"})


@noise("comma-list")
def comma_list(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Part the names by commas, as on a title page, with "and" before the last."""
    names = people(entry)
    if len(names) < 3 or any("," in name or " " not in name for name in names):  # noqa: PLR2004
        return Inapplicable("too few names, or commas in them")
    return with_fields(entry, {"author": f"{', '.join(names[:-1])} and {names[-1]}"})


@noise("latex-accents")
def latex_accents(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Write letters beyond ASCII as LaTeX commands, in names, title and venue."""
    kept = {"doi", "url", "year", "eprint"}
    changes = {name: encoded(text) for name, text in entry.fields.items() if name not in kept}
    return with_fields(entry, changes) if changes else Inapplicable("has no text")


@noise("accents-dropped")
def accents_dropped(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Write names without their accents: "Kurt Godel"."""
    text = entry.fields.get("author", "")
    marks = unicodedata.normalize("NFKD", text)
    plain = "".join(letter for letter in marks if not unicodedata.combining(letter))
    return with_fields(entry, {"author": unicodedata.normalize("NFC", plain)})


def _each(entry: Entry, write: Callable[[PersonName], str]) -> Entry | Inapplicable:
    """Rewrite every name of a person in Latin letters; other names stay."""
    text = entry.fields.get("author", "")
    if not text:
        return Inapplicable("names no authors")
    names = [_written(name, write) for name in people(entry)]
    cut = text.lower().endswith(" and others")
    return with_fields(entry, {"author": " and ".join([*names, "others"] if cut else names)})


def _written(text: str, write: Callable[[PersonName], str]) -> str:
    name = parse_name(text)
    plain = name.given and name.family and not name.suffix and is_latin(text)
    return write(name) if plain else text


def _rest(name: PersonName) -> str:
    return f"{name.particle} {name.family}" if name.particle else name.family


def _initials(given: str, mark: str) -> str:
    """Return the initials of given names, each followed by `mark`; hyphens stay before a point."""
    letters = [part.lstrip(".'’(")[:1].upper() for part in _PART.split(given)]
    if mark:
        hyphens = ["-" if "-" in gap else " " for gap in _PART.findall(given)]
        gaps = [*hyphens, ""]
        text = "".join(f"{letter}.{gap}" for letter, gap in zip(letters, gaps, strict=False))
        return text.strip()
    return "".join(letters)


def _without_middle(name: PersonName) -> str:
    first, *middle = name.given.split()
    kept = [part for part in middle if len(part.strip(".")) > 1]
    return " ".join([first, *kept, _rest(name)])
