"""How good is a system that knows the answer to every title?

A cheat, kept as a bound: it is handed the gold labels and answers with the share of hallucinated
entries among those that have the same title. What it still gets wrong is what no look-up by title
alone can tell apart.
"""

from collections import defaultdict
from collections.abc import Iterable

from hallmark.bench.entry import BlindEntry, Entry, Label, Prediction
from hallmark.bench.systems.interface import EntrySystem, abstain, commit_probability
from hallmark.text.titles import key as title_key


def title_oracle(gold: Iterable[Entry]) -> EntrySystem:
    """Return the system that knows the labels by title; titles that are not in gold: abstains."""
    shares = hallucinated_share_by_title(gold)

    def answer(entry: BlindEntry) -> Prediction:
        share = shares.get(title_of(entry))
        if share is None:
            return abstain(entry, "this title is not in the gold data")
        return commit_probability(entry, share, f"{share:.0%} of this title's entries are bad")

    return EntrySystem(answer, {"titles": len(shares)})


def hallucinated_share_by_title(gold: Iterable[Entry]) -> dict[str, float]:
    """Return for each title the share of its entries that are hallucinated, in [0, 1]."""
    labels = defaultdict[str, list[bool]](list)
    for entry in gold:
        labels[title_of(entry)].append(entry.label is Label.HALLUCINATED)
    return {title: sum(bad) / len(bad) for title, bad in labels.items()}


def title_of(entry: Entry | BlindEntry) -> str:
    """Return the key under which the oracle knows a title."""
    return title_key(entry.fields.get("title", ""))
