"""How does a system of the benchmark come to a model that it can ask?"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from importlib.util import find_spec

from hallmark.bench.systems.spec import Request
from hallmark.errors import how_to_install
from hallmark.llm import interface as llm

Opened = Callable[[], AbstractContextManager[llm.Model]]
"""Opens the model for one run; what it holds is given back at the end."""

_PACKAGES = ("openai", "anthropic")


def opener(request: Request, spec: llm.ModelSpec) -> Opened:
    """Return what opens the model of a run, not before it is needed.

    Args:
        request: names the caps, the folder of kept answers, and the variables of the environment.
        spec: the model.

    Returns:
        A function; calling it raises InputError where the model cannot be asked from here.
    """

    def opened() -> AbstractContextManager[llm.Model]:
        # Needs the vendors' packages, which other systems do without.
        from hallmark.llm.session import open_model  # noqa: PLC0415

        return open_model(
            spec,
            environ=request.environ,
            caps=request.caps,
            cache=request.cache,
            offline=request.offline,
            spent=request.spent,
            tell=request.tell,
        )

    return opened


def packages_missing(_: Mapping[str, str]) -> str:
    """Return which of the vendors' packages are not installed, "" for none."""
    absent = [name for name in _PACKAGES if find_spec(name) is None]
    if not absent:
        return ""
    return f"{' and '.join(absent)} not installed: {how_to_install('llm')}"
