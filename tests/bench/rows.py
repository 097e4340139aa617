"""Gold rows with any further keys, as they stand in a file."""

from typing import Any

from tests.bench import made


def gold_row(key: str, **more: Any) -> dict[str, Any]:
    """Return a valid gold row; `more` replaces or adds keys."""
    return made.gold_row(key) | more
