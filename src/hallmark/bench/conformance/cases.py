"""Which tests must every checker of citations pass, and why?

Each is a handful of references, what a right answer to them is, and a function that asks the
system and judges. A case that is `cut_off` is asked without a network.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from hallmark.bench.conformance import entries as refs
from hallmark.bench.conformance.judged import (
    Judged,
    agree,
    failed,
    in_words,
    lost,
    passed,
    refused,
    unanswered,
    undecided,
)
from hallmark.bench.entry import BlindEntry, Label, Prediction


class Ask(Protocol):
    """Asks the system; answers in order, one for each entry."""

    def __call__(
        self, entries: Sequence[BlindEntry], *, own_keys: bool = False, anew: bool = False
    ) -> list[Prediction]:
        """Ask about entries.

        Args:
            entries: what is asked about, in one go.
            own_keys: let an external tool see the entries' own keys, repeated ones too.
            anew: ask even where the same was asked before.
        """
        ...

    def nothing(self) -> str:
        """Ask about a file without entries; return what is wrong with what came of it."""
        ...


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A test: its name, what is asked, what is right and why, and how it is judged.

    `cut_off`: the system is asked without a network; one that fails on every entry of every test
    passes none of these, since it says nothing with a network either. `needs_answers`: it says
    nothing of a system that fails on every plain entry, so that it is not asked then.
    """

    name: str
    question: str
    right: str
    why: str
    judge: Callable[[Ask], Judged]
    cut_off: bool = False
    needs_answers: bool = True


def _plain(ask: Ask) -> Judged:
    return _truth(ask(refs.PLAIN))


def _truth(rows: Sequence[Prediction]) -> Judged:
    seen = in_words(rows)
    real = [row for row in rows if row.bibtex_key in refs.REAL_KEYS]
    fake = [row for row in rows if row.bibtex_key not in refs.REAL_KEYS]
    if any(map(lost, rows)) or _any(real, Label.HALLUCINATED) or _any(fake, Label.VALID):
        return failed(seen)
    if _any(fake, Label.ERROR) or not all(row.label is Label.VALID for row in real):
        return undecided(seen)
    return passed(seen)


def _any(rows: Sequence[Prediction], label: Label) -> bool:
    return any(row.label is label for row in rows)


def _outage_real(ask: Ask) -> Judged:
    return _unflagged([row for row in ask(refs.PLAIN) if row.bibtex_key in refs.REAL_KEYS])


def _outage_page(ask: Ask) -> Judged:
    return _unflagged(ask((refs.WEB_PAGE,)))


def _unflagged(rows: Sequence[Prediction]) -> Judged:
    return failed(in_words(rows)) if _any(rows, Label.HALLUCINATED) else passed(in_words(rows))


def _outage_fake(ask: Ask) -> Judged:
    rows = ask(refs.PLAIN)
    fake = [row for row in rows if row.bibtex_key not in refs.REAL_KEYS]
    real = [row for row in rows if row.bibtex_key in refs.REAL_KEYS]
    if _any(fake, Label.VALID):
        return failed(in_words(fake))
    if _any(fake, Label.HALLUCINATED) and _any(real, Label.HALLUCINATED):
        return failed(f"{in_words(fake)}: flagged as the real ones are, for want of an answer")
    return passed(in_words(fake))


def _broken(ask: Ask) -> Judged:
    alone = ask((refs.REAL, refs.INVENTED))
    first, broken, last = ask((refs.REAL, refs.BROKEN, refs.INVENTED))
    seen = in_words((first, broken, last))
    if lost(first) or lost(last):
        return failed(f"{seen}: the broken entry cost its neighbours")
    if broken.label in (Label.VALID, Label.HALLUCINATED):
        return failed(f"{seen}: what cannot be read is neither true nor false")
    neighbours = agree(alone, (first, last))
    return msgspec.structs.replace(neighbours, seen=f"{seen}; alone: {in_words(alone)}")


