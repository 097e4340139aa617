"""How does one run the fake world by hand, for demonstrations?

`python -m tests.fakeworld --records FILE` serves the works of JSONL files of records (in Hallmark's
own form, or as `records.work.Version` is stored), or its own few works, until it is stopped. With a
command after `--` it serves them to that command alone, and ends with its exit code:

    python -m tests.fakeworld --records works.jsonl -- hallmark check refs.bib --online
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from hallmark.online.session import WORLD
from hallmark.records.work import Version
from hallmark.sources.specs import SOURCES
from hallmark.text import titles
from tests.fakeworld.knobs import Fault, Knobs
from tests.fakeworld.probes import probed_works
from tests.fakeworld.reading import read_records
from tests.fakeworld.records import VERSIONS
from tests.fakeworld.server import serving
from tests.fakeworld.world import World


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until interrupted, or as long as a command runs; return the exit code."""
    given = _parser().parse_args(arguments)
    records = read_records(given.records, given.most) if given.records else list(VERSIONS)
    world = World([*records, *_probed(records)], _knobs(given))
    with serving(world, port=given.port) as address:
        if given.command:
            return _run(given.command, address)
        sys.stdout.write(f"{len(records):,} works at {address}/NAME for {_names()}\n")
        sys.stdout.flush()
        _until_stopped()
    sys.stdout.write(f"{len(world.log):,} requests were answered\n")
    return 0


def _probed(records: Sequence[Version]) -> list[Version]:
    """Return the works that sources are probed for, without those that are among the records."""
    dois = {one.doi for one in records if one.doi}
    named = {titles.key(one.title) for one in records}
    return [
        one
        for one in probed_works()
        if (one.doi not in dois if one.doi else titles.key(one.title) not in named)
    ]


def _run(command: Sequence[str], address: str) -> int:
    """Run a command for which the services are at an address, with a cache of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, WORLD: address, "HALLMARK_CACHE": folder}
        return subprocess.run(command, env=environment, check=False).returncode


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fakeworld", description=__doc__)
    parser.add_argument("--records", type=Path, nargs="+", metavar="FILE", help="JSONL of records")
    parser.add_argument("--most", type=int, default=20_000, help="works to serve (20,000)")
    parser.add_argument("--port", type=int, default=0, help="0 chooses a free one")
    parser.add_argument("--latency-s", type=float, default=0.0, help="of every service")
    parser.add_argument("--share", type=float, default=1.0, help="that every service holds")
    parser.add_argument("--fault", choices=[one.name for one in Fault], help="what goes wrong")
    parser.add_argument("--fault-share", type=float, default=0.3, help="of requests (0.3)")
    parser.add_argument("--down", nargs="*", default=[], metavar="NAME", help="services that fail")
    parser.add_argument("command", nargs="*", help="to be run over the world, after --")
    return parser


def _knobs(given: argparse.Namespace) -> dict[str, Knobs]:
    faults = ((Fault[given.fault], given.fault_share),) if given.fault else ()
    usual = Knobs(latency_s=given.latency_s, share=given.share, faults=faults)
    down = Knobs(faults=((Fault.SERVER_ERROR, 1.0),))
    return {name: down if name in given.down else usual for name in SOURCES.names()}


def _names() -> str:
    return ", ".join(SOURCES.names())


def _until_stopped() -> None:
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    sys.exit(main())
