"""Which labels does the evidence dispute, and how much do the figures depend on them?

A VALID label is disputed where a rule contradicts the entry decisively; a HALLUCINATED label where
a record confirms every field as it stands, or differs only by what the policy calls a variant; the
type of a HALLUCINATED one where a decisive sub-test of it is contradicted. Abstentions dispute
nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version

from msgspec import Struct, structs

from hallmark.bench.entry import Label
from hallmark.study.cases import Case, case_of
from hallmark.study.context import Origin, Setting, origin, told
from hallmark.study.document import Items, Part, Section, Table, share
from hallmark.study.errors import sides_table
from hallmark.study.figures import SAME_TYPE, Figures, figures
from hallmark.study.judged import Judged, Outcome
from hallmark.study.ledger import Dispute, contradicted, dispute, merged
from hallmark.study.reasons import Reason

SCHEMA = "hallmark-labels/1"


class Labels(Struct, frozen=True, kw_only=True):
    """The disputed labels, and the figures by each way of taking them.

    `released`: with the labels as they are. `accepted`: with those changed that a reviewer
    accepted. `all_proposed`: as if every proposal not rejected by a reviewer were right, an upper
    bound that the verifier sets itself.
    """

    schema: str = SCHEMA
    origin: Origin
    released: Figures
    accepted: Figures
    all_proposed: Figures
    disputes: list[Dispute]


def labels(setting: Setting, judged: Sequence[Judged], reviewed: Iterable[Dispute] = ()) -> Labels:
    """Return the disputed labels among judged entries.

    Args:
        setting: what the entries were judged on.
        judged: the entries, by `study.context.judge`.
        reviewed: the rows of an earlier ledger of this gold file.
    """
    rows = merged(_proposed(setting, judged), reviewed)
    accepted = [row for row in rows if row.decision == "accept"]
    standing = [row for row in rows if row.decision != "reject"]
    return Labels(
        origin=origin(setting),
        released=figures(judged),
        accepted=figures(relabelled(judged, accepted)),
        all_proposed=figures(relabelled(judged, standing)),
        disputes=rows,
    )


def _proposed(setting: Setting, judged: Sequence[Judged]) -> Iterator[Dispute]:
    one = origin(setting)
    by = (
        f"hallmark {version('hallmark')}, policy {one.policy}, index {one.index_digest[:12]}, "
        f"as of {one.today}"
    )
    for each in judged:
        case = case_of(each, setting.policy)
        proposed = _speaks_for(each, case)
        if proposed is not None:
            yield dispute(each, case, proposed, setting.split.sha256, by)


def _speaks_for(judged: Judged, case: Case) -> Label | None:
    """Return the label that disputes an entry's label or type, None where nothing does."""
    match judged.outcome:
        case Outcome.FALSE_ALARM:
            return Label.HALLUCINATED
        case Outcome.MISS if case.reason in _CONFIRMING:
            return Label.VALID
        case Outcome.RIGHT if judged.label is Label.HALLUCINATED and _retyped(judged):
            return Label.HALLUCINATED
        case _:
            return None


def _retyped(judged: Judged) -> bool:
    """Whether the type named is another one, and a decisive sub-test contradicts the label's."""
    stated, named = judged.entry.hallucination_type, judged.result.verdict.type
    if not stated or not named:
        return False
    differs = SAME_TYPE.get(stated, stated) != SAME_TYPE.get(named, named)
    return differs and any(contradicted(judged.entry, judged.result.verdict))


_CONFIRMING = (
    Reason.CONFIRMED,
    Reason.TITLE_VARIANT,
    Reason.NAME_VARIANT,
    Reason.VENUE_VARIANT,
    Reason.YEAR_VARIANT,
)
"""Reasons of a miss that leave nothing standing against the entry."""


def relabelled(judged: Iterable[Judged], rows: Iterable[Dispute]) -> list[Judged]:
    """Return the entries with the labels that a ledger proposes; others stay as they are.

    An entry that becomes hallucinated has no type; one that becomes valid loses its type.
    """
    proposed: Mapping[str, Dispute] = {row.key: row for row in rows if row.is_flip}
    return [_relabelled(one, proposed.get(one.entry.bibtex_key)) for one in judged]


def _relabelled(one: Judged, row: Dispute | None) -> Judged:
    if row is None or str(one.entry.label) != row.label:
        return one
    entry = structs.replace(
        one.entry, label=Label(row.proposed), hallucination_type=None, difficulty_tier=None
    )
    return structs.replace(one, entry=entry)


def document(found: Labels) -> list[Section]:
    """Return the disputed labels as a document: figures three ways, then both sides of each."""
    return [
        Section(f"Disputed labels of {found.origin.gold}", (told(found.origin), _CAUTION), level=1),
        Section("Figures", (figures_table(found),)),
        *(
            Section(f"{row.key}: {_claim(row)}", tuple(_row(row)), level=3)
            for row in found.disputes
        ),
    ]


def _claim(row: Dispute) -> str:
    was, now = (
        f"{label} ({kind})" if kind else label
        for label, kind in ((row.label, row.type), (row.proposed, row.proposed_type))
    )
    return f"{was}, proposed {now}"


_CAUTION = (
    "The labels are used as released everywhere else. A proposal is the verifier's own; until a "
    "person has accepted it, the figures with it only show how much hangs on the label."
)


def figures_table(found: Labels) -> Table:
    """Return the figures as released and with the ledger, side by side."""
    ways = (
        ("as released", found.released),
        ("with what reviewers accepted", found.accepted),
        ("as if all proposals were right", found.all_proposed),
    )
    return Table(
        ("labels", "DR", "FPR", "DR, committed", "FPR, committed", "coverage"),
        tuple((name, *_shares(one)) for name, one in ways),
    )


def _shares(one: Figures) -> Iterator[str]:
    for rates in (one.conservative, one.selective):
        yield share(rates.detection)
        yield share(rates.false_alarms)
    yield share(one.coverage)


def _row(row: Dispute) -> Iterator[Part]:
    lines = [f"{row.kind}; by the evidence: {row.ground}", f"the evidence: {row.evidence}"]
    lines.extend(f"sub-test {one}" for one in row.subtests)
    lines.extend(f"record: {one.collection} {one.url}" for one in row.records if one.url)
    if row.asked:
        lines.append(f"asked: {', '.join(row.asked)}")
    if row.label_says:
        lines.append(f"the label: {row.label_says}")
    review = f"{row.decision or 'no decision'} by {row.reviewer}" if row.reviewer else "not yet"
    lines.append(f"reviewed: {review}{f' ({row.note})' if row.note else ''}")
    yield Items(tuple(lines))
    yield sides_table(row.entry, row.record)
