"""Which policies are there, and what does a policy file say?

A policy file is TOML: `version`, `description`, `extends` (another policy, whose values hold where
the file is silent), settings by the names of `judge.policy.Policy`, and a table `[findings]` that
says what findings weigh. A comment above a setting is its reason. This is where policies are read;
the judge itself sees the finished value only.
"""

import difflib
import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
from msgspec import Struct, structs

from hallmark._registry import Registry
from hallmark.errors import InputError, UnknownName
from hallmark.judge.codes import CODES
from hallmark.judge.policy import DEFAULT, Policy
from hallmark.records.finding import Severity

VERSION = 1
"""The version of policy files that is read."""

NAMES = ("default", "strict", "author", "reviewer", "venue-audit")
"""The policies that come with the program, in the order of lists."""

LARGEST = 20_000
"""Bytes of a policy file; the shipped ones have at most 4,000."""

DEEPEST = 8
"""Files that may extend one another."""

SILENT = frozenset(
    "HM104 HM105 HM106 HM107 HM209 HM702 HM703 HM705 HM801 HM802 HM803 HM901 HM902 HM903".split()
)
"""Codes of findings that accuse nobody, whatever the policy: no policy makes problems of them."""

WEIGHTS = ("problem", "warning", "note", "ignored", "usual")
"""What a policy may say of a finding; "usual" is what the checks say."""

_HEAD = frozenset({"version", "description", "extends", "findings"})
_TYPES = get_type_hints(Policy, include_extras=True)
SETTINGS = tuple(key for key in _TYPES if key not in {"name", "ignored", "severities"})
"""The settings that a policy file may hold, in the order of lists."""

_SHOWN = 60


class Choice(Struct, frozen=True):
    """One value of a policy: a setting's, or what a finding of a code weighs, with the reason.

    `policy` names the policy that chose it.
    """

    key: str
    value: int | float | bool | str
    reason: str
    policy: str


class Profile(Struct, frozen=True, kw_only=True):
    """A policy with what its file says of it.

    `lineage` names the policies that it extends, the nearest first. `choices` are the settings and
    then the findings, each with the reason that the deciding file gives.
    """

    name: str
    description: str
    lineage: tuple[str, ...]
    policy: Policy
    choices: tuple[Choice, ...]

    @property
    def changed(self) -> tuple[Choice, ...]:
        """The values that are not those of the policy `default`."""
        return tuple(one for one in self.choices if getattr(DEFAULT, one.key, "") != one.value)


class _Layer(Struct, frozen=True, kw_only=True):
    """One file as it was read: valid in itself, with nothing of what it extends.

    `where` is how messages name it, `folder` where its neighbours are looked for.
    """

    name: str
    where: str
    folder: Path | None
    description: str
    extends: str | None
    settings: dict[str, Any]
    findings: dict[str, str]
    reasons: dict[str, str]


def policy_of(name: str, folder: Path | None = None) -> Policy:
    """Return the policy of a name or a file; see `load`."""
    return load(name, folder).policy


def load(name: str, folder: Path | None = None) -> Profile:
    """Return a policy with what its file says of it.

    Args:
        name: a shipped policy ("strict"), a file ("my.toml"), or a file's name without its ending.
        folder: where files are looked for; the working folder by default.

    Raises:
        InputError: a file cannot be read, or holds no valid policy.
        UnknownName: there is no such policy.
    """
    return _packaged(name) if name in NAMES else _stacked(_lineage(name, folder or Path()))


@cache
def _packaged(name: str) -> Profile:
    return _stacked(_lineage(name, Path()))


def _lineage(name: str, folder: Path) -> list[_Layer]:
    """Return a policy's file and those that it extends, the nearest first.

    Raises:
        InputError: they extend one another in a circle, or too many times.
    """
    found: list[_Layer] = []
    wanted: str | None = name
    while wanted is not None:
        layer = _layer(wanted, folder, found)
        chain = [one.where for one in (*found, layer)]
        if layer.where in chain[:-1]:
            raise InputError(f"Policies extend one another in a circle: {' -> '.join(chain)}.")
        if len(chain) > DEEPEST:
            raise InputError(
                f"{found[0].where}: `extends` leads through more than {DEEPEST} files. "
                "Write some of them into one."
            )
        found.append(layer)
        wanted, folder = layer.extends, layer.folder or folder
    return found


