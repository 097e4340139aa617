"""Where is the local index, if nobody said so?"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from hallmark.errors import IndexMissing

ENVIRONMENT = "HALLMARK_INDEX"
HERE = Path(".hallmark/starter")
TOOLS = "HALLMARK_TOOLS"
REPLIES = "llm"


def index_path(
    given: Path | None,
    *,
    environ: Mapping[str, str] = os.environ,
    here: Path = HERE,
    data: Path | None = None,
) -> Path | None:
    """Return the index to use: the given one, `HALLMARK_INDEX`, ./.hallmark/starter, the user's.

    A place that the user named is returned whether anything is there or not, so that opening it
    tells what is wrong; the two default places only if they exist.
    """
    if given is not None:
        return given
    if environ.get(ENVIRONMENT):
        return Path(environ[ENVIRONMENT])
    places = (here, (data or user_data(environ)) / "starter")
    return next((place for place in places if place.is_dir()), None)


def needed_index(
    given: Path | None,
    *,
    environ: Mapping[str, str] = os.environ,
    here: Path = HERE,
    data: Path | None = None,
) -> Path:
    """Return the index to use, as `index_path`.

    Raises:
        IndexMissing: none was named, and none is at the usual places.
    """
    found = index_path(given, environ=environ, here=here, data=data)
    if found is None:
        raise IndexMissing(
            f"There is no local index here. Name one (--index DIR, or ${ENVIRONMENT}), or make "
            f"one: hallmark index build --out {HERE} starter"
        )
    return found


def user_data(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Return the folder for the user's data, by the custom of the platform."""
    if platform == "win32" and environ.get("LOCALAPPDATA"):
        return Path(environ["LOCALAPPDATA"]) / "hallmark"
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "hallmark"
    base = environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "hallmark"


def tools_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of tools that others wrote: `HALLMARK_TOOLS`, or the user's."""
    named = environ.get(TOOLS)
    return Path(named).absolute() if named else user_data(environ) / "tools"


def replies_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of language models' replies, in that of everything that is kept."""
    from hallmark.sources.limits import shared_folder  # noqa: PLC0415 - loaded where it is used

    return shared_folder(environ) / REPLIES
