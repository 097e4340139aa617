"""What does the page on the studies say?"""

from collections.abc import Mapping

from hallmark.study.conditions import Condition, Group, conditions
from hallmark.study.document import Items, Section, Table
from hallmark.study.ledger import Dispute
from hallmark.study.reasons import Reason


def page(commands: Mapping[str, str]) -> list[Section]:
    """Return the page.

    Args:
        commands: the line of help of each command of `hallmark study`, by its name.
    """
    return [
        Section("Studies of the verifier", (_MADE, _WHAT, _commands(commands)), level=1),
        Section("Errors and their reasons", (_ERRORS, Items(tuple(map(str, Reason))))),
        Section("Ablations", (_ABLATIONS, _conditions(), _HIDING)),
        Section("Disputed labels", (_LABELS, _ledger(), _REVIEW)),
        Section("The page on accuracy", (_ACCURACY,)),
    ]


def _commands(commands: Mapping[str, str]) -> Table:
    rows = ((f"hallmark study {name}", line) for name, line in commands.items())
    return Table(("command", "what it does"), tuple(rows))


_MADE = "Generated from `src/hallmark/study/guide.py` by `make docs`; do not edit."
_WHAT = (
    "The benchmark measures any tool; these studies look into this one. They need a gold file "
    "(`--gold`, or a split's name with `--data`) and an index (`--index`). The verifier sees the "
    "blind view of each entry. Results go to the terminal, or with `-o` to Markdown (`.md`) or "
    "JSON (`.json`); each says which gold file, index, policy and date it is of."
)
_ERRORS = (
    "`hallmark study errors` lists every false alarm, miss and abstention with entry and record "
    "side by side, grouped by the rule that fired or by the evidence that was lacking. The reason "
    "follows from the verdict and its evidence; what the gold file says in explanation of a label "
    "is shown beside, and never used:"
)
_ABLATIONS = (
    "`hallmark study ablation` takes one thing away at a time and measures again. `--group` "
    "chooses what is tried:"
)
_HIDING = (
    "No index is built for it. Records are hidden from every search, the ledger counts only "
    "titles that are left, completeness is judged anew by the published counts, and venue names "
    "are learnt only from records that are left. `tests/study/test_reduced.py` holds this against "
    "indexes really built from less. Half of all works means whole works: a title and all titles "
    "that share a DOI, an arXiv id or a DBLP key with it stay or go together, with their records "
    "in every collection. The exit code is 1 where a false-positive rate exceeds its bound."
)
_LABELS = (
    "`hallmark study labels` lists the labels that the evidence disputes: valid entries that a "
    "rule contradicts decisively, and hallucinated ones that a record confirms as they stand. With "
    "`--ledger FILE` they go to a JSON Lines file of their own, with room for a reviewer; the gold "
    "file is never changed. The fields of a row:"
)
_REVIEW = (
    "A reviewer fills in `reviewer`, `decision` (accept or reject), `date` and `note`. Running the "
    "study again keeps what was written there, as long as label and proposal are the same. Figures "
    "are shown as released, with what reviewers accepted, and as if every proposal were right; the "
    "last grades the verifier by itself and only tells how much hangs on the labels."
)
_ACCURACY = (
    "`hallmark study report --data DIR -o docs/accuracy.md` writes [the page on accuracy]"
    "(accuracy.md) from all of these. Ablations take minutes; `--ablation FILE` takes what "
    "`hallmark study ablation -o FILE.json` wrote for the same gold file, index and policy."
)
_MEANING = {
    Group.WHOLE: "nothing is taken away; always tried first",
    Group.RULES: "findings of a kind are neither reported nor weighed",
    Group.CODES: "the same for every single finding that can weigh",
    Group.FACTS: "complete lists, years not held, near-title search, DOIs of the entries",
    Group.WITHOUT: "one collection of the index is hidden",
    Group.ONLY: "all but one are hidden, for every collection with 5 % of the records or more",
    Group.HALF: "half of all works is hidden, drawn three times",
}


def _conditions() -> Table:
    names = {group: _names(group) for group in Group}
    rows = ((str(group), _MEANING[group], ", ".join(names[group])) for group in Group)
    return Table(("group", "what is taken away", "conditions"), tuple(rows))


def _names(group: Group) -> list[str]:
    """Return the names of a group's conditions where they do not depend on the index."""
    if group not in (Group.RULES, Group.FACTS):
        return []
    plan: list[Condition] = conditions({}, [group])
    return [one.name for one in plan if one.group is group]


_FIELDS = {
    "key": "the entry's key",
    "gold_sha256": "the digest of the gold file",
    "label": "as released",
    "proposed": "what the evidence says",
    "kind": "the entry's type, or how the valid entry was made",
    "ground": "the finding or reason",
    "evidence": "what the verdict says",
    "findings": "the findings, with both values and sources",
    "entry": "the entry's fields",
    "record": "the record's fields, null where there is none",
    "coverage": "what is held of the claimed venue and year",
    "content": "the digest of what a tool may see of the entry; a decision holds for that alone",
    "type": "the type as released, empty for a valid entry",
    "proposed_type": "the type that the evidence says; a reviewer may change it",
    "subtests": "the sub-tests on which label and evidence differ",
    "records": "the records that the entry was compared with",
    "asked": "who was asked, and what came of it",
    "proposed_by": "who proposes",
    "label_says": "the gold file's own explanation",
    "reviewer": "who decided",
    "decision": "accept, reject or nothing yet",
    "date": "when",
    "note": "why",
}


def _ledger() -> Table:
    rows = ((name, _FIELDS[name]) for name in Dispute.__struct_fields__)
    return Table(("field", "what it holds"), tuple(rows))
