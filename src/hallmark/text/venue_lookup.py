"""Under which names are venues known, and how is a long name taken apart to find one?

`Lookup.find` tries the name as a whole, then its parts, then as an abbreviation, then with one
mistyped letter. Each step is exact in what tells venues from one another: a name of which only
some words are those of a venue is not that venue's.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache

from rapidfuzz.distance import OSA

from hallmark.text import knowledge
from hallmark.text import venue_names as names
from hallmark.text import venue_scope as scope
from hallmark.text.venue_facts import VenueFact, VenueType, links, venues
from hallmark.text.venue_tracks import Track, joined, split, track_of

Ids = tuple[str, ...]

_BRACKET_END = re.compile(r"\s*[\[(]([^()\[\]]*)[\])]\s*\.?$")
_SECTION = frozenset({"series", "section", "part", "supplement", "sect", "ser"})
_TRACK_WORDS = frozenset(
    "findings workshop workshops companion extended abstracts abstract adjunct student "
    "research datasets dataset benchmarks benchmark track tracks system systems "
    "demonstrations demonstration demo demos industry industrial tutorial tutorials journal "
    "doctoral consortium srw posters session tiny paper papers program volume".split()
)
_MAX_ABBREVIATED = 6
_FEWEST_CUT = 3
_TRACK_BEGINS = frozenset(
    "companion demonstrations demonstration tutorial tutorials findings posters workshop "
    "workshops industry student datasets extended adjunct system doctoral".split()
)
_LETTER = re.compile(r"[^\W\d_]")
_AROUND_A_WORD = _TRACK_WORDS | {"the", "and", "or", "of", "a", "an", "in"}
_CAPITALS = re.compile(r"\b\w?[A-Z]\w?[A-Z]")
_MOST_COMMAS = 4
_SHORTEST_LONE = 6
_SERIES_WORDS = 3
_SHORTEST_TYPO_NAME, _SHORTEST_TYPO_WORD = 24, 6
_ACRONYM_CAPITALS, _ACRONYM_WORDS = 2, 3
_FINDINGS_HOSTS = frozenset({"emnlp", "naacl", "eacl", "aacl"})


class Lookup:
    """The known names and the ways to look one up.

    Args:
        whole: identities by every known spelling.
        parts: identities by the spellings that may also stand inside a longer name: full names
            of meetings, and acronyms.
    """

    def __init__(self, whole: Mapping[str, Ids], parts: Mapping[str, Ids]) -> None:
        self._whole = whole
        self._parts = parts

    @classmethod
    def curated(cls) -> "Lookup":
        """Return the look-up over the names that the package ships."""
        return _curated()

    def extended(self, rows: Iterable[tuple[str, str]]) -> "Lookup":
        """Return a look-up that also knows `rows` of (normal name, identity); known names stay."""
        whole: dict[str, list[str]] = defaultdict(list)
        for form, venue_id in rows:
            if form not in self._whole:
                whole[form].append(venue_id)
        learnt = {form: tuple(dict.fromkeys(ids)) for form, ids in whole.items()}
        parts = {form: ids for form, ids in learnt.items() if _stands_inside(form, ids)}
        return Lookup({**learnt, **self._whole}, {**parts, **self._parts})

    def find(self, name: str, words: tuple[str, ...]) -> Ids:
        """Return the identities that `name`, of the folded words `words`, may mean; () for none."""
        name = names.without_lead(name)
        return (
            scope.unpublished(name, words)
            or self._as_a_whole(name)
            or self._cut_short(name)
            or self._out_of_scope(name, words)
            or self._in_parts(name, words)
            or self._loosely(name, words)
            or scope.preprint(words)
            or scope.nameless(words)
        )

    def _cut_short(self, name: str) -> Ids:
        """Look up a name whose words are cut with full stops ("Int. Conf. Log. Program.").

        In parts such a name would be mistaken: LoG is a meeting, and a program a track.
        """
        if sum(word.endswith(".") for word in name.split()) < _FEWEST_CUT:
            return ()
        found = self._abbreviated(names.core(names.tokens(names.without_volume(name))))
        return found if len(found) == 1 else ()

    def _loosely(self, name: str, words: tuple[str, ...]) -> Ids:
        """Look the name up as an abbreviation, or with a mistyped letter."""
        shortened = names.core(names.tokens(names.without_volume(name)))
        return self._abbreviated(shortened) or self._mistyped(names.core(words))

    def _as_a_whole(self, name: str) -> Ids:
        """Look up the whole name, then without volume, then without a bracket behind."""
        for variant in _variants(name):
            words = names.tokens(variant)
            for form in dict.fromkeys(names.whole_forms(words)):
                found = self._whole.get(form)
                if found:
                    return found
        return ()

    def _out_of_scope(self, name: str, words: tuple[str, ...]) -> Ids:
        """Recognise names that name no venue of their own, or a preprint server."""
        found = scope.without_venue(name, words)
        return () if found == scope.PUBLISHER and self._names_meeting(name) else found

    def _names_meeting(self, name: str) -> bool:
        return any(self._segment(part)[0] for part in names.segments(name))

    def _in_parts(self, name: str, words: tuple[str, ...]) -> Ids:
        """Look up what stands between commas, colons and brackets, and read the track."""
        found: list[Ids] = []
        left: list[str] = []
        parts = list(_parts_of(name))
        told = len([part for part, _ in parts if _LETTER.search(part)]) == 1
        for part, joint in self._merged(parts):
            ids, rest = (
                self._segment(part) if not _is_mere_word(part, name, told=told) else ((), ())
            )
            if ids:
                found.append(ids)
            if ids or not joint:
                left.extend(rest)
        if not found:
            return self._workshop_host(name, words)
        return _tracked(_reduced(found), track_of(tuple(left)))

    def _merged(self, parts: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
        """Put the first parts together again where the commas were inside the venue's name."""
        if len(parts) == 1 or self._segment(parts[0][0])[0]:
            return parts
        for count in range(min(len(parts), _MOST_COMMAS), 1, -1):
            text = " ".join(part for part, _ in parts[:count])
            if self._segment(text)[0]:
                return [(text, False), *parts[count:]]
        return parts

    def _segment(self, part: str) -> tuple[Ids, tuple[str, ...]]:
        """Return the identities of one part, and its words that are not the venue's name."""
        words = names.tokens(part)
        for form in names.forms(words):
            found = self._parts.get(form)
            if found:
                return found, ()
        without_tracks = tuple(word for word in words if word not in _TRACK_WORDS)
        acronym = self._parts.get(" ".join(names.bare(without_tracks)))
        if acronym and len(without_tracks) < len(words):
            return acronym, tuple(word for word in words if word in _TRACK_WORDS)
        return self._glued(words) or self._before_track(words) or ((), words)

    def _glued(self, words: tuple[str, ...]) -> tuple[Ids, tuple[str, ...]] | None:
        """Find a full name with its acronym before or behind it, without a comma."""
        short = names.core(names.uncounted(words))
        for acronym, rest in ((short[-1:], short[:-1]), (short[:1], short[1:])):
            known = self._parts.get(" ".join(acronym), ())
            full = self._parts.get(" ".join(names.core(rest)), ()) if known else ()
            both = tuple(one for one in full if one in known)
            if both:
                return both, ()
        return None

    def _before_track(self, words: tuple[str, ...]) -> tuple[Ids, tuple[str, ...]] | None:
        """Find a venue whose track follows without a comma ("... Linguistics Companion Volume")."""
        place = next((i for i, word in enumerate(words) if word in _TRACK_BEGINS), 0)
        for form in names.forms(words[:place]):
            found = self._parts.get(form)
            if found:
                return found, words[place:]
        topic = words.index("on") if "on" in words else 0
        series = self._parts.get(" ".join(words[:topic])) if topic >= _SERIES_WORDS else None
        return (series, ()) if series else None

    def _workshop_host(self, name: str, words: tuple[str, ...]) -> Ids:
        """Find the meeting that hosts a workshop: "ICML Workshop on Causality"."""
        if track_of(words) is Track.MAIN:
            return ()
        for acronym in names.acronyms(name):
            found = self._parts.get(acronym)
            if found and all(_is_conference(venue_id) for venue_id in found):
                return _tracked(found, track_of(words))
        return ()

    def _abbreviated(self, words: tuple[str, ...]) -> Ids:
        """Return the venues whose full name `words` abbreviates, if they are few.

        "Des" is a small word of German and French, and short for design.
        """
        found = self._cut_to(words)
        if not found and "des" in words:
            found = self._cut_to(tuple("design" if word == "des" else word for word in words))
        return found

    def _cut_to(self, words: tuple[str, ...]) -> Ids:
        short = names.content(words)
        if not short or (len(short) == 1 and len(short[0]) < _SHORTEST_LONE):
            return ()
        found: list[str] = []
        for full, ids in self._by_initials.get(_initials(short), ()):
            if names.abbreviates(words, full):
                found.extend(venue_id for venue_id in ids if venue_id not in found)
        return tuple(found) if len(found) <= _MAX_ABBREVIATED else ()

    def _mistyped(self, words: tuple[str, ...]) -> Ids:
        """Return the venue whose long name differs by one letter in one long word."""
        text = " ".join(words)
        if len(text) < _SHORTEST_TYPO_NAME:
            return ()
        near = {
            ids
            for length in (len(text) - 1, len(text), len(text) + 1)
            for full, ids in self._by_length.get(length, ())
            if full[:2] == text[:2] and _one_letter_off(text, full)
        }
        return near.pop() if len(near) == 1 else ()

    @cached_property
    def _by_initials(self) -> dict[str, list[tuple[tuple[str, ...], Ids]]]:
        found: dict[str, list[tuple[tuple[str, ...], Ids]]] = defaultdict(list)
        for form, ids in self._whole.items():
            words = tuple(form.split())
            found[_initials(names.content(words))].append((words, ids))
        return found

    @cached_property
    def _by_length(self) -> dict[int, list[tuple[str, Ids]]]:
        found: dict[int, list[tuple[str, Ids]]] = defaultdict(list)
        for form, ids in self._whole.items():
            if len(form) >= _SHORTEST_TYPO_NAME:
                found[len(form)].append((form, ids))
        return found


