"""Does `hallmark sources` say what is sent where, and never what a key is?"""

import json
from pathlib import Path

import pytest

from hallmark.cli.main import main
from hallmark.cli.sources import ANSWERS, Key, listed
from hallmark.errors import UnknownName
from hallmark.online.health import PROBES
from hallmark.sources.specs import SOURCES
from tests.fakeworld.knobs import Fault, always
from tests.fakeworld.probes import probed_works
from tests.fakeworld.server import serving
from tests.fakeworld.world import World

SECRET = "k-5f2c-never-shown"
CONTACT = "somebody@quay.example"


def call(*arguments: str) -> int:
    """Run the command line in this process and return its exit code."""
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    assert isinstance(stop.value.code, int)
    return stop.value.code


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HALLMARK_CACHE", str(tmp_path / "cache"))
    for name in ("OPENALEX_API_KEY", "SEMANTIC_SCHOLAR_API_KEY", "HALLMARK_CONTACT"):
        monkeypatch.delenv(name, raising=False)


def test_every_source_is_listed_with_what_is_sent_where(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("sources") == 0
    printed = capsys.readouterr().out
    for name, factory in SOURCES.items():
        spec = factory(None).spec
        assert f"{name}  {spec.title}" in printed
        assert spec.sends in printed
    assert "api.crossref.org" in printed


def test_nobody_is_asked_unless_a_probe_is_wished() -> None:
    world = World([])
    with serving(world) as address:
        listed(None, {"HALLMARK_SOURCES_AT": address})
    assert world.log == []


def test_a_key_is_said_to_be_found_and_never_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENALEX_API_KEY", SECRET)
    monkeypatch.setenv("HALLMARK_CONTACT", CONTACT)
    for form in ([], ["--json"]):
        call("sources", *form)
        printed = capsys.readouterr()
        assert SECRET not in printed.out + printed.err
        assert CONTACT not in printed.out + printed.err
        assert Key.FOUND.value in printed.out


def test_the_limit_is_the_one_that_holds_with_the_key_and_contact() -> None:
    (without,) = listed(("openalex",), {})
    (keyed,) = listed(("openalex",), {"OPENALEX_API_KEY": SECRET})
    assert (without.limit, without.key) == ("1 request a second, 1 connection", Key.MISSING)
    assert (keyed.limit, keyed.key) == ("10 requests a second, 4 connections", Key.FOUND)
    (polite,) = listed(("crossref",), {"HALLMARK_CONTACT": CONTACT})
    assert polite.limit == "3 requests a second, 3 connections"


def test_json_holds_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("sources", "--json", "arxiv") == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["name"] == "arxiv"
    assert row["limit"] == "1 request in 3 s, 1 connection"
    assert row["asked_by"] == {"arxiv": 100, "doi": 100, "title": 1}


def test_a_probe_says_who_answers(tmp_path: Path) -> None:
    world = World(probed_works(), {"europepmc": always(Fault.FORBIDDEN)})
    with serving(world) as address:
        environ = {"HALLMARK_SOURCES_AT": address, "HALLMARK_CACHE": str(tmp_path)}
        told = {row.name: row.probe for row in listed(None, environ, probe=True)}
    probed = set(PROBES) - {"europepmc"}
    assert {name: told[name] for name in probed} == dict.fromkeys(probed, ANSWERS)
    assert "403" in told["europepmc"]


def test_a_source_that_lost_what_it_held_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(World([])) as address:
        monkeypatch.setenv("HALLMARK_SOURCES_AT", address)
        assert call("sources", "--probe", "crossref") == 3
    assert "does not find a work that it is known to hold" in capsys.readouterr().out


def test_an_unknown_source_is_answered_with_the_nearest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert call("sources", "crossreff") == 2
    assert "Did you mean `crossref`?" in capsys.readouterr().err
    with pytest.raises(UnknownName):
        listed(("nobody",), {})
