"""What becomes of the verdicts when services fail?

The bibliography of tests/online/test_outages.py (200 references: 150 right, 25 with other people's
names, 25 invented) over the fake world, on a virtual clock, without an index: once without faults,
then with each fault.

    python benchmarks/outages.py
"""

import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
# The fake world lies among the tests, which are no package of the installation.
from tests.fakeworld.knobs import ALWAYS, Fault, Knobs
from tests.online.world import Run, bibliography, run, works

from hallmark.sources.patience import Settings
from hallmark.sources.specs import SOURCES

WORKS = works(200)
ENTRIES = bibliography(WORKS)
THIRD = ((Fault.SERVER_ERROR, 0.1), (Fault.RESET, 0.1), (Fault.TOO_MANY_WAIT, 0.1))


def every(knobs: Knobs, *but: str) -> dict[str, Knobs]:
    """Return all services with the same knobs, but for some that are sound."""
    return {name: knobs for name, _ in SOURCES.items() if name not in but}


def always(fault: Fault) -> Knobs:
    """Return a service of which every answer goes wrong."""
    return Knobs(faults=((fault, ALWAYS),))


CASES: Mapping[str, dict[str, Knobs]] = {
    "no fault": {},
    "total outage (500)": every(always(Fault.SERVER_ERROR)),
    "bot wall everywhere (a page, status 200)": every(always(Fault.BOT_200)),
    "all find nothing": every(always(Fault.HOLDS_NOTHING)),
    "Crossref down": {"crossref": always(Fault.SERVER_ERROR)},
    "all but Crossref down": every(always(Fault.BUSY), "crossref"),
    "all but OpenAlex down": every(always(Fault.BUSY), "openalex"),
    "30 % of requests fail at random": every(Knobs(faults=THIRD)),
    "429 to everything, for 20 requests each": every(
        Knobs(faults=((Fault.TOO_MANY_WAIT, ALWAYS),), until=20)
    ),
    "half of Semantic Scholar's records corrupt": {"semanticscholar": Knobs(corrupt=0.5)},
}


def told(out: Run, sound: Run) -> dict[str, Any]:
    """Return the counts of a run, and its accusations that the sound run did not make."""
    names = ("verified", "contradicted", "not_found", "unresolved")
    return {
        **{name: out.count(name) for name in names},
        "new accusations": len(out.accused - sound.accused),
        "requests": out.client.requests,
        "virtual seconds": round(out.passed_s),
    }


def main() -> None:
    """Measure, and print JSON."""
    found: dict[str, Any] = {}
    sound: Run | None = None
    for name, knobs in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            out = run(ENTRIES, WORKS, Path(folder), knobs=knobs, settings=Settings())
        sound = sound or out
        found[name] = told(out, sound)
    with tempfile.TemporaryDirectory() as folder:
        slow = every(Knobs(latency_s=5.0))
        out = run(ENTRIES, WORKS, Path(folder), knobs=slow, settings=Settings(budget_s=30.0))
    found["answers take 5 s, --budget-s 30"] = told(out, sound or out)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