def _is_mere_word(part: str, name: str, *, told: bool) -> bool:
    """Whether a part is a word of the language that an acronym only happens to be spelled like.

    In "Behavioral Sciences and the Law" nobody means the workshop LAW; written in capitals, amid
    words that are not, it is meant; and where it is all that is `told`, but for a journal's name.
    """
    words = names.tokens(part)
    telling = [word for word in words if word not in _AROUND_A_WORD]
    if (told and "journal" not in words) or len(telling) != 1 or telling[0] not in _mere_words():
        return False
    return name.isupper() or not _CAPITALS.search(part)


@knowledge.derived
@lru_cache(maxsize=1)
def _mere_words() -> frozenset[str]:
    """Return the acronyms of venues that are words of the language too."""
    return knowledge.words("venue_words", "word")


def _variants(name: str) -> Iterator[str]:
    """Yield the name, and shorter writings that mean the same outlet."""
    yield name
    shorter = name if track_of(names.tokens(name)) is not Track.MAIN else names.without_volume(name)
    if shorter != name:
        yield shorter
    bracket = _BRACKET_END.search(shorter)
    if bracket and _adds_nothing(names.tokens(bracket[1])):
        yield shorter[: bracket.start()]


def _adds_nothing(bracket: tuple[str, ...]) -> bool:
    """Whether the words of a bracket name neither a track nor a section of a journal."""
    return track_of(bracket) is Track.MAIN and _SECTION.isdisjoint(bracket)


