"""What does the page on accuracy say?

Its prose is `accuracy.md` beside this module; every table of it is made here from the studies.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files

from msgspec import Struct

from hallmark.bench.audit import Leak
from hallmark.bench.resample import Plan
from hallmark.errors import InputError
from hallmark.study import ablation as ablations
from hallmark.study import labels as label_studies
from hallmark.study.ablation import Ablation, alarm_table
from hallmark.study.cases import Case
from hallmark.study.context import told
from hallmark.study.document import Items, Part, Section, Table, as_markdown
from hallmark.study.errors import Errors, confusion_table, outcome_table, reason_table
from hallmark.study.judged import Judged, Outcome
from hallmark.study.labels import Labels
from hallmark.study.targets import main_table

_MARKER = re.compile(r"^\{\{(\w+)\}\}$", re.MULTILINE)


class Run(Struct, frozen=True, kw_only=True):
    """All studies of one split; `leaks` is what an audit of it found."""

    judged: Sequence[Judged]
    errors: Errors
    labels: Labels
    ablation: Ablation | None
    leaks: Sequence[Leak]


def page(runs: Mapping[str, Run], plan: Plan | None = None, template: str | None = None) -> str:
    """Return the page as Markdown.

    Args:
        runs: the studies of each split, by its name, in the order of the page.
        plan: how intervals are resampled.
        template: the prose, with `{{name}}` on lines of their own where tables go.

    Raises:
        InputError: the template names a table that does not exist.
    """
    text = template if template is not None else _template()
    parts = _parts(plan)
    unknown = [name for name in _MARKER.findall(text) if name not in parts]
    if unknown:
        raise InputError(
            f"The template names `{unknown[0]}`; there are {', '.join(sorted(parts))}."
        )
    return _MARKER.sub(lambda match: _rendered(parts[match[1]](runs)), text)


def _template() -> str:
    return files("hallmark.study").joinpath("accuracy.md").read_text(encoding="utf-8")


def _rendered(sections: Iterator[Section]) -> str:
    return as_markdown(sections).strip("\n")


def _parts(plan: Plan | None) -> dict[str, Callable[[Mapping[str, Run]], Iterator[Section]]]:
    return {
        "origin": _origin,
        "main": lambda runs: _main(runs, plan),
        "types": _types,
        "confusion": _confusion,
        "reasons": _reasons,
        "errors": _errors,
        "labels": _labels,
        "ablation": _ablation,
        "alarms": _alarms,
        "leaks": _leaks,
    }


def _origin(runs: Mapping[str, Run]) -> Iterator[Section]:
    yield _bare(*(told(run.errors.origin) for run in runs.values()))


def _bare(*parts: Part) -> Section:
    """Return parts without a heading."""
    return Section("", parts, level=0)


def _main(runs: Mapping[str, Run], plan: Plan | None) -> Iterator[Section]:
    yield _bare(main_table({name: run.judged for name, run in runs.items()}, plan))


def _types(runs: Mapping[str, Run]) -> Iterator[Section]:
    for name, run in runs.items():
        yield Section(name, (outcome_table(run.errors),), level=3)


def _confusion(runs: Mapping[str, Run]) -> Iterator[Section]:
    for name, run in runs.items():
        yield Section(name, (confusion_table(run.errors.types),), level=3)


def _reasons(runs: Mapping[str, Run]) -> Iterator[Section]:
    for name, run in runs.items():
        for outcome in _OUTCOMES:
            found = [one for one in run.errors.cases if one.outcome is outcome]
            if found:
                table = reason_table(run.errors.cases, outcome)
                yield Section(f"{name}: {outcome}, {len(found)}", (table,), level=3)


_OUTCOMES = tuple(one for one in Outcome if one is not Outcome.RIGHT)


def _errors(runs: Mapping[str, Run]) -> Iterator[Section]:
    for name, run in runs.items():
        for outcome in (Outcome.FALSE_ALARM, Outcome.MISS):
            found = [one for one in run.errors.cases if one.outcome is outcome]
            parts: Part = alarm_table(found) if found else "None."
            yield Section(f"{name}: {outcome}", (parts,), level=3)


def _labels(runs: Mapping[str, Run]) -> Iterator[Section]:
    for name, run in runs.items():
        rows = tuple(
            (row.key, row.label, row.proposed, row.ground, row.evidence, row.decision or "open")
            for row in run.labels.disputes
        )
        head = ("entry", "label", "proposed", "by the evidence", "the evidence", "reviewed")
        figures = label_studies.figures_table(run.labels)
        yield Section(name, (figures, Table(head, rows)) if rows else (figures,), level=3)


def _ablation(runs: Mapping[str, Run]) -> Iterator[Section]:
    yield _bare(ablations.READING)
    for name, run in runs.items():
        if run.ablation is not None:
            for one in ablations.tables(run.ablation):
                yield Section(f"{name}: {one.title}", one.parts, level=3)


def _alarms(runs: Mapping[str, Run]) -> Iterator[Section]:
    """Yield every false alarm that comes only with less data, with where it comes."""
    for name, run in runs.items():
        found = _with_less(run.ablation) if run.ablation is not None else {}
        if found:
            rows = tuple(
                (one.key, one.kind, one.group, one.sentence, ", ".join(where))
                for one, where in found.values()
            )
            head = ("entry", "kind", "reason", "finding", "comes")
            title = f"{name}: false alarms that come only with less data"
            yield Section(title, (Table(head, rows),), level=3)


def _with_less(found: Ablation) -> dict[tuple[str, str], tuple[Case, list[str]]]:
    cases: dict[tuple[str, str], tuple[Case, list[str]]] = {}
    for tried in found.tried:
        for case in tried.new_false_alarms:
            _, where = cases.setdefault((case.key, case.group), (case, []))
            where.append(ablations.in_words(tried))
    return cases


def _leaks(runs: Mapping[str, Run]) -> Iterator[Section]:
    for name, run in runs.items():
        lines = tuple(f"{one.check}: {one.message}" for one in run.leaks if not one.note)
        yield Section(name, (Items(lines) if lines else "None was found.",), level=3)
