"""near_miss_title: what if the title is off by one or two words?

Six strategies of the paper: a synonym of the same part of speech, the number of a noun, British for
American spelling or the reverse, an abbreviation written out or an expression abbreviated, a hyphen
put in or taken out, an article left out. LOW severity uses one, MEDIUM one or two, HIGH two.
HIGH difficulty keeps to those that leave the meaning as it is, and a plan may leave some out.
"""

import re
from collections.abc import Callable
from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.perturb import words
from hallmark.bench.perturb.drafts import mark, with_fields
from hallmark.bench.perturb.interface import Inapplicable, Knobs, Level, Outcome, Pool, register
from hallmark.bench.taxonomy import HallucinationType

Strategy = Callable[[str, Random], str | None]

_WORD = re.compile(r"(?<![\w\\{$-])[^\W\d_]+(?![\w}$-])")
_HYPHEN = re.compile(r"(?<=[a-z]{2})-(?=[a-z]{2})", re.IGNORECASE)
_ARTICLE = re.compile(r"(?<=\w )(?:the|an?) (?=\w)", re.IGNORECASE)
_COMPOUND = re.compile(
    r"\b(self|semi|multi|non|pre|post|cross|long|large|low|high|zero|few|fine|end|real|open|deep) "
    r"(?=[a-z]{4})",
    re.IGNORECASE,
)


NAMES = ("synonym", "number", "spelling", "abbreviation", "hyphen", "article")
"""Names of the strategies, in the paper's order."""


@register(HallucinationType.NEAR_MISS_TITLE, "title", strategies=NAMES)
def near_miss_title(
    entry: Entry,
    pool: Pool,  # noqa: ARG001 - all share one signature
    rng: Random,
    knobs: Knobs,
) -> Outcome:
    """Change one or two words of the title."""
    title = entry.fields.get("title", "")
    wanted = {Level.LOW: 1, Level.MEDIUM: rng.choice((1, 1, 2)), Level.HIGH: 2}[knobs.severity]
    changed, done = title, list[str]()
    for name in _order(rng, knobs):
        found = STRATEGIES[name](changed, rng)
        if found is not None and found != changed and len(done) < wanted:
            changed, done = found, [*done, name]
    if not done or (knobs.severity is Level.HIGH and len(done) < wanted):
        return Inapplicable("no strategy fits the title")
    note = f"The title is {title!r} (changed by: {', '.join(done)})"
    result = with_fields(entry, {"title": changed})
    return mark(entry, result, HallucinationType.NEAR_MISS_TITLE, note)


def _order(rng: Random, knobs: Knobs) -> list[str]:
    """Return the strategies in random order; the most frequent kind of slip has no precedence."""
    spared = _TELLING if knobs.difficulty is Level.HIGH else frozenset()
    names = [name for name in NAMES if name not in spared | knobs.without]
    rng.shuffle(names)
    return names


def _synonym(title: str, rng: Random) -> str | None:
    return _one_word(title, rng, words.synonyms().get)


def _number(title: str, rng: Random) -> str | None:
    return _one_word(title, rng, words.both_ways("plurals").get)


def _spelling(title: str, rng: Random) -> str | None:
    return _one_word(title, rng, words.both_ways("spellings").get)


def _one_word(title: str, rng: Random, stand_in: Callable[[str], str | None]) -> str | None:
    """Replace one of the words that have a stand-in, in its own case."""
    found = [one for one in _WORD.finditer(title) if stand_in(one[0].lower())]
    if not found:
        return None
    one = rng.choice(found)
    other = words.like(stand_in(one[0].lower()) or "", one[0])
    return title[: one.start()] + other + title[one.end() :]


def _abbreviation(title: str, rng: Random) -> str | None:
    pairs = words.both_ways("abbreviations").items()
    fitting = [
        (found, other)
        for one, other in pairs
        if (found := re.search(rf"(?<![\w-]){re.escape(one)}(?![\w-])", title))
    ]
    if not fitting:
        return None
    found, other = rng.choice(fitting)
    return title[: found.start()] + other + title[found.end() :]


def _hyphen(title: str, rng: Random) -> str | None:
    places = [*_HYPHEN.finditer(title), *_COMPOUND.finditer(title)]
    if not places:
        return None
    place = rng.choice(places)
    if place[0] == "-":
        return f"{title[: place.start()]} {title[place.end() :]}"
    return f"{title[: place.start()]}{place[1]}-{title[place.end() :]}"


def _article(title: str, rng: Random) -> str | None:
    places = list(_ARTICLE.finditer(title))
    if not places:
        return None
    place = rng.choice(places)
    return title[: place.start()] + title[place.end() :]


STRATEGIES: dict[str, Strategy] = {
    "synonym": _synonym,
    "number": _number,
    "spelling": _spelling,
    "abbreviation": _abbreviation,
    "hyphen": _hyphen,
    "article": _article,
}
_TELLING = frozenset({"synonym"})
