"""How does a system run over a split so that nothing is lost and the outcome can be traced?

Each answer goes to a journal first; when all are there, the predictions are written at once and
a manifest says how they came about. A run that was stopped goes on where it was.
"""

import importlib.metadata
import platform
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import msgspec

from hallmark._files import read_bytes
from hallmark.bench.dataset import BlindSplit, Split, digest
from hallmark.bench.entry import BlindEntry, Prediction, read_predictions, write_jsonl
from hallmark.bench.journal import Identity, Journal, holds
from hallmark.bench.lines import write_text
from hallmark.bench.systems.interface import Setting, System
from hallmark.bench.usage import Usage, usage_of
from hallmark.errors import InputError

MANIFEST_SCHEMA = 1
_PACKAGES = (
    "msgspec", "rapidfuzz", "tantivy", "bibtexparser", "pylatexenc", "openai", "anthropic",
)  # fmt: skip

OnRow = Callable[[int, Prediction], None]
"""Called with the number of rows answered so far, and the latest of them."""


class Gold(msgspec.Struct, frozen=True):
    """The data of a run: name, file as the user named it, its digest, entries that were asked.

    `drawn_from` is the number of entries of the file where only `n` of them were drawn from the
    run's seed (`bench/limit.py`), None where all were asked about.
    """

    name: str
    path: str
    sha256: str
    n: int
    drawn_from: int | None = None


class Output(msgspec.Struct, frozen=True):
    """The predictions of a run: file name, digest, number of rows, rows by label."""

    file: str
    sha256: str
    n: int
    labels: Mapping[str, int]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """How a prediction file came about.

    `started` and `finished` are UTC times of the last sitting (ISO 8601); `resumed_rows` were
    answered in earlier sittings; `seconds` is the last sitting's wall time. `usage` sums up what
    the answers took where a model was asked (`usage.Usage`).
    """

    schema: int
    system: str
    cheat: bool
    settings: Mapping[str, Setting]
    seed: int
    gold: Gold
    predictions: Output
    versions: Mapping[str, str]
    started: str
    finished: str
    seconds: float
    resumed_rows: int
    usage: Usage | None = None


