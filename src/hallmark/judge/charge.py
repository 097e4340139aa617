"""What speaks against a reference, and how strongly?"""

from collections.abc import Iterable

from msgspec import Struct, structs

from hallmark.judge.codes import CODES
from hallmark.records.evidence import Compared
from hallmark.records.finding import Finding, Safety, Severity


class Charge(Struct, frozen=True):
    """A finding with its weight: `weak` ones must come in pairs to contradict a reference."""

    finding: Finding
    weak: bool = False

    @property
    def decisive(self) -> bool:
        """Whether this charge alone contradicts the reference."""
        return self.finding.severity is Severity.PROBLEM and not self.weak


def charge(
    code: str,
    message: str,
    *,
    claimed: str = "",
    found: str = "",
    sources: Iterable[str] = (),
    suggestion: str | None = None,
    field: str | None = None,
    weak: bool = False,
) -> Charge:
    """Return a charge of this code; a weak one is a warning at most."""
    row = CODES[code]
    severity = Severity.WARNING if weak and row.severity is Severity.PROBLEM else row.severity
    finding = Finding(
        code=code,
        severity=severity,
        message=message,
        field=row.field if field is None else field,
        claimed=claimed,
        found=found,
        sources=tuple(dict.fromkeys(sources)),
        suggestion=suggestion,
        safety=Safety.NONE if suggestion is None else Safety.UNSAFE,
    )
    return Charge(finding, weak=weak)


def raised(one: Charge) -> Charge:
    """Return the same charge as a problem that contradicts the reference alone."""
    return Charge(structs.replace(one.finding, severity=Severity.PROBLEM))


def weakened(one: Charge) -> Charge:
    """Return the same charge as a warning that contradicts the reference only with others."""
    return Charge(structs.replace(one.finding, severity=Severity.WARNING), weak=True)


def collections(versions: Iterable[Compared]) -> tuple[str, ...]:
    """Return the names of the collections that hold these records, each once."""
    return tuple(dict.fromkeys(one.version.collection for one in versions))