def _parts_of(name: str) -> Iterator[tuple[str, bool]]:
    """Yield the segments of a name; of two joined by "and the" the second is marked."""
    for part in names.segments(name):
        first, *joint = re.split(r"\sand (?=the\s|\d+(?:st|nd|rd|th)\s)", part)
        yield first, False
        for other in joint:
            yield other, True


def _reduced(found: list[Ids]) -> Ids:
    """Return what the parts name together: the first, narrowed or joined by the others."""
    first = found[0]
    joint: list[str] = []
    for other in found[1:]:
        common = tuple(venue_id for venue_id in first if venue_id in other)
        if common:
            first = common
        elif _is_findings(first):
            first = other if split(other[0])[0] in _FINDINGS_HOSTS else first
        elif _are_joint(first, other):
            joint.extend(other)
    if any(_is_findings(ids) for ids in found) and not _is_findings(first):
        return tuple(joined(venue_id, Track.FINDINGS) for venue_id in first)
    return first + tuple(dict.fromkeys(one for one in joint if one not in first))


def _are_joint(first: Ids, other: Ids) -> bool:
    """Whether two meetings were held as one, so that either may stand for both."""
    pairs = (links().get(frozenset((a, b))) for a in first for b in other)
    return any(link is not None and link.code == "joint-conference" for link in pairs)


