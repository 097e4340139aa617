"""Does a run over the fake world keep every limit, and ask little?"""

import argparse
import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.fakeworld.wire import Call

BENCHMARK = Path(__file__).parent.parent.parent / "benchmarks" / "live_load.py"


@pytest.fixture(scope="module")
def load() -> ModuleType:
    """The load script, as a module."""
    spec = importlib.util.spec_from_file_location("live_load", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["live_load"] = module
    spec.loader.exec_module(module)
    return module


def test_few_requests_no_limit_broken_and_every_invention_noticed(load: ModuleType) -> None:
    given = argparse.Namespace(references=150, fabricated=0.04, budget_s=None)
    held = load.works(given.references, random.Random(1))
    found = load.alone(given, load.verifier_maker(None), held)
    assert found["requests_per_reference"] < 1.5
    assert found["refused"] == 0
    assert found["over_limit"] == {}
    assert found["statuses"]["verified"] >= 140
    assert found["statuses"]["unresolved"] == 0


def test_requests_too_close_together_are_counted(load: ModuleType) -> None:
    world = load.World([])
    times = iter([0.0, 1.0, 1.5, 3.0])
    world._clock = lambda: next(times)
    for _ in range(4):
        world.handle(Call("crossref", "GET", "/works"))
    assert load.over(world.log, {"crossref": load.Rate(1)}) == {"crossref": 1}
    assert load.closest(world.log, {"crossref": load.Rate(1)}) == {"crossref": 0.5}