def _layer(name: str, folder: Path, before: Sequence[_Layer]) -> _Layer:
    if name in NAMES:
        text = resources.files("hallmark.judge").joinpath(f"policies/{name}.toml").read_bytes()
        return _parsed(text, name, f"the policy {name}", None)
    path = _file(name, folder, before)
    if path.stem in NAMES:
        raise InputError(
            f"{path} is called like the policy `{path.stem}` that comes with the program. "
            "Give the file another name."
        )
    return _parsed(_content(path), path.stem, str(path), path.parent)


def _file(name: str, folder: Path, before: Sequence[_Layer]) -> Path:
    """Return the file that a name stands for; raises UnknownName if there is none."""
    if not name or "\0" in name:
        raise UnknownName("A policy needs a name or a file. Known: " + ", ".join(NAMES) + ".")
    path = folder / name
    if path.suffix == ".toml":
        return path
    beside = folder / f"{name}.toml"
    if _is_file(beside):
        return beside
    near = difflib.get_close_matches(name, NAMES, n=1, cutoff=0.5)
    hint = f"Did you mean `{near[0]}`?" if near else f"Known: {', '.join(NAMES)}."
    origin = f"{before[-1].where}: `extends`: " if before else ""
    raise UnknownName(
        f"{origin}There is no policy named `{name[:_SHOWN]}`. {hint} A file's name ends in .toml."
    )


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that no file can have
        return False


def _content(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"The policy {path} is no file.")
        with path.open("rb") as stream:
            text = stream.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"The policy {path} cannot be read: {error.strerror}.") from None
    if len(text) > LARGEST:
        raise InputError(f"{path} is no policy: it is larger than {LARGEST:,} bytes.")
    return text


def _parsed(content: bytes, name: str, where: str, folder: Path | None) -> _Layer:
    """Read one file; raises InputError with the file and the key that is wrong."""
    try:
        text = content.decode("utf-8-sig")
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is no TOML: {error}") from None
    _must_be_of_this_version(table.get("version"), where)
    _must_be_known(table, where)
    findings = table.get("findings", {})
    settings = {key: _value(key, value, where) for key, value in table.items() if key in SETTINGS}
    return _Layer(
        name=name,
        where=where,
        folder=folder,
        description=_text("description", table.get("description", ""), where),
        extends=_extends(name, table.get("extends"), where, folder),
        settings=settings,
        findings=_findings(findings, where),
        reasons=_reasons(text),
    )


def _must_be_of_this_version(version: object, where: str) -> None:
    if type(version) is not int or version != VERSION:
        said = "is missing" if version is None else f"is {_said(version)}"
        raise InputError(
            f"{where}: `version` {said}; this version of the program reads policies of version "
            f"{VERSION}. Write at the top: version = {VERSION}"
        )


def _must_be_known(table: Iterable[str], where: str) -> None:
    known = [*SETTINGS, *sorted(_HEAD)]
    for key in table:
        if key not in known:
            hint = _nearest(key, known) or "See: hallmark policy show default"
            raise InputError(f"{where}: there is no setting `{key[:_SHOWN]}`. {hint}")


_ALIKE = 0.8
"""Likeness, in [0, 1], from which a code is a slip for another: all codes share two letters."""


def _nearest(name: str, known: Iterable[str], alike: float = 0.5) -> str:
    near = difflib.get_close_matches(name[:_SHOWN], list(known), n=1, cutoff=alike)
    return f"Did you mean `{near[0]}`?" if near else ""


def _value(key: str, value: object, where: str) -> object:
    try:
        return msgspec.convert(value, _TYPES[key])
    except msgspec.ValidationError:
        raise InputError(f"{where}: `{key}` is {_said(value)}; it must be {demand(key)}.") from None


def demand(key: str) -> str:
    """Return what a setting's value must be, in words ("a whole number from 0 to 50")."""
    match msgspec.inspect.type_info(_TYPES[key]):
        case msgspec.inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case msgspec.inspect.FloatType(gt=float(above), lt=float(below)):
            return f"a number between {above:g} and {below:g}, neither of them"
        case msgspec.inspect.FloatType(ge=least, le=most):
            return f"a number from {least:g} to {most:g}"
        case _:
            return "true or false"


