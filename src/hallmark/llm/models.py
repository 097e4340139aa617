"""Which language model does a name, an address or a row of the user's own file mean?"""

import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, structs

from hallmark._files import read_text
from hallmark._registry import Registry
from hallmark.errors import InputError
from hallmark.llm.interface import ModelSpec, Provider

OWN_KEY = "HALLMARK_LLM_KEY"
"""The variable of the key of an end-point that the user names; none is sent where it is not set."""
OPENROUTER = "https://openrouter.ai/api/v1"
_MOST_BYTES = 2**20
_NO_TEMPERATURE = "none"
"""How a row of a file says that an end-point takes no temperature: TOML has no null."""


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    model: list[dict[str, Any]]
    endpoint: dict[str, dict[str, Any]] = {}


def find(text: str) -> ModelSpec:
    """Return the model that a text means.

    Args:
        text: a name of the table ("gpt-5.1"); `openai:ID@BASE_URL` or `anthropic:ID@BASE_URL` for
            any other end-point that speaks one of the two formats, such as a vLLM, llama.cpp or
            Ollama server (without `@BASE_URL` the vendor's own); or `FILE.toml#NAME` for a row of
            a file in the format of the table (`FILE.toml` where it has only one).

    Raises:
        UnknownName: no model of the table, or of the file, has this name.
        InputError: the address or the file cannot be used.
    """
    path, _, name = text.rpartition("#") if "#" in text else (text, "", "")
    if path.endswith(".toml") and not _addressed(text):
        return _of_file(Path(path), name)
    return _shipped(text)


def rows_of(path: Path) -> list[ModelSpec]:
    """Return the models of a user's file, in its order.

    Raises:
        InputError: it cannot be read, or is no file of models.
    """
    return [spec for _, spec in _registry_of(path).items()]


def for_agents(spec: ModelSpec) -> ModelSpec:
    """Return a model with the budget of tokens that a turn with tools has."""
    return structs.replace(spec, max_tokens=spec.agent_tokens or spec.max_tokens)


def _addressed(text: str) -> bool:
    return text.startswith(("openai:", "anthropic:"))


def _shipped(text: str) -> ModelSpec:
    """Return the model that a name of the table or an address means."""
    if not _addressed(text):
        return table().get(text)
    kind, _, rest = text.partition(":")
    return _elsewhere(text, "openai" if kind == "openai" else "anthropic", rest)


@cache
def table() -> Registry[ModelSpec]:
    """Return the models that have a name of ours."""
    text = (files("hallmark.llm") / "models.toml").read_text("utf-8")
    return _registered(_decoded(text), "model")


def _elsewhere(text: str, provider: Provider, rest: str) -> ModelSpec:
    """Return a model at an end-point that the user names."""
    at = _address_at(rest)
    model, address = (rest, "") if at < 0 else (rest[:at], rest[at + 1 :].rstrip("/"))
    if not model or not text.isprintable():
        raise InputError(f"The model {text!r} has no id. Write {provider}:ID@BASE_URL.")
    _check_address(text, address)
    own = table().get("gpt-5.1" if provider == "openai" else "claude-sonnet-4.6-native")
    keys = {"": own.key, OPENROUTER: "OPENROUTER_API_KEY"}
    vendors = provider == "openai" and address in keys
    return ModelSpec(
        name=text,
        id=model,
        provider=provider,
        base_url=address,
        key=keys.get(address, OWN_KEY),
        seeded=own.seeded,
        limit="max_completion_tokens" if vendors else "max_tokens",
    )


def _address_at(rest: str) -> int:
    """Return where the address begins (its "@"), -1 where there is none."""
    found = [at for at in (rest.find("@http://"), rest.find("@https://")) if at >= 0]
    return min(found, default=-1)


