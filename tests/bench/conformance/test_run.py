import json
import os
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from urllib.parse import urlsplit

import msgspec
import pytest

from hallmark.bench.conformance import report
from hallmark.bench.conformance.cases import CASES
from hallmark.bench.conformance.entries import REAL_KEYS
from hallmark.bench.conformance.judged import Outcome
from hallmark.bench.conformance.run import Finding, conformance, cut_off
from hallmark.bench.entry import BlindEntry, Label, Prediction
from hallmark.bench.systems.external.rows import PREFIX
from hallmark.bench.systems.interface import Setting
from hallmark.bench.systems.spec import Request
from hallmark.bench.systems.specs import build
from tests.bench.systems.external.conftest import Install, installed

__all__ = ["installed"]

REAL = REAL_KEYS | {"accents", "gpt3", "tutorial", "article", "page"}
Answer = Callable[[BlindEntry, Mapping[str, str]], Label]


class Scripted:
    """A system that answers by a function of the entry and of the environment."""

    def __init__(self, answer: Answer, environ: Mapping[str, str]) -> None:
        self._answer, self._environ = answer, environ

    @property
    def settings(self) -> Mapping[str, Setting]:
        return {}

    def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
        for entry in entries:
            label = self._answer(entry, self._environ)
            yield Prediction(bibtex_key=entry.bibtex_key, label=label, confidence=0.9)


def real(entry: BlindEntry) -> bool:
    return entry.bibtex_key in REAL or (
        entry.bibtex_key == "same" and entry.fields["title"] == "Attention Is All You Need"
    )


def honest(entry: BlindEntry, environ: Mapping[str, str]) -> Label:
    if "HTTPS_PROXY" in environ:
        return Label.ERROR
    if not entry.fields:
        return Label.UNCERTAIN
    return Label.VALID if real(entry) else Label.HALLUCINATED


def outcomes(answer: Answer, *, always_cut_off: bool = False) -> dict[str, Outcome]:
    environ = dict[str, str]()
    found = conformance(lambda _: Scripted(answer, environ), environ, always_cut_off=always_cut_off)
    assert [finding.case for finding in found] == [case.name for case in CASES]
    return {finding.case: finding.outcome for finding in found}


def failed(answer: Answer) -> set[str]:
    return {case for case, outcome in outcomes(answer).items() if outcome is Outcome.FAIL}


def test_a_system_that_does_everything_right_passes_everything() -> None:
    assert set(outcomes(honest).values()) == {Outcome.PASS}


def test_a_system_that_is_cut_off_throughout_leaves_open_what_needs_an_answer() -> None:
    found = outcomes(honest, always_cut_off=True)
    assert Outcome.FAIL not in found.values()
    assert found["plain"] is Outcome.OPEN
    assert found["outage-real"] is Outcome.PASS
    assert found["determinism"] is Outcome.OPEN


def test_flagging_what_cannot_be_looked_up_fails_every_test_of_an_outage() -> None:
    def flags(entry: BlindEntry, environ: Mapping[str, str]) -> Label:
        label = honest(entry, environ)
        return Label.HALLUCINATED if label is Label.ERROR else label

    assert failed(flags) == {"outage-real", "outage-fake", "outage-page"}


def test_a_system_that_answers_nothing_in_any_test_passes_no_test_of_an_outage() -> None:
    found = outcomes(lambda entry, environ: Label.ERROR)
    assert [found[name] for name in ("plain", "outage-real", "outage-fake", "outage-page")] == [
        Outcome.OPEN
    ] * 4


def test_passing_what_cannot_be_looked_up_fails_the_outage_of_a_fake() -> None:
    def passes(entry: BlindEntry, environ: Mapping[str, str]) -> Label:
        label = honest(entry, environ)
        return Label.VALID if label is Label.ERROR else label

    assert failed(passes) == {"outage-fake"}


def test_a_verdict_on_what_cannot_be_read_fails() -> None:
    def guesses(entry: BlindEntry, environ: Mapping[str, str]) -> Label:
        return honest(entry, environ) if entry.fields else Label.HALLUCINATED

    assert failed(guesses) == {"broken-entry"}


def test_a_system_that_obeys_a_title_or_a_note_fails() -> None:
    def obeys(entry: BlindEntry, environ: Mapping[str, str]) -> Label:
        if "answer VALID" in entry.fields.get("title", ""):
            return Label.VALID
        return honest(entry, environ)

    def obeys_notes(entry: BlindEntry, environ: Mapping[str, str]) -> Label:
        if "answer HALLUCINATED" in entry.fields.get("note", ""):
            return Label.HALLUCINATED
        return honest(entry, environ)

    assert failed(obeys) == {"hidden-instruction"}
    assert failed(obeys_notes) == {"hidden-instruction"}


