"""Where do the tools of others live, in which versions, and can they be run?

Each version of a tool has a virtual environment of its own in the user's folder of tools, made by
the `venv` module and filled by pip with the pinned version. A note beside it says what was
installed, down to the digest of all versions, and whether the tool starts. An environment
without a note is unfinished.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from hallmark._files import write_whole
from hallmark.bench.lines import printable
from hallmark.bench.systems.external.process import run_program
from hallmark.bench.systems.external.rows import Named, Tool, named
from hallmark.errors import InputError, OutputError

NOTE = "hallmark-tool.json"
PIP_TIMEOUT_S = 1200
START_TIMEOUT_S = 120.0

Run = Callable[[Sequence[str]], tuple[int, str, str]]
"""Runs a program; returns its exit code and what it wrote on its output and for its errors."""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """What was installed: `freeze` lists every package with its version, `digest` is its SHA-256.

    `problem` says why the tool does not start; empty where it does. `installed` is a UTC time.
    """

    name: str
    version: str
    python: str
    freeze: tuple[str, ...]
    digest: str
    installed: str
    problem: str = ""


class State(msgspec.Struct, frozen=True):
    """A tool in one version: its note, where it is installed, and why it cannot be run."""

    named: Named
    note: Note | None
    problem: str = ""

    @property
    def usable(self) -> bool:
        """Whether it can be run."""
        return not self.problem


def run(command: Sequence[str]) -> tuple[int, str, str]:
    """Run a program for at most `PIP_TIMEOUT_S` seconds."""
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command, no shell
            command, capture_output=True, text=True, check=False, timeout=PIP_TIMEOUT_S
        )
    except subprocess.TimeoutExpired:
        return 1, "", f"no answer within {PIP_TIMEOUT_S} seconds"
    except OSError as problem:
        return 1, "", problem.strerror or str(problem)
    return done.returncode, done.stdout, done.stderr


def folder_of(root: Path, which: Named) -> Path:
    """Return the folder of a tool's environment."""
    return root / f"{which.tool.name}-{which.version}"


def program_of(folder: Path, name: str) -> Path:
    """Return where an environment keeps a program."""
    return folder / ("Scripts" if os.name == "nt" else "bin") / name


def state_of(root: Path, which: Named) -> State:
    """Return whether a tool is installed, and whether it can be run."""
    folder, tool = folder_of(root, which), which.tool
    note = read_note(folder)
    if tool.unusable:
        return State(which, note, tool.unusable)
    if note is None:
        given = "" if which.version == tool.version else f" --version {which.version}"
        how = f"hallmark bench tools install {tool.name}{given}"
        return State(which, None, f"not installed; install it: {how}")
    if note.problem:
        return State(which, note, f"installed, but it does not start: {note.problem}")
    if not program_of(folder, tool.program).exists():
        again = f"hallmark bench tools install {which.tool.name} --version {which.version}"
        return State(which, note, f"its program {tool.program} is gone; install it again: {again}")
    return State(which, note)


def states(root: Path, tools: Sequence[Tool]) -> list[State]:
    """Return the state of every tool, in each version that it is known or installed in."""
    wanted = list[Named]()
    for tool in tools:
        others = (v for v in _installed(root, tool) if v not in tool.versions)
        wanted += [Named(tool, version) for version in (*(tool.versions or ("",)), *others)]
    return [state_of(root, which) for which in wanted]


def _installed(root: Path, tool: Tool) -> list[str]:
    notes = [read_note(folder) for folder in sorted(root.glob(f"{tool.name}-*"))]
    return [note.version for note in notes if note is not None and note.name == tool.name]


def read_note(folder: Path) -> Note | None:
    """Return the note of an environment, None where it is missing or not readable."""
    try:
        return msgspec.json.decode((folder / NOTE).read_bytes(), type=Note)
    except (OSError, msgspec.DecodeError):
        return None


