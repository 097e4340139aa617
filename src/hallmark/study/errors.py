"""Where does the verifier err on a gold file, or leave an entry open, and why?"""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from hallmark.study.cases import FIELDS, Case, Side, by_reason, cases
from hallmark.study.context import Origin, Setting, origin, told
from hallmark.study.document import Items, Part, Section, Table, share
from hallmark.study.figures import Figures, Rates, confusions, figures
from hallmark.study.judged import Judged, Outcome
from hallmark.study.reasons import held

SCHEMA = "hallmark-errors/1"


class Errors(Struct, frozen=True, kw_only=True):
    """Every false alarm, miss and abstention of a run, with the figures that they come to.

    `outcomes` counts the entries of each kind (hallucination type, or origin of valid ones) by
    outcome. `types` counts, for each true type, the types named for the entries that were flagged.
    """

    schema: str = SCHEMA
    origin: Origin
    figures: Figures
    outcomes: dict[str, dict[str, int]]
    types: dict[str, dict[str, int]]
    cases: list[Case]


def errors(setting: Setting, judged: Sequence[Judged]) -> Errors:
    """Return the errors among judged entries (`study.context.judge`)."""
    return Errors(
        origin=origin(setting),
        figures=figures(judged),
        outcomes=_outcomes(judged),
        types=confusions(judged),
        cases=cases(judged, setting.policy),
    )


def _outcomes(judged: Sequence[Judged]) -> dict[str, dict[str, int]]:
    table: dict[str, Counter[str]] = {}
    for one in judged:
        table.setdefault(one.kind, Counter())[str(one.outcome)] += 1
    return {kind: dict(sorted(row.items())) for kind, row in sorted(table.items())}


def document(found: Errors) -> list[Section]:
    """Return the errors as a document: figures, counts, then every case with both sides."""
    return [
        Section(f"Errors on {found.origin.gold}", (told(found.origin),), level=1),
        Section("Figures", (rates_table(found.figures), *_type_lines(found.figures))),
        Section("By type", (outcome_table(found),)),
        Section("Types named", (confusion_table(found.types),)),
        *(section for one in _ERRORS for section in _outcome_sections(found.cases, one)),
    ]


_ERRORS = tuple(one for one in Outcome if one is not Outcome.RIGHT)


def rates_table(found: Figures) -> Table:
    """Return detection, false alarms and calibration under each stance."""
    rows = (
        ("conservative", found.conservative),
        ("selective", found.selective),
        ("forced", found.forced),
    )
    return Table(
        ("stance", "detection rate", "false-positive rate", "coverage", "ECE", "ECE, equal mass"),
        tuple((name, *_rates(one, found.coverage)) for name, one in rows),
    )


def _rates(one: Rates, coverage: float) -> tuple[str, ...]:
    values = (one.detection, one.false_alarms, coverage, one.ece, one.ece_equal_mass)
    return tuple(map(share, values))


def _type_lines(found: Figures) -> tuple[Part, ...]:
    line = (
        f"Type named right, of the flagged: {share(found.type_exact)}; with preprint as published "
        f"and wrong venue as one: {share(found.type_accuracy)}."
    )
    return (line,)


def outcome_table(found: Errors) -> Table:
    """Return how many entries of each kind came to which outcome."""
    outcomes = [str(one) for one in Outcome]
    rows = [
        (kind, str(sum(row.values())), *(str(row.get(one, 0) or "") for one in outcomes))
        for kind, row in found.outcomes.items()
    ]
    return Table(("kind", "n", *_SHORT), tuple(rows))


_SHORT = ("right", "false alarms", "misses", "open, valid", "open, hallucinated")


def confusion_table(types: dict[str, dict[str, int]]) -> Table:
    """Return for each true type how often its own and which other types were named."""
    rows = []
    for true, named in types.items():
        others = sorted(
            ((count, name) for name, count in named.items() if name != true), reverse=True
        )
        wrong = ", ".join(f"{name} {count}" for count, name in others)
        rows.append((true, str(sum(named.values())), str(named.get(true, 0)), wrong))
    return Table(("true type", "flagged", "named right", "named instead"), tuple(rows))


def _outcome_sections(found: Sequence[Case], outcome: Outcome) -> Iterator[Section]:
    mine = [one for one in found if one.outcome is outcome]
    if not mine:
        yield Section(f"{_TITLES[outcome]}: none")
        return
    yield Section(f"{_TITLES[outcome]}: {len(mine)}", (reason_table(found, outcome),))
    for one in mine:
        yield Section(f"{one.key}: {one.group}", tuple(_case(one)), level=3)


_TITLES = {
    Outcome.RIGHT: "Right",
    Outcome.FALSE_ALARM: "False alarms",
    Outcome.MISS: "Misses",
    Outcome.OPEN_VALID: "Abstentions on valid entries",
    Outcome.OPEN_HALLUCINATED: "Abstentions on hallucinated entries",
}


def reason_table(found: Sequence[Case], outcome: Outcome) -> Table:
    """Return the reasons behind an outcome with the kinds of entries that they concern."""
    return Table(
        ("reason", "n", "kinds"),
        tuple(
            (group, str(kinds.total()), ", ".join(f"{k} {n}" for k, n in kinds.most_common()))
            for group, kinds in by_reason(found, outcome).items()
        ),
    )


def _case(one: Case) -> Iterator[Part]:
    named = f", named {one.named_type}" if one.named_type else ""
    lines = [f"{one.kind}; {one.status}, P = {one.probability:.3f}{named}"]
    if one.detail and not one.group.startswith(one.detail):
        lines.append(f"reason: {one.reason} ({one.detail})")
    lines += [f"{finding.code} {finding.severity}: {finding.message}" for finding in one.findings]
    if one.coverage is not None:
        place = f"{one.coverage.venue_id} {one.coverage.year}"
        lines.append(f"list of {place}: {held(one.coverage)}")
    if one.label_says:
        lines.append(f"the label's own explanation (no evidence): {one.label_says}")
    yield Items(tuple(lines))
    yield sides_table(one.entry, one.record)


def sides_table(entry: Side, record: Side | None) -> Table:
    """Return an entry and a record side by side; fields that both lack are left out."""
    other = record or Side()
    rows = [
        (name, getattr(entry, name), getattr(other, name))
        for name in FIELDS
        if getattr(entry, name) or getattr(other, name)
    ]
    where = f"record ({other.collection})" if record is not None else "no record"
    return Table(("field", "entry", where), tuple(rows))
