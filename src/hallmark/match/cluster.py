"""Which records describe the same work?

Two versions belong together when they share an identifier (DOI, arXiv id, DBLP key), or when they
have the same title key, and their authors do not contradict each other. Versions whose author sets
conflict are never joined.
"""

from collections.abc import Sequence
from functools import lru_cache

from hallmark.records.work import Version
from hallmark.text import titles
from hallmark.text.names import family_key, parse_name

SHARED_AUTHORS = 0.5
"""Share of the shorter author list, in [0, 1], that two records of one work have in common."""


def cluster(versions: Sequence[Version]) -> list[tuple[Version, ...]]:
    """Group versions into works, keeping the order in which works and versions first appear."""
    groups: list[list[Version]] = []
    for version in versions:
        joined = [group for group in groups if any(_same_work(version, one) for one in group)]
        if not joined:
            groups.append([version])
            continue
        first = joined[0]
        for other in joined[1:]:
            first.extend(other)
            groups.remove(other)
        first.append(version)
    return [tuple(group) for group in groups]


def _same_work(one: Version, other: Version) -> bool:
    if not _share_identifier(one, other) and not _share_title(one, other):
        return False
    return authors_fit(one, other)


def _share_title(one: Version, other: Version) -> bool:
    return titles.key(one.title) == titles.key(other.title) != ""


def _share_identifier(one: Version, other: Version) -> bool:
    return (
        (one.doi is not None and one.doi == other.doi)
        or (one.arxiv is not None and one.arxiv == other.arxiv)
        or (one.dblp is not None and one.dblp == other.dblp)
    )


def authors_fit(one: Version, other: Version) -> bool:
    """Whether the two lists could be one list: enough family names in common, or one is empty."""
    if one.authors == other.authors or not one.authors or not other.authors:
        return True
    mine, theirs = family_keys(one.authors), family_keys(other.authors)
    return len(mine & theirs) >= SHARED_AUTHORS * min(len(mine), len(theirs))


@lru_cache(maxsize=4096)
def family_keys(authors: tuple[str, ...]) -> frozenset[str]:
    """Return the keys of all words that could be a family name in a list of authors."""
    return frozenset(family_key(parse_name(author)) for author in authors)
