"""How far does the mere presence of a DOI go?"""

from hallmark.bench.entry import BlindEntry, Prediction
from hallmark.bench.systems.interface import RULE_CONFIDENCE, EntrySystem, commit


def doi_presence() -> EntrySystem:
    """Return the system that takes an entry with a DOI for real and one without for invented."""

    def answer(entry: BlindEntry) -> Prediction:
        missing = not entry.fields.get("doi", "").strip()
        reason = "no DOI" if missing else "has a DOI"
        return commit(entry, hallucinated=missing, confidence=RULE_CONFIDENCE, reason=reason)

    return EntrySystem(answer, {})
