"""How is the queue of references worth a person's time put into words?"""

from collections.abc import Iterator

from hallmark.records.queue import Pick, Queue

_TEN = 0.1
_HALF = 0.5


def title(queue: Queue) -> str:
    """Return the heading of the queue."""
    return f"Worth a look first ({len(queue.picks):,} of {queue.open:,} open references)"


def introduction(queue: Queue) -> str:
    """Return what is expected of the whole queue, as sentences."""
    return " ".join(_introduction(queue))


def _introduction(queue: Queue) -> Iterator[str]:
    if queue.precision is None:
        yield "Nothing is open: every reference is confirmed by a record, or out of scope."
    else:
        yield (
            f"If {percent(queue.prevalence)} of the references are bad, {percent(queue.precision)} "
            f"of this list are expected to be: {queue.expected_bad:.1f} of {len(queue.picks):,}, "
            f"in about {minutes(queue.minutes)}."
        )
    if queue.known_share is not None and queue.known_share < 1.0:
        yield (
            f"The index knows {percent(queue.known_share)} of the venues cited, so that a missing "
            "record counts less."
        )
    if queue.unreadable:
        yield f"Besides, {queue.unreadable:,} could not be read."


def reasons(pick: Pick) -> str:
    """Return why a reference stands where it stands."""
    return (
        f"P {percent(pick.probability)}, list so far {percent(pick.precision)}; if bad, "
        f"{pick.harm}; {pick.action}, {minutes(pick.minutes)}"
    )


def percent(share: float) -> str:
    """Return a share in [0, 1] as a percentage with two digits that count."""
    if share >= _TEN:
        return f"{100 * share:.0f} %"
    return f"{float(f'{100 * share:.2g}'):g} %"


def minutes(count: float) -> str:
    """Return minutes in words."""
    if count == _HALF:
        return "half a minute"
    return "1 minute" if count == 1 else f"{count:,g} minutes"
