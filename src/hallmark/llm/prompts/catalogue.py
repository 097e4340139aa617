"""Which prompts are there, and how is a user's own one read?

Ours lie in texts/, one file each, with a version that rises with the words. A file names another
one as its base where it only adds to it, so that the two differ in the addition alone.
"""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import msgspec
from msgspec import Struct

from hallmark._registry import Registry
from hallmark.errors import InputError
from hallmark.llm.prompts.template import Prompt

VARIANTS = ("default", "notaxo", "uncertain", "terse", "cutoff-aware", "cutoff-named")
"""Our prompts for a model that is asked once. The first four are conditions of the paper's H.1
and the fifth is that of F.2; the last one also names the month."""

MONTHS = (
    "January February March April May June July August September October November December"
).split()
_LARGEST = 1 << 20


class _File(Struct, forbid_unknown_fields=True):
    """A file of ours or a user's: `base` names one of ours that `addition` is put after."""

    version: str
    system: str = ""
    user: str = ""
    base: str = ""
    addition: str = ""


def variant(name: str) -> Prompt:
    """Return one of our prompts by its name.

    Raises:
        UnknownName: there is none of this name; the message offers the nearest one.
    """
    known = Registry[str]("prompt")
    for one in VARIANTS:
        known.add(one, one)
    return shipped(known.get(name))


def shipped(name: str) -> Prompt:
    """Return the prompt in texts/NAME.toml, which is part of the package."""
    text = (files("hallmark.llm.prompts") / "texts" / f"{name}.toml").read_text(encoding="utf-8")
    file = msgspec.convert(tomllib.loads(text), _File)
    if not file.base:
        return Prompt(name=name, version=file.version, system=file.system, user=file.user, own=True)
    base = shipped(file.base)
    system = f"{base.system.rstrip()}\n\n{file.addition}"
    version = f"{base.version}+{file.version}"
    return Prompt(name=name, version=version, system=system, user=base.user, own=True)


def names() -> list[str]:
    """Return the names of all prompts that are part of the package, bases among them."""
    texts = files("hallmark.llm.prompts") / "texts"
    return sorted(one.name.removesuffix(".toml") for one in texts.iterdir())


def read_prompt(path: Path) -> Prompt:
    """Return a user's prompt.

    A file that ends in .toml has the keys `version`, `user` and perhaps `system`; any other file is
    the user's part as it stands, sent without a system's part.

    Raises:
        InputError: it cannot be read, is larger than one MiB, or has other keys.
    """
    text = _read(path)
    if path.suffix.lower() != ".toml":
        return Prompt(name=path.name, version="", user=text)
    try:
        file = msgspec.convert(tomllib.loads(text), _File)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, RecursionError) as problem:
        raise InputError(f"The prompt {path} cannot be used: {problem}.") from problem
    if file.base or file.addition or not file.user:
        raise InputError(f"The prompt {path} needs the key `user`, and may have `system`.")
    return Prompt(name=path.name, version=file.version, system=file.system, user=file.user)


def _read(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            data = stream.read(_LARGEST + 1)
    except OSError as problem:
        raise InputError(f"The prompt {path} cannot be read: {problem.strerror}.") from problem
    if len(data) > _LARGEST:
        raise InputError(f"The prompt {path} is larger than one MiB.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"The prompt {path} is no UTF-8 text; save it as UTF-8.") from None


def list_types(types: Mapping[str, str]) -> str:
    """Return types with their one-line meanings, as {types} shows them."""
    return "\n".join(f"- {name}: {meaning}" for name, meaning in types.items())


def month_in_words(month: str) -> str:
    """Return "September 2024" for "2024-09", and "" for ""."""
    year, _, number = month.partition("-")
    return f"{MONTHS[int(number) - 1]} {year}" if number else year
