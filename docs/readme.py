# ruff: noqa: INP001 - a script beside the pages, no package
"""What does the README's first screen show?

`python docs/readme.py INDEX` puts the real output of the README's command there;
tests/cli/test_readme.py fails while the two differ.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
COMMAND = "hallmark check examples/paper.bib"
SHOWN_PROBLEMS = ("false-title", "false-missing", "false-invented")
CUT = "[...]"

_BLOCK = re.compile(rf"(```console\n\$ {COMMAND}\n)(.*?)(```\n)", re.DOTALL)
_PLACEHOLDER = "\n(The output is put here by `make readme`.)\n"


def shown() -> str:
    """Return the output that the README shows."""
    found = _BLOCK.search(README.read_text(encoding="utf-8"))
    return found[2] if found else ""


def excerpt(output: str) -> str:
    """Return the part of the command's output that the README shows.

    That is the head, some problems whole, and the counts; what is left out is marked.
    """
    head, *blocks = output.rstrip("\n").split("\n\n")
    problems = [block for block in blocks if block.split()[1:2] in [[k] for k in SHOWN_PROBLEMS]]
    counts = blocks[-1]
    return "\n\n".join([head, *problems, CUT, counts]) + "\n"


def output(index: str) -> str:
    """Return what the command prints with this index."""
    code = "from hallmark.cli.main import main; main()"
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", code, *COMMAND.split()[1:], "--index", index],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    return done.stdout


def main() -> None:
    """Write the real output into the README."""
    text = README.read_text(encoding="utf-8").replace(_PLACEHOLDER, "")
    block = excerpt(output(sys.argv[1]))
    README.write_text(_BLOCK.sub(lambda found: found[1] + block + found[3], text), "utf-8")


if __name__ == "__main__":
    main()
