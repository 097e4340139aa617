"""How is a verifier scored that somebody wrote as a Python function?

`bench run ./my_verifier.py:check` calls `check(entry)` for each blind entry. An exception is a
failure of the tool for that entry; the others go on.
"""

import hashlib
import importlib
import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import msgspec

from hallmark._files import read_bytes
from hallmark.bench.entry import BlindEntry, Prediction
from hallmark.bench.systems.answers import understand
from hallmark.bench.systems.interface import EntrySystem, fail
from hallmark.errors import InputError

Check = Callable[[BlindEntry], object]


def looks_like_function(name: str) -> bool:
    """Tell whether a system's name is `FILE.py:FUNCTION` or `package.module:FUNCTION`."""
    place, colon, function = name.rpartition(":")
    return bool(colon) and bool(place) and function.isidentifier()


def function_system(name: str, clock: Callable[[], float] = time.perf_counter) -> EntrySystem:
    """Return the system behind `FILE.py:FUNCTION` or `package.module:FUNCTION`.

    Args:
        name: where the function is. It takes a `BlindEntry` and returns what
            `systems.answers` understands.
        clock: seconds, to time each call.

    Raises:
        InputError: the file, module or function cannot be loaded.
    """
    place, _, function = name.rpartition(":")
    module = _load_file(Path(place)) if place.endswith(".py") else _load_module(place)
    check = getattr(module, function, None)
    if not callable(check):
        raise InputError(f"{place} has no function `{function}`. {_functions_of(module)}")
    settings = {"function": function, "source_sha256": _digest(module)}
    return EntrySystem(lambda entry: call(check, entry, clock), settings)


def call(check: Check, entry: BlindEntry, clock: Callable[[], float]) -> Prediction:
    """Return what the function says of one entry; an exception becomes the record of a failure."""
    start = clock()
    try:
        prediction = understand(entry, check(entry))
    except Exception as problem:  # noqa: BLE001 - a stranger's code: its faults are its results
        prediction = fail(entry, f"the verifier raised {type(problem).__name__}: {problem}"[:500])
    if prediction.seconds is None:
        prediction = msgspec.structs.replace(prediction, seconds=round(clock() - start, 6))
    return prediction


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise InputError(f"There is no file {path}; give FILE.py:FUNCTION.")
    spec = importlib.util.spec_from_file_location(f"_verifier_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise InputError(f"Python cannot load {path}.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as problem:
        raise InputError(
            f"Loading {path} failed with {type(problem).__name__}: {problem}"
        ) from problem
    return module


def _load_module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as problem:
        raise InputError(
            f"Importing {name} failed with {type(problem).__name__}: {problem}"
        ) from problem


def _functions_of(module: ModuleType) -> str:
    names = sorted(n for n, v in vars(module).items() if callable(v) and not n.startswith("_"))
    return f"It has: {', '.join(names[:20])}." if names else "It has none at all."


def _digest(module: ModuleType) -> str | None:
    file = getattr(module, "__file__", None)
    return hashlib.sha256(read_bytes(Path(file))).hexdigest() if file else None
