"""Which errors can Hallmark raise?

Every exception that leaves the package derives from `HallmarkError`:

    HallmarkError
    ├── InputError          a file or value given by the user cannot be used
    │   └── AlignmentError  gold and predictions do not belong together
    ├── IndexProblem        a local index cannot be opened, read or written
    │   ├── IndexMissing    there is none at the given place
    │   ├── IndexDamaged    it is there, but broken, foreign or of another schema
    │   └── IndexBusy       another process is writing to it
    ├── SourceProblem       a source of records could not be loaded or asked
    ├── ModelStopped        a run that asks a language model had to stop; it can be resumed
    ├── LabelsGivenAway     entries that were made show by their form which of them are false
    ├── UnknownName         a name that no registry knows
    └── OutputError         a result could not be written

A message says what went wrong, with the values, and then what to do. `exit_code` is what the
command line returns: 2 for misuse or unreadable input.
"""


class HallmarkError(Exception):
    """Base of every error that Hallmark raises on purpose."""

    exit_code: int = 2


class InputError(HallmarkError):
    """A file or a value that the user gave cannot be used."""


class AlignmentError(InputError):
    """Gold entries and predictions do not belong together."""


class IndexProblem(HallmarkError):
    """A local index cannot be opened, read or written."""


class IndexMissing(IndexProblem):
    """There is no index at the given place."""


class IndexDamaged(IndexProblem):
    """The index is broken, is no index, or was written with another schema."""


class IndexBusy(IndexProblem):
    """Another process is writing to the index."""


class SourceProblem(HallmarkError):
    """A source of records could not be loaded or asked."""


class ModelStopped(HallmarkError):
    """A run that asks a language model had to stop; what was answered is kept."""

    exit_code = 4


class LabelsGivenAway(HallmarkError):
    """Entries that were made show by their form which of them are false."""


class UnknownName(HallmarkError):
    """A name that no registry knows."""


class OutputError(HallmarkError):
    """A result could not be written."""


def how_to_install(extra: str) -> str:
    """Return what to type for an optional part of Hallmark; `extra` as in pyproject.toml.

    The name `hallmark` on the public package index belongs to another package, which a command
    like `pip install hallmark` would put in place of this one. So an extra is installed from the
    sources.
    """
    return f"pip install '.[{extra}]' (in the folder of Hallmark's sources)"
