"""What is known of a tool that others wrote?

A row is a TOML file of the folder `tools`: the package with its pinned versions, the command as
the tool's users give it, the form of its output, and a table of every status that it is known to
give, with the label that the status stands for and the reason. Nothing about a tool is code.
"""

import hashlib
import importlib.resources
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

import msgspec

from hallmark._registry import Registry
from hallmark.bench.entry import Label
from hallmark.errors import InputError

PREFIX = "tool:"


class Status(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A native status: the label that it stands for, where it is known from, and why it does.

    `native` is compared exactly. `seen` is "documented" for what the tool's help or page names,
    "observed" for what it was seen to give.
    """

    native: str
    label: Label
    why: str
    seen: Literal["documented", "observed"] = "documented"


class JsonForm(
    msgspec.Struct, frozen=True, kw_only=True, tag="json", tag_field="form", omit_defaults=True
):
    """JSON, whole or one object a line.

    Paths are dotted; `[]` stands for every member of a list ("errors[].kind"). `rows` leads from
    the document to the rows, empty for a document that is a list itself; the others from a row to
    its key, its statuses (the first group of `status` that leads to any counts) and its texts.
    `valid` leads to P(valid) in [0, 1], where the tool has one. `processed` leads from the
    document to the number of entries that the tool says it worked on.
    """

    lines: bool = False
    rows: str = ""
    key: str
    status: tuple[tuple[str, ...], ...]
    text: tuple[str, ...] = ()
    valid: str = ""
    processed: str = ""


class TextForm(
    msgspec.Struct, frozen=True, kw_only=True, tag="text", tag_field="form", omit_defaults=True
):
    """Lines for people: `entry` finds where an entry begins, `status` its status and text.

    Both are regular expressions searched in one line each; `entry` has the group `key`, `status`
    the groups `status` and, if it likes, `text`. Where the tool says all in one line, `entry` has
    all three, and there is no `status`.
    """

    entry: str
    status: str = ""


class Tool(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A tool of others.

    `versions` are those that the row was written for, the default first. `requires` are
    requirements that its package forgets. `arguments` may hold `{bib}`, the file of entries, and
    `{out}`, the file for the tool's results; where the latter is missing, the standard output is
    read. `batch` entries go into one call, which may take `call_s` plus `entry_s` for each of
    them, in seconds. `exits` are the exit codes of a call that did its work. An abstention whose
    text holds one of `outage` is a failure: the tool says that it could not ask. `twice` is a
    regular expression, searched in the output, by which the tool tells of a key that is given
    twice, where it answers the first such entry only. `silence` is
    the status of an entry that the tool does not mention, where its users are told to read it
    so. `keys` are the environment variables that it is given. `unusable` says why the tool cannot
    be run at all, however it is installed.
    """

    name: str
    package: str
    summary: str
    versions: tuple[str, ...] = ()
    program: str = ""
    arguments: tuple[str, ...] = ()
    output: JsonForm | TextForm | None = None
    batch: int = 1
    call_s: float = 120.0
    entry_s: float = 60.0
    exits: tuple[int, ...] = (0,)
    requires: tuple[str, ...] = ()
    statuses: tuple[Status, ...] = ()
    several: bool = False
    silence: str = ""
    outage: tuple[str, ...] = ()
    twice: str = ""
    keys: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unusable: str = ""

    @property
    def version(self) -> str:
        """The version that is installed where none is named; empty where there is none."""
        return self.versions[0] if self.versions else ""

    def status(self, native: str) -> Status | None:
        """Return the row of a native status, None where the table has none."""
        return next((row for row in self.statuses if row.native == native), None)

    @property
    def digest(self) -> str:
        """The SHA-256 of all that decides what is asked and what answers count as.

        The words of a row, which may be put better at any time, are no part of it.
        """
        bare = [msgspec.structs.replace(row, why="", seen="documented") for row in self.statuses]
        row = msgspec.structs.replace(self, summary="", notes=(), unusable="", statuses=tuple(bare))
        return hashlib.sha256(msgspec.json.encode(row)).hexdigest()


class Named(msgspec.Struct, frozen=True):
    """A tool in one version, as `bibtex-updater@1.2.0` names it."""

    tool: Tool
    version: str

    @property
    def name(self) -> str:
        """The name, without the version where it is the default."""
        known = self.version == self.tool.version
        return self.tool.name if known else f"{self.tool.name}@{self.version}"


def decode(text: str, place: str) -> Tool:
    """Return the row that a TOML text holds.

    Raises:
        InputError: it is no TOML, or no row of a tool.
    """
    try:
        row = msgspec.toml.decode(text, type=Tool)
    except (msgspec.DecodeError, ValueError) as problem:
        raise InputError(f"{place} is no row of a tool: {problem}.") from None
    natives = [status.native for status in row.statuses]
    twice = sorted({native for native in natives if natives.count(native) > 1})
    if twice:
        raise InputError(f"{place} gives the status {twice[0]!r} twice.")
    if row.silence and row.status(row.silence) is None:
        raise InputError(f"{place}: `silence` is {row.silence!r}, which is none of its statuses.")
    return row


@lru_cache(maxsize=1)
def tools() -> Registry[Tool]:
    """Return the tools that Hallmark knows, by name."""
    registry = Registry[Tool]("tool")
    for tool in _shipped():
        registry.add(tool.name, tool)
    return registry


def named(text: str) -> Named:
    """Return the tool of a name, with a version behind `@` or its default.

    Raises:
        UnknownName: there is no such tool.
        InputError: nothing stands behind the `@`, or what does is no version.
    """
    name, at, version = text.partition("@")
    tool = tools().get(name)
    if at and not _is_version(version):
        raise InputError(f"{version[:40]!r} is no version; write {name}@{tool.version}.")
    return Named(tool, version or tool.version)


def _is_version(text: str) -> bool:
    return text[:1].isdigit() and text.isascii() and text.replace(".", "").isalnum()


def _shipped() -> Iterator[Tool]:
    folder = importlib.resources.files(__package__) / "tools"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            yield decode(file.read_text(encoding="utf-8"), file.name)
