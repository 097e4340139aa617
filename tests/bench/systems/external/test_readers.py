import json

from hypothesis import given
from hypothesis import strategies as st

from hallmark.bench.systems.external.readers import Heard, Said, merged, read
from hallmark.bench.systems.external.rows import JsonForm, TextForm, named

LIST = JsonForm(rows="results", key="id", status=(("verdict",),), text=("why[]",), processed="n")
LINES = JsonForm(lines=True, key="key", status=(("status",),), valid="p")
NESTED = JsonForm(
    rows="r", key="ref.key", status=(("errors[].kind", "errors[].warning"), ("kind",))
)
FORMS = [LIST, LINES, NESTED, TextForm(entry=r"^> (?P<key>\S+)", status=r"^(?P<status>ok|bad)")]


def output_of(name: str) -> JsonForm | TextForm:
    form = named(name).tool.output
    assert form is not None
    return form


def test_a_json_document_gives_one_answer_for_each_row_in_order() -> None:
    document = {
        "n": 2,
        "results": [
            {"id": "a", "verdict": "fine", "why": []},
            {"id": "b", "verdict": "wrong", "why": ["year", "year", "venue"]},
        ],
    }
    heard = read(LIST, json.dumps(document))
    assert heard.answers == (Said("a", ("fine",)), Said("b", ("wrong",), "year; venue"))
    assert heard.processed == 2


def test_lines_of_json_are_read_up_to_the_one_that_is_cut() -> None:
    heard = read(LINES, '{"key": "a", "status": "s", "p": 0.25}\n\n{"key": "b", "sta')
    assert heard.answers == (Said("a", ("s",), "", 0.25),)
    assert "line 3" in heard.broken


def test_what_is_no_probability_is_none() -> None:
    rows = "\n".join(json.dumps({"key": "a", "status": "s", "p": p}) for p in (1.5, "x", True, -1))
    assert [said.valid for said in read(LINES, rows).answers] == [None] * 4


def test_the_first_group_of_paths_that_leads_to_a_status_counts() -> None:
    rows = [
        {"ref": {"key": "a"}, "kind": "multiple", "errors": [{"kind": "x"}, {"warning": "y"}]},
        {"ref": {"key": "b"}, "kind": "single", "errors": []},
        {"ref": "no object", "kind": "single"},
    ]
    heard = read(NESTED, json.dumps({"r": rows}))
    assert [(s.key, s.statuses) for s in heard.answers] == [
        ("a", ("x", "y")),
        ("b", ("single",)),
        ("", ("single",)),
    ]


def test_an_output_that_is_no_json_or_has_no_rows_is_told() -> None:
    assert "no JSON" in read(LIST, "Traceback (most recent call last)").broken
    assert "no list" in read(LIST, '{"results": 3}').broken
    assert "no list" in read(LIST, "[]").broken


@given(st.sampled_from(FORMS), st.text())
def test_no_output_breaks_a_reader(form: JsonForm | TextForm, output: str) -> None:
    assert isinstance(read(form, output), Heard)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["r", "results", "ref", "key", "errors", "kind", "id", "verdict"]),
            inner,
        )
    ),
    max_leaves=12,
)


@given(st.sampled_from(FORMS), JSON)
def test_no_json_breaks_a_reader(form: JsonForm | TextForm, document: object) -> None:
    assert isinstance(read(form, json.dumps(document)), Heard)


def test_findings_of_one_entry_are_merged() -> None:
    found = [Said("a", ("year",), "2019"), Said("b", ("ok",)), Said("a", ("doi",), "gone")]
    assert list(merged(found)) == [Said("a", ("year", "doi"), "2019; gone"), Said("b", ("ok",))]


def test_the_progress_of_harcx_is_read() -> None:
    output = (
        "Parsed 2 entries from x.bib\n[1/2] Checking (article): ref1\n    Trying DBLP title search\n"
        "  Found (author match: 0.90)\n[2/2] Checking (book): ref2\n"
        "  ISSUE: Not found anywhere\n\n[ref2]\n  Title: ISSUE of titles\n  Issue: Not found\n"
    )
    heard = read(output_of("harcx"), output)
    assert [(s.key, s.statuses) for s in heard.answers] == [
        ("ref1", ("Found",)),
        ("ref2", ("ISSUE",)),
    ]


def test_the_lines_of_check_hallucinations_are_read() -> None:
    output = (
        "references.bib:1: ok: ref1: https://example.org/1\n"
        "references.bib:9: year-mismatch: ref2: year 2009, but the paper is from 2017\n"
        "references.bib:9: doi-not-found: ref2: doi 10.1/x does not exist\n"
    )
    heard = read(output_of("check-hallucinations"), output)
    assert [s.statuses for s in heard.answers] == [("ok",), ("year-mismatch",), ("doi-not-found",)]


def test_the_report_of_academic_refchecker_is_read() -> None:
    record = {
        "original_reference": {"bibtex_key": "ref2"},
        "error_type": "multiple",
        "error_details": "- first\n- second",
        "_original_errors": [{"error_type": "unverified"}, {"error_type": "url"}],
    }
    report = {"summary": {"total_references_processed": 2}, "records": [record]}
    heard = read(output_of("academic-refchecker"), json.dumps(report))
    assert heard.processed == 2
    assert heard.answers[0].statuses == ("unverified", "url")


def test_the_lines_of_bibtex_updater_are_read() -> None:
    row = {"key": "ref1", "status": "verified", "p_valid": 0.84, "errors": []}
    heard = read(output_of("bibtex-updater"), json.dumps(row) + "\n")
    assert heard.answers == (Said("ref1", ("verified",), "", 0.84),)


def test_the_reports_of_the_other_tools_are_read() -> None:
    for name, rows, key, status in (
        ("citation-checker", "results", "cite_key", "status"),
        ("citecheck-refs", "results", "key", "verdict"),
        ("paper-preflight", "references", "key", "verdict"),
    ):
        heard = read(output_of(name), json.dumps({rows: [{key: "ref1", status: "X"}]}))
        assert heard.answers == (Said("ref1", ("X",)),)
