"""How much is a model's vote worth, by labelled entries that it was asked about?

Votes come from prediction files: those of the system `assisted`, which keep what the model said of
each entry that the verifier left open, or those of a model alone. An entry that occurs in several
files counts as one.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from hallmark._files import read_bytes
from hallmark.assist.weights import (
    Cell,
    Counts,
    Data,
    Era,
    Fitted,
    Group,
    Table,
    era_of,
    fit,
    group_of,
    is_month,
    is_past,
)
from hallmark.bench.dataset import Split, digest
from hallmark.bench.entry import Entry, Label, Prediction, read_predictions
from hallmark.bench.run import manifest_path
from hallmark.bench.systems.cascade import VOTER, vote_of
from hallmark.bench.systems.verifier import reference
from hallmark.errors import AlignmentError, InputError
from hallmark.records.opinion import Stance
from hallmark.study.document import Section
from hallmark.study.document import Table as Cells


class Cutoff(Struct, frozen=True):
    """The last month of a model's training data, "YYYY-MM" or "", and whether it is published."""

    month: str = ""
    disclosed: bool = False


class Cast(Struct, frozen=True):
    """One vote about a labelled entry; `share` is what it counts: one over the entry's votes."""

    entry: Entry
    model: str
    prompt: str
    stance: Stance
    share: float = 1.0


def fitted(
    split: Split,
    files: Sequence[Path],
    cutoff_of: Callable[[str], Cutoff],
    *,
    model: str = "",
    today: str = "",
    version: str = "",
) -> Table:
    """Return the table of weights that prediction files prove.

    Args:
        split: the labelled entries.
        files: prediction files over them.
        cutoff_of: the cutoff of the model of a name.
        model: whose votes a file without named votes holds.
        today: the date of the fit.
        version: of this program.

    Raises:
        InputError: a file cannot be read, holds no vote, or names no model where none is given.
        AlignmentError: a prediction is about no entry of the split.
    """
    votes = list(_counted(_cast(split, files, model)))
    named: dict[tuple[str, str], list[Cast]] = defaultdict(list)
    for one in votes:
        named[one.model, one.prompt].append(one)
    models = [_model(name, prompt, cutoff_of(name), cast)
              for (name, prompt), cast in sorted(named.items())]  # fmt: skip
    gold = Data(name=split.name, sha256=split.sha256, rows=len(split.entries))
    return Table(fitted=today, version=version, data=(gold, *map(_data, files)),
                 models=tuple(models))  # fmt: skip


class _Settings(Struct):
    model: str = ""
    cutoff: str = ""


class _Manifest(Struct):
    settings: _Settings


def cutoff_of_runs(model: str, files: Iterable[Path]) -> str:
    """Return the cutoff that the manifests beside prediction files state of a model, "" for none.

    Raises:
        InputError: two manifests state two.
    """
    stated = {found.cutoff: path for path in files
              if (found := _settings(path)).model == model and found.cutoff}  # fmt: skip
    if len(stated) > 1:
        (one, here), (other, there), *_ = stated.items()
        raise InputError(
            f"The run of {here} states the cutoff {one} of {model}, and that of {there} {other}. "
            "Say which is right: --cutoff YYYY-MM."
        )
    return next(iter(stated), "")


def _settings(path: Path) -> _Settings:
    """Return what the manifest beside predictions says of the model, nothing without one."""
    try:
        text = read_bytes(manifest_path(path))
        return msgspec.json.decode(text, type=_Manifest).settings
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _Settings()


def _data(path: Path) -> Data:
    return Data(name=path.name, sha256=digest(path), rows=len(read_predictions(path)))


def _cast(split: Split, files: Iterable[Path], model: str) -> Iterator[Cast]:
    entries = {entry.bibtex_key: entry for entry in split.entries}
    for path in files:
        found = 0
        for row in read_predictions(path):
            entry = entries.get(row.bibtex_key)
            if entry is None:
                raise AlignmentError(
                    f"{path} answers for `{row.bibtex_key[:80]}`, which is not in {split.name}. "
                    "Weights are fitted on the split that the predictions were made for."
                )
            one = _vote(entry, row, model, path)
            if one is not None:
                found += 1
                yield one
        if not found:
            raise InputError(f"{path} holds no vote of a model.")


def _vote(entry: Entry, row: Prediction, model: str, path: Path) -> Cast | None:
    """Return the vote in a prediction; None where the model failed, or was not asked."""
    if "vote" in row.extra:
        stance = str(row.extra["vote"])
        if stance not in set(Stance):
            raise InputError(f"{path}, line {row.line}: the vote {stance[:40]!r} is none.")
        whose = row.extra.get(VOTER, row.extra.get("model", model))
        name, prompt = str(whose), str(row.extra.get("prompt", ""))
        cast = Cast(entry, name, prompt, Stance(stance))
    elif "stage" in row.extra:
        return None
    elif not model:
        raise InputError(f"{path} does not say whose votes it holds. Name the model: --model NAME")
    else:
        cast = Cast(entry, model, "", vote_of(row, model).stance)
    return None if cast.stance is Stance.FAILED else cast


