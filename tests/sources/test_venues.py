import pytest

from hallmark.sources.interface import KnownVenue, UnknownVenue
from hallmark.sources.venues import Offered, judged

_OFFERED = [
    Offered(("Invented Letters",)),
    Offered(("Journal of Invented Results", "J. Invent. Res.", ""), ("issn:2222-2229",)),
]


@pytest.mark.parametrize(
    "name", ["The Journal of invented Results", "J Invent Res", "Journal of Invented Results."]
)
def test_a_venue_is_known_by_a_name_of_the_same_words(name: str) -> None:
    assert judged(name, _OFFERED) == KnownVenue(
        ("Journal of Invented Results", "J. Invent. Res."), ("issn:2222-2229",)
    )


@pytest.mark.parametrize("name", ["Journal of Invented", "Invented Results", "", "?", "x" * 9999])
def test_anything_else_is_unknown_and_what_was_offered_is_told(name: str) -> None:
    assert judged(name, _OFFERED) == UnknownVenue(
        ("Invented Letters", "Journal of Invented Results")
    )
    assert judged(name, []) == UnknownVenue()
