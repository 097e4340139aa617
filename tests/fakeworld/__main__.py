"""How does one run the fake world by hand, for demonstrations?

`python -m tests.fakeworld --records FILE` serves the works of a JSONL file of records (see
`records.work.Version`), or its own few works, until it is stopped.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import msgspec

from hallmark.records.work import Version
from hallmark.sources.specs import SOURCES
from tests.fakeworld.knobs import Fault, Knobs
from tests.fakeworld.probes import probed_works
from tests.fakeworld.records import VERSIONS
from tests.fakeworld.server import serving
from tests.fakeworld.world import World


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until interrupted."""
    given = _parser().parse_args(arguments)
    records = _read(given.records, given.most) if given.records else list(VERSIONS)
    world = World([*records, *probed_works()], _knobs(given))
    with serving(world, port=given.port) as address:
        sys.stdout.write(f"{len(records):,} works at {address}/NAME for {_names()}\n")
        sys.stdout.flush()
        _until_stopped()
    sys.stdout.write(f"{len(world.log):,} requests were answered\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fakeworld", description=__doc__)
    parser.add_argument("--records", type=Path, metavar="FILE", help="JSONL of records")
    parser.add_argument("--most", type=int, default=20_000, help="works to serve (20,000)")
    parser.add_argument("--port", type=int, default=0, help="0 chooses a free one")
    parser.add_argument("--latency-s", type=float, default=0.0, help="of every service")
    parser.add_argument("--share", type=float, default=1.0, help="that every service holds")
    parser.add_argument("--fault", choices=[one.name for one in Fault], help="what goes wrong")
    parser.add_argument("--fault-share", type=float, default=0.3, help="of requests (0.3)")
    parser.add_argument("--down", nargs="*", default=[], metavar="NAME", help="services that fail")
    return parser


def _knobs(given: argparse.Namespace) -> dict[str, Knobs]:
    faults = ((Fault[given.fault], given.fault_share),) if given.fault else ()
    usual = Knobs(latency_s=given.latency_s, share=given.share, faults=faults)
    down = Knobs(faults=((Fault.SERVER_ERROR, 1.0),))
    return {name: down if name in given.down else usual for name in SOURCES.names()}


def _read(path: Path, most: int) -> list[Version]:
    decoder = msgspec.json.Decoder(Version)
    with path.open("rb") as lines:
        return [decoder.decode(line) for line in islice(lines, most)]


def _names() -> str:
    return ", ".join(SOURCES.names())


def _until_stopped() -> None:
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main()