def _counted(votes: Iterable[Cast]) -> Iterator[Cast]:
    """Yield the votes, each with what it counts."""
    kept = list(votes)
    times = Counter((one.model, one.prompt, one.entry.bibtex_key) for one in kept)
    for one in kept:
        yield structs.replace(one, share=1 / times[one.model, one.prompt, one.entry.bibtex_key])


def _model(name: str, prompt: str, cutoff: Cutoff, votes: Sequence[Cast]) -> Fitted:
    if cutoff.month and not is_month(cutoff.month):
        raise InputError(f"The cutoff {cutoff.month!r} is no month. Write it as YYYY-MM.")
    sums: dict[tuple[Group, Era], Counter[str]] = defaultdict(Counter)
    left_out = set[str]()
    for one in votes:
        cited = reference(one.entry.blind())
        era = era_of(cited.year, cutoff.month, disclosed=cutoff.disclosed)
        if era is Era.PAST and not is_past(cited.year, cutoff.month):
            left_out.add(one.entry.bibtex_key)  # neither surely read nor surely unread
            continue
        sums[group_of(cited), era][_column(one)] += one.share  # type: ignore[assignment]
    cells = fit((group, era, _counts(found)) for (group, era), found in sums.items())
    return Fitted(
        model=name,
        prompt=prompt,
        cutoff=cutoff.month,
        disclosed=cutoff.disclosed,
        votes=len({one.entry.bibtex_key for one in votes}),
        left_out=len(left_out),
        cells=cells,
    )


_COLUMNS = {Stance.HALLUCINATED: "flagged", Stance.VALID: "accepted", Stance.UNSURE: "unsure"}


def _column(one: Cast) -> str:
    truth = "bad" if one.entry.label is Label.HALLUCINATED else "good"
    return f"{_COLUMNS[one.stance]}_{truth}"


def _counts(found: Mapping[str, float]) -> Counts:
    return Counts(**{name: round(number, 4) for name, number in found.items()})


def account(table: Table) -> Iterator[str]:
    """Yield, as lines, how many votes of each model taught nothing, and why.

    Raises:
        InputError: none taught anything, so that the table would be empty.
    """
    told = [_account(one) for one in table.models]
    if not any(one.cells for one in table.models):
        raise InputError(" ".join(["No weight could be fitted.", *told]))
    yield from told


def _account(one: Fitted) -> str:
    counted = f"{one.model}: {one.votes - one.left_out:,} of {one.votes:,} votes count"
    if not one.cutoff:
        return (
            f"{counted}, for its cutoff is not known, and past a cutoff votes weigh nothing. Give "
            "--cutoff YYYY-MM, or name the row that states it: --model FILE.toml#NAME."
        )
    published = "published" if one.disclosed else "an upper bound"
    left = "; the rest are about works too near the cutoff, or without a year" * bool(one.left_out)
    few = "" if one.cells else ". A kind of reference needs votes on entries of both labels"
    return f"{counted} (cutoff {one.cutoff}, {published}){left}{few}."


def document(table: Table) -> list[Section]:
    """Return a table of weights as a page."""
    gold = table.data[0] if table.data else Data(name="nothing", sha256="", rows=0)
    told = (
        f"Fitted on {gold.name} ({gold.rows:,} entries, SHA-256 {gold.sha256[:12]}). Weights are "
        "log-odds: what a vote adds to P(hallucinated) of a reference that evidence left open. "
        "They are the least that the counts prove; 0 where they prove nothing."
    )
    head = (
        "model", "kind", "era", "bad: flagged, accepted, unsure", "good: flagged, accepted, unsure",
        "a flag adds", "acceptance adds",
    )  # fmt: skip
    rows = [_row(one, cell) for one in table.models for cell in one.cells]
    return [Section("What a model's vote is worth", (told, Cells(head, tuple(rows))), level=1)]


def _row(one: Fitted, cell: Cell) -> tuple[str, ...]:
    n = cell.counts
    name = f"{one.model} ({one.prompt[:8]})" if one.prompt else one.model
    return (
        name,
        str(cell.group),
        f"{cell.era}{f', cutoff {one.cutoff}' if one.cutoff else ', no cutoff'}",
        f"{n.flagged_bad:g}, {n.accepted_bad:g}, {n.unsure_bad:g}",
        f"{n.flagged_good:g}, {n.accepted_good:g}, {n.unsure_good:g}",
        f"{cell.flags:+.2f}",
        f"{cell.accepts:+.2f}",
    )
