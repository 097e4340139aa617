"""Could two family names be romanisations of one name?

The systems of romanisation (pinyin and Wade-Giles, Hong Kong usage, the two Korean standards)
spell one name so differently that no rule joins them; the table `family_names` does. One spelling
may stand for several names ("Lee"), so given names must fit as well.
"""

from functools import lru_cache

from hallmark.text import knowledge


@knowledge.derived
@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[int]]:
    groups: dict[str, set[int]] = {}
    for number, (spellings,) in enumerate(knowledge.rows("family_names")):
        for name in spellings.split():
            groups.setdefault(name, set()).add(number)
    return {name: frozenset(numbers) for name, numbers in groups.items()}


def are_one_family(one: str, other: str) -> bool:
    """Whether two folded family names stand in one row of the table; symmetric."""
    mine, theirs = _groups().get(one), _groups().get(other)
    return one == other or (mine is not None and theirs is not None and bool(mine & theirs))


def family_groups(name: str) -> frozenset[int]:
    """Return the rows of the table in which a folded family name stands."""
    return _groups().get(name, frozenset())
