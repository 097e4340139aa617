"""Citations that a model invents: asked for, kept as they came, screened, and asked for once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hallmark.bench.build.generate.ask import (
    Job,
    Raw,
    Wish,
    collect,
    jobs,
    journal_of,
    question,
    read_raw,
    run_of,
)
from hallmark.bench.build.generate.prompts import INVENTED, bibtex, prompt
from hallmark.bench.build.generate.screen import (
    NO_REPLY,
    REAL,
    read_reply,
    recall,
    screened,
)
from hallmark.bench.build.origins.trail import Case, Decision, entries_of
from hallmark.bench.entry import Label
from hallmark.bench.perturb.drafts import entry_of
from hallmark.bench.taxonomy import HallucinationType
from hallmark.bench.validate import flaws_of
from hallmark.errors import InputError, ModelStopped
from hallmark.llm.interface import User
from hallmark.records.work import Version
from tests.bench.build.origins.little import DATE, KNITTING, LIBRARY, WEAVING
from tests.llm.scripted import Scripted, failure

_T = HallucinationType

WISH = Wish((_T.PLAUSIBLE_FABRICATION,), ("NeurIPS",), (2020, 2022), 3, 7)
INVENTED_PAPER = """Here you are:
```bibtex
@inproceedings{fox2021glass,
  title = {Spinning Glass Fibre Proofs for Sparse Choirs},
  author = {Ian Fox and Eva Dahl},
  booktitle = {NeurIPS},
  year = {2021},
  doi = {10.9999/made.up}
}
```
Tell me if you need more."""


def reply_of(version: Version, **changes: str) -> str:
    entry = entry_of(version, "k")
    fields = {**entry.fields, **changes}
    rows = "\n".join(f"  {name} = {{{text}}}," for name, text in fields.items())
    return f"```bibtex\n@{entry.bibtex_type}{{k,\n{rows}\n}}\n```"


def judged(kind: HallucinationType, text: str, record: Version | None = None) -> Case:
    raw = Raw(
        job=Job(1, kind, "NeurIPS", record), prompt="d", version="1", model="m-1", date=DATE,
        text=text, stop="end", input_tokens=1, output_tokens=1,
    )  # fmt: skip
    (case,) = screened([raw], WISH, LIBRARY, DATE)
    return case


def test_every_prompt_says_what_is_invented_and_shows_the_record_as_data() -> None:
    for number, kind in enumerate(INVENTED, 1):
        job = Job(number, kind, "NeurIPS", WEAVING if INVENTED[kind] else None)
        asked = question(job, WISH)
        (message,) = asked.messages
        assert isinstance(message, User)
        assert "$" not in message.text
        assert ("| @inproceedings" in message.text) is bool(INVENTED[kind])
        assert prompt(kind).version


def test_no_model_is_asked_for_what_rules_make() -> None:
    with pytest.raises(InputError, match="rules make it"):
        prompt(_T.FUTURE_DATE)


def test_records_that_are_to_be_changed_are_drawn_once_and_always_alike() -> None:
    wish = Wish((_T.CHIMERIC_TITLE, _T.SWAPPED_AUTHORS), ("NeurIPS",), (2021, 2021), 1, 7)
    with pytest.raises(InputError, match="too few works"):
        jobs(wish, LIBRARY)
    one = Wish((_T.CHIMERIC_TITLE,), ("NeurIPS", "ICML"), (2021, 2022), 1, 7)
    assert jobs(one, LIBRARY) == jobs(one, LIBRARY)
    assert [job.record for job in jobs(one, LIBRARY)] == [WEAVING, KNITTING]


@pytest.mark.parametrize(
    "text", [INVENTED_PAPER, INVENTED_PAPER.replace("```bibtex", "").replace("```", "")]
)
def test_an_entry_is_read_out_of_prose_and_fences(text: str) -> None:
    found = read_reply(text)
    assert found is not None
    assert found.title == "Spinning Glass Fibre Proofs for Sparse Choirs"


@pytest.mark.parametrize("text", ["", "I cannot do that.", "@", "@misc{", "@comment{x}", "{}"])
def test_a_reply_without_an_entry_is_counted_as_such(text: str) -> None:
    case = judged(_T.PLAUSIBLE_FABRICATION, text)
    assert (case.decision, case.reason) == (Decision.EXCLUDED, NO_REPLY)


def test_an_invented_work_is_taken_without_its_doi() -> None:
    case = judged(_T.PLAUSIBLE_FABRICATION, INVENTED_PAPER)
    assert case.entry is not None
    assert "doi" not in case.entry.fields
    assert (case.entry.generation_method, case.entry.source) == ("llm_generated", "m-1")
    assert case.shown["asked"] == case.type == "plausible_fabrication"


def test_a_work_near_to_a_real_one_in_title_and_authors_is_excluded() -> None:
    case = judged(_T.PLAUSIBLE_FABRICATION, reply_of(WEAVING, year="2020"))
    assert (case.decision, case.reason) == (Decision.EXCLUDED, REAL)
    assert case.shown["real"] == "yes"


def test_a_title_alone_or_authors_alone_make_no_real_work() -> None:
    title = judged(
        _T.PLAUSIBLE_FABRICATION, reply_of(WEAVING, author="Ian Fox and Eva Dahl", doi="")
    )
    authors = judged(_T.PLAUSIBLE_FABRICATION, reply_of(WEAVING, title="Choirs of Sparse Glass"))
    assert title.shown["real"] == authors.shown["real"] == "no"


def test_a_real_work_with_all_fields_right_becomes_a_valid_entry() -> None:
    case = judged(_T.PLAUSIBLE_FABRICATION, reply_of(WEAVING))
    assert case.entry is not None
    assert case.entry.label is Label.VALID
    assert case.shown["real"] == "yes"


@pytest.mark.parametrize(
    ("kind", "changes", "field"),
    [
        (_T.CHIMERIC_TITLE, {"title": "Choirs of Sparse Glass in Winter"}, "title"),
        (_T.FABRICATED_DOI, {"doi": "10.1000/weaving.77"}, "doi"),
        (_T.NONEXISTENT_VENUE, {"booktitle": "Gathering on Imaginary Looms"}, "booktitle"),
        (_T.PLACEHOLDER_AUTHORS, {"author": "John Doe and Jane Doe"}, "author"),
        (_T.NEAR_MISS_TITLE, {"title": "Weaving Letters with Punched Cards and Patience"}, "title"),
        (_T.SWAPPED_AUTHORS, {"author": "Ian Fox and Eva Dahl"}, "author"),
    ],
)
def test_only_what_was_asked_for_is_taken_from_a_reply(
    kind: HallucinationType, changes: dict[str, str], field: str
) -> None:
    original = entry_of(WEAVING, "k").fields
    case = judged(kind, reply_of(WEAVING, **{"year": "1999", **changes}), WEAVING)
    assert case.entry is not None, case.reason
    assert case.type == str(kind)
    differing = {n for n, text in case.entry.fields.items() if text != original.get(n)}
    assert differing == {field}
    assert not [flaw for flaw in flaws_of([case.entry]) if not flaw.warning]


@pytest.mark.parametrize(
    ("kind", "changes", "reason"),
    [
        (_T.FABRICATED_DOI, {"doi": "10.1000/knitting"}, "registered"),
        (_T.NONEXISTENT_VENUE, {"booktitle": "ICML"}, "known"),
        (_T.PLACEHOLDER_AUTHORS, {}, "stand-ins"),
        (_T.NEAR_MISS_TITLE, {}, "same words"),
        (_T.NEAR_MISS_TITLE, {"title": "Something Else Entirely About Glass"}, "two words"),
        (_T.SWAPPED_AUTHORS, {"author": "Ada Lovelace and Eva Dahl"}, "real author"),
    ],
)
def test_a_change_of_another_kind_is_excluded_with_its_reason(
    kind: HallucinationType, changes: dict[str, str], reason: str
) -> None:
    case = judged(kind, reply_of(WEAVING, **changes), WEAVING)
    assert case.decision is Decision.EXCLUDED
    assert reason in case.reason


def test_the_share_of_recalled_works_has_an_interval() -> None:
    texts = [INVENTED_PAPER, reply_of(WEAVING), reply_of(KNITTING, year="2020"), "no entry"]
    found = recall([judged(_T.PLAUSIBLE_FABRICATION, text) for text in texts])
    assert found is not None
    assert (found.real, found.n) == (2, 3)
    assert found.low < found.rate == 2 / 3 < found.high
    assert recall([]) is None


def asked(tmp_path: Path, script: Callable[[], Scripted], wish: Wish = WISH) -> list[Raw]:
    model = script()
    run = run_of(wish, model.spec.name, model.spec.id, "index")
    with journal_of(tmp_path / "raw.jsonl", run) as journal:
        return collect(jobs(wish, LIBRARY), wish, model, journal, DATE)


def test_answers_are_kept_as_they_came_and_can_be_screened_without_a_model(tmp_path: Path) -> None:
    rows = asked(tmp_path, lambda: Scripted([INVENTED_PAPER, "nothing", INVENTED_PAPER]))
    run, again = read_raw(tmp_path / "raw.jsonl")
    assert again == rows
    assert (run.wish, run.model) == (WISH, "scripted")
    assert [(row.text, row.model, row.date) for row in rows][1] == ("nothing", "scripted-1", DATE)
    assert len({row.prompt for row in rows}) == 3
    entries, cases = entries_of(screened(again, run.wish, LIBRARY, DATE))
    assert [case.decision for case in cases] == ["taken", "excluded", "excluded"]
    assert len(entries) == 1


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    with pytest.raises(ModelStopped):
        asked(tmp_path, lambda: Scripted([INVENTED_PAPER, ModelStopped("no money")] * 2))
    later = Scripted(lambda _: "nothing")
    rows = asked(tmp_path, lambda: later)
    assert [row.text for row in rows] == [INVENTED_PAPER, "nothing", "nothing"]
    assert len(later.asked) == 2


def test_a_failure_is_asked_again_by_the_next_run(tmp_path: Path) -> None:
    first = asked(tmp_path, lambda: Scripted(["a", failure(), "c"]))
    assert [row.job.number for row in first] == [1, 3]
    assert [row.text for row in asked(tmp_path, lambda: Scripted(["b"]))] == ["a", "b", "c"]


def test_answers_of_another_run_are_not_mixed_in(tmp_path: Path) -> None:
    asked(tmp_path, lambda: Scripted(["a", "b", "c"]))
    other = Wish(WISH.types, WISH.venues, WISH.years, 4, WISH.seed)
    with pytest.raises(InputError, match="another kind"):
        asked(tmp_path, lambda: Scripted(["d"]), other)


def test_what_is_no_file_of_answers_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "raw.jsonl"
    path.write_text("{}\n")
    with pytest.raises(InputError, match="raw answers"):
        read_raw(path)


def test_bibtex_of_an_entry_can_be_read_again() -> None:
    found = read_reply(bibtex(entry_of(WEAVING, "k")))
    assert found is not None
    assert found.title == WEAVING.title
