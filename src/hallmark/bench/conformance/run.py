"""How are the tests of conformance put to a system?"""

import contextlib
import socket
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence

import msgspec

from hallmark.bench.conformance.cases import CASES, Case
from hallmark.bench.conformance.entries import PLAIN
from hallmark.bench.conformance.judged import Judged, Outcome, in_words, unanswered, undecided
from hallmark.bench.entry import BlindEntry, Prediction
from hallmark.bench.lines import printable
from hallmark.bench.systems.external.system import ExternalSystem
from hallmark.bench.systems.interface import Setting, System, abstain, fail
from hallmark.errors import HallmarkError, InputError, ModelStopped

Make = Callable[[bool], System]
"""Makes the system; the argument tells whether a tool is to see the entries' own keys."""

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A test with its outcome: what was asked, what is right and why, and what was seen."""

    case: str
    outcome: Outcome
    question: str
    right: str
    why: str
    seen: str


class Asker:
    """Asks a system and keeps its answers, so that nothing is asked twice without need.

    Args:
        make: makes the system anew for each question, so that none learns from another.
        again: makes the one that is asked the same once more: without the replies of a model that
            were kept of the first time.
        apart: whether there is no network, so that a run that stops for it has failed on its
            entries, as it should.
    """

    def __init__(self, make: Make, again: Make, *, apart: bool = False) -> None:
        self._make, self._again, self._apart = make, again, apart
        self._kept = dict[tuple[bytes, bool], list[Prediction]]()
        self.answered = False

    def __call__(
        self, entries: Sequence[BlindEntry], *, own_keys: bool = False, anew: bool = False
    ) -> list[Prediction]:
        """Return one answer to each entry, in order.

        Raises:
            InputError: the system gives fewer answers than it was asked for, or more.
        """
        key = (msgspec.json.encode(entries), own_keys)
        if anew or key not in self._kept:
            system = (self._again if anew else self._make)(own_keys)
            self._kept[key] = self._ask(system, entries)
            self.answered = self.answered or not unanswered(self._kept[key])
        return list(self._kept[key])

    def _ask(self, system: System, entries: Sequence[BlindEntry]) -> list[Prediction]:
        try:
            rows = list(system.predict(entries))
        except ModelStopped as stopped:
            if not self._apart:
                raise
            return [fail(entry, f"the run stopped: {stopped}") for entry in entries]
        if len(rows) != len(entries):
            raise InputError(f"the system gave {len(rows)} answers to {len(entries)} entries")
        return rows

    def nothing(self) -> str:
        """Ask about no entries; return what is wrong with what came of it."""
        system = self._make(False)
        rows = list(system.predict([]))
        if rows:
            return f"{len(rows)} answers to no entries"
        return _crash(system) if isinstance(system, ExternalSystem) else ""


def _crash(system: ExternalSystem) -> str:
    ran = system.ask_nothing()
    if ran.problem or ran.exit_code is None:
        return ran.problem or "it did not end in time"
    if ran.exit_code < 0 or "Traceback (most recent call last)" in ran.errors:
        last = next((line for line in reversed(ran.errors.splitlines()) if line.strip()), "")
        return f"it crashed (exit code {ran.exit_code}): {printable(last, 200)}"
    return ""


@contextlib.contextmanager
def cut_off(environ: MutableMapping[str, str], spare: str = "") -> Iterator[None]:
    """Point the variables that name a proxy at a port of this machine where nobody listens.

    Whatever asks for the network through them, as nearly all clients of HTTP do, is refused, on
    a machine that is connected too. What opens sockets of its own is not stopped. The host `spare`,
    if any, is reached past the proxy: that of a language model, whose sources alone fail then.
    """
    names = [*PROXIES, *(name.lower() for name in PROXIES)]
    unset = ["NO_PROXY", "no_proxy"]
    before = {name: environ.get(name) for name in [*names, *unset]}
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
        try:
            environ.update(dict.fromkeys(names, address))
            for name in unset:
                environ.pop(name, None)
                if spare:
                    environ[name] = spare
            yield
        finally:
            _restore(environ, before)


def _restore(environ: MutableMapping[str, str], before: dict[str, str | None]) -> None:
    for name, text in before.items():
        if text is None:
            environ.pop(name, None)
        else:
            environ[name] = text


def conformance(
    make: Make,
    environ: MutableMapping[str, str],
    *,
    cases: Sequence[Case] = CASES,
    always_cut_off: bool = False,
    tell: Callable[[str], None] = lambda _: None,
    again: Make | None = None,
    spare: str = "",
) -> list[Finding]:
    """Put the tests to a system and return what came of each, in order.

    Args:
        make: makes the system.
        environ: the variables that the system's clients of HTTP read; changed while a case is cut
            off from the network, and put back.
        cases: the tests.
        always_cut_off: ask every case without a network.
        tell: is told the name of each test before it is put.
        again: makes the system that is asked the same once more; `make` by default.
        spare: the host of a language model, which an outage leaves alone.
    """
    anew = again or make
    connected, parted = Asker(make, anew), Asker(make, anew, apart=True)
    findings = list[Finding]()
    for case in cases:
        tell(case.name)
        apart = case.cut_off or always_cut_off
        with cut_off(environ, spare) if apart else contextlib.nullcontext():
            judged = _put(case, parted if apart else connected)
        findings.append(_finding(case, judged))
    outages = {case.name for case in cases if case.cut_off}
    answers = connected.answered or parted.answered
    if answers or always_cut_off or len(outages) == len(cases):  # or nothing asked with a network
        return findings
    return [_without_answers(one) if one.case in outages else one for one in findings]


def _without_answers(finding: Finding) -> Finding:
    """Return what an outage says of a system that answered nothing in any test: nothing."""
    if finding.outcome is not Outcome.PASS:
        return finding
    seen = f"{finding.seen}: no entry of any test was answered"
    return msgspec.structs.replace(finding, outcome=Outcome.OPEN, seen=seen)


def questions(cases: Sequence[Case] = CASES) -> list[BlindEntry]:
    """Return what the tests ask a system about that abstains from everything, repeats included.

    One that answers is asked about little more.
    """
    silent = _Silent()
    conformance(lambda _: silent, {}, cases=cases)
    return silent.asked


class _Silent:
    """A system that abstains, and notes what it was asked about."""

    settings: Mapping[str, Setting] = {}

    def __init__(self) -> None:
        self.asked = list[BlindEntry]()

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        """Abstain from each entry."""
        self.asked.extend(entries)
        return (abstain(entry, "not asked") for entry in entries)


def _put(case: Case, ask: Asker) -> Judged:
    """Put one test; a system that breaks off the whole run fails it."""
    try:
        if case.needs_answers:
            plain = ask(PLAIN)
            if unanswered(plain):
                return undecided(f"not asked: it failed on every plain entry: {in_words(plain)}")
        return case.judge(ask)
    except ModelStopped as stopped:  # a cap, a key, a service: nothing that tells of the system
        return undecided(printable(f"the run stopped: {stopped}", 300))
    except HallmarkError as problem:
        return Judged(Outcome.FAIL, printable(f"the run broke off: {problem}", 300))


def _finding(case: Case, judged: Judged) -> Finding:
    return Finding(
        case=case.name,
        outcome=judged.outcome,
        question=case.question,
        right=case.right,
        why=case.why,
        seen=judged.seen,
    )