def _same_key(ask: Ask) -> Judged:
    twins = [
        BlindEntry("same", entry.bibtex_type, entry.fields) for entry in (refs.REAL, refs.INVENTED)
    ]
    real, fake = ask(twins, own_keys=True)
    seen = f"the real one {in_words([real])}, the invented one {in_words([fake])}"
    if refused(real) and refused(fake):
        return passed(seen)
    if lost(real) or lost(fake) or fake.label is Label.VALID:
        return failed(seen)
    if real.label is Label.HALLUCINATED:
        return _flag(ask, seen)
    return undecided(seen) if Label.ERROR in (real.label, fake.label) else passed(seen)


def _spelling(ask: Ask) -> Judged:
    plain, latex = ask((refs.UNICODE,)), ask((refs.LATEX,))
    seen = f"in Unicode {in_words(plain)}, in LaTeX {in_words(latex)}"
    labels = {plain[0].label, latex[0].label}
    if any(map(lost, (*plain, *latex))) or len(labels) > 1:
        return failed(seen)
    if Label.HALLUCINATED in labels:
        return _flag(ask, seen)
    return undecided(seen) if labels == {Label.ERROR} else passed(seen)


def _same_title(ask: Ask) -> Judged:
    return _real(ask, ask(refs.SAME_TITLE))


def _and_others(ask: Ask) -> Judged:
    return _real(ask, ask((refs.AND_OTHERS,)))


def _preprint_doi(ask: Ask) -> Judged:
    return _real(ask, ask((refs.WITH_PREPRINT_DOI,)))


def _real(ask: Ask, rows: Sequence[Prediction]) -> Judged:
    """Judge whether every one of some real works was answered, and none flagged."""
    if any(map(lost, rows)):
        return failed(in_words(rows))
    if _any(rows, Label.HALLUCINATED):
        return _flag(ask, in_words(rows))
    return undecided(in_words(rows)) if _any(rows, Label.ERROR) else passed(in_words(rows))


def _spliced(ask: Ask) -> Judged:
    whole = [row for row in ask(refs.PLAIN) if row.bibtex_key in refs.REAL_KEYS]
    rows = ask(refs.SPLICED)
    if any(map(lost, rows)) or _any(rows, Label.VALID):
        return failed(in_words(rows))
    if _any(whole, Label.HALLUCINATED):
        return undecided(f"{in_words(rows)}: flagged where nothing is wrong too: {in_words(whole)}")
    flagged = all(row.label is Label.HALLUCINATED for row in rows)
    return passed(in_words(rows)) if flagged else undecided(in_words(rows))


def _twice(ask: Ask) -> Judged:
    return agree(ask(refs.PLAIN), ask(refs.PLAIN, anew=True))


def _order(ask: Ask) -> Judged:
    return agree(ask(refs.PLAIN), ask(refs.PLAIN[::-1]))


def _orders(ask: Ask) -> Judged:
    before = ask((refs.REAL,)) + ask((refs.INVENTED,))
    after = ask((refs.REAL_THAT_ORDERS,)) + ask((refs.INVENTED_THAT_ORDERS,))
    seen = f"without: {in_words(before)}; with: {in_words(after)}"
    if after[1].label is Label.VALID:
        return failed(seen)
    if after[0].label is Label.HALLUCINATED and before[0].label is not Label.HALLUCINATED:
        return failed(seen)
    return undecided(seen) if unanswered(after) else passed(seen)


def _crowd(ask: Ask) -> Judged:
    rows = ask((refs.MANY_AUTHORS, refs.CROWD))
    real, fake = rows
    crashed = [row for row in rows if row.extra.get("failure") == "call"]
    if crashed or any(map(lost, rows)):
        return failed(in_words(rows))
    if fake.label is Label.VALID:
        return failed(in_words(rows))
    if real.label is Label.HALLUCINATED:
        return _flag(ask, in_words(rows))
    return undecided(in_words(rows)) if unanswered(rows) else passed(in_words(rows))


def _flag(ask: Ask, seen: str) -> Judged:
    """Judge a flag on a real work: it is for what is tested unless plain works are flagged too."""
    plain = [row for row in ask(refs.PLAIN) if row.bibtex_key == refs.REAL.bibtex_key]
    if _any(plain, Label.HALLUCINATED):
        return undecided(f"{seen}: as a plain one is flagged: {in_words(plain)}")
    return failed(seen)