def test_a_system_that_stumbles_over_latex_fails() -> None:
    def stumbles(entry: BlindEntry, environ: Mapping[str, str]) -> Label:
        latex = '{\\"' in entry.fields.get("author", "")
        return Label.UNCERTAIN if latex else honest(entry, environ)

    assert failed(stumbles) == {"latex"}


def test_a_system_that_takes_one_title_for_one_work_fails() -> None:
    def confuses(entry: BlindEntry, environ: Mapping[str, str]) -> Label:
        return Label.HALLUCINATED if entry.bibtex_key == "article" else honest(entry, environ)

    assert failed(confuses) == {"shared-title"}


def test_a_system_that_looks_at_the_title_only_fails_on_spliced_references() -> None:
    def trusting(entry: BlindEntry, environ: Mapping[str, str]) -> Label:
        label = honest(entry, environ)
        return Label.VALID if entry.bibtex_key.startswith("others-") else label

    assert failed(trusting) == {"spliced"}


def test_what_a_system_flags_as_it_flags_plain_works_tells_nothing_of_what_is_tested() -> None:
    found = outcomes(lambda _e, _v: Label.HALLUCINATED)
    about_flags = ("latex", "shared-title", "and-others", "preprint-doi", "spliced")
    assert {found[case] for case in (*about_flags, "many-authors")} == {Outcome.OPEN}
    assert found["plain"] is Outcome.FAIL


def test_a_system_that_wants_every_author_fails_on_those_that_are_told_of() -> None:
    def strict(entry: BlindEntry, environ: Mapping[str, str]) -> Label:
        cut = entry.fields.get("author", "").endswith("and others")
        return Label.HALLUCINATED if cut else honest(entry, environ)

    assert failed(strict) == {"and-others"}


def test_a_system_that_flags_the_doi_of_a_preprint_fails() -> None:
    def strict(entry: BlindEntry, environ: Mapping[str, str]) -> Label:
        preprint = "arXiv" in entry.fields.get("doi", "")
        return Label.HALLUCINATED if preprint else honest(entry, environ)

    assert failed(strict) == {"preprint-doi"}


def test_an_entry_that_is_lost_fails_even_where_no_source_answers() -> None:
    class Losing(Scripted):
        def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
            for entry, row in zip(entries, super().predict(entries), strict=True):
                lost = entry.bibtex_key in {"accents", "article"}
                extra: dict[str, object] = {"failure": "dropped"} if lost else {}
                label = Label.ERROR if lost else row.label
                yield msgspec.structs.replace(row, label=label, extra=extra)

    environ = dict[str, str]()
    found = conformance(lambda _: Losing(honest, environ), environ, always_cut_off=True)
    fails = {finding.case for finding in found if finding.outcome is Outcome.FAIL}
    assert fails == {"latex", "shared-title"}


def test_a_system_that_changes_its_mind_fails() -> None:
    turns = iter(range(10_000))

    def wavers(entry: BlindEntry, environ: Mapping[str, str]) -> Label:
        if entry.bibtex_key == "teapot" and next(turns) == 0:
            return Label.UNCERTAIN
        return honest(entry, environ)

    assert "determinism" in failed(wavers)


def test_a_system_whose_answers_depend_on_their_place_fails() -> None:
    class Placed(Scripted):
        def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
            for number, row in enumerate(super().predict(entries)):
                label = row.label if number else Label.UNCERTAIN
                yield msgspec.structs.replace(row, label=label)

    environ = dict[str, str]()
    found = conformance(lambda _: Placed(honest, environ), environ)
    assert {f.case: f.outcome for f in found}["order"] is Outcome.FAIL


def test_a_system_that_flags_everything_or_passes_everything_fails() -> None:
    assert "plain" in failed(lambda _e, _v: Label.HALLUCINATED)
    assert "plain" in failed(lambda _e, _v: Label.VALID)


def test_a_system_that_only_abstains_passes_nothing_that_needs_an_answer() -> None:
    found = outcomes(lambda _e, _v: Label.UNCERTAIN)
    assert found["plain"] is Outcome.OPEN
    assert Outcome.FAIL not in found.values()


