import hashlib
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from hallmark.bench.systems.external.install import NOTE, Note, folder_of, program_of
from hallmark.bench.systems.external.rows import named

Install = Callable[..., Path]


@pytest.fixture
def installed(tmp_path: Path) -> Install:
    """Put a script in the place of an installed tool; returns the folder of tools."""
    root = tmp_path / "tools"

    def put(name: str, code: str, problem: str = "") -> Path:
        which = named(name)
        program = program_of(folder_of(root, which), which.tool.program)
        program.parent.mkdir(parents=True)
        program.write_text(f"#!{sys.executable}\n{code}", encoding="utf-8")
        program.chmod(0o755)
        freeze = (f"{which.tool.package}=={which.version}",)
        note = Note(
            name=which.tool.name,
            version=which.version,
            python="3",
            freeze=freeze,
            digest=hashlib.sha256(freeze[0].encode()).hexdigest(),
            installed="2026-12-02",
            problem=problem,
        )
        (program.parents[1] / NOTE).write_bytes(msgspec.json.encode(note))
        return root

    return put
