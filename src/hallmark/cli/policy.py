"""What do `hallmark policy list` and `hallmark policy show` do?"""

import json
import sys
import textwrap
from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec
import typer

from hallmark.judge.profiles import NAMES, SETTINGS, VERSION, Choice, Profile, load
from hallmark.report.escape import visible

WIDTH = 98
"""Characters of a reason in one line of a policy file."""

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="List the policies of the judge, or show one.",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command("list")
def list_() -> None:
    """List the policies that come with the program."""
    width = max(map(len, NAMES))
    for name in NAMES:
        sys.stdout.write(f"{name:<{width}}  {load(name).description}\n")


@app.command()
def show(
    policy: Annotated[str, typer.Argument(metavar="NAME|FILE.toml", help="Which policy.")],
    *,
    changed: Annotated[
        bool, typer.Option("--changed", help="Only what differs from the policy default.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show all values of a policy with their reasons, as a policy file to start one's own from."""
    profile = load(policy)
    if as_json:
        choices = profile.changed if changed else profile.choices
        whole = {"name": profile.name, "description": profile.description, "choices": choices}
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(whole)).decode() + "\n")
    else:
        sys.stdout.write(as_toml(profile, changed_only=changed))


def as_toml(profile: Profile, *, changed_only: bool = False) -> str:
    """Return a policy as a file that loads as the same policy under another name.

    Args:
        profile: the policy.
        changed_only: whether values of the policy `default` are left out.
    """
    return "\n".join(_file(profile, changed_only=changed_only)) + "\n"


def _file(profile: Profile, *, changed_only: bool) -> Iterator[str]:
    lineage = f", which extends {', '.join(profile.lineage)}" if profile.lineage else ""
    yield f"# The policy {visible(profile.name)}{visible(lineage)}."
    yield ""
    yield f"version = {VERSION}"
    yield f"description = {_value(profile.description)}"
    settings = [one for one in profile.choices if one.key in SETTINGS]
    own = [one for one in settings if one in profile.changed]
    yield from _choices(own)
    if not changed_only:
        if own:
            yield "\n# As in the policy default:"
        yield from _choices(one for one in settings if one not in own)
    findings = [one for one in profile.choices if one.key not in SETTINGS]
    if findings:
        yield "\n[findings]"
        yield from _choices(findings)


def _choices(choices: Iterable[Choice]) -> Iterator[str]:
    for one in choices:
        yield ""
        for line in textwrap.wrap(visible(one.reason), WIDTH, break_long_words=False):
            yield f"# {line}"
        yield f"{one.key} = {_value(one.value)}"


def _value(value: float | bool | str) -> str:
    """Return a value as TOML writes it; what is not shown in a text is written out."""
    return json.dumps(visible(value) if isinstance(value, str) else value, ensure_ascii=False)