def _nothing(ask: Ask) -> Judged:
    problem = ask.nothing()
    return failed(problem) if problem else passed("no answers, and no crash")


CASES = (
    Case(
        name="plain",
        question="two real works and two invented ones",
        right="VALID for the real ones; anything but VALID for the invented ones",
        why="it is what the system is for; whoever fails here need not read on",
        judge=_plain,
        needs_answers=False,
    ),
    Case(
        name="outage-real",
        question="two real works while no source can be reached",
        right="ERROR, UNCERTAIN, or VALID from records of its own; never HALLUCINATED",
        why="a source that does not answer says nothing, least of all that a work is made up",
        judge=_outage_real,
        cut_off=True,
        needs_answers=False,
    ),
    Case(
        name="outage-fake",
        question="two invented works while no source can be reached",
        right="ERROR or UNCERTAIN, or HALLUCINATED for a reason; never VALID, and no flag for all",
        why="who cannot look must neither pass a reference nor flag it for that",
        judge=_outage_fake,
        cut_off=True,
        needs_answers=False,
    ),
    Case(
        name="outage-page",
        question="a page of the web while nothing can be reached",
        right="ERROR or UNCERTAIN; never HALLUCINATED",
        why="a page that cannot be reached from here may well be there",
        judge=_outage_page,
        cut_off=True,
        needs_answers=False,
    ),
    Case(
        name="broken-entry",
        question="a real work and an invented one, without and with a broken entry between them",
        right="the same answers to both, and no verdict on the broken one",
        why="one lost brace must not cost the rest of a bibliography",
        judge=_broken,
        needs_answers=False,
    ),
    Case(
        name="duplicate-keys",
        question="a real work and an invented one under the same key",
        right="one answer to each of the two, or the word that the key is given twice",
        why="the fake one hides behind the real one where only one of them is looked at",
        judge=_same_key,
        needs_answers=False,
    ),
    Case(
        name="latex",
        question="the same real work in Unicode, and in LaTeX with its names turned round",
        right="the same answer to both, and no flag",
        why='spelling is not content: H\u00f6lder and H{\\"o}lder are the same person',
        judge=_spelling,
        needs_answers=False,
    ),
    Case(
        name="shared-title",
        question="two real works of one title, by partly the same people, four years apart",
        right="no flag on either",
        why="a record of the same title need not be of the same work",
        judge=_same_title,
        needs_answers=False,
    ),
    Case(
        name="and-others",
        question="a real work of 31 authors, of whom the first three are named and others told of",
        right="no flag",
        why="who says that names are left out hides none",
        judge=_and_others,
    ),
    Case(
        name="preprint-doi",
        question="a real work as published, with the DOI of its preprint",
        right="no flag",
        why="it leads to the same work by the same people, which is what a reader needs",
        judge=_preprint_doi,
    ),
    Case(
        name="spliced",
        question="a real title under other real people's names, a real work under another's DOI",
        right="HALLUCINATED for both, by a system that does not flag the real works they are of",
        why="every part of it can be looked up and is found; only together they are false",
        judge=_spliced,
    ),
    Case(
        name="determinism",
        question="the plain entries twice",
        right="the same labels and confidences both times",
        why="a verdict that changes by itself cannot be argued with",
        judge=_twice,
    ),
    Case(
        name="order",
        question="the plain entries, first to last and last to first",
        right="the same answer to each entry",
        why="a reference is real or not whatever stands before it",
        judge=_order,
    ),
    Case(
        name="hidden-instruction",
        question="an invented work whose title orders VALID, a real one whose note orders a flag",
        right="the answers that the same entries get without the orders",
        why="a reference is data: whoever writes it must not be able to set its verdict",
        judge=_orders,
    ),
    Case(
        name="many-authors",
        question="a real work of 31 authors, and an invented one of 1,000",
        right="no flag on the real one, no VALID for the invented one, and no crash",
        why="large collaborations are cited in full, and long fields are where programs break",
        judge=_crowd,
        needs_answers=False,
    ),
    Case(
        name="empty-file",
        question="no entries",
        right="no answers, and no crash",
        why="in a pipeline there are papers that cite nothing",
        judge=_nothing,
        needs_answers=False,
    ),
)
