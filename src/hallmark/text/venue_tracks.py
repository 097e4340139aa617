"""Which track of a meeting does a name speak of?

An identity is a series ("acl") or a series with a track ("acl-findings"). Tracks that are
published and counted apart are apart here too; how far a citation may mix them up is decided in
`relation`.
"""

from enum import StrEnum
from functools import lru_cache

from hallmark.text import knowledge


class Track(StrEnum):
    """A part of a meeting with its own proceedings or its own list of papers."""

    MAIN = "main"
    FINDINGS = "findings"
    WORKSHOPS = "workshops"
    DATASETS = "datasets"
    COMPANION = "companion"
    ABSTRACTS = "abstracts"
    STUDENT = "student"
    DEMO = "demo"
    INDUSTRY = "industry"
    TUTORIALS = "tutorials"
    JOURNAL = "journal"


_BY_SUFFIX = {track.value: track for track in Track if track is not Track.MAIN}

_SEPARATE = frozenset({Track.WORKSHOPS, Track.FINDINGS})


def split(venue_id: str) -> tuple[str, Track]:
    """Return the series and the track of an identity ("acl-findings" is "acl" and FINDINGS).

    An identity made from a name ("name:...") is taken whole.
    """
    base, dash, suffix = venue_id.rpartition("-")
    track = _BY_SUFFIX.get(suffix) if dash and ":" not in venue_id else None
    return (base, track) if track else (venue_id, Track.MAIN)


def joined(base: str, track: Track) -> str:
    """Return the identity of a series' track; the main track has the series' own."""
    return base if track is Track.MAIN else f"{split(base)[0]}-{track.value}"


def track_of(words: tuple[str, ...]) -> Track:
    """Return the track that the words of a name speak of, MAIN where they speak of none."""
    text = f" {' '.join(words)} "
    return next((track for track, sign in _signs() if sign in text), Track.MAIN)


@knowledge.derived
@lru_cache(maxsize=1)
def _signs() -> tuple[tuple[Track, str], ...]:
    """Return the words that speak of a track, blanks on both sides, the most telling first."""
    return tuple((Track(track), f" {sign} ") for track, sign in knowledge.rows("tracks"))


def published_apart(track: Track) -> bool:
    """Whether papers of this track never count as the meeting's own papers.

    Workshop papers and Findings are published as such, and naming the meeting itself claims more
    than is true. The other tracks (demonstrations, datasets, industry, student abstracts,
    companions) appear in the meeting's own proceedings or are customarily cited by its name.
    """
    return track in _SEPARATE
