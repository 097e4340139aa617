"""How does a language model help `check`, and what is the user told before it is asked?

Loaded only where a model is wished for.
"""

import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing

from msgspec import Struct, structs

from hallmark.assist.ask import Heard, Open, unasked, votes
from hallmark.assist.combine import assisted, is_open
from hallmark.assist.question import FIELDS, prompt
from hallmark.assist.weights import EMPTY, load_table, weigh
from hallmark.cli.llm import LlmWish
from hallmark.cli.locate import replies_path
from hallmark.cli.progress import Progress
from hallmark.cli.shelf import Shelf
from hallmark.errors import ModelStopped
from hallmark.judge.calibrate import Calibration
from hallmark.judge.policy import Policy
from hallmark.llm.cache import FILE
from hallmark.llm.estimate import Estimate, estimate, in_words
from hallmark.llm.interface import Model, ModelSpec, Request
from hallmark.llm.ledger import check_price
from hallmark.llm.models import find
from hallmark.llm.ready import must_be_ready
from hallmark.llm.session import WORLD, OpenModel, open_model
from hallmark.llm.shown import lines
from hallmark.online.run import Checked
from hallmark.records.opinion import ModelUse
from hallmark.records.reference import Reference
from hallmark.records.verdict import Result
from hallmark.report.escape import visible

_HOMES = {"openai": "https://api.openai.com", "anthropic": "https://api.anthropic.com"}
_NOT_KEPT = "no reply to this question is kept, and --offline asks nobody."


class Expected(Struct, frozen=True):
    """What is ahead: open references, those of them with a kept reply, and what the rest takes."""

    open: int
    kept: int
    rest: Estimate


