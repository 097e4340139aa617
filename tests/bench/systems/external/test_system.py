import json
from pathlib import Path

import pytest

from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.bench.systems.spec import Request
from hallmark.bench.systems.specs import build
from hallmark.errors import InputError, UnknownName
from tests.bench.systems.conftest import HOSTILE
from tests.bench.systems.external.conftest import Install

ENTRIES = [
    BlindEntry("Müller, 2020", "article", {"title": "A real one"}),
    BlindEntry("same", "article", {"title": "A fake one"}),
    BlindEntry("same", "article", {"title": "Another real one"}),
]
# Answers like bibtex-check: a line of JSON for each entry of the file.
FAKE = """
import json, re, sys
bib = open(sys.argv[1], encoding="utf-8").read()
with open(sys.argv[3], "w") as out:
    for key, title in re.findall(r"@\\w+\\{([^,]*),\\s*title = \\{([^}]*)", bib):
        status = "doi_mismatch" if "fake" in title else "verified"
        out.write(json.dumps({"key": key, "status": status}) + "\\n")
"""


def answers(root: Path, **options: str) -> list[Prediction]:
    request = Request(tools=root, options=options, environ={"S2_API_KEY": "secret-key", "X": "y"})
    return list(build("tool:bibtex-updater", request).predict(ENTRIES))


def test_a_tool_answers_a_whole_file_of_entries(installed: Install) -> None:
    rows = answers(installed("bibtex-updater", FAKE))
    assert [row.bibtex_key for row in rows] == [entry.bibtex_key for entry in ENTRIES]
    assert [row.label for row in rows] == [Label.VALID, Label.HALLUCINATED, Label.VALID]


def test_batches_give_the_same_answers(installed: Install) -> None:
    root = installed("bibtex-updater", FAKE)
    labels = [[row.label for row in answers(root, batch=str(n))] for n in (1, 2, 3)]
    assert labels[0] == labels[1] == labels[2]


def test_a_crash_is_a_failure_of_every_entry_though_some_were_answered(
    installed: Install,
) -> None:
    rows = answers(installed("bibtex-updater", FAKE + "\nraise SystemExit(77)\n"))
    assert [row.label for row in rows] == [Label.ERROR] * 3
    assert "exit code 77" in rows[0].reason


def test_the_exit_codes_of_findings_are_no_crash(installed: Install) -> None:
    rows = answers(installed("bibtex-updater", FAKE + "\nraise SystemExit(4)\n"))
    assert Label.ERROR not in [row.label for row in rows]


def test_a_tool_that_hangs_is_a_failure_but_what_it_wrote_counts(installed: Install) -> None:
    slow = FAKE.replace("out.write(", "key == 'ref3' and __import__('time').sleep(60); out.write(")
    slow = slow.replace('"\\n")', '"\\n"); out.flush()')
    rows = answers(installed("bibtex-updater", slow), timeout_s="2")
    assert [row.label for row in rows] == [Label.VALID, Label.HALLUCINATED, Label.ERROR]
    assert "in time" in rows[2].reason


def test_a_tool_that_writes_nothing_is_a_failure(installed: Install) -> None:
    rows = answers(installed("bibtex-updater", "print('all fine')"))
    assert {row.label for row in rows} == {Label.ERROR}


def test_a_tool_sees_the_keys_that_its_row_names_and_nothing_else(
    installed: Install, tmp_path: Path
) -> None:
    seen = tmp_path / "seen.json"
    spy = f"import json, os; json.dump(dict(os.environ), open({str(seen)!r}, 'w'))\n"
    answers(installed("bibtex-updater", spy + FAKE))
    environ = json.loads(seen.read_text(encoding="utf-8"))
    assert environ["S2_API_KEY"] == "secret-key"
    assert set(environ) <= {"PATH", "HOME", "LANG", "S2_API_KEY", "LC_CTYPE"}
    assert not Path(environ["HOME"]).exists()


def test_keys_never_appear_in_settings_or_answers(installed: Install) -> None:
    leak = FAKE.replace('"status": status', '"status": status, "errors": ["plain words"]')
    root = installed("bibtex-updater", leak)
    request = Request(tools=root, environ={"S2_API_KEY": "secret-key"})
    system = build("tool:bibtex-updater", request)
    assert "secret-key" not in repr(system.settings)
    assert system.settings["given_keys"] == "S2_API_KEY"
    assert "secret-key" not in repr(system)
    assert all("secret-key" not in repr(row) for row in system.predict(ENTRIES))


def test_own_keys_are_shown_to_the_tool_on_request(installed: Install) -> None:
    rows = answers(installed("bibtex-updater", FAKE), keys="own")
    assert [row.label for row in rows] == [Label.VALID, Label.HALLUCINATED, Label.VALID]


def test_hostile_entries_get_one_answer_each_in_order(installed: Install) -> None:
    root = installed("bibtex-updater", FAKE)
    rows = list(build("tool:bibtex-updater", Request(tools=root)).predict(HOSTILE))
    assert [row.bibtex_key for row in rows] == [entry.bibtex_key for entry in HOSTILE]


def test_no_entries_need_no_call(installed: Install) -> None:
    root = installed("bibtex-updater", "raise SystemExit(9)")
    assert list(build("tool:bibtex-updater", Request(tools=root)).predict([])) == []


def test_a_tool_that_is_not_installed_says_how_to_install_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="bench tools install harcx"):
        build("tool:harcx", Request(tools=tmp_path))


def test_a_tool_that_does_not_start_says_why(installed: Install) -> None:
    root = installed("harcx", "", problem="ModuleNotFoundError: gone")
    with pytest.raises(InputError, match="ModuleNotFoundError: gone"):
        build("tool:harcx", Request(tools=root))


def test_unknown_tools_and_options_are_told(installed: Install) -> None:
    root = installed("bibtex-updater", FAKE)
    with pytest.raises(UnknownName):
        build("tool:bibtex-updatr", Request(tools=root))
    with pytest.raises(UnknownName):
        build("tool:bibtex-updater", Request(tools=root, options={"batches": "1"}))
    for options in ({"batch": "-1"}, {"keys": "none"}, {"timeout_s": "-2"}):
        with pytest.raises(InputError):
            build("tool:bibtex-updater", Request(tools=root, options=options))
    with pytest.raises(InputError, match="folder of tools"):
        build("tool:bibtex-updater", Request())
