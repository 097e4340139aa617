"""What does each rule, fact and source bring, and does taking it away raise false alarms?

The index is never rebuilt: `study.reduced` hides what is taken away and judges completeness anew by
the published counts. Where only findings are left out, the stored evidence is judged again.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct, structs

from hallmark.bench.entry import Label
from hallmark.index import LocalIndex, open_index
from hallmark.records.reference import Reference
from hallmark.study.cases import Case, case_of
from hallmark.study.conditions import Condition, Group, conditions
from hallmark.study.context import Origin, Setting, origin, told
from hallmark.study.document import Items, Part, Section, Table, share
from hallmark.study.figures import Figures, figures
from hallmark.study.judged import Judged, Outcome, judge_all, judged_again
from hallmark.study.reduced import Census, ReducedIndex, take_census
from hallmark.verifier import Verifier

SCHEMA = "hallmark-ablation/1"
FEWEST = 50
"""Valid entries from which a share of them is more than an accident of one or two."""


class Tried(Struct, frozen=True, kw_only=True):
    """What came of one condition; `new_false_alarms` are those that the whole system does not give.

    `scraped_flagged` counts the valid entries that were scraped, not written by a language model,
    and flagged all the same; `valid_committed` those valid entries on which it committed itself.
    """

    name: str
    group: Group
    figures: Figures
    prototype: str
    most_false_alarms: float | None
    scraped_flagged: int
    valid_committed: int
    new_false_alarms: list[Case]

    @property
    def within(self) -> bool | None:
        """Whether the false-positive rate keeps its bound; None where there is no bound.

        It must keep it among all valid entries, and, where they are at least `FEWEST`, among those
        on which the verifier committed itself.
        """
        if self.most_false_alarms is None:
            return None
        rates = [self.figures.conservative.false_alarms]
        if self.valid_committed >= FEWEST:
            rates.append(self.figures.selective.false_alarms)
        return all(rate is None or rate <= self.most_false_alarms for rate in rates)


class Ablation(Struct, frozen=True, kw_only=True):
    """The whole system first, then every condition."""

    schema: str = SCHEMA
    origin: Origin
    tried: list[Tried]


def planned(setting: Setting, groups: Iterable[Group] = ()) -> list[Condition]:
    """Return the conditions that suit the index of a setting.

    Raises:
        IndexMissing, IndexDamaged: there is no index, or it cannot be used.
    """
    held: dict[str, int] = {}
    for one in open_index(setting.index).info().sources:
        held[one.collection] = held.get(one.collection, 0) + one.records
    return conditions(held, groups)


def ablation(
    setting: Setting, plan: Sequence[Condition], step: Callable[[str], None] = lambda _: None
) -> Ablation:
    """Try every condition of a plan, which begins with the whole system.

    Args:
        setting: the gold file, index, policy and date.
        plan: conditions, as `planned` returns them.
        step: called with the name of each condition before it is tried.

    Raises:
        IndexMissing, IndexDamaged: there is no index, or it cannot be used.
    """
    hiding = any(one.reduction is not None and one.reduction.hides_records for one in plan)
    census = take_census(setting.index) if hiding else None
    whole: list[Judged] = []
    tried = []
    for condition in plan:
        step(condition.name)
        judged = _judged(setting, condition, whole, census)
        whole = whole or judged
        tried.append(_tried(setting, condition, judged, whole))
    return Ablation(origin=origin(setting), tried=tried)


def _judged(
    setting: Setting, condition: Condition, whole: Sequence[Judged], census: Census | None
) -> list[Judged]:
    policy = structs.replace(setting.policy, ignored=setting.policy.ignored | condition.ignored)
    if whole and not condition.asks_again:
        return judged_again(whole, policy)
    index: LocalIndex = open_index(setting.index)
    if condition.reduction is not None:
        index = ReducedIndex(setting.index, condition.reduction, census)
    verifier = Verifier(index, policy=policy, today=setting.today)
    change = _without_doi if condition.without_doi else None
    return judge_all(setting.split.entries, verifier, change)


def _without_doi(reference: Reference) -> Reference:
    return structs.replace(reference, doi=None, claimed_doi="")


def _tried(
    setting: Setting, condition: Condition, judged: Sequence[Judged], whole: Sequence[Judged]
) -> Tried:
    known = {one.entry.bibtex_key for one in _false_alarms(whole)}
    alarms = list(_false_alarms(judged))
    return Tried(
        name=condition.name,
        group=condition.group,
        figures=figures(judged),
        prototype=condition.prototype,
        most_false_alarms=condition.most_false_alarms,
        scraped_flagged=sum(one.entry.generation_method == "scraped" for one in alarms),
        valid_committed=sum(
            one.entry.label is Label.VALID and one.label in _COMMITTED for one in judged
        ),
        new_false_alarms=[
            case_of(one, setting.policy) for one in alarms if one.entry.bibtex_key not in known
        ],
    )


_COMMITTED = (Label.VALID, Label.HALLUCINATED)


def _false_alarms(judged: Iterable[Judged]) -> Iterator[Judged]:
    return (one for one in judged if one.outcome is Outcome.FALSE_ALARM)


def document(found: Ablation) -> list[Section]:
    """Return the ablation as a document: one table for each group, then the false alarms."""
    return [
        Section(f"Ablation on {found.origin.gold}", (told(found.origin), READING), level=1),
        *tables(found),
        *_alarms(found),
    ]


READING = (
    "DR: share of hallucinated entries flagged; FPR: share of valid entries flagged; an abstention "
    "counts as valid in the first two columns and is left out in the next two. The difference of "
    "DR is against the whole system. The prototype's figures are of dev_public, on whatever data "
    "they stand beside."
)


def tables(found: Ablation) -> Iterator[Section]:
    """Yield one table for each group of conditions that was tried."""
    whole = found.tried[0]
    for group in Group:
        rows = [one for one in found.tried if one.group is group]
        if rows and group is not Group.WHOLE:
            yield Section(_TITLES[group], tuple(_group_parts(rows, whole)))


def _group_parts(rows: Sequence[Tried], whole: Tried) -> Iterator[Part]:
    """Yield the table of what makes a difference, and the names of what makes none."""
    changing = [one for one in rows if one.figures != whole.figures or one.within is not None]
    yield Table(_HEAD, tuple(_row(one, whole) for one in (whole, *changing)))
    idle = [one.name for one in rows if one not in changing]
    if idle:
        yield "No difference without:"
        yield Items((", ".join(idle),))


_TITLES = {
    Group.WHOLE: "The whole system",
    Group.RULES: "Without rules of a kind",
    Group.CODES: "Without single findings",
    Group.FACTS: "Without facts, searches and identifiers",
    Group.WITHOUT: "Without one collection",
    Group.ONLY: "With one collection only",
    Group.HALF: "With half of all works, completeness judged anew by the published counts",
}
_HEAD = (
    "taken away", "DR", "difference", "FPR", "DR, committed", "FPR, committed", "coverage",
    "type right", "scraped flagged", "prototype", "bound on FPR",
)  # fmt: skip


def _row(one: Tried, whole: Tried) -> tuple[str, ...]:
    found = one.figures
    return (
        one.name,
        share(found.conservative.detection),
        _difference(found.conservative.detection, whole.figures.conservative.detection),
        share(found.conservative.false_alarms),
        share(found.selective.detection),
        share(found.selective.false_alarms),
        share(found.coverage),
        share(found.type_accuracy),
        str(one.scraped_flagged),
        one.prototype,
        _bound(one),
    )


def _difference(value: float | None, whole: float | None) -> str:
    if value is None or whole is None:
        return share(None)
    return f"{value - whole:+.3f}" if abs(value - whole) >= _SHOWN else ""


_SHOWN = 0.0005
"""Differences below this would be shown as none."""


def _bound(one: Tried) -> str:
    match one.within:
        case None:
            return ""
        case True:
            return f"{one.most_false_alarms:g}: kept"
        case False:
            return f"{one.most_false_alarms:g}: broken"


def _alarms(found: Ablation) -> Iterator[Section]:
    """Yield the false alarms that come only with less, condition by condition."""
    for one in found.tried:
        if one.new_false_alarms:
            title = f"False alarms that come {in_words(one)}"
            yield Section(title, (alarm_table(one.new_false_alarms),))


def in_words(one: Tried) -> str:
    """Return a condition as the end of a sentence ("without acl", "with acl only")."""
    left = one.group in (Group.ONLY, Group.HALF)
    return f"with {one.name} only" if left else f"without {one.name}"


def alarm_table(found: Iterable[Case]) -> Part:
    """Return one row for each case: key, reason, what was found."""
    return Table(
        ("entry", "kind", "reason", "finding"),
        tuple((one.key, one.kind, _reason(one), one.sentence) for one in found),
    )


def _reason(one: Case) -> str:
    return one.group if one.detail.startswith("HM") else f"{one.group} ({one.detail})"
