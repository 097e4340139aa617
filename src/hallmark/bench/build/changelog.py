"""What is different in a release from the one before it?

Entries are told apart by what a tool may see of them (`bench.content`). Of splits whose labels are
not public only numbers are told.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from hallmark.bench.build.earlier import Earlier
from hallmark.bench.build.plan import Plan
from hallmark.bench.content import content
from hallmark.bench.entry import BlindEntry, Entry

_SHOWN = 200
"""Keys that are listed in one line at the most."""


class Change(Struct, frozen=True):
    """What became of one split: keys of entries added and removed, and labels that changed.

    `relabelled` holds key, what it was and what it is; None where the labels could not be read.
    """

    split: str
    before: int
    now: int
    added: tuple[str, ...]
    removed: tuple[str, ...]
    relabelled: tuple[tuple[str, str, str], ...] | None
    public: bool = True


def changes(
    earlier: Earlier, splits: Mapping[str, Sequence[Entry]], labels: Mapping[str, str]
) -> list[Change]:
    """Return what became of every split of either release, in order.

    Args:
        earlier: the release before.
        splits: the entries now.
        labels: how the labels of each split are kept now ("public", "withheld", "sealed").
    """
    names = dict.fromkeys([*earlier.blind, *splits])
    return [_change(name, earlier, splits.get(name, ()), labels) for name in names]


def _change(name: str, earlier: Earlier, now: Sequence[Entry], labels: Mapping[str, str]) -> Change:
    old = {content(one): one for one in earlier.blind.get(name, ())}
    new = {content(one): one for one in now}
    kept = {labels.get(name, "public"), earlier.labels.get(name, "public")}
    return Change(
        split=name,
        before=len(old),
        now=len(new),
        added=_keys(new, old),
        removed=_keys(old, new),
        relabelled=_relabelled(earlier.splits.get(name), new) if name in earlier.blind else (),
        public=kept == {"public"},
    )


def _keys(
    these: Mapping[str, Entry] | Mapping[str, BlindEntry], others: Mapping[str, object]
) -> tuple[str, ...]:
    return tuple(one.bibtex_key for mark, one in these.items() if mark not in others)


def _relabelled(
    before: Sequence[Entry] | None, now: Mapping[str, Entry]
) -> tuple[tuple[str, str, str], ...] | None:
    if before is None:
        return None
    pairs = [(one, now[content(one)]) for one in before if content(one) in now]
    return tuple((b.bibtex_key, said(a), said(b)) for a, b in pairs if said(a) != said(b))


def said(entry: Entry) -> str:
    """Return an entry's label with its type."""
    return str(entry.label) + (f" ({entry.hallucination_type})" if entry.hallucination_type else "")


def changelog(
    plan: Plan,
    earlier: Earlier | None,
    found: Sequence[Change],
    superseded_by: Mapping[str, str],
) -> str:
    """Return CHANGELOG.md: this release's section, then those of the earlier ones."""
    lines = [f"# Changes of {plan.name}", "", f"## {plan.version} ({plan.date})", ""]
    if earlier is None:
        lines.append("The first release.")
        return "\n".join(lines) + "\n"
    lines += [
        f"Against {earlier.version} ({earlier.date}, SHA-256 of its manifest `{earlier.sha256}`).",
        "",
        "| split | before | now | added | removed | relabelled |",
        "|---|---|---|---|---|---|",
        *map(_row, found),
        *_listed(found, superseded_by),
    ]
    _, _, past = earlier.changes.partition("\n## ")
    return "\n".join(lines) + "\n" + (f"\n## {past}" if past else "")


def _row(one: Change) -> str:
    relabelled = "not known" if one.relabelled is None else len(one.relabelled)
    return (
        f"| {one.split} | {one.before} | {one.now} | {len(one.added)} | {len(one.removed)} | "
        f"{relabelled} |"
    )


def _listed(found: Sequence[Change], superseded_by: Mapping[str, str]) -> Iterator[str]:
    for one in found:
        if one.split in superseded_by:
            yield from ("", f"The split {one.split} is superseded by {superseded_by[one.split]}.")
        if not one.public:
            continue
        for word, keys in (("Added to", one.added), ("Removed from", one.removed)):
            if keys and one.before:
                more = f" and {len(keys) - _SHOWN} more" if len(keys) > _SHOWN else ""
                yield from ("", f"{word} {one.split}: {', '.join(keys[:_SHOWN])}{more}.")
        if one.relabelled:
            yield from ("", f"Relabelled in {one.split}:", "")
            yield from (f"- {key}: {old}, now {new}" for key, old, new in one.relabelled)