def _said(value: object) -> str:
    """Return a value as a file would say it, cut where it is long."""
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _text(key: str, value: object, where: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{where}: `{key}` is {_said(value)}; it must be a text in quotes.")
    return value


def _extends(name: str, value: object, where: str, folder: Path | None) -> str | None:
    """Return what a file extends: the policy `default` unless it says otherwise."""
    if value is None:
        return None if folder is None and name == DEFAULT.name else DEFAULT.name
    return _text("extends", value, where)


def _findings(table: object, where: str) -> dict[str, str]:
    if not isinstance(table, dict):
        raise InputError(
            f"{where}: `findings` is {_said(table)}; it must be a table: [findings], and below it "
            'lines such as HM602 = "note".'
        )
    for code, weight in table.items():
        _must_be_weighable(code, weight, where)
    return dict(table)


def _must_be_weighable(code: str, weight: object, where: str) -> None:
    if code not in CODES:
        hint = _nearest(code.upper(), CODES, _ALIKE) or "See docs/findings.md."
        raise InputError(f"{where}: `findings`: there is no finding `{code[:_SHOWN]}`. {hint}")
    if weight not in WEIGHTS:
        near = _nearest(weight, WEIGHTS) if isinstance(weight, str) else ""
        raise InputError(
            f"{where}: `findings.{code}` is {_said(weight)}; it must be one of "
            f"{', '.join(WEIGHTS)}. {near}".rstrip()
        )
    if weight == "problem" and code in SILENT:
        raise InputError(
            f"{where}: `findings.{code}` cannot be a problem: {CODES[code].name} accuses nobody, "
            "under any policy."
        )


_KEY = re.compile(r"\s*([A-Za-z0-9_]+)\s*=")


def _reasons(text: str) -> dict[str, str]:
    """Return the comments that stand right above keys, by key."""
    reasons: dict[str, str] = {}
    comment: list[str] = []
    for line in text.splitlines():
        if line.startswith("#"):
            comment.append(line.lstrip("# ").rstrip())
            continue
        key = _KEY.match(line)
        if key is not None and comment:
            reasons[key[1]] = " ".join(comment)
        comment = []
    return reasons


def _stacked(lineage: Sequence[_Layer]) -> Profile:
    """Lay files over one another, the one that is wanted last."""
    top = lineage[0]
    settings = {one.key: one for layer in reversed(lineage) for one in _chosen(layer)}
    findings = {one.key: one for layer in reversed(lineage) for one in _weighed(layer)}
    findings = {key: one for key, one in findings.items() if one.value != "usual"}
    policy = structs.replace(
        Policy(name=top.name),
        ignored=frozenset(key for key, one in findings.items() if one.value == "ignored"),
        severities={
            key: Severity(str(one.value)) for key, one in findings.items() if one.value != "ignored"
        },
        **{key: one.value for key, one in settings.items()},
    )
    return Profile(
        name=top.name,
        description=top.description,
        lineage=tuple(one.name for one in lineage[1:]),
        policy=policy,
        choices=(*(settings[key] for key in SETTINGS), *findings.values()),
    )


def _chosen(layer: _Layer) -> Iterator[Choice]:
    for key, value in layer.settings.items():
        yield Choice(key, value, layer.reasons.get(key, ""), layer.name)


def _weighed(layer: _Layer) -> Iterator[Choice]:
    for code, weight in layer.findings.items():
        yield Choice(code, weight, layer.reasons.get(code, ""), layer.name)


def digest(policy: Policy) -> str:
    """Return the SHA-256 of a policy's values, whatever its name."""
    values = msgspec.json.encode(structs.replace(policy, name=""), order="deterministic")
    return hashlib.sha256(values).hexdigest()


@cache
def shipped() -> Registry[Policy]:
    """Return the policies that come with the program, by name, in the order of lists."""
    registry: Registry[Policy] = Registry("policy")
    for name in NAMES:
        registry.add(name, policy_of(name))
    return registry
