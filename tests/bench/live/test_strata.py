"""Is a year before a cutoff only where the training data reach its end?"""

import pytest

from hallmark.bench.live.strata import is_before


@pytest.mark.parametrize(
    ("year", "cutoff", "before"),
    [
        (2023, "2024-09", True),
        (2024, "2024-09", False),
        (2024, "2024-12", True),
        (2024, "2025-08", True),
        (2025, "2025-08", False),
        (2034, "2025-08", False),
        (0, "2024-09", True),
    ],
)
def test_the_year_of_the_cutoff_counts_as_after(year: int, cutoff: str, before: bool) -> None:
    assert is_before(year, cutoff) is before
