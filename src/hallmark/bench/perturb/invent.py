"""What would a title, a person or a venue be called that does not exist?"""

import re
from random import Random

from hallmark.bench.perturb import words
from hallmark.bench.perturb.interface import Level, Pool
from hallmark.text.venue_facts import VenueType, venues
from hallmark.text.venues import VenueKind

TRIES = 40
"""Inventions that are tried before an entry is called inapplicable."""
_FIELD = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"[A-Z][a-z]{4,}")
_SMALL = frozenset("conference international proceedings annual meeting european asian".split())


def title(pool: Pool, rng: Random, difficulty: Level) -> str | None:
    """Return the title of no work in the pool, or None where none was found.

    Made of the words of our tables; where it is to be hard to notice, of two real titles.
    """
    for _ in range(TRIES):
        text = _spliced(pool, rng) if difficulty is Level.HIGH else _composed(rng)
        if text and not pool.titled(text):
            return text
    return None


def _composed(rng: Random) -> str:
    choices = words.parts("title_parts")
    template = rng.choice(choices["template"])
    return _FIELD.sub(lambda found: rng.choice(choices[found[1]]), template)


def _spliced(pool: Pool, rng: Random) -> str:
    """Return the first half of a real title with the second half of another."""
    drawn = (pool.draw(rng), pool.draw(rng))
    first, second = (version.title.split() if version else [] for version in drawn)
    if min(len(first), len(second)) < 4:  # noqa: PLR2004 - halves of two words
        return ""
    return " ".join([*first[: (len(first) + 1) // 2], *second[len(second) // 2 :]])


def person(rng: Random) -> str:
    """Return a name whose parts go together: both of one culture."""
    cultures = sorted({row[0] for row in words.rows("people")})
    culture = rng.choice(cultures)
    given, family = (
        rng.choice([name for c, p, name in words.rows("people") if (c, p) == (culture, part)])
        for part in ("given", "family")
    )
    return f"{given} {family}"


def persons(rng: Random, count: int) -> list[str]:
    """Return `count` different names."""
    found: dict[str, None] = {}
    while len(found) < count:
        found[person(rng)] = None
    return list(found)


def venue(pool: Pool, rng: Random, difficulty: Level) -> str | None:
    """Return a name that means no venue to the pool, or None where none was found.

    Where it is to be hard to notice, it is a real one's name with one word replaced.
    """
    for _ in range(TRIES):
        name = _near_venue(rng) if difficulty is Level.HIGH else _composed_venue(rng, difficulty)
        if pool.venues.resolve(name).kind is VenueKind.UNKNOWN:
            return name
    return None


def _composed_venue(rng: Random, difficulty: Level) -> str:
    """Return form, quality, field and object; with an acronym where it is easy to notice."""
    part = words.parts("venue_parts")
    subject = " ".join(rng.choice(part[name]) for name in ("quality", "field", "object"))
    name = rng.choice(part["form"]).format(subject)
    acronym = "".join(word[0] for word in name.split() if word[0].isupper())
    return f"{name} ({acronym})" if difficulty is Level.LOW else name


def _near_venue(rng: Random) -> str:
    """Return the full name of a real meeting with one telling word replaced."""
    fact = rng.choice([one for one in venues().values() if one.type is VenueType.CONFERENCE])
    name = fact.names[0]
    telling = [one for one in _WORD.findall(name) if one.lower() not in _SMALL]
    if not telling:
        return name
    subject = rng.choice(words.parts("venue_parts")["field"]).split()
    return name.replace(rng.choice(telling), rng.choice(subject), 1)