class Clock(msgspec.Struct, frozen=True):
    """The two clocks of a run: `seconds` never goes back, `now` is UTC in ISO 8601."""

    seconds: Callable[[], float]
    now: Callable[[], str]


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One run: a named system over a split into a file.

    `drawn_from` is the number of entries of the whole split where `split` is a sample of it.
    """

    name: str
    system: System
    split: Split | BlindSplit
    out: Path
    seed: int
    cheat: bool = False
    drawn_from: int | None = None


def journal_path(out: Path) -> Path:
    """Return where the unfinished run of an output file is kept."""
    return out.with_name(out.name + ".journal")


def manifest_path(out: Path) -> Path:
    """Return where the manifest of a prediction file lies."""
    return out.with_name(out.name + ".manifest.json")


def versions() -> dict[str, str]:
    """Return the versions of Hallmark, Python and the packages that decide the answers."""
    found = {"hallmark": importlib.metadata.version("hallmark")}
    found["python"] = platform.python_version()
    for package in _PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def identity_of(job: Job) -> Identity:
    """Return what a journal or a finished file must agree with to belong to this job."""
    return Identity(
        system=job.name,
        settings=job.system.settings,
        seed=job.seed,
        gold=job.split.name,
        sha256=job.split.sha256,
        n=len(job.split.entries),
        version=importlib.metadata.version("hallmark"),
    )


def finished_manifest(job: Job) -> Manifest | None:
    """Return the manifest where this very run is already finished, None where it is not.

    A run that broke off while it wrote its predictions and manifest is unfinished: its journal is
    there, and holds all answers.

    Raises:
        InputError: the output file exists and is not the outcome of this run.
    """
    if not job.out.exists():
        return None
    try:
        data = read_bytes(manifest_path(job.out))
        manifest = msgspec.json.decode(data, type=Manifest)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        manifest = None
    if manifest and _same_run(manifest, job) and digest(job.out) == manifest.predictions.sha256:
        return manifest
    if holds(journal_path(job.out), identity_of(job)):
        return None
    raise InputError(
        f"{job.out} exists and was not made by this run; add --fresh to replace it, or choose "
        "another --out."
    )


def _same_run(manifest: Manifest, job: Job) -> bool:
    identity = identity_of(job)
    return (
        manifest.system == identity.system
        and dict(manifest.settings) == dict(identity.settings)
        and manifest.seed == identity.seed
        and manifest.gold.sha256 == identity.sha256
        and manifest.gold.n == identity.n
        and manifest.versions.get("hallmark") == identity.version
    )


def rows_answered(job: Job) -> int:
    """Return how many rows of an unfinished run are answered, without changing anything."""
    try:
        return max(0, read_bytes(journal_path(job.out)).count(b"\n") - 1)
    except OSError:
        return 0


def reopen(job: Job, clock: Clock) -> None:
    """Make a finished run an unfinished one with all its answers, to ask for some again.

    The finished files stay until the run ends anew.

    Raises:
        InputError: the predictions cannot be read, or another run holds the journal.
        OutputError: the journal cannot be written.
    """
    rows = read_predictions(job.out)
    path = journal_path(job.out)
    with Journal(path, identity_of(job), clock.seconds, Prediction) as journal:
        if not journal.rows:
            journal.rewrite(rows)


def run(
    job: Job,
    clock: Clock,
    on_row: OnRow | None = None,
    again: Callable[[Prediction], bool] | None = None,
) -> Manifest:
    """Run or go on running a system over a split; write predictions and manifest.

    Args:
        job: what to run, over what, into which file.
        clock: the clocks.
        on_row: called with the number of rows answered so far and the latest of them, the rows
            of earlier sittings included.
        again: which rows of earlier sittings are to be asked for again.

    Raises:
        InputError: the system broke its contract, or the journal belongs to another run.
        ModelStopped: the system cannot go on; what is answered is kept.
        OutputError: a file cannot be written.
    """
    started, start = clock.now(), clock.seconds()
    blind = [entry.blind() for entry in job.split.entries]
    with Journal(journal_path(job.out), identity_of(job), clock.seconds, Prediction) as journal:
        resumed = len(journal.rows)
        _check_resumed(journal, blind)
        if again is not None:
            _ask_again(job, journal, blind, again)
        for count, row in enumerate(journal.rows, 1):
            _tell(on_row, count, row)
        _answer_rest(job, journal, blind[resumed:], on_row)
        write_jsonl(job.out, journal.rows)
        sitting = _Sitting(resumed, started, clock.now(), round(clock.seconds() - start, 3))
        manifest = _manifest(job, journal.rows, sitting)
        write_text(manifest_path(job.out), _pretty(manifest))
        journal.remove()
    return manifest


def _ask_again(
    job: Job,
    journal: Journal[Prediction],
    blind: Sequence[BlindEntry],
    again: Callable[[Prediction], bool],
) -> None:
    """Replace the rows that are to be asked for again, as far as the system gets."""
    rows = list(journal.rows)
    places = [at for at, row in enumerate(rows) if again(row)]
    answers = iter(job.system.predict([blind[at] for at in places]))
    try:
        for at in places:
            prediction = next(answers, None)
            if prediction is None:
                raise InputError(f"The system `{job.name}` gave too few answers.")
            _check_key(job, prediction, blind[at])
            rows[at] = prediction
    finally:
        _close(answers)
        if places:
            journal.rewrite(rows)


def _tell(on_row: OnRow | None, count: int, row: Prediction) -> None:
    if on_row is not None:
        on_row(count, row)


def _check_resumed(journal: Journal[Prediction], blind: Sequence[BlindEntry]) -> None:
    keys = [row.bibtex_key for row in journal.rows]
    if keys != [entry.bibtex_key for entry in blind[: len(keys)]]:
        raise InputError(f"{journal.path} does not follow the gold data; add --fresh.")


def _answer_rest(
    job: Job,
    journal: Journal[Prediction],
    entries: Sequence[BlindEntry],
    on_row: OnRow | None,
) -> None:
    answers = iter(job.system.predict(entries))
    try:
        for prediction in islice(answers, len(entries)):
            expected = entries[len(journal.rows) - (len(job.split.entries) - len(entries))]
            _check_key(job, prediction, expected)
            journal.append(prediction)
            _tell(on_row, len(journal.rows), prediction)
        surplus = next(answers, None)
    finally:
        _close(answers)
    n = len(job.split.entries)
    if surplus is not None or len(journal.rows) != n:
        count = "more" if surplus is not None else f"only {len(journal.rows)}"
        raise InputError(f"The system `{job.name}` gave {count} answers for {n} entries.")


def _check_key(job: Job, prediction: Prediction, expected: BlindEntry) -> None:
    if prediction.bibtex_key != expected.bibtex_key:
        raise InputError(
            f"The system `{job.name}` answered for {prediction.bibtex_key!r} where "
            f"{expected.bibtex_key!r} was asked; answers must come in order."
        )


def _close(answers: Iterator[Prediction]) -> None:
    close = getattr(answers, "close", None)
    if close is not None:
        close()


class _Sitting(msgspec.Struct, frozen=True):
    resumed_rows: int
    started: str
    finished: str
    seconds: float


def _manifest(job: Job, rows: Sequence[Prediction], sitting: _Sitting) -> Manifest:
    split = job.split
    labels = Counter(str(row.label) for row in rows)
    return Manifest(
        schema=MANIFEST_SCHEMA,
        system=job.name,
        cheat=job.cheat,
        settings=job.system.settings,
        seed=job.seed,
        gold=Gold(split.name, str(split.path), split.sha256, len(split.entries), job.drawn_from),
        predictions=Output(job.out.name, digest(job.out), len(rows), dict(labels)),
        versions=versions(),
        started=sitting.started,
        finished=sitting.finished,
        seconds=sitting.seconds,
        resumed_rows=sitting.resumed_rows,
        usage=usage_of(rows),
    )


def _pretty(manifest: Manifest) -> str:
    return msgspec.json.format(msgspec.json.encode(manifest), indent=2).decode() + "\n"
