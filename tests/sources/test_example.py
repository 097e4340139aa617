"""The example of a source of one's own passes the suite that it is told to pass."""

import asyncio
import importlib.util
from pathlib import Path
from typing import Any

import pytest

from hallmark.records.source import Question
from hallmark.sources.conformance import CHECKS, Example, sane_spec
from hallmark.sources.interface import Reply, Way

EXAMPLE = Path(__file__).parents[2] / "examples" / "sources" / "my_source.py"
TITLE = "Tidal Memory: A Theory of Slow Networks"
_BODY = b'{"records": [{"title": "%s", "authors": ["Ada Fenwick"], "doi": "10.5555/T.7"}]}' % (
    TITLE.encode()
)


@pytest.fixture(scope="module")
def source() -> Any:
    spec = importlib.util.spec_from_file_location("my_source", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.MyLibrary()


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("way", [Way.DOI, Way.TITLE])
def test_the_example_keeps_the_contract(source: Any, check: str, way: Way) -> None:
    question = Question(TITLE if way is Way.TITLE else "", doi="10.5555/t.7")
    example = Example(way, question, lambda _: Reply(200, _BODY))
    asyncio.run(CHECKS[check](source, example))
    sane_spec(source)
