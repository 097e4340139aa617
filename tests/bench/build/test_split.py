"""Does a work stay in one split?"""

from hallmark.bench.build.split import Works, crossing
from tests.bench.made import gold


def test_a_title_is_used_once() -> None:
    works = Works()
    works.claim("dev", {"a"}, {"a"})
    assert works.is_spent("a")
    assert not works.admits("dev", {"a"}, ())


def test_a_donor_may_serve_again_in_its_split_only() -> None:
    works = Works()
    works.claim("dev", {"a"}, {"donor"})
    assert works.admits("dev", {"b"}, {"donor"})
    assert works.admits("dev", {"donor"}, ())
    assert not works.admits("test", {"b"}, {"donor"})
    assert not works.admits("test", {"donor"}, ())


def test_what_crosses_splits_is_found_by_title_and_by_source() -> None:
    one = gold("k1", fields={"title": "The Same"}, extra={"works": ["donor"]})
    twin = gold("k2", fields={"title": "The same!"})
    made = gold("k3", fields={"title": "Another"}, extra={"works": ["donor"]})
    assert crossing({"dev": [one], "test": [twin, made]}) == {
        "donor": ["dev", "test"],
        "thesame": ["dev", "test"],
    }
    assert crossing({"dev": [one, twin], "test": []}) == {}
