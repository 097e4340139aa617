"""What is a model asked, to invent a citation of a type?

One file for each type that invention makes sense for, with a version that rises with the words. The
other types (a year, a dropped name, a preprint's venue) need none: rules make them.
"""

import tomllib
from functools import cache
from importlib.resources import files
from string import Template

import msgspec
from msgspec import Struct

from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import venue_field, venue_of
from hallmark.bench.taxonomy import HallucinationType
from hallmark.errors import InputError
from hallmark.llm.interface import Request, User
from hallmark.llm.prompts.quoting import one_line, quoted

_T = HallucinationType

INVENTED: dict[HallucinationType, tuple[str, ...]] = {
    _T.PLAUSIBLE_FABRICATION: (),
    _T.CHIMERIC_TITLE: ("title",),
    _T.FABRICATED_DOI: ("doi",),
    _T.NONEXISTENT_VENUE: ("venue",),
    _T.PLACEHOLDER_AUTHORS: ("author",),
    _T.NEAR_MISS_TITLE: ("title",),
    _T.HYBRID_FABRICATION: ("title", "author"),
    _T.SWAPPED_AUTHORS: ("author",),
}
"""The types that a model can be asked for, and what it invents; all of it where nothing is named.

Only that is taken from a reply, the rest from the real record."""


class Prompt(Struct, frozen=True, forbid_unknown_fields=True):
    """A prompt with its version; `user` holds `$venue`, `$years`, `$number` or `$record`."""

    version: str
    system: str
    user: str


@cache
def prompt(kind: HallucinationType) -> Prompt:
    """Return the prompt of a type.

    Raises:
        InputError: there is none, since rules make that type.
    """
    if kind not in INVENTED:
        raise InputError(
            f"No model is asked for {kind}: rules make it. Ask for {', '.join(INVENTED)}."
        )
    text = (files("hallmark.bench.build.generate") / "texts" / f"{kind}.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Prompt)


def request(
    kind: HallucinationType,
    *,
    venue: str,
    years: tuple[int, int],
    number: int,
    record: Entry | None,
    seed: int,
) -> Request:
    """Return the question for one citation.

    Args:
        kind: the type.
        venue: the venue's name.
        years: the first and the last year it may have.
        number: tells questions of one run apart.
        record: the real citation that is to be changed; None where all is invented.
        seed: of the run.
    """
    text = prompt(kind)
    first, last = years
    filled = Template(text.user).substitute(
        venue=one_line(venue),
        years=f"{first}" if first == last else f"one of the years {first} to {last}",
        number=str(number),
        record=quoted("citation", bibtex(record)) if record else "",
    )
    messages = (User(filled.strip()),)
    return Request(messages=messages, system=text.system.strip(), seed=seed + number, sample=number)


def bibtex(entry: Entry) -> str:
    """Return an entry as BibTeX, for a person or a model to read."""
    rows = [f"  {name} = {{{text}}}," for name, text in entry.fields.items()]
    return "\n".join([f"@{entry.bibtex_type}{{key,", *rows, "}"])


def invented_fields(kind: HallucinationType, claimed: Entry, record: Entry) -> dict[str, str]:
    """Return the fields that are taken from a reply, under the record's names."""
    own = venue_field(record.bibtex_type)
    taken: dict[str, str] = {}
    for name in INVENTED[kind]:
        if name == "venue":
            taken[own] = venue_of(claimed)
        else:
            taken[name] = claimed.fields.get(name, "")
    return taken
