"""Records that look real: names of many cultures and scripts, real venues, invented titles."""

from random import Random

from hallmark.bench.perturb import invent
from hallmark.bench.perturb.interface import Level
from hallmark.bench.perturb.pool import ListPool
from hallmark.records.work import Version
from hallmark.text import titles
from hallmark.text.venue_facts import VenueFact, VenueType, venues

EMPTY = ListPool(())
UNUSUAL = (
    "Ludwig van Beethoven", "Charles de Gaulle", "Yann LeCun", "Jean-Pierre Serre", "Jürgen Müller",
    "Søren Kierkegaard", "Łukasz Kaiser", "Mária Ďurišová", "Ngô Bảo Châu", "Þórdís Björnsdóttir",
    "Gabriel García Márquez", "Sinno Jialin Pan", "Seung-won Hwang", "Timothy J. O'Donnell",
    "Nicolas Le Roux", "Omar al-Sufi", "İlker Gümüşsoy", "Anežka Škodová", "Kyunghyun Cho",
    "Mary-Anne van der Berg", "Josip Đurđević", "Çağlar Gülçehre", "Michał Głuch", "Aude Géron",
)  # fmt: skip
SYLLABLES = tuple(a + b for a in "bdfgklmnprstvz" for b in "aeiou")
TAILS = (
    "A Benchmark",
    "An Empirical Study",
    "Theory and Practice",
    "The Case of R&D",
    "50% Less Data",
)


def meetings() -> list[VenueFact]:
    """Well-known venues with an acronym; journals, too."""
    ids = (
        "neurips icml iclr aaai ijcai cvpr iccv eccv acl emnlp naacl kdd www sigir chi uai aistats "
        "icra corl interspeech jmlr tmlr tpami jair tacl"
    )
    return [venues()[name] for name in ids.split()]


def people(rng: Random, count: int) -> list[str]:
    found: dict[str, str] = {}
    while len(found) < count:
        name = rng.choice(UNUSUAL) if rng.random() < 0.2 else invent.person(rng)
        if rng.random() < 0.15 and name.count(" ") == 1:
            name = name.replace(" ", f" {rng.choice('ABEJKMR')}. ")
        found.setdefault(name.split()[-1], name)
    return list(found.values())


def title(rng: Random) -> str:
    """Return a title with a coined word, so that no two works are near to each other."""
    text = invent.title(EMPTY, rng, Level.MEDIUM) or ""
    coined = "".join(rng.choice(SYLLABLES) for _ in range(4)).capitalize()
    shape = rng.choice(
        ("{0}: {1}", "{1} of {0} Networks", "{1} by {0}: {2}", "{0}-Based {1} α-{3}")
    )
    return shape.format(coined, text, rng.choice(TAILS), rng.randint(2, 99))


def records(count: int, seed: int) -> list[Version]:
    """Return `count` different works as records of one collection."""
    rng = Random(seed)
    found: dict[str, Version] = {}
    held = meetings()
    while len(found) < count:
        fact = rng.choice(held)
        year = rng.randint(2013, 2024)
        if fact.held(year) is False:
            continue
        text = title(rng)
        if titles.key(text) in found:
            continue
        number = len(found)
        found[titles.key(text)] = Version(
            collection="alpha",
            title=text,
            authors=tuple(people(rng, rng.choice((1, 2, 3, 3, 4, 5, 8)))),
            venue=fact.names[0] if fact.type is VenueType.JOURNAL else _short(fact),
            venue_raw=fact.names[0],
            venue_id=fact.id,
            year=year,
            doi=f"10.5555/made.{number}" if rng.random() < 0.5 else None,
        )
    return list(found.values())


def _short(fact: VenueFact) -> str:
    return min(fact.names, key=len)