def _check_address(text: str, address: str) -> None:
    try:
        parts = urlsplit(address)
        usable = not address or (parts.hostname and (parts.port or True))
    except ValueError:
        usable, parts = False, urlsplit("")
    if not usable or parts.query or parts.fragment or ("@" in text and not address):
        shown = text.rpartition("@")[0] if parts.password or parts.username else text
        raise InputError(
            f"The address of the model {shown!r} cannot be used. Write it like "
            "http://127.0.0.1:8000/v1, without parameters."
        )
    if parts.username or parts.password:
        raise InputError(
            "The address of the model holds a user name or a password. Leave them out, and put a "
            f"key into the variable {OWN_KEY}."
        )


def _registry_of(path: Path) -> Registry[ModelSpec]:
    try:
        text = read_text(path, limit=_MOST_BYTES)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The models of `{path}` cannot be read ({_why(error)}).") from error
    try:
        return _registered(_decoded(text), f"model in `{path}`")
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"`{path}` is no file of models ({error}). Its rows are [[model]] tables with the "
            "fields that docs/models.md lists."
        ) from error


def _of_file(path: Path, name: str) -> ModelSpec:
    rows = _registry_of(path)
    names = rows.names()
    if not name and len(names) == 1:
        return rows.get(names[0])
    if not name:
        raise InputError(f"`{path}` has {len(names)} models. Name one: {path}#{names[0]}.")
    return rows.get(name)


def _why(error: OSError | UnicodeDecodeError) -> str:
    return str(getattr(error, "strerror", None) or "it is not in UTF-8")


def _registered(rows: list[ModelSpec], kind: str) -> Registry[ModelSpec]:
    """Return rows by name; raises ValueError where two have the same, or there is none."""
    if not rows:
        raise ValueError("it has no [[model]]")
    registry = Registry[ModelSpec](kind)
    for row in rows:
        registry.add(row.name, row)
    return registry


def _decoded(text: str) -> list[ModelSpec]:
    """Return the rows of a file, each on top of what it is like and of what its end-point gives."""
    found = msgspec.convert(tomllib.loads(text), _File)
    endpoints = {**_endpoints(), **found.endpoint}
    return [_row(row, endpoints) for row in found.model]


@cache
def _endpoints() -> dict[str, dict[str, Any]]:
    """Return what the rows of our end-points share; files of others may name them, too."""
    text = (files("hallmark.llm") / "models.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _File).endpoint


def _row(row: dict[str, Any], endpoints: dict[str, dict[str, Any]]) -> ModelSpec:
    given = dict(row)
    like = given.pop("like", None)
    base = {} if like is None else msgspec.to_builtins(_shipped(str(like)))
    endpoint = given.pop("endpoint", None)
    if endpoint is not None and endpoint not in endpoints:
        raise ValueError(f"there is no endpoint {endpoint!r}; known: {', '.join(endpoints)}")
    values = {**base, **endpoints.get(endpoint, {}), **given}
    if values.get("temperature") == _NO_TEMPERATURE:
        values["temperature"] = None
    spec = msgspec.convert(values, ModelSpec)
    _check(spec)
    return spec


def _priced(spec: ModelSpec) -> bool:
    """Whether prices can be added up: one that is no number would lift every cap."""
    return all(
        0 <= price < float("inf") for price in (spec.input_price or 0, spec.output_price or 0)
    )


def _check(spec: ModelSpec) -> None:
    """Refuse a row that no call could be made with; raises ValueError, which names the row."""
    wrong = (
        "max_tokens must be at least 1" if spec.max_tokens < 1
        else "agent_tokens must not be negative" if spec.agent_tokens < 0
        else "at_once must be at least 1" if spec.at_once < 1
        else "per_minute must not be negative" if spec.per_minute < 0
        else "timeout_s must be positive" if not 0 < spec.timeout_s < float("inf")
        else "prices must be numbers from 0 on" if not _priced(spec)
        else "thinking_share must be from 0 to below 1" if not 0 <= spec.thinking_share < 1
        else "it has no id" if not spec.id
        else ""
    )  # fmt: skip
    if wrong:
        raise ValueError(f"model {spec.name!r}: {wrong}")
    if spec.base_url:
        _check_address(spec.name, spec.base_url)
