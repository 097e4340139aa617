"""How is a model opened for a run: service, patience, limits, caps and kept replies in one?

Nothing is loaded or looked for before the first question that nobody kept the reply to: a run whose
replies are all kept needs neither SDK nor key nor network.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import structs

from hallmark._waiting import Clock
from hallmark.errors import InputError, ModelStopped, how_to_install
from hallmark.llm import totals as telling
from hallmark.llm.attempt import Adapter, Secrets
from hallmark.llm.book import Book
from hallmark.llm.cache import FILE, Cache, digest
from hallmark.llm.calls import Caller, Patience, PerLoop
from hallmark.llm.interface import Caps, Failure, ModelSpec, Reply, Request, Trouble
from hallmark.llm.ledger import Ledger, check_price
from hallmark.llm.models import OWN_KEY, find
from hallmark.llm.prompts.quoting import BAR
from hallmark.llm.totals import Tally, Totals

WORLD = "HALLMARK_LLM_AT"
"""The variable of an address of this machine at which all end-points are served (for tests)."""
_THIS_MACHINE = frozenset({"127.0.0.1", "::1", "localhost"})
_ABOUT = 120
"""Characters of a question that a message repeats."""
_PATHS = {"openai": "/v1", "anthropic": ""}


class OpenModel:
    """A model as a run uses it; `open_model` makes it.

    Args:
        spec: its row in the table.
        base_url: where it is asked, "" for the vendor's own end-point.
        caller: asks the service; None where only kept replies count.
        cache: the replies that are kept.
        tally: counts what is asked.
        clock: the time.
    """

    def __init__(
        self,
        spec: ModelSpec,
        base_url: str,
        *,
        caller: Caller | None,
        cache: Cache | None,
        tally: Tally,
        clock: Clock,
    ) -> None:
        self._spec = spec
        self._base_url = base_url
        self._caller = caller
        self._cache = cache
        self._tally = tally
        self._clock = clock
        self._stopped = ""
        self._under_way: PerLoop[dict[str, _Asking]] = PerLoop(dict)

    @property
    def spec(self) -> ModelSpec:
        """Its row in the table of models."""
        return self._spec

    async def ask(self, request: Request) -> Reply | Failure:
        """Answer one question: from what is kept, or anew.

        Raises:
            ModelStopped: nothing more may be asked in this run.
            InputError: the kept replies are damaged.
        """
        try:
            key = digest(self._spec, self._base_url, request)
        except UnicodeEncodeError:
            return Failure(Trouble.REQUEST, "The question holds half a character.")
        kept = self._cache.get(key) if self._cache is not None else None
        if kept is not None:
            self._tally.kept += 1
            return structs.replace(kept, kept=True)
        if self._caller is None:
            raise ModelStopped(_not_kept(self._spec, key, request))
        if self._stopped:
            raise ModelStopped(self._stopped)
        return await self._shared(key, request, self._caller)

    def keeps(self, request: Request) -> bool:
        """Tell whether the reply to a question is kept, so that asking it sends nothing.

        Raises:
            InputError: the kept replies are damaged.
        """
        if self._cache is None:
            return False
        try:
            key = digest(self._spec, self._base_url, request)
        except UnicodeEncodeError:
            return False
        return self._cache.get(key) is not None

    def totals(self) -> Totals:
        """Return what was asked so far."""
        return self._tally.totals()

    def account(self) -> Iterator[str]:
        """Yield, as lines, what was asked so far, how long it took and what it cost."""
        return telling.lines(self._spec, self.totals())

    async def _shared(self, key: str, request: Request, caller: Caller) -> Reply | Failure:
        """Ask, or wait for the same question that is under way; the last asker may give it up."""
        under_way = self._under_way.get()
        first = key not in under_way
        if first:
            task = asyncio.ensure_future(self._anew(key, request, caller))
            under_way[key] = _Asking(task)
            task.add_done_callback(lambda _: under_way.pop(key, None))
        asking = under_way[key]
        asking.askers += 1
        try:
            outcome = await asyncio.shield(asking.task)
        except asyncio.CancelledError:
            if asking.askers == 1:
                await _ended(asking.task)
            raise
        finally:
            asking.askers -= 1
        if first or isinstance(outcome, Failure):
            return outcome
        self._tally.kept += 1
        return structs.replace(outcome, kept=True)

    async def _anew(self, key: str, request: Request, caller: Caller) -> Reply | Failure:
        outcome = await caller.ask(request)
        if isinstance(outcome, Failure) or self._cache is None:
            return outcome
        try:
            return self._cache.put(key, self._spec.name, outcome, self._clock.shared())
        except ModelStopped as stop:
            self._stopped = str(stop)  # this reply is paid for; the next one is not
            return outcome


class _Asking:
    """A question under way, and how many wait for its reply."""

    def __init__(self, task: "asyncio.Task[Reply | Failure]") -> None:
        self.task = task
        self.askers = 0


async def _ended(task: "asyncio.Task[Reply | Failure]") -> None:
    """Cancel a question and wait until its reply, if one was on its way, is kept."""
    task.cancel()
    await asyncio.wait({task})
    if not task.cancelled():
        task.exception()  # nobody asks for it any more


def _not_kept(spec: ModelSpec, key: str, request: Request) -> str:
    return (
        f"No reply of {spec.name} is kept to the question about `{_about(request)}` "
        f"({key[:12]}), and nothing may be asked anew. Run without --offline to ask it."
    )


def _about(request: Request) -> str:
    """Return the line with the title among what a question shows, or the first line, for people."""
    shown = [line.removeprefix(BAR) for line in request.messages[0].text.splitlines()
             if line.startswith(BAR)]  # fmt: skip
    titled = (line for line in shown if line.strip(' "').lower().startswith("title"))
    about = next(titled, next(iter(shown), request.messages[0].text))
    return "".join(letter for letter in " ".join(about.split()) if letter.isprintable())[:_ABOUT]


@contextmanager
def open_model(
    spec: ModelSpec | str,
    *,
    environ: Mapping[str, str],
    caps: Caps | None = None,
    cache: Path | None = None,
    offline: bool = False,
    at_once: int | None = None,
    ledger: Ledger | None = None,
    patience: Patience | None = None,
    clock: Clock | None = None,
    tell: Callable[[str], None] | None = None,
    spent: Path | None = None,
) -> Iterator[OpenModel]:
    """Open a model for a run.

    Args:
        spec: the model, or what `models.find` understands.
        environ: the variables that keys and addresses are read from.
        caps: what the run may spend.
        cache: the folder of kept replies; created where it is missing. None keeps nothing.
        offline: whether only kept replies count; a question without one raises ModelStopped.
        at_once: requests under way at a time, in place of the row's own.
        ledger: what the run may still spend, in place of `caps`: for runs with several models.
        patience: how often and how long each question is asked.
        clock: time, sleep and dice.
        tell: told once, in a sentence, when a question has to be sent again.
        spent: the file of what the run spent in earlier sittings, which counts for `caps`; what
            this one spends is added. None for a run of one sitting.

    Raises:
        UnknownName: there is no such model.
        InputError: the model, its address, its caps or the kept replies cannot be used.
    """
    row = find(spec) if isinstance(spec, str) else spec
    row = row if at_once is None else structs.replace(row, at_once=max(1, at_once))
    book = None if spent is None or offline else Book(spent)
    ledger = ledger or Ledger(caps or Caps(), book)
    clock = clock or Clock()
    if not offline:
        check_price(row, ledger.caps)
    elif cache is None:
        raise InputError("Without a folder of kept replies nothing can be answered offline.")
    kept = None if cache is None else Cache(cache / FILE, read_only=offline)
    tally = Tally(row)
    base_url = _base_url(row, environ)
    caller = Caller(
        row,
        lambda: _adapter(row, base_url, environ, clock),
        ledger=ledger,
        tally=tally,
        patience=patience or Patience(),
        clock=clock,
        tell=tell,
    )
    try:
        yield OpenModel(
            row,
            base_url,
            caller=None if offline else caller,
            cache=kept,
            tally=tally,
            clock=clock,
        )
    finally:
        if kept is not None:
            kept.close()


def _base_url(spec: ModelSpec, environ: Mapping[str, str]) -> str:
    """Return where a model is asked, "" for the vendor's own end-point.

    Raises:
        InputError: the address for tests is not of this machine.
    """
    address = environ.get(WORLD, "").strip().rstrip("/")
    if not address:
        return spec.base_url
    if urlsplit(address).hostname not in _THIS_MACHINE:
        raise InputError(f"{WORLD} must be an address of this machine, such as http://127.0.0.1:80")
    return address + _PATHS[spec.provider]


def _adapter(spec: ModelSpec, base_url: str, environ: Mapping[str, str], clock: Clock) -> Adapter:
    """Load the SDK of a model and hand it the key.

    Raises:
        ModelStopped: the SDK is not installed, or the key is missing.
    """
    secrets = Secrets(environ.get(spec.key, "").strip() if spec.key else "")
    if spec.key not in {"", OWN_KEY} and not secrets.key:
        raise ModelStopped(
            f"{spec.name} answers only with a key: set the variable {spec.key}. Keys are read "
            "from the environment only."
        )
    try:
        match spec.provider:
            case "openai":
                from hallmark.llm.openai_api import OpenAIAdapter  # noqa: PLC0415 - an extra

                return OpenAIAdapter(spec, secrets, base_url, clock)
            case "anthropic":
                from hallmark.llm.anthropic_api import AnthropicAdapter  # noqa: PLC0415 - an extra

                return AnthropicAdapter(spec, secrets, base_url, clock)
    except ImportError as error:
        raise ModelStopped(
            f"Asking {spec.name} needs the SDK of its vendor, which is not installed "
            f"({error.name or error}). Install it: {how_to_install('llm')}"
        ) from error
