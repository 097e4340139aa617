"""Which entries does a live study ask about, by what the user names with --gold?"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from hallmark.errors import InputError

if TYPE_CHECKING:
    from hallmark.bench.dataset import Split
    from hallmark.bench.live.studies import LiveStudy


class Chosen(Struct, frozen=True):
    """What is drawn: `size` entries (None: the study's number) of each split, by `seed`."""

    size: int | None
    seed: int


def golds_of(study: "LiveStudy", given: Sequence[str]) -> dict[str, str]:
    """Return what is drawn from, by the name that its sample has in the data folder.

    Args:
        study: the study.
        given: values of --gold. A study of several populations takes one for each: the name of
            its split (or a file of that name), or POPULATION=SPLIT|FILE.

    Raises:
        InputError: there is none, too many, or one that the study has no place for.
    """
    if len(study.splits) > 1:
        return _populations(study, given)
    if len(given) != 1:
        raise InputError(f"The study {study.name} draws from one --gold SPLIT|FILE.")
    return {study.splits[0]: given[0]}


def _populations(study: "LiveStudy", given: Sequence[str]) -> dict[str, str]:
    places = {variant.name: variant.split or study.split for variant in study.variants}
    found: dict[str, str] = {}
    for text in given:
        name, _, gold = text.partition("=")
        split, gold = (places[name], gold) if name in places else (Path(text).stem, text)
        if split not in places.values() or not gold or split in found:
            known = "; ".join(f"{name}=FILE, or {split}" for name, split in places.items())
            why = "is given twice" if split in found else "is none of them"
            raise InputError(
                f"The study {study.name} asks about up to {len(places)} populations, and --gold "
                f"{text} {why}. Name each by --gold once: {known}."
            )
        found[split] = gold
    if not found:
        raise InputError(f"The study {study.name} needs --gold: {', '.join(places.values())}.")
    return {split: found[split] for split in places.values() if split in found}


def lacking(study: "LiveStudy", golds: Mapping[str, str]) -> list[str]:
    """Return a line for each population that nothing was given for."""
    return [
        f"Nothing is asked about {variant.name}: give --gold {variant.name}=FILE (the release has "
        f"{variant.split}). Without it, its column of the table stays empty."
        for variant in study.variants
        if len(study.splits) > 1 and variant.split not in golds
    ]


def thin(study: "LiveStudy", splits: "Mapping[str, Split]") -> list[str]:
    """Return a line on types that a sample by type has too few entries of."""
    from hallmark.bench.live.sample import LEAST_OF_TYPE, few_of

    few = few_of(splits[study.split].entries) if study.regimes else {}
    if not few:
        return []
    names = ", ".join(f"{name} ({n})" for name, n in few.items())
    return [f"Under {LEAST_OF_TYPE} entries, which the paper's sample has of each type: {names}."]


def samples(
    study: "LiveStudy",
    golds: Mapping[str, str],
    data: Path | None,
    root: Path,
    chosen: Chosen,
    *,
    write: bool,
) -> "dict[str, Split]":
    """Return the sample of each population, written to the data folder where `write` says so.

    Raises:
        InputError: a gold file cannot be used, or the folder holds another sample.
        OutputError: a sample cannot be written.
    """
    if root.exists() and not root.is_dir():
        raise InputError(f"--data-out {root} is not a folder.")
    return {
        name: _sample(study, gold, data, root / f"{name}.jsonl", chosen, write=write)
        for name, gold in golds.items()
    }


def make_beside(study: "LiveStudy", splits: "Mapping[str, Split]", root: Path) -> None:
    """Write the files that a study makes from its sample.

    Raises:
        InputError: there is another file of this name, which is never written over.
        OutputError: a file cannot be written.
    """
    from hallmark.bench.entry import write_jsonl
    from hallmark.bench.lines import read_rows

    for name, make in study.makes.items():
        path = root / f"{name}.jsonl"
        rows = [row for split in splits.values() for row in make(split)]
        if not path.exists():
            write_jsonl(path, rows)
        elif [row for _, row in read_rows(path)] != rows:
            raise InputError(f"{path} is of another sample; choose another --data-out.")


def _sample(
    study: "LiveStudy",
    gold: str,
    data: Path | None,
    path: Path,
    chosen: Chosen,
    *,
    write: bool,
) -> "Split":
    from hallmark.bench.dataset import load_split
    from hallmark.bench.live.sample import panel, shared

    split = load_split(gold, data)
    if chosen.size is None and len(study.splits) > 1 and path.exists():
        return shared(split, path)
    count = min(study.size, len(split.entries)) if chosen.size is None else chosen.size
    return panel(split, study.draw(split.entries, count, chosen.seed), path, write=write)
