"""Can a model be asked from here, as far as that can be told before anything is sent?"""

from collections.abc import Mapping
from importlib.util import find_spec

from hallmark.errors import InputError, how_to_install
from hallmark.llm.interface import ModelSpec
from hallmark.llm.models import OWN_KEY


def why_not(spec: ModelSpec, environ: Mapping[str, str]) -> str:
    """Return why a model cannot be asked from here, "" where it can; no key is told."""
    if find_spec(spec.provider) is None:
        return f"{spec.provider} is not installed: {how_to_install('llm')}"
    if spec.key not in {"", OWN_KEY} and not environ.get(spec.key, "").strip():
        return f"{spec.key} is not set"
    return ""


def must_be_ready(spec: ModelSpec, environ: Mapping[str, str]) -> None:
    """Refuse a model that cannot be asked from here, before any work is done for it.

    Raises:
        InputError: its package is not installed, or the variable of its key is not set.
    """
    reason = why_not(spec, environ)
    if reason:
        raise InputError(
            f"{spec.name} cannot be asked: {reason}. Keys are read from the environment only. "
            "Nothing was sent; --offline hears kept replies alone, without a key."
        )
