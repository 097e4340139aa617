from importlib.metadata import EntryPoint

import pytest

from hallmark.errors import SourceProblem, UnknownName
from hallmark.sources.specs import GROUP, SOURCES, relocated, with_plugins


def test_an_unknown_source_is_answered_with_the_nearest_name() -> None:
    with pytest.raises(UnknownName, match="crossref"):
        SOURCES.get("crosref")


def test_other_packages_bring_sources() -> None:
    point = EntryPoint("mine", "hallmark.sources.dblp:Dblp", GROUP)
    everything = with_plugins([point])
    assert "mine" in everything
    assert everything.names()[:-1] == SOURCES.names()
    assert "mine" not in SOURCES


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("crossref", "hallmark.sources.dblp:Dblp", "bears the name"),
        ("mine", "hallmark.sources.dblp:Missing", "cannot be loaded"),
        ("mine", "hallmark.no_such_module:Thing", "cannot be loaded"),
    ],
)
def test_a_plugin_that_cannot_be_used_is_told(name: str, value: str, told: str) -> None:
    with pytest.raises(SourceProblem, match=told):
        with_plugins([EntryPoint(name, value, GROUP)])


def test_the_installed_packages_are_asked_by_default() -> None:
    assert set(SOURCES.names()) <= set(with_plugins().names())


def test_a_source_can_be_sent_to_another_address() -> None:
    spec = SOURCES.get("openreview")(None).spec
    moved = relocated(spec, "http://127.0.0.1:8080/")
    assert moved.base == "http://127.0.0.1:8080/openreview"
    assert moved.more_bases == ("http://127.0.0.1:8080/openreview-2",)
    assert SOURCES.get("openreview")(moved).spec is moved


@pytest.mark.parametrize("name", SOURCES.names())
def test_every_limit_and_fact_is_dated(name: str) -> None:
    spec = SOURCES.get(name)(None).spec
    assert spec.facts_as_of
    assert spec.quirks
    assert spec.covers
