"""Which references are most worth a person's time?

A `Queue` is the answer for one run; `judge.triage` makes it, and every report can show it.
"""

from msgspec import Struct


class Pick(Struct, frozen=True, kw_only=True):
    """One reference of the queue.

    `probability` is P(hallucinated) at the queue's prevalence, in (0, 1): the share of references
    like this one that are expected to be bad. `precision` is its mean over the queue down to this
    one: the positive predictive value of the list so far. `harm` names what would be wrong if
    something is, and `harm_weight` in (0, 1] how grave that is. `action` says how to look, and
    `minutes` how long that is expected to take. `value` is the expected harm found per minute,
    by which the queue is ordered.
    """

    key: str
    file: str
    line: int
    title: str
    status: str
    type: str | None
    probability: float
    precision: float
    harm: str
    harm_weight: float
    action: str
    minutes: float
    value: float


class Queue(Struct, frozen=True, kw_only=True):
    """The references most worth a person's time, the worthiest first.

    `prevalence` is the share of bad references that the user expects, in (0, 1). `asked` is the
    length that was asked for; `open` counts the references that could have entered. The others
    were left out: `confirmed` by a record, `out_of_scope` (of a kind that no source lists), or
    `unreadable`. `precision` is the expected share of bad ones in the list, None for an empty one;
    `expected_bad` their expected number, and `minutes` the time that looking at all is expected to
    take. `known_share` is the share of the venues by which the absence of records was discounted,
    None where it was not.
    """

    prevalence: float
    asked: int
    open: int = 0
    confirmed: int = 0
    out_of_scope: int = 0
    unreadable: int = 0
    precision: float | None = None
    expected_bad: float = 0.0
    minutes: float = 0.0
    known_share: float | None = None
    picks: tuple[Pick, ...] = ()
