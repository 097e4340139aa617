"""What is there to say about one reference?

A finding is a coded statement about one field, with both values and who attests the second.
"""

from enum import StrEnum

from msgspec import Struct


class Severity(StrEnum):
    """PROBLEM makes a reference contradicted or not found; WARNING and NOTE never do alone."""

    PROBLEM = "problem"
    WARNING = "warning"
    NOTE = "note"


class Safety(StrEnum):
    """Whether a suggested correction may be applied without a person looking at it.

    SAFE: several records agree and nothing else of the entry is in doubt. UNSAFE: look first.
    NONE: there is no suggestion.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    NONE = "none"


class Finding(Struct, frozen=True, kw_only=True):
    """One statement; `code` is one of `judge.codes` ("HM101").

    `claimed` is the reference's value, `found` the record's; `sources` names who attests it.
    `suggestion` is the value to put instead, as BibTeX text for the field `field`.
    """

    code: str
    severity: Severity
    message: str
    field: str = ""
    claimed: str = ""
    found: str = ""
    sources: tuple[str, ...] = ()
    suggestion: str | None = None
    safety: Safety = Safety.NONE
