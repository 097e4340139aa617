"""Do only reviewed flips of unchanged entries make it into a new version, and is it told?"""

import msgspec
import pytest

from hallmark.bench.entry import Label
from hallmark.bench.taxonomy import HallucinationType
from hallmark.bench.validate import flaws_of
from hallmark.errors import InputError
from hallmark.study.context import Setting
from hallmark.study.flips import applied, flips, section
from hallmark.study.judged import Judged
from hallmark.study.labels import labels
from hallmark.study.ledger import Dispute


@pytest.fixture
def ledger(little_setting: Setting, little_judged: list[Judged]) -> list[Dispute]:
    """Both proposals, accepted: a false alarm and a confirmed miss."""
    found = labels(little_setting, little_judged).disputes
    return [decided(row) for row in found]


def decided(row: Dispute, **more: str) -> Dispute:
    given = {"reviewer": "A person", "decision": "accept", "date": "2026-12-02"} | more
    return msgspec.structs.replace(row, **given)


def test_accepted_flips_change_label_type_tier_and_sub_tests(
    little_setting: Setting, ledger: list[Dispute]
) -> None:
    entries = little_setting.split.entries
    after = {e.bibtex_key: e for e in applied(entries, flips(entries, ledger, "1.0.1"))}
    alarm, confirmed = after["alarm"], after["confirmed"]
    assert alarm.hallucination_type is HallucinationType.PLACEHOLDER_AUTHORS
    assert (alarm.label, alarm.difficulty_tier) == (Label.HALLUCINATED, 1)
    assert alarm.subtests["authors_match"] is False
    assert (confirmed.label, confirmed.hallucination_type) == (Label.VALID, None)
    assert confirmed.subtests["authors_match"] is True
    assert confirmed.extra["relabelled_in"] == "1.0.1"
    assert confirmed.explanation is not None
    assert "was HALLUCINATED (partial_author_list)" in confirmed.explanation
    assert not [flaw for flaw in flaws_of([alarm, confirmed]) if not flaw.warning]


def test_all_other_entries_stay_as_they_were_in_the_same_order(
    little_setting: Setting, ledger: list[Dispute]
) -> None:
    entries = little_setting.split.entries
    after = applied(entries, flips(entries, ledger, "1.0.1"))
    changed = {b.bibtex_key for b, a in zip(entries, after, strict=True) if a != b}
    assert changed == {"alarm", "confirmed"}
    assert [e.bibtex_key for e in after] == [e.bibtex_key for e in entries]


def test_open_and_rejected_rows_change_nothing(
    little_setting: Setting, ledger: list[Dispute]
) -> None:
    rows = [decided(ledger[0], decision="reject"), decided(ledger[1], decision="")]
    assert flips(little_setting.split.entries, rows, "1.0.1") == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"content": "0"}, "not the one that was reviewed"),
        ({"label": "HALLUCINATED", "type": "wrong_venue"}, "another label or type"),
        ({"proposed_type": ""}, "needs a `proposed_type`"),
        ({"date": ""}, "needs a `date`"),
    ],
)
def test_a_row_that_does_not_fit_its_entry_is_refused(
    little_setting: Setting, ledger: list[Dispute], change: dict[str, str], said: str
) -> None:
    with pytest.raises(InputError, match=f"alarm: .*{said}"):
        flips(little_setting.split.entries, [decided(ledger[0], **change)], "1.0.1")


def test_a_flip_is_made_once(little_setting: Setting, ledger: list[Dispute]) -> None:
    entries = little_setting.split.entries
    after = applied(entries, flips(entries, ledger, "1.0.1"))
    with pytest.raises(InputError, match="another label or type"):
        flips(after, ledger, "1.0.2")


def test_the_changelog_names_both_labels_the_reviewer_and_who_proposed(
    little_setting: Setting, ledger: list[Dispute]
) -> None:
    made = flips(little_setting.split.entries, ledger, "1.0.1")
    text = section("little", "1.0.1", "2026-12-02", made)
    assert text.startswith("## 1.0.1 (2026-12-02)")
    assert "- alarm: VALID, now HALLUCINATED (placeholder_authors)." in text
    assert "reviewed by A person, 2026-12-02" in text
    assert "proposed by hallmark" in text
