"""Is every answer kept, and is a run that was stopped the same as one that was not?"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hallmark.bench.dataset import Split, load_split
from hallmark.bench.entry import BlindEntry, Label, Prediction, read_predictions
from hallmark.bench.run import (
    Clock,
    Job,
    finished_manifest,
    journal_path,
    manifest_path,
    reopen,
    rows_answered,
    run,
)
from hallmark.bench.systems.constant import chance
from hallmark.bench.systems.interface import Setting, System, commit, fail
from hallmark.errors import InputError, ModelStopped, OutputError
from tests.bench.made import write
from tests.bench.rows import gold_row

N = 12
CLOCK = Clock(lambda: 0.0, lambda: "2026-01-01T00:00:00+00:00")


class Stopped(BaseException):
    """Stands for Ctrl-C."""


class StopsAfter:
    """A system that is interrupted after some answers; says which entries it was asked about."""

    def __init__(self, inner: System, answers: int) -> None:
        self.inner = inner
        self.answers = answers
        self.asked: list[str] = []

    @property
    def settings(self) -> dict[str, Setting]:
        return dict(self.inner.settings)

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        for count, prediction in enumerate(self.inner.predict(entries)):
            if count == self.answers:
                raise Stopped
            self.asked.append(prediction.bibtex_key)
            yield prediction


@pytest.fixture
def split(tmp_path: Path) -> Split:
    rows = [gold_row(f"k{i}") for i in range(N)]
    return load_split(write(tmp_path / "gold.jsonl", rows))


def job_of(split: Split, out: Path, system: System | None = None, seed: int = 1) -> Job:
    return Job(
        name="random", system=system or chance(rate=0.5, seed=seed), split=split, out=out, seed=seed
    )


def test_a_run_leaves_predictions_and_a_manifest_that_tells_how_they_came_about(
    split: Split, tmp_path: Path
) -> None:
    job = job_of(split, tmp_path / "out.jsonl")
    manifest = run(job, CLOCK)
    rows = read_predictions(job.out)
    assert [row.bibtex_key for row in rows] == [entry.bibtex_key for entry in split.entries]
    stored = json.loads(manifest_path(job.out).read_text(encoding="utf-8"))
    assert stored == msgspec.to_builtins(manifest)
    assert stored["gold"]["sha256"] == split.sha256
    assert stored["settings"] == {"rate": 0.5}
    assert stored["versions"]["hallmark"]
    assert sum(stored["predictions"]["labels"].values()) == N
    assert not journal_path(job.out).exists()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(stops=st.lists(st.integers(0, N), max_size=4))
def test_a_run_stopped_anywhere_and_gone_on_with_gives_the_same_bytes(
    split: Split, tmp_path_factory: pytest.TempPathFactory, stops: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("runs")
    run(job_of(split, folder / "whole.jsonl"), CLOCK)
    out, asked = folder / "parts.jsonl", list[str]()
    for stop in stops:
        system = StopsAfter(chance(rate=0.5, seed=1), stop)
        try:
            run(job_of(split, out, system), CLOCK)
        except Stopped:
            assert not out.exists()
        asked += system.asked
        if out.exists():
            break
    if not out.exists():
        run(job_of(split, out), CLOCK)
    assert out.read_bytes() == (folder / "whole.jsonl").read_bytes()
    assert len(asked) == len(set(asked))


def stopped(split: Split, out: Path, answers: int = 5) -> Path:
    with pytest.raises(Stopped):
        run(job_of(split, out, StopsAfter(chance(rate=0.5, seed=1), answers)), CLOCK)
    return journal_path(out)


def test_a_line_cut_off_by_a_crash_is_answered_again(split: Split, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    journal = stopped(split, out)
    journal.write_bytes(journal.read_bytes()[:-10])
    manifest = run(job_of(split, out), CLOCK)
    assert manifest.resumed_rows == 4
    assert len(read_predictions(out)) == N


def test_a_journal_cut_off_in_its_first_line_starts_anew(split: Split, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    journal = stopped(split, out, 0)
    journal.write_bytes(journal.read_bytes()[:20])
    assert run(job_of(split, out), CLOCK).resumed_rows == 0


def test_progress_counts_earlier_sittings_too(split: Split, tmp_path: Path) -> None:
    out, seen = tmp_path / "out.jsonl", list[int]()
    stopped(split, out)
    run(job_of(split, out), CLOCK, lambda count, _: seen.append(count))
    assert seen == list(range(1, N + 1))


def test_another_seed_or_system_does_not_go_on_with_this_journal(
    split: Split, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    stopped(split, out)
    with pytest.raises(InputError, match="seed was 1, is 2"):
        run(job_of(split, out, seed=2), CLOCK)
    with pytest.raises(InputError, match="settings was"):
        run(job_of(split, out, chance(rate=0.6, seed=1)), CLOCK)


def test_a_file_that_is_no_journal_is_left_alone(split: Split, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    journal_path(out).write_text("my notes\n", encoding="utf-8")
    with pytest.raises(InputError, match="is no journal of a run"):
        run(job_of(split, out), CLOCK)
    assert journal_path(out).read_text(encoding="utf-8") == "my notes\n"


def test_a_damaged_line_in_the_middle_is_named(split: Split, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    journal = stopped(split, out)
    lines = journal.read_bytes().splitlines()
    lines[2] = b"{"
    journal.write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(InputError, match=r"Line 3 of .* is damaged"):
        run(job_of(split, out), CLOCK)


def test_two_runs_do_not_write_to_one_file(split: Split, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"

    class Nested(StopsAfter):
        def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
            run(job_of(split, out), CLOCK)
            return super().predict(entries)

    with pytest.raises(InputError, match="Another run is writing"):
        run(job_of(split, out, Nested(chance(rate=0.5, seed=1), N)), CLOCK)


def test_a_finished_run_is_known_again_and_a_foreign_file_never_replaced(
    split: Split, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    assert finished_manifest(job_of(split, out)) is None
    manifest = run(job_of(split, out), CLOCK)
    assert finished_manifest(job_of(split, out)) == manifest
    with pytest.raises(InputError, match="was not made by this run"):
        finished_manifest(job_of(split, out, seed=2))
    out.write_text("changed\n", encoding="utf-8")
    with pytest.raises(InputError, match="was not made by this run"):
        finished_manifest(job_of(split, out))


def test_a_run_that_broke_off_before_its_manifest_goes_on(split: Split, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    manifest_path(out).mkdir()
    with pytest.raises(OutputError):
        run(job_of(split, out), CLOCK)
    assert out.exists()
    assert journal_path(out).exists()
    manifest_path(out).rmdir()
    with pytest.raises(InputError, match="was not made by this run"):
        finished_manifest(job_of(split, out, seed=2))
    assert finished_manifest(job_of(split, out)) is None
    found = run(job_of(split, out), CLOCK)
    assert finished_manifest(job_of(split, out)) == found
    assert not journal_path(out).exists()


class Scripted:
    """A system that answers for the given keys, whatever it is asked."""

    def __init__(self, *keys: str) -> None:
        self.keys = keys
        self.settings: dict[str, Setting] = {}

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        for key in self.keys:
            yield commit(BlindEntry(key), hallucinated=False, confidence=1.0)


KEYS = [f"k{i}" for i in range(N)]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (KEYS[:-1], f"only {N - 1} answers for {N}"),
        ([*KEYS, "k0"], f"more answers for {N}"),
        (KEYS[::-1], "answers must come in order"),
    ],
)
def test_a_system_that_breaks_its_contract_is_stopped(
    split: Split, tmp_path: Path, keys: list[str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        run(job_of(split, tmp_path / "out.jsonl", Scripted(*keys)), CLOCK)
    assert not (tmp_path / "out.jsonl").exists()


def test_a_place_that_cannot_be_written_is_said_before_any_work(
    split: Split, tmp_path: Path
) -> None:
    system = StopsAfter(chance(rate=0.5, seed=1), N)
    with pytest.raises(OutputError, match="Cannot write"):
        run(job_of(split, tmp_path / "no" / "such" / "out.jsonl", system), CLOCK)
    assert system.asked == []


class Failing:
    """A system that fails on some keys and may stop at one; it counts what it was asked."""

    def __init__(self, *bad: str, stop_at: str = "") -> None:
        self.bad = set(bad)
        self.stop_at = stop_at
        self.asked: list[str] = []

    @property
    def settings(self) -> dict[str, Setting]:
        return {}

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        for entry in entries:
            if entry.bibtex_key == self.stop_at:
                raise ModelStopped("no money left")
            self.asked.append(entry.bibtex_key)
            if entry.bibtex_key in self.bad:
                yield fail(entry, "down")
            else:
                yield commit(entry, hallucinated=False, confidence=1.0)


def failed(row: Prediction) -> bool:
    return row.label is Label.ERROR


def test_only_rows_that_failed_are_asked_again(split: Split, tmp_path: Path) -> None:
    out, whole = tmp_path / "out.jsonl", tmp_path / "whole.jsonl"
    run(job_of(split, out, Failing("k2", "k7")), CLOCK)
    mended = Failing()
    job = job_of(split, out, mended)
    assert finished_manifest(job) is not None
    reopen(job, CLOCK)
    manifest = run(job, CLOCK, again=failed)
    assert mended.asked == ["k2", "k7"]
    assert manifest.predictions.labels == {"VALID": N}
    run(job_of(split, whole, Failing()), CLOCK)
    assert out.read_bytes() == whole.read_bytes()
    assert not journal_path(out).exists()


def test_a_stop_while_asking_again_keeps_what_was_mended_and_the_rest_as_it_was(
    split: Split, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    run(job_of(split, out, Failing("k2", "k7")), CLOCK)
    before = out.read_bytes()
    reopen(job_of(split, out, Failing()), CLOCK)
    with pytest.raises(ModelStopped):
        run(job_of(split, out, Failing(stop_at="k7")), CLOCK, again=failed)
    assert out.read_bytes() == before
    again = Failing()
    reopen(job_of(split, out, again), CLOCK)
    run(job_of(split, out, again), CLOCK, again=failed)
    assert again.asked == ["k7"]
    assert {row.label for row in read_predictions(out)} == {Label.VALID}


def test_an_unfinished_run_asks_again_and_then_goes_on(split: Split, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with pytest.raises(ModelStopped):
        run(job_of(split, out, Failing("k1", stop_at="k4")), CLOCK)
    assert rows_answered(job_of(split, out)) == 4
    rest = Failing()
    run(job_of(split, out, rest), CLOCK, again=failed)
    assert rest.asked == ["k1", *[f"k{n}" for n in range(4, N)]]
    assert rows_answered(job_of(split, out)) == 0


def test_a_system_that_answers_for_another_key_changes_no_row(split: Split, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with pytest.raises(ModelStopped):
        run(job_of(split, out, Failing("k1", stop_at="k4")), CLOCK)

    class Wrong(Failing):
        def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
            yield commit(BlindEntry("other"), hallucinated=True, confidence=1.0)

    with pytest.raises(InputError, match="answered for 'other' where 'k1' was asked"):
        run(job_of(split, out, Wrong()), CLOCK, again=failed)
    rest = Failing()
    run(job_of(split, out, rest), CLOCK)
    assert rest.asked == [f"k{n}" for n in range(4, N)]
