"""What is a row of the table of systems made of?

A `Spec` is a row; a `Request` is what a run hands to it; `Options` are the values of its options.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from hallmark._registry import Registry
from hallmark.bench.entry import Entry
from hallmark.bench.systems.interface import Setting, System
from hallmark.errors import InputError
from hallmark.llm.interface import Caps


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What a run hands to a system when it is made.

    `options` holds the texts of --option NAME=VALUE; `files` the prediction files of --from;
    `index` the folder of the local index; `today` the date of the run (YYYY-MM-DD); `gold` the
    labelled entries, used by cheats alone. For systems that ask a language model: `model` is the
    text of --model, `prompt` the file of --prompt, `caps` what the run may cost, `cache` the folder
    of kept answers, `offline` that only kept answers may be used, `sample` the number of a repeated
    run, which asks anew, and `environ` the variables that keys and addresses are read from, which
    no setting, message or file may repeat; `spent` is the file of what earlier sittings of the run
    spent, which counts for the caps, and `tell` hears, in a sentence, what a person who waits
    should know.
    """

    seed: int = 42
    options: Mapping[str, str] = {}
    files: tuple[Path, ...] = ()
    index: Path | None = None
    policy: str = "default"
    today: str = ""
    gold: tuple[Entry, ...] = ()
    model: str = ""
    prompt: Path | None = None
    caps: Caps = Caps()
    cache: Path | None = None
    offline: bool = False
    sample: int = 0
    environ: Mapping[str, str] = {}
    tools: Path | None = None
    spent: Path | None = None
    tell: Callable[[str], None] | None = None


class Option(msgspec.Struct, frozen=True):
    """A setting that --option NAME=VALUE changes; `default` also tells its type."""

    name: str
    default: Setting
    help: str


def nothing_missing(_: Mapping[str, str]) -> str:
    """Say that nothing is missing: the system can be used wherever Hallmark runs."""
    return ""


class Spec(msgspec.Struct, frozen=True, kw_only=True):
    """One system: `needs` names what the command line must give, `cheat` that it sees gold.

    `missing` tells, from the environment's variables, why the system cannot be used on this
    machine, and what to do; "" where it can.
    """

    name: str
    kind: str
    summary: str
    make: Callable[[Request, "Options"], System]
    options: tuple[Option, ...] = ()
    needs: tuple[str, ...] = ()
    cheat: bool = False
    missing: Callable[[Mapping[str, str]], str] = nothing_missing


class Options(msgspec.Struct, frozen=True):
    """The values of a system's options, by name."""

    values: Mapping[str, Setting]

    def number(self, name: str) -> float:
        """Return a numeric option."""
        return float(self.values[name] or 0)

    def integer(self, name: str) -> int:
        """Return an integer option."""
        return int(self.values[name] or 0)

    def text(self, name: str) -> str:
        """Return a textual option."""
        return str(self.values[name] or "")


def read_options(owner: str, known: Sequence[Option], given: Mapping[str, str]) -> Options:
    """Return every option's value, given or default.

    Raises:
        UnknownName: an option that this system does not have.
        InputError: a value that is not of the option's type.
    """
    names = Registry[Option](f"option of `{owner}`")
    for option in known:
        names.add(option.name, option)
    values = {option.name: option.default for option in known}
    for name, text in given.items():
        values[name] = _read(owner, names.get(name), text)
    return Options(values)


def _read(owner: str, option: Option, text: str) -> Setting:
    kind = type(option.default)
    try:
        return kind(text) if kind in (int, float) else text
    except ValueError:
        raise InputError(
            f"The option {option.name} of `{owner}` must be a number, not {text!r}."
        ) from None
