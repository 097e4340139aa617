import asyncio

import pytest

from hallmark.sources.conformance import CHECKS, Example, sane_spec
from hallmark.sources.specs import SOURCES
from tests.sources.wire import EXAMPLES

_ALL = [
    pytest.param(name, example, id=f"{name}-{example.way.value}-{number}")
    for name, examples in EXAMPLES.items()
    for number, example in enumerate(examples)
]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(("name", "example"), _ALL)
def test_every_source_keeps_the_contract(name: str, example: Example, check: str) -> None:
    asyncio.run(CHECKS[check](SOURCES.get(name)(None), example))


@pytest.mark.parametrize("name", SOURCES.names())
def test_every_source_describes_itself(name: str) -> None:
    spec = SOURCES.get(name)(None).spec
    assert spec.name == name
    sane_spec(SOURCES.get(name)(None), [other for other in SOURCES.names() if other != name])


@pytest.mark.parametrize("name", SOURCES.names())
def test_every_way_of_every_source_has_an_example(name: str) -> None:
    ways = {example.way for example in EXAMPLES[name]}
    missing = set(SOURCES.get(name)(None).spec.ways) - ways
    assert missing <= {"arxiv"}
