"""Do entries give each other away, within a split or between splits?"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from hallmark.bench.audit.leak import LIMITS, Leak, Limits
from hallmark.bench.dataset import Split
from hallmark.bench.entry import Entry, Label
from hallmark.bench.lines import printable, read_rows
from hallmark.text.titles import key as title_key

BLIND_KEYS = frozenset({"bibtex_key", "bibtex_type", "fields", "raw_bibtex"})
# A sample of another split repeats its entries on purpose.
_SAMPLE = 0.95


def twin_leaks(split: Split, limits: Limits = LIMITS) -> Iterator[Leak]:
    """Yield a leak where many entries share their title with another entry of the split."""
    groups = [group for title, group in _by_title(split.entries).items() if len(group) > 1]
    twins = [entry for group in groups for entry in group]
    if len(twins) < limits.twin_share * len(split.entries) or not twins:
        return
    bad = sum(entry.label is Label.HALLUCINATED for entry in twins)
    mixed = sum(len({entry.label for entry in group}) > 1 for group in groups)
    yield Leak(
        check="twins",
        where=split.name,
        message=(
            f"{len(twins)} of {len(split.entries)} entries share their title with another one "
            f"({mixed} of {len(groups)} groups hold both labels): their difference tells which "
            "field was changed"
        ),
        figures={
            "n": len(twins),
            "groups": len(groups),
            "mixed_groups": mixed,
            "share_hallucinated": bad / len(twins),
        },
    )


def key_leaks(split: Split) -> Iterator[Leak]:
    """Yield a leak where a key stands for several entries of a split."""
    counts = Counter(entry.bibtex_key for entry in split.entries)
    repeated = [key for key, count in counts.items() if count > 1]
    if repeated:
        yield Leak(
            check="key-collision",
            where=split.name,
            message=f"{len(repeated)} keys stand for several entries: {_some(repeated)}",
            figures={"n": len(repeated)},
        )


def shared_leaks(splits: Sequence[Split]) -> Iterator[Leak]:
    """Yield what each pair of splits shares: titles, and keys with different entries."""
    titled = [(split, _by_title(split.entries)) for split in splits]
    for pair in combinations(titled, 2):
        (small, mine), (large, theirs) = sorted(pair, key=lambda one: len(one[0].entries))
        where = f"{small.name} and {large.name}"
        yield from _shared_keys(small, large, where)
        if _is_sample(small, large):
            yield Leak(
                check="shared-titles",
                where=where,
                message=f"{small.name} is a sample of {large.name}",
                note=True,
            )
        else:
            yield from _shared_titles(mine, theirs, where)


def _shared_titles(
    small: Mapping[str, Sequence[Entry]], large: Mapping[str, Sequence[Entry]], where: str
) -> Iterator[Leak]:
    shared = sorted(small.keys() & large.keys())
    if not shared:
        return
    opposite = sum(
        not {entry.label for entry in small[title]} & {entry.label for entry in large[title]}
        for title in shared
    )
    yield Leak(
        check="shared-titles",
        where=where,
        message=(
            f"they share {len(shared)} titles, {opposite} of them under opposite labels: "
            f"{_some([small[title][0].fields['title'] for title in shared])}"
        ),
        figures={"n": len(shared), "opposite": opposite},
    )


def _shared_keys(small: Split, large: Split, where: str) -> Iterator[Leak]:
    theirs = {entry.bibtex_key: entry for entry in large.entries}
    clashing = [
        entry.bibtex_key
        for entry in small.entries
        if (other := theirs.get(entry.bibtex_key)) is not None and not _same(entry, other)
    ]
    if clashing:
        yield Leak(
            check="key-collision",
            where=where,
            message=f"{len(clashing)} keys stand for different entries: {_some(clashing)}",
            figures={"n": len(clashing)},
        )


def _is_sample(small: Split, large: Split) -> bool:
    theirs = {entry.bibtex_key: entry for entry in large.entries}
    same = sum(
        (other := theirs.get(entry.bibtex_key)) is not None and _same(entry, other)
        for entry in small.entries
    )
    return same >= _SAMPLE * len(small.entries)


def _same(one: Entry, other: Entry) -> bool:
    mine, theirs = one.fields.get("title", ""), other.fields.get("title", "")
    return title_key(mine) == title_key(theirs)


def blind_leaks(path: Path) -> Iterator[Leak]:
    """Yield a leak for each thing in a blind file that a tool must not see.

    Raises:
        InputError: the file is no JSON Lines.
    """
    found = Counter[str]()
    for _, row in read_rows(path):
        found.update(set(row) - BLIND_KEYS)
        fields = row.get("fields")
        found.update({"fields.url"} if isinstance(fields, dict) and "url" in fields else ())
    for name, count in found.items():
        yield Leak(
            check="blind-truth",
            where=path.name,
            message=f"{count} blind entries show `{printable(name)}`",
            figures={"n": count},
        )


def _by_title(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    groups = defaultdict[str, list[Entry]](list)
    for entry in entries:
        if title := title_key(entry.fields.get("title", "")):
            groups[title].append(entry)
    return groups


def _some(names: Sequence[str], count: int = 3) -> str:
    shown = ", ".join(printable(name, 60) for name in names[:count])
    return shown + (", ..." if len(names) > count else "")
