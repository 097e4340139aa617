"""What does a report say of the language model that was heard?"""

from collections.abc import Iterator

from hallmark.records.opinion import ModelUse


def sentence(use: ModelUse) -> str:
    """Return who was asked about how much, what came of it and what it cost; not yet harmless."""
    asked = f"Model heard about {use.open:,} open: {use.name} at {use.address}"
    return f"{asked}: {', '.join(_parts(use))}."


def _parts(use: ModelUse) -> Iterator[str]:
    yield f"{use.replies:,} new replies"
    if use.kept:
        yield f"{use.kept:,} kept from before"
    failed = sum(use.failures.values())
    if failed:
        yield f"{failed:,} questions without a reply"
    if use.replies:
        yield f"{use.tokens_in:,} tokens in, {use.tokens_out:,} out"
        yield "price unknown" if use.cost is None else f"US$ {use.cost:,.4f}"
