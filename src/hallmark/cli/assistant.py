"""How does a language model help `check`, and what is the user told before it is asked?

Loaded only where a model is wished for.
"""

import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing

from msgspec import structs

from hallmark.assist.ask import Heard, Open, unasked, votes
from hallmark.assist.combine import assisted, is_open
from hallmark.assist.question import FIELDS
from hallmark.assist.weights import EMPTY, load_table, weigh
from hallmark.cli.llm import LlmWish
from hallmark.cli.locate import replies_path
from hallmark.cli.run import Progress
from hallmark.cli.shelf import Shelf
from hallmark.errors import ModelStopped
from hallmark.judge.calibrate import Calibration
from hallmark.judge.policy import Policy
from hallmark.llm.estimate import Estimate, estimate, in_words
from hallmark.llm.interface import Model, ModelSpec
from hallmark.llm.models import find
from hallmark.llm.session import WORLD, OpenModel, open_model
from hallmark.online.run import Checked
from hallmark.records.reference import Reference
from hallmark.records.verdict import Result
from hallmark.report.escape import visible

_HOMES = {"openai": "https://api.openai.com", "anthropic": "https://api.anthropic.com"}


class Assistant:
    """A model that is heard about the open references of one run.

    Args:
        wish: what the user asked for.
        policy: the judge's, for the share of bad references.
        calibration: the one that states the probabilities; the packaged one by default.
        environ: the variables that keys and addresses are read from.
        quiet: whether progress and the account are left out; what is sent is told all the same.

    Raises:
        UnknownName: there is no such model.
        InputError: the model or the weights cannot be used.
    """

    def __init__(
        self,
        wish: LlmWish,
        policy: Policy,
        calibration: Calibration | None,
        *,
        environ: Mapping[str, str] = os.environ,
        quiet: bool = False,
    ) -> None:
        self.interrupted = False
        self._wish = wish
        self._policy = policy
        self._calibration = calibration
        self._environ = environ
        self._quiet = quiet
        self._spec = find(wish.model or "")
        self._table = EMPTY if wish.weights is None else load_table(wish.weights)

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
            expected = estimate((one.question for one in _open_ones(shelf)), self._spec)
            self._announce(shelf.count, expected)
            if not expected.calls:
                yield from (row.result for row in shelf)
                return
            model = self._opened(stack)
            heard = stack.enter_context(closing(self._heard(model, _open_ones(shelf))))
            for row in shelf:
                yield self._joined(row, heard)
            if not self._quiet:
                _tell(model.account())

    def _watched(self, rows: Iterable[Checked]) -> Iterator[Checked]:
        progress = Progress(sys.stderr, on=not self._quiet)
        for row in rows:
            yield row
            progress.step()
        progress.end()

    def _announce(self, references: int, expected: Estimate) -> None:
        """Tell what is sent to whom, and what it may cost."""
        if not expected.calls:
            _tell([f"Of {_counted(references)}, none is open: nothing is sent to the model."])
            return
        place = place_of(self._spec, self._environ)
        sent = (
            f"Of {_counted(references)}, {expected.calls:,} are left open by evidence. Sent to "
            f"{place} (model {self._spec.id}): of each of these {', '.join(FIELDS)}, and what "
            "the sources answered; no keys, notes, links or files."
        )
        costs = f"{in_words(expected)}; answers that are kept from before cost nothing."
        _tell([sent, costs, *self._told_of_weights()])

    def _told_of_weights(self) -> Iterator[str]:
        if all(one.model != self._spec.name for one in self._table.models):
            yield (
                f"No weight is fitted for {self._spec.name}: its answers are shown, and change no "
                "probability (see `hallmark study llm-weights`)."
            )

    def _opened(self, stack: ExitStack) -> OpenModel:
        kept = None if self._wish.no_cache else replies_path(self._environ)
        return stack.enter_context(
            open_model(self._spec, environ=self._environ, caps=self._wish.caps, cache=kept)
        )

    def _heard(self, model: Model, items: Iterable[Open]) -> Generator[Heard, None, None]:
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


def _counted(references: int) -> str:
    return f"{references:,} reference{'' if references == 1 else 's'}"


def _tell(lines: Iterable[str]) -> None:
    for line in lines:
        print(visible(line), file=sys.stderr)  # noqa: T201 - the edge
