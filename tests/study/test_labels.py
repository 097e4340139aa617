"""Does a ledger propose, keep what people said, and leave the labels alone?"""

from pathlib import Path

import msgspec
import pytest

from hallmark.bench.content import content
from hallmark.bench.dataset import digest
from hallmark.bench.taxonomy import HallucinationType
from hallmark.errors import InputError
from hallmark.study.context import Setting
from hallmark.study.document import as_markdown
from hallmark.study.figures import figures
from hallmark.study.judged import Judged
from hallmark.study.labels import Labels, document, labels
from hallmark.study.ledger import Dispute, as_lines, merged, read_ledger


@pytest.fixture
def found(little_setting: Setting, little_judged: list[Judged]) -> Labels:
    return labels(little_setting, little_judged)


def reviewed(row: Dispute, **more: str) -> Dispute:
    return msgspec.structs.replace(row, reviewer="A person", **more)


def test_a_false_alarm_and_a_confirmed_miss_are_disputed_and_no_abstention(found: Labels) -> None:
    assert [(row.key, row.label, row.proposed) for row in found.disputes] == [
        ("alarm", "VALID", "HALLUCINATED"),
        ("confirmed", "HALLUCINATED", "VALID"),
    ]


def test_both_sides_are_in_the_row(found: Labels) -> None:
    row = found.disputes[0]
    assert row.label_says == "The label of alarm says so."
    assert "Zebra" in row.evidence
    assert row.record is not None
    assert (row.reviewer, row.decision, row.date, row.note) == ("", "", "", "")


def test_a_row_holds_what_a_reviewer_needs(found: Labels, little_setting: Setting) -> None:
    alarm, confirmed = found.disputes
    entries = {entry.bibtex_key: entry for entry in little_setting.split.entries}
    assert alarm.content == content(entries["alarm"])
    assert (alarm.type, alarm.proposed_type) == ("", "placeholder_authors")
    assert (confirmed.type, confirmed.proposed_type) == ("partial_author_list", "")
    assert alarm.subtests == ("authors_match: passes by the label, fails by the evidence",)
    assert {one.collection for one in alarm.records} == {"alpha", "beta"}
    assert alarm.asked == ("index: found",)
    assert "policy default" in alarm.proposed_by


def test_a_type_is_disputed_where_a_decisive_sub_test_contradicts_it(
    little_setting: Setting, little_judged: list[Judged]
) -> None:
    changed = [_retyped(one, "swapped0", HallucinationType.WRONG_VENUE) for one in little_judged]
    (row,) = [one for one in labels(little_setting, changed).disputes if not one.is_flip]
    assert (row.key, row.type, row.proposed_type) == ("swapped0", "wrong_venue", "swapped_authors")
    assert labels(little_setting, changed).all_proposed.n == len(little_judged)


def _retyped(judged: Judged, key: str, kind: HallucinationType) -> Judged:
    if judged.entry.bibtex_key != key:
        return judged
    entry = msgspec.structs.replace(judged.entry, hallucination_type=kind)
    return msgspec.structs.replace(judged, entry=entry)


def test_a_reviewers_type_is_kept_when_the_audit_is_made_again(found: Labels) -> None:
    alarm = found.disputes[0]
    said = reviewed(alarm, decision="accept", proposed_type="swapped_authors")
    assert merged([alarm], [said]) == [said]


def test_unreviewed_proposals_change_no_figure_but_the_last(
    found: Labels, little_judged: list[Judged]
) -> None:
    assert found.released == found.accepted == figures(little_judged)
    assert found.released.conservative.false_alarms == pytest.approx(1 / 18)
    assert found.all_proposed.conservative.false_alarms == 0


def test_only_what_a_reviewer_accepted_changes_the_accepted_figures(
    little_setting: Setting, little_judged: list[Judged], found: Labels
) -> None:
    alarm, confirmed = found.disputes
    ledger = [reviewed(alarm, decision="reject"), reviewed(confirmed, decision="accept")]
    again = labels(little_setting, little_judged, ledger)
    assert again.accepted.conservative.false_alarms == pytest.approx(1 / 19)
    assert again.accepted.conservative.detection == pytest.approx(9 / 10)
    assert again.all_proposed == again.accepted


def test_a_reviewers_words_survive_and_do_not_pass_to_another_claim(found: Labels) -> None:
    alarm, confirmed = found.disputes
    said = reviewed(alarm, decision="reject", note="the DOI is right", date="2026-01-02")
    turned = msgspec.structs.replace(said, label="HALLUCINATED", proposed="VALID", key="confirmed")
    assert merged([alarm, confirmed], [said])[0] == said
    kept = merged([alarm], [msgspec.structs.replace(turned, label="VALID", key="gone")])
    assert [row.key for row in kept] == ["alarm", "gone"]
    assert kept[0].reviewer == ""


def test_the_gold_file_is_never_changed(
    little_setting: Setting, little_judged: list[Judged]
) -> None:
    before = digest(little_setting.split.path)
    labels(little_setting, little_judged)
    assert digest(little_setting.split.path) == before == little_setting.split.sha256


def test_a_ledger_is_read_as_it_was_written(tmp_path: Path, found: Labels) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_text(as_lines(found.disputes), encoding="utf-8")
    assert read_ledger(path) == found.disputes


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"decision": "maybe"}, "no row of a ledger"),
        ({"decision": "accept"}, "needs a `reviewer`"),
        ({"proposed": "VALID"}, "VALID and HALLUCINATED"),
        ({"label": "HALLUCINATED", "type": "", "proposed_type": ""}, "VALID and HALLUCINATED"),
        ({"proposed_type": "nonsense"}, "no type 'nonsense'"),
    ],
)
def test_a_row_that_cannot_be_used_is_told_with_its_line(
    tmp_path: Path, found: Labels, change: dict[str, str], message: str
) -> None:
    rows = [msgspec.to_builtins(row) for row in found.disputes]
    rows[0] |= change
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
    with pytest.raises(InputError, match="line 1") as told:
        read_ledger(path)
    assert message in str(told.value)


def test_a_key_stands_once_in_a_ledger(tmp_path: Path, found: Labels) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_text(as_lines([*found.disputes, found.disputes[0]]), encoding="utf-8")
    with pytest.raises(InputError, match="twice: alarm"):
        read_ledger(path)


def test_the_document_says_that_nobody_has_reviewed_yet(found: Labels) -> None:
    text = as_markdown(document(found))
    assert "reviewed: not yet" in text
    assert "as if all proposals were right" in text
