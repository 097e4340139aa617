"""Where is a split of the benchmark, and is it the one that was released?

Splits lie under a data folder as `<name>.jsonl` (`--data DIR` or the environment variable
HALLMARK_DATA); any gold file can be given by its path instead.
"""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from hallmark._files import read_bytes
from hallmark._registry import Registry
from hallmark.bench.entry import BlindEntry, Entry, Label, read_blind, read_entries
from hallmark.bench.lines import printable, read_rows
from hallmark.errors import InputError

DATA_VARIABLE = "HALLMARK_DATA"
BLIND_SUFFIX = "_blind"


class SplitInfo(Struct, frozen=True):
    """What a released split should hold; `sha256` is None where we know no digest."""

    name: str
    title: str
    valid: int
    hallucinated: int
    sha256: str | None = None

    @property
    def n(self) -> int:
        """The number of entries."""
        return self.valid + self.hallucinated


class Split(Struct, frozen=True):
    """A gold file as read: its name, place, digest and entries, in the order of the file."""

    name: str
    path: Path
    sha256: str
    entries: tuple[Entry, ...]

    @property
    def valid(self) -> int:
        """The number of valid entries."""
        return sum(entry.label is Label.VALID for entry in self.entries)

    @property
    def hallucinated(self) -> int:
        """The number of hallucinated entries."""
        return len(self.entries) - self.valid

    @property
    def info(self) -> SplitInfo | None:
        """What the catalogue says of a split of this name, None for other gold files."""
        return CATALOGUE.get(self.name) if self.name in CATALOGUE else None


class BlindSplit(Struct, frozen=True):
    """A file of blind entries as read: its name, place, digest and entries, in order."""

    name: str
    path: Path
    sha256: str
    entries: tuple[BlindEntry, ...]


CATALOGUE: Registry[SplitInfo] = Registry("split")
for _info in (
    SplitInfo(
        "dev_public",
        "development split, 2021-2023 ML venues",
        513,
        606,
        "9b6391c236d2f60d1c33918c13a68d8ac9f53083143eec16620f4559d0188f3e",
    ),
    SplitInfo("test_public", "public test split, 2021-2023 ML venues", 312, 519),
    SplitInfo("test_hidden", "withheld test split", 210, 244),
    SplitInfo(
        "stress_test", "the three stress-test types; the one valid entry is a canary", 1, 121
    ),
    SplitInfo(
        "temporal_supplement",
        "2024-2025 papers",
        300,
        148,
        "87e606555a061bbee75289446b98e646c5a54de2ea482b78798994cb3348604e",
    ),
    SplitInfo(
        "temporal_superset_858",
        "2024-2025 papers, merged",
        440,
        418,
        "95e66fb5dd19be634858cb0054ab65c94884b35cfc71a84c459e627fb4709230",
    ),
    SplitInfo(
        "temporal_probe",
        "small 2024-2025 probe",
        30,
        30,
        "b75e10960b8fabafbe34abce30be6278681423410ed94db66d228c699920533f",
    ),
    SplitInfo("test_crossdomain", "biomedicine and computer science beyond ML", 200, 300),
    SplitInfo("test_crossdomain_matched", "the same, rebuilt from 2021-2023 records", 152, 300),
    SplitInfo("supplement_chatgpt_citations", "authentic ChatGPT citations", 172, 169),
    SplitInfo(
        "precutoff_sample",
        "sample of dev_public for cutoff-aware prompts",
        75,
        75,
        "79fe49ef4ce933a9f9f5fb35c11a8d4e26424dcba0a419339fb73f68b56667ba",
    ),
    SplitInfo(
        "prompt_sample_150",
        "sample of dev_public for prompt variants",
        69,
        81,
        "e847cec337f89384c821045f6cf5c937ebe5cf5cd34ca8a4c168b4cc2184c585",
    ),
):
    CATALOGUE.add(_info.name, _info)


def load_split(
    name_or_path: str | Path, data: Path | None = None, env: Mapping[str, str] | None = None
) -> Split:
    """Load a split by its name in the catalogue, or any gold file by its path.

    Args:
        name_or_path: a name such as `dev_public`, or a file.
        data: the folder that holds the splits; by default the one HALLMARK_DATA names.
        env: the environment to look HALLMARK_DATA up in; the process's own by default.

    Raises:
        InputError: where there is no such file, or lines of it cannot be used.
        UnknownName: where the name is neither a file nor in the catalogue.
    """
    path = find(name_or_path, data, env)
    entries = tuple(read_entries(path))
    return Split(path.stem, path, digest(path), entries)


def load_blind(
    name_or_path: str | Path, data: Path | None = None, env: Mapping[str, str] | None = None
) -> BlindSplit:
    """Load a blind file, or the blind view of a gold file, as `load_split` finds it.

    A split's name may end in `_blind`: a withheld split is released in that form only.

    Raises:
        InputError: where there is no such file, or lines of it cannot be used.
        UnknownName: where the name is neither a file nor in the catalogue.
    """
    path = find(name_or_path, data, env)
    return BlindSplit(path.stem, path, digest(path), tuple(read_blind(path)))


def is_blind(name_or_path: str | Path, data: Path | None = None) -> bool:
    """Tell whether the file of a split, found as by `load_split`, holds no label at all."""
    path = find(name_or_path, data)
    return not any("label" in row for _, row in read_rows(path))


def digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal.

    Raises:
        InputError: it cannot be read, or is too large.
    """
    try:
        return hashlib.sha256(read_bytes(path)).hexdigest()
    except OSError as error:
        raise InputError(f"{printable(path, 300)} cannot be read: {error.strerror}.") from None


def departures(split: Split) -> list[str]:
    """Say where a split differs from what was released under its name; empty where it does not."""
    info = split.info
    if info is None:
        return []
    found = []
    if (split.valid, split.hallucinated) != (info.valid, info.hallucinated):
        found.append(
            f"{info.name} was released with {info.valid} valid and {info.hallucinated} "
            f"hallucinated entries; this file has {split.valid} and {split.hallucinated}."
        )
    if info.sha256 is not None and info.sha256 != split.sha256:
        found.append(f"{info.name} differs from the released file (SHA-256 {info.sha256[:12]}...).")
    return found


def _from_environment(env: Mapping[str, str]) -> Path | None:
    value = env.get(DATA_VARIABLE)
    return Path(value) if value else None


def find(
    name_or_path: str | Path, data: Path | None = None, env: Mapping[str, str] | None = None
) -> Path:
    """Return the file of a split, given as to `load_split`.

    Raises:
        InputError: where there is no such file.
        UnknownName: where the name is neither a file nor in the catalogue.
    """
    name, data = str(name_or_path), data or _from_environment(env or os.environ)
    as_path = Path(name)
    if as_path.is_file():
        return as_path
    if as_path.is_dir():
        raise InputError(f"{printable(name)} is a folder; name a file in it.")
    if as_path.suffix or os.sep in name:
        raise InputError(f"There is no file {printable(name)}.")
    CATALOGUE.get(name.removesuffix(BLIND_SUFFIX))
    if data is None:
        raise InputError(
            f"Where is {name}? Say --data DIR, or set {DATA_VARIABLE}, to the folder that "
            f"holds {name}.jsonl."
        )
    path = data / f"{name}.jsonl"
    if not path.is_file():
        raise InputError(f"There is no {name}.jsonl in {printable(data)}.")
    return path
