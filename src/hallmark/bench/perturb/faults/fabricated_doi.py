"""fabricated_doi: what if the DOI does not exist?

The DOI is replaced, or added, under a prefix that was never given out, in one of four styles: a
path, an identifier, indexed by year, indexed by the meeting (appendix A.3 of the paper). LOW
difficulty is a plain running number; HIGH keeps the prefix and pattern of a real DOI of the same
venue and runs its last number far beyond what is in use.
"""

import re
import string
from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.perturb import words
from hallmark.bench.perturb.drafts import mark, venue_of, with_fields
from hallmark.bench.perturb.interface import Inapplicable, Knobs, Level, Outcome, Pool, register
from hallmark.bench.taxonomy import HallucinationType
from hallmark.text.titles import words as title_words

_LAST_NUMBER = re.compile(r"\d+(?=\D*$)")
STYLES = ("path", "identifier", "by-year", "by-meeting")
"""Names of the styles of MEDIUM difficulty; a plan may leave some out."""
_BEYOND = 70_000
_TRIES = 20


@register(HallucinationType.FABRICATED_DOI, "doi", strategies=STYLES)
def fabricated_doi(entry: Entry, pool: Pool, rng: Random, knobs: Knobs) -> Outcome:
    """Replace the DOI by one that does not exist, or add one."""
    for _ in range(_TRIES):
        doi = _doi(entry, rng, knobs)
        if doi is None:
            return Inapplicable("no DOI to imitate")
        if not pool.identified(doi):
            changed = with_fields(entry, {"doi": doi})
            note = f"The DOI {doi} does not exist"
            return mark(entry, changed, HallucinationType.FABRICATED_DOI, note)
    return Inapplicable("no unused DOI found")


def _doi(entry: Entry, rng: Random, knobs: Knobs) -> str | None:
    match knobs.difficulty:
        case Level.LOW:
            return f"{_prefix(rng)}/{rng.randrange(1000, 99999)}"
        case Level.MEDIUM:
            return f"{_prefix(rng)}/{_suffix(entry, rng, knobs.without)}"
        case Level.HIGH:
            return _beyond(entry.fields.get("doi", ""), rng)


def _prefix(rng: Random) -> str:
    return rng.choice(words.rows("doi_prefixes"))[0]


def _suffix(entry: Entry, rng: Random, without: frozenset[str]) -> str:
    letters = "".join(rng.choices(string.ascii_lowercase, k=3))
    meeting = "".join(title_words(venue_of(entry)))[:8] or letters
    year = entry.fields.get("year", "2020")
    number = rng.randrange(100, 9999)
    styles = (
        f"{letters}/{rng.randrange(1, 60)}/{number}",
        f"{letters}.{rng.randrange(10_000, 99_999)}",
        f"{year}.{number:05}",
        f"{meeting}{year}.{number}",
    )
    kept = [text for name, text in zip(STYLES, styles, strict=True) if name not in without]
    return rng.choice(kept)


def _beyond(doi: str, rng: Random) -> str | None:
    found = _LAST_NUMBER.search(doi.partition("/")[2])
    if found is None:
        return None
    number = str(int(found[0]) % 10_000 + _BEYOND + rng.randrange(20_000))
    prefix, _, suffix = doi.partition("/")
    return f"{prefix}/{suffix[: found.start()]}{number}{suffix[found.end() :]}"