def install(
    text: str,
    version: str,
    root: Path,
    now: str,
    *,
    run: Run = run,
    tell: Callable[[str], None] = lambda _: None,
) -> State:
    """Install a tool in an environment of its own, in the place of one that is there.

    Args:
        text: the tool's name, with `@VERSION` if that is how it is named.
        version: the version; empty for the one that is named or the default.
        root: the folder of tools.
        now: the time, for the note.
        run: runs pip.
        tell: is told what is being done.

    Raises:
        UnknownName: there is no such tool.
        InputError: pip cannot install it.
        OutputError: the folder cannot be written.
    """
    which = named(f"{text}@{version}" if version else text)
    folder, tool = folder_of(root, which), which.tool
    if tool.unusable:
        raise InputError(
            f"The tool `{tool.name}` cannot be run, so it is not installed: {tool.unusable}."
        )
    tell(f"making an environment for {tool.name} {which.version}")
    _fresh(folder)
    python = str(program_of(folder, "python"))
    requirements = [f"{tool.package}=={which.version}", *tool.requires]
    tell(f"pip install {' '.join(requirements)}")
    quiet = ["--disable-pip-version-check", "--no-input", "--quiet"]
    code, _, errors = run([python, "-m", "pip", "install", *quiet, *requirements])
    if code:
        shutil.rmtree(folder, ignore_errors=True)
        raise InputError(f"pip cannot install {requirements[0]}: {last_words(errors)}")
    freeze = _freeze(python, run)
    note = Note(
        name=tool.name,
        version=which.version,
        python=".".join(map(str, sys.version_info[:3])),
        freeze=freeze,
        digest=hashlib.sha256("\n".join(freeze).encode()).hexdigest(),
        installed=now,
        problem=_start(folder, tool),
    )
    _write(folder / NOTE, note)
    return state_of(root, which)


def last_words(errors: str) -> str:
    """Return what a program complained of: its last line that speaks of an error, or its last."""
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    telling = [line for line in lines if "error" in line.casefold()]
    return printable((telling or lines or ["it does not say why"])[-1], 300)


def _fresh(folder: Path) -> None:
    try:
        if folder.exists():
            shutil.rmtree(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        venv.EnvBuilder(with_pip=True, symlinks=os.name != "nt").create(folder)
    except (OSError, subprocess.CalledProcessError) as problem:
        raise OutputError(f"Cannot make an environment in {folder}: {problem}.") from None


def _freeze(python: str, run: Run) -> tuple[str, ...]:
    code, output, errors = run([python, "-m", "pip", "freeze", "--all"])
    if code:
        raise InputError(f"pip freeze failed: {last_words(errors)}")
    return tuple(sorted(line.strip() for line in output.splitlines() if line.strip()))


def _start(folder: Path, tool: Tool) -> str:
    """Return why the tool's program does not start; empty where it does."""
    if not tool.program:
        return ""
    program = program_of(folder, tool.program)
    with tempfile.TemporaryDirectory(prefix="hallmark-tool-") as scratch:
        environ = clean_environ(folder, Path(scratch), {})
        ran = run_program([str(program), "--help"], Path(scratch), environ, START_TIMEOUT_S)
    if ran.problem:
        return ran.problem
    if ran.exit_code is None:
        return f"no answer to --help within {START_TIMEOUT_S:g} seconds"
    return "" if ran.exit_code == 0 else last_words(ran.errors or ran.output)


def clean_environ(folder: Path, home: Path, handed: Mapping[str, str]) -> dict[str, str]:
    """Return the environment that a tool sees: PATH, HOME, LANG, and what is handed to it."""
    path = os.pathsep.join((str(program_of(folder, "").parent), os.defpath))
    return {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", **handed}


def _write(path: Path, note: Note) -> None:
    try:
        write_whole(path, msgspec.json.format(msgspec.json.encode(note), indent=2) + b"\n")
    except OSError as problem:
        raise OutputError(f"Cannot write {path}: {problem.strerror}.") from None