class Assistant:
    """A model that is heard about the open references of one run.

    Args:
        wish: what the user asked for.
        policy: the judge's, for the share of bad references.
        calibration: the one that states the probabilities; the packaged one by default.
        environ: the variables that keys and addresses are read from.
        quiet: whether progress and the account are left out; what is sent is told all the same.
        hints: what else the user is to know before anything is sent.

    Raises:
        UnknownName: there is no such model.
        InputError: the model cannot be asked from here, or the weights or kept replies not used.
    """

    def __init__(
        self,
        wish: LlmWish,
        policy: Policy,
        calibration: Calibration | None,
        *,
        environ: Mapping[str, str] = os.environ,
        quiet: bool = False,
        hints: tuple[str, ...] = (),
    ) -> None:
        self.interrupted = False
        self._wish = wish
        self._policy = policy
        self._calibration = calibration
        self._environ = environ
        self._quiet = quiet
        self._hints = hints
        self._spec = find(wish.model or "")
        self._table = EMPTY if wish.weights is None else load_table(wish.weights)
        self._model: OpenModel | None = None
        self._open = 0
        self._must_be_possible()

    def heard(
        self, rows: Iterable[Checked], *, may_ask: Callable[[], bool] = lambda: True
    ) -> Iterator[Result]:
        """Yield the results of a run, in order, with what the model adds to the open ones.

        All rows are taken in first, so that it can be told what is sent before anything is.

        Args:
            rows: the results, with what they rest on.
            may_ask: whether the model is to be asked still, once all rows are in.
        """
        with Shelf[Checked]() as shelf, ExitStack() as stack:
            for row in self._watched(rows):
                shelf.add(row)
            if not may_ask():
                yield from (row.result for row in shelf)
                return
            self._model = model = self._opened(stack)
            expected = self._expected(model, shelf)
            self._open = expected.open
            self._announce(shelf.count, expected)
            heard = stack.enter_context(closing(self._heard(model, shelf)))
            for row in shelf:
                yield self._joined(row, heard)
            if expected.open and not self._quiet:
                _tell(model.account())

    def rehearse(self, rows: Iterable[Checked]) -> Iterator[str]:
        """Tell what would be sent and cost; yield the first question, as lines, where wished."""
        with Shelf[Checked]() as shelf, ExitStack() as stack:
            for row in self._watched(rows):
                shelf.add(row)
            kept = not self._wish.no_cache and (replies_path(self._environ) / FILE).exists()
            model = self._opened(stack, offline=True) if kept else None
            self._announce(shelf.count, self._expected(model, shelf))
            first = next(_open_ones(shelf), None)
            if self._wish.show_question and first is not None:
                yield from lines(first.question, self._spec)

    def used(self) -> ModelUse:
        """Return what was asked of the model, for the report."""
        found = None if self._model is None else self._model.totals()
        return ModelUse(
            name=self._spec.name,
            id=self._spec.id,
            address=place_of(self._spec, self._environ),
            prompt=prompt().digest,
            open=self._open,
            kept=0 if found is None else found.kept,
            replies=0 if found is None else found.replies,
            requests=0 if found is None else found.requests,
            failures={} if found is None else found.failures,
            tokens_in=0 if found is None else found.usage.input,
            tokens_out=0 if found is None else found.usage.output,
            cost=None if found is None else found.cost,
        )

    def _must_be_possible(self) -> None:
        """Refuse, before any reference is checked, what could not be asked afterwards."""
        if not self._wish.offline:
            check_price(self._spec, self._wish.caps)
        if self._wish.dry_run:
            return
        if not self._wish.offline:
            must_be_ready(self._spec, self._environ)
        with ExitStack() as stack:
            self._opened(stack)

    def _watched(self, rows: Iterable[Checked]) -> Iterator[Checked]:
        progress = Progress(sys.stderr, on=not self._quiet)
        for row in rows:
            yield row
            progress.step()
        progress.end()

    def _expected(self, model: OpenModel | None, rows: Iterable[Checked]) -> Expected:
        """Count what is open, and what of it has a kept reply; estimate the rest."""
        count = kept = 0

        def rest() -> Iterator[Request]:
            nonlocal count, kept
            for one in _open_ones(rows):
                count += 1
                question = one.question
                if model is not None and model.keeps(question):
                    kept += 1
                else:
                    yield question

        found = estimate(rest(), self._spec)
        return Expected(count, kept, found)

    def _announce(self, references: int, expected: Expected) -> None:
        """Tell what is sent to whom, and what it may cost."""
        counted = f"Of {references:,} reference{'' if references == 1 else 's'}"
        if not expected.open:
            _tell([f"{counted}, none is open: nothing is sent to the model."])
            return
        left = f"{counted}, {expected.open:,} {_are(expected.open)} left open by evidence."
        kept = f" To {expected.kept:,} of these a reply is kept." if expected.kept else ""
        _tell([f"{left}{kept} {self._sent(expected)}", *self._costs(expected)])
        _tell([*self._told_of_weights(), *self._hints])
        if self._wish.dry_run:
            _tell(["Nothing was sent, and no report is written: this was a dry run."])

    def _sent(self, expected: Expected) -> str:
        rest = expected.rest.calls
        if self._wish.offline:
            return f"Nothing is sent (--offline): {rest:,} {_are(rest)} not asked about."
        if not rest:
            return "Nothing is sent."
        verb = "Would be sent" if self._wish.dry_run else "Sent"
        of = f"the other {rest:,}" if expected.kept else "each of these"
        place = place_of(self._spec, self._environ)
        return (
            f"{verb} to {place} (model {self._spec.id}): of {of} {', '.join(FIELDS)}, and what "
            "the sources answered; no keys, notes, links or files."
        )

    def _costs(self, expected: Expected) -> Iterator[str]:
        if expected.rest.calls and not self._wish.offline:
            yield f"{in_words(expected.rest)}."

    def _told_of_weights(self) -> Iterator[str]:
        if all(one.model != self._spec.name for one in self._table.models):
            yield (
                f"No weight is fitted for {self._spec.name}: its answers are shown, and change no "
                "probability (see `hallmark study llm-weights`)."
            )

    def _opened(self, stack: ExitStack, *, offline: bool | None = None) -> OpenModel:
        opened = open_model(
            self._spec,
            environ=self._environ,
            caps=self._wish.caps,
            cache=None if self._wish.no_cache else replies_path(self._environ),
            offline=self._wish.offline if offline is None else offline,
            tell=None if self._quiet else lambda text: _tell([text]),
        )
        return stack.enter_context(opened)

    def _heard(self, model: OpenModel, rows: Iterable[Checked]) -> Generator[Heard, None, None]:
        """Yield an answer for each open reference, in order."""
        kept_alone = self._wish.offline
        asked = (one for one in _open_ones(rows) if not kept_alone or model.keeps(one.question))
        with closing(self._votes(model, asked)) as cast:
            for one in _open_ones(rows):
                if kept_alone and not model.keeps(one.question):
                    yield unasked(model.spec.name, _NOT_KEPT)
                else:
                    yield next(cast)

    def _votes(self, model: Model, items: Iterable[Open]) -> Generator[Heard, None, None]:
        """Yield the votes; once the model is not asked any more, what says so, without end."""
        try:
            yield from votes(model, items)
        except ModelStopped as stop:
            reason = str(stop)
        except KeyboardInterrupt:
            self.interrupted, reason = True, "the run was interrupted."
        else:
            return
        _tell([f"The model is not asked any further: {reason}"])
        while True:
            yield unasked(model.spec.name, reason)

    def _joined(self, row: Checked, heard: Iterator[Heard]) -> Result:
        if _open(row) is None or not isinstance(row.entry, Reference):
            return row.result
        vote = next(heard).vote
        weighed = weigh(vote, row.entry, self._table)
        verdict, opinion = assisted(
            row.result.verdict, vote, weighed, self._policy, self._calibration
        )
        return structs.replace(row.result, verdict=verdict, opinion=opinion)


def _open(row: Checked) -> Open | None:
    """Return what a model is asked about, None for a row that evidence settled."""
    if not isinstance(row.entry, Reference) or row.evidence is None:
        return None
    verdict = row.result.verdict
    return Open(row.entry, verdict, row.evidence) if is_open(verdict) else None


def _open_ones(rows: Iterable[Checked]) -> Iterator[Open]:
    return (one for row in rows if (one := _open(row)) is not None)


def place_of(spec: ModelSpec, environ: Mapping[str, str]) -> str:
    """Return where the questions to a model go."""
    return environ.get(WORLD, "").strip() or spec.base_url or _HOMES[spec.provider]


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _tell(texts: Iterable[str]) -> None:
    for text in texts:
        print(visible(text), file=sys.stderr)  # noqa: T201 - the edge