def _is_findings(ids: Ids) -> bool:
    return split(ids[0])[1] is Track.FINDINGS


def _tracked(ids: Ids, track: Track) -> Ids:
    """Return the identities of that track, if they are meetings and have none of their own."""
    if track is Track.MAIN:
        return ids
    if track is Track.FINDINGS:
        hosts = [venue_id for venue_id in ids if venue_id in _FINDINGS_HOSTS]
        return (joined(hosts[0] if hosts else "acl", track),) if not _is_findings(ids) else ids
    return tuple(_on_track(venue_id, track) for venue_id in ids)


def _on_track(venue_id: str, track: Track) -> str:
    if split(venue_id)[1] is not Track.MAIN or not _is_conference(venue_id):
        return venue_id
    if track is Track.WORKSHOPS and _is_workshop(venue_id):
        return venue_id
    return joined(venue_id, track)


def _is_conference(venue_id: str) -> bool:
    fact = venues().get(venue_id)
    return fact is not None and fact.type is VenueType.CONFERENCE


def _is_workshop(venue_id: str) -> bool:
    fact = venues().get(venue_id)
    return fact is not None and "workshop" in fact.names[0].lower()


def _one_letter_off(text: str, full: str) -> bool:
    """Whether one long word differs by one edit, and every other word is the same."""
    if OSA.distance(text, full, score_cutoff=1) != 1:
        return False
    claimed, known = text.split(), full.split()
    if len(claimed) != len(known):
        return False
    one, other = next((a, b) for a, b in zip(claimed, known, strict=True) if a != b)
    return min(len(one), len(other)) >= _SHORTEST_TYPO_WORD and one.isalpha() and other.isalpha()


def _initials(words: Iterable[str]) -> str:
    return "".join(word[0] for word in words)


def _spellings(name: str) -> Iterator[str]:
    """Yield the spellings under which a known name is filed."""
    words = names.tokens(name)
    literal, middle = " ".join(words), " ".join(names.core(words))
    yield literal
    if middle != literal and len(middle.split()) > 1:
        yield middle


def _stands_inside(form: str, ids: Ids) -> bool:
    """Whether a learnt name may be found inside a longer one: that of a meeting, not too short."""
    words = tuple(form.split())
    return len(words) > _ACRONYM_WORDS and names.is_meeting(words) and ":" in ids[0]


def _is_acronym(name: str, fact: VenueFact) -> bool:
    """Whether a curated name is one by which a venue is recognised inside a longer name."""
    words = name.split()
    if len(words) > _ACRONYM_WORDS:
        return False
    if sum(letter.isupper() for letter in name) >= _ACRONYM_CAPITALS and _is_compact(words):
        return True
    return fact.type is VenueType.CONFERENCE and len(words) == 1


def _is_compact(words: list[str]) -> bool:
    return any(sum(c.isupper() for c in word) >= _ACRONYM_CAPITALS for word in words)


@knowledge.derived
@lru_cache(maxsize=1)
def _curated() -> Lookup:
    whole: dict[str, list[str]] = defaultdict(list)
    parts: dict[str, list[str]] = defaultdict(list)
    for fact in venues().values():
        inside = fact.type is VenueType.CONFERENCE
        for name in fact.names:
            acronym = _is_acronym(name, fact) and fact.type is not VenueType.CONTAINER
            for form in _spellings(name):
                _add(whole, form, fact.id)
                if inside or acronym:
                    _add(parts, form, fact.id)
    return Lookup(
        {form: tuple(ids) for form, ids in whole.items()},
        {form: tuple(ids) for form, ids in parts.items()},
    )


def _add(table: dict[str, list[str]], form: str, venue_id: str) -> None:
    if form and venue_id not in table[form]:
        table[form].append(venue_id)