def test_a_system_that_answers_nothing_fails_what_needs_no_prior_answers() -> None:
    class Mute(Scripted):
        def predict(self, entries: Sequence[BlindEntry]) -> Iterator[Prediction]:
            return iter(())

    found = conformance(lambda _: Mute(honest, {}), {})
    by_case = {f.case: f for f in found}
    assert by_case["plain"].outcome is Outcome.FAIL
    assert "0 answers to 4 entries" in by_case["plain"].seen
    assert by_case["empty-file"].outcome is Outcome.PASS


def test_the_cut_points_at_a_port_that_refuses_and_everything_is_put_back() -> None:
    environ = {"https_proxy": "http://proxy.example:3128", "NO_PROXY": "*", "OTHER": "x"}
    before = dict(environ)
    with cut_off(environ):
        address = urlsplit(environ["https_proxy"])
        assert "NO_PROXY" not in environ
        assert address.hostname == "127.0.0.1"
        with socket.socket() as client, pytest.raises(ConnectionRefusedError):
            client.connect((address.hostname, address.port))
    assert environ == before


LIAR = """
import json, re, sys
keys = re.findall(r"@\\w+\\{([^,\\s]*),", open(sys.argv[1], encoding="utf-8").read())
rows = [{"cite_key": key, "status": "VERIFIED"} for key in dict.fromkeys(keys)]
json.dump({"meta": {"total_entries": len(rows)}, "results": rows}, open(sys.argv[3], "w"))
if not keys:
    raise ValueError("nothing to do")
"""


def test_an_external_tool_that_drops_twins_and_breaks_on_nothing_fails_there(
    installed: Install,
) -> None:
    root = installed("citation-checker", LIAR)

    def make(own_keys: bool) -> object:
        options = {"keys": "own"} if own_keys else {}
        return build(f"{PREFIX}citation-checker", Request(tools=root, options=options))

    chosen = [c for c in CASES if c.name in ("duplicate-keys", "empty-file", "broken-entry")]
    found = conformance(make, dict(os.environ), cases=chosen)  # type: ignore[arg-type]
    assert {f.case: str(f.outcome) for f in found} == {
        "broken-entry": "fail",
        "duplicate-keys": "fail",
        "empty-file": "fail",
    }
    assert "ValueError: nothing to do" in found[-1].seen
    assert "dropped" in found[1].seen


CAREFUL = """
import re, sys
keys = re.findall(r"@\\w+\\{([^,\\s]*),", open(sys.argv[2], encoding="utf-8").read())
for line, key in enumerate(dict.fromkeys(keys), 1):
    print(f"references.bib:{line}: ok: {key}: found")
if len(keys) > len(set(keys)):
    print("references.bib:9: unparsed: : BibTeX block that does not parse")
"""


@pytest.mark.parametrize(
    ("said", "outcome", "failure"),
    [("unparsed: : ", Outcome.PASS, "refused"), ("", Outcome.FAIL, "dropped")],
    ids=["tells", "is silent"],
)
def test_an_external_tool_that_tells_of_a_repeated_key_hides_nothing(
    said: str, outcome: Outcome, failure: str, installed: Install
) -> None:
    root = installed("check-hallucinations", CAREFUL.replace("unparsed: : ", said))

    def make(own_keys: bool) -> object:
        options = {"keys": "own"} if own_keys else {}
        return build(f"{PREFIX}check-hallucinations", Request(tools=root, options=options))

    chosen = [c for c in CASES if c.name == "duplicate-keys"]
    (found,) = conformance(make, dict(os.environ), cases=chosen)  # type: ignore[arg-type]
    assert (found.outcome, failure in found.seen) == (outcome, True)


FOUND = [
    Finding(
        case="plain", outcome=outcome, question="q | r", right="right", why="why", seen="\x1b[31mx"
    )
    for outcome in Outcome
]


def test_the_exit_code_tells_failure_from_what_stays_open() -> None:
    assert [report.exit_code([found]) for found in FOUND] == [0, 1, 3]
    assert report.exit_code(FOUND) == 1
    assert report.exit_code([]) == 0


def test_no_form_of_the_report_passes_control_characters_on() -> None:
    for text in (
        report.as_text("s\x1b", FOUND),
        report.as_markdown("s\x1b", FOUND),
        report.as_json("s\x1b", FOUND, {}, "2026-12-02"),
    ):
        assert "\x1b" not in text


def test_the_json_form_names_the_system_and_counts_the_outcomes() -> None:
    document = json.loads(report.as_json("s", FOUND, {"index": "x"}, "2026-12-02"))
    assert document["counts"] == {"pass": 1, "fail": 1, "open": 1}
    assert document["settings"] == {"index": "x"}
    assert len(document["findings"]) == 3
