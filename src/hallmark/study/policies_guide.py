"""What does the page on the policies say?"""

from collections.abc import Iterator, Sequence

from hallmark.judge.codes import CODES
from hallmark.judge.profiles import SETTINGS, SILENT, WEIGHTS, Choice, Profile, demand, load
from hallmark.study.document import Part, Section, Table
from hallmark.study.policies import READING, Policies, tables


def page(names: Sequence[str], measured: Policies) -> list[Section]:
    """Return the page.

    Args:
        names: the policies that come with the program.
        measured: what they came to, by `hallmark study policies`.
    """
    profiles = [load(name) for name in names]
    return [
        Section("Policies", (_MADE, _WHAT, _list(profiles), _USE), level=1),
        Section("A policy of your own", (_OWN, f"```toml\n{EXAMPLE}```", _RULES)),
        Section("What each of them changes", (_CHANGES,)),
        *(Section(one.name, tuple(_changes(one)), level=3) for one in profiles if one.changed),
        Section("What they come to", (_MEASURED, READING)),
        *(Section(one.title, one.parts, level=3) for one in tables(measured)),
        Section("Every setting", (_SETTINGS, _settings(profiles[0]))),
    ]


_MADE = (
    "Generated from the files in `src/hallmark/judge/policies` and `docs/data/policies.json` by "
    "`make docs`; do not edit."
)
_WHAT = (
    "A policy holds every number and switch that a verdict depends on, and what each finding "
    "weighs. It decides about evidence that is gathered without it, so `hallmark replay EVIDENCE "
    "--policy NAME` judges a stored check anew without asking any source."
)
_USE = (
    "`hallmark check`, `explain`, `replay`, `calibrate`, `bench run` and `study` take `--policy "
    'NAME` or `--policy FILE.toml`; in Python `check(..., policy="strict")`. `hallmark policy '
    "list` lists them, `hallmark policy show NAME` shows one with all values and reasons. The "
    "packaged calibration was fitted under `default`; `hallmark calibrate --policy NAME` fits one "
    "for another."
)


def _list(profiles: Sequence[Profile]) -> Table:
    return Table(("policy", "what it is for"), tuple((x.name, x.description) for x in profiles))


_OWN = (
    "A policy file says what it changes. Where it is silent, the policy holds that it extends: "
    "`default`, another one of the above, or another file (found beside it). `hallmark policy show "
    "NAME > my.toml` gives a whole one to start from."
)
EXAMPLE = """\
version = 1
extends = "venue-audit"
description = "Our audits: as venue-audit, and retractions count."

# Our proceedings want the year of the meeting.
off_by_one_is_conflict = true

[findings]
HM305 = "problem"
HM505 = "usual"
"""
"""The policy file that the page shows."""

_RULES = (
    f"The table `[findings]` gives a finding one of the weights {', '.join(WEIGHTS)}. A problem "
    "contradicts alone. A problem that is made a warning counts as a weak conflict, of which "
    "`weak_conflicts` in different fields contradict; a note that is made one is only shown. A "
    "note never weighs. What contradicts an entry by `default`, and of which a policy makes less, "
    "leaves the entry unresolved: no policy verifies it. What is ignored is neither reported nor "
    "weighed, and `usual` takes back what an extended policy says. Findings that accuse nobody "
    f"({', '.join(code for code in CODES if code in SILENT)}) cannot be made problems: what no "
    "source said stays no evidence. A file that is not valid is refused with its key and reason "
    "before anything is checked."
)
_CHANGES = (
    "The settings and findings that differ from `default`, each with the reason that stands in the "
    "file."
)


def _changes(profile: Profile) -> Iterator[Part]:
    yield f"{profile.description} Extends {', '.join(f'`{name}`' for name in profile.lineage)}."
    yield Table(
        ("what", "value", "why"),
        tuple((_named(one), _value(one), one.reason) for one in profile.changed),
    )


def _named(choice: Choice) -> str:
    code = CODES.get(choice.key)
    return choice.key if code is None else f"{code.code} {code.name}"


def _value(choice: Choice) -> str:
    return str(choice.value).lower() if isinstance(choice.value, bool) else f"{choice.value}"


_MEASURED = (
    "Measured by `hallmark study policies` without network; the dates are those of the "
    "measurement. `venue-audit` gives up detection for fewer false alarms, and needs an index of "
    "two collections or more, since one collection's word for authors, venue or year is not "
    "enough for it. The thresholds and the packaged calibration were fitted on dev_public: its ECE "
    "is in sample."
)
_SETTINGS = "With the values and reasons of the policy `default`."


def _settings(default: Profile) -> Table:
    held = {one.key: one for one in default.choices}
    rows = ((key, _value(held[key]), demand(key), held[key].reason) for key in SETTINGS)
    return Table(("setting", "default", "may be", "why"), tuple(rows))
