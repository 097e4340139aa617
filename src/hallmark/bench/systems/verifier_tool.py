"""What does our verifier tell an agent about a reference, in words that leave the verdict open?

The result names what was found, what differs, and which sources were asked and failed. That one
source lacks a work is told to be no evidence. An agent may also check a changed reference, and is
told then that it is another one.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, TypeAlias, assert_never

import msgspec
from msgspec import Meta, Struct, structs

from hallmark.assist.question import account
from hallmark.bench.entry import BlindEntry
from hallmark.bench.systems.interface import Setting
from hallmark.bench.systems.stages import FirstStage, Judged
from hallmark.bench.systems.tool_cache import ToolCache
from hallmark.llm.tools import Told, Tool, spec_of
from hallmark.records.verdict import (
    Contradicted,
    NotChecked,
    NotFound,
    Unresolved,
    Verdict,
    Verified,
)

NAME = "verify_reference"
_VENUES = ("journal", "booktitle", "journaltitle")
_MEANING = (
    "Sources differ in what they hold: that one of them, or several, have no record is no evidence "
    "by itself. A source that failed says nothing."
)

_DESCRIPTION = (
    "Looks the reference up in collections of bibliographic records and compares field by field. "
    "Call it without arguments to check the reference as it was given. An argument takes the place "
    "of that field: so a corrected reference can be checked, which is another one than you judge."
)

Text: TypeAlias = Annotated[str, Meta(min_length=1, max_length=1000)]
Names: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=4000, description="Full names, separated by ' and '")
]
Year: TypeAlias = Annotated[int, Meta(ge=1400, le=2099)]


class VerifyArguments(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What takes the place of the reference's own fields; nothing for the reference as given."""

    title: Text = ""
    authors: Names = ""
    venue: Text = ""
    year: Year | None = None
    doi: Annotated[str, Meta(min_length=1, max_length=300)] = ""


Judge: TypeAlias = Callable[[BlindEntry], Awaitable[Judged]]


class VerifierTool:
    """Our verifier as something that an agent may call.

    Args:
        judge: judges an entry.
        fixed: whether only entries as given can be judged, since their evidence was recorded.
        cache: keeps what it says, where that rests on live sources.
        identity: what, besides the entry, decides what it says; part of what is kept.
    """

    def __init__(
        self,
        judge: Judge,
        *,
        fixed: bool = False,
        cache: ToolCache | None = None,
        identity: Mapping[str, Setting] | None = None,
    ) -> None:
        self._judge = judge
        self._fixed = fixed
        self._cache = cache
        self._identity = dict(identity or {})

    def tool(self, entry: BlindEntry) -> Tool:
        """Return the tool that checks this entry, or one with changed fields."""

        async def use(arguments: VerifyArguments) -> Told:
            return await self.told(entry, arguments)

        return Tool(NAME, _DESCRIPTION, VerifyArguments, use)

    async def told(self, entry: BlindEntry, arguments: VerifyArguments) -> Told:
        """Return what the verifier says of an entry with these changes."""
        changes = structs.asdict(arguments)
        changed = [name for name, value in changes.items() if value]
        if changed and self._fixed:
            return Told(
                {"meaning": "Here only the reference as it was given can be checked: call again "
                 "without arguments."}
            )  # fmt: skip
        meant = with_changes(entry, arguments)

        async def ask() -> Told:
            return report(await self._judge(meant), changed)

        if self._cache is None:
            return await ask()
        asked = {
            "type": meant.bibtex_type,
            "fields": meant.fields,
            "changed": changed,
            "by": self._identity,
        }
        key = msgspec.json.encode(asked, order="sorted").decode()
        return await self._cache.through(NAME, key, ask)


SPEC = spec_of(NAME, _DESCRIPTION, VerifyArguments)
"""The tool as a model sees it."""


def over(first: FirstStage, *, fixed: bool) -> VerifierTool:
    """Return the tool over a first stage; `fixed` as for `VerifierTool`."""

    async def judge(entry: BlindEntry) -> Judged:
        return first.judge(entry)

    return VerifierTool(judge, fixed=fixed)


def with_changes(entry: BlindEntry, arguments: VerifyArguments) -> BlindEntry:
    """Return the entry with fields of the call in the place of its own."""
    fields = {name.lower(): value for name, value in entry.fields.items()}
    venue = next((name for name in _VENUES if name in fields), "journal")
    given = {
        "title": arguments.title,
        "author": arguments.authors,
        venue: arguments.venue,
        "year": str(arguments.year or ""),
        "doi": arguments.doi,
    }
    changes = {name: value for name, value in given.items() if value}
    return structs.replace(entry, fields={**fields, **changes}) if changes else entry


def report(judged: Judged, changed: list[str] | None = None) -> Told:
    """Return what the verifier found, as data.

    Args:
        judged: the entry with its evidence and result.
        changed: names of the fields that the agent changed.
    """
    verdict = judged.result.verdict
    found = {k: v for k, v in account(verdict, judged.evidence).items() if k != "date"}
    data: Mapping[str, Any] = {
        "checked": f"another reference, with other {', '.join(changed)}"
        if changed
        else "the reference as given",
        "result": _in_words(verdict),
        **found,
        "meaning": _MEANING,
    }
    failed = isinstance(verdict, Unresolved) and verdict.source_failed
    return Told(data, answered=not failed, whole=not failed)


def _in_words(verdict: Verdict) -> str:
    match verdict:
        case Verified():
            return "a record of this work was found, and agrees"
        case Contradicted():
            return "a record disagrees with the reference"
        case NotFound():
            return "no record was found where one is to be expected"
        case Unresolved(source_failed=True):
            return "not settled: a source that is needed did not answer"
        case Unresolved():
            return "not settled: too little evidence either way"
        case NotChecked():
            return "not checked: such works lie outside of what sources hold"
        case _ as never:
            assert_never(never)
