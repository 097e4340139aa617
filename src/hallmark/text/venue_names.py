"""What does a venue's name consist of, apart from numbers, years, places and societies?

The name of one meeting is written in a hundred ways: "Proc. ICML", "Proceedings of the 38th
International Conference on Machine Learning, ICML 2021, 18-24 July 2021, Virtual Event". These
functions take the parts apart; `text.venues` looks them up. Nothing here guesses.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from hallmark.text import knowledge
from hallmark.text.titles import fold, plain

_SHORT_YEAR = re.compile(r"['\u2018\u2019`]\s?((?:19|20)?\d\d)(?!\d)")
_WORD = re.compile(r"[^\W_]+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_GLUED_YEAR = re.compile(r"([a-z]{2,})((?:19|20)\d\d)")
_NUMBERED = re.compile(r"\d+(?:st|nd|rd|th|eme|e)?|[ivx]{1,6}")
_SEPARATOR = re.compile(
    r"[,;:()\[\]\u2013\u2014@]|\s-\s|\s/\s|"
    r"\s(?:at|within|colocated with|co-located with|in conjunction with|held (?:at|with|in))\s"
)
_VOLUME_TAIL = re.compile(
    r"[\s,;(:]+(?:vol(?:ume)?|no|nr|number|issue|pages|pp?|abs|art(?:icle)?)\b\.?\s*[\w(].*$",
    re.IGNORECASE,
)
_PUBLISHER_TAIL = re.compile(
    r"[.,;:]\s*(PMLR|JMLR\.org|IEEE|ACM(?: Press)?|Springer(?:,? \w+)?|Elsevier|AAAI Press|"
    r"Curran Associates,? ?(?:Inc)?|MIT Press|Morgan Kaufmann|OpenReview\.net|Citeseer)\.?\s*$"
)
_LEAD = re.compile(
    r"^\s*(?:in|to appear in|appears in|appearing in|accepted (?:at|to|by|for|in)|"
    r"published in|presented at|poster at|in press)\s*:?\s+",
    re.IGNORECASE,
)
_CENTURY = 50

_UNITS = (
    "first second third fourth fifth sixth seventh eighth eight eigth ninth nineth tenth eleventh "
    "twelfth twelveth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
).split()
_TENS = "twenty thirty forty fourty fifty sixty seventy eighty ninety".split()
_ROUND = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth hundredth".split()
_ORDINALS = frozenset(_UNITS + _ROUND)
_TENS_SET = frozenset(_TENS)

_MEETING = frozenset(
    [
        "conference", "conferences", "symposium", "symposia", "workshop", "workshops", "meeting",
        "congress", "colloquium", "convention", "proceedings", "forum", "summit",
        "school", "seminar", "conferencia", "actes", "tagung",
    ]
)  # fmt: skip
_FILLER = frozenset(
    [
        "in", "of", "on", "at", "proceedings", "conference", "conferences", "volume", "vol",
        "part", "long", "short", "papers", "paper", "main", "track", "tracks", "technical",
        "poster", "oral", "spotlight", "highlight", "highlighted", "talk", "virtual", "online",
        "event", "and", "full", "research", "regular", "edition", "session", "no", "number",
        "issue", "accepted", "appear", "to", "annual", "international", "ieee", "acm", "cvf",
        "usenix", "meeting", "symposium", "january", "february", "march", "april", "may",
        "june", "july", "august", "september", "october", "november", "december", "top",
        "hybrid", "series", "notable", "s", "press", "book", "invited", "contributed",
        "volumes", "virtually", "pc", "top5", "top25", "sessions",
    ]
)  # fmt: skip
STOP_WORDS = frozenset(
    "of on the and for in to a an at with from by "
    "de der des die und et la le les du von y e".split()
)


def tokens(name: str) -> tuple[str, ...]:
    """Return the folded words of a venue's name, years written out ("'91" is "1991")."""
    text = plain(name)
    if "'" in text or "\u2019" in text or "`" in text or "\u2018" in text:
        text = _SHORT_YEAR.sub(_full_year, text)
    if "&" in text:
        text = text.replace("&", " and ")
    found: list[str] = []
    for word in _WORD.findall(fold(text)):
        glued = _GLUED_YEAR.fullmatch(word)
        found.extend(glued.groups() if glued else (word,))
    return tuple(found)


@knowledge.derived
@lru_cache(maxsize=1)
def _spelt() -> dict[str, str]:
    """Return what short forms of single words stand for."""
    return {word: long for word, long in _short_forms() if " " not in long}


@knowledge.derived
@lru_cache(maxsize=1)
def _phrases() -> dict[str, tuple[str, ...]]:
    """Return what short forms of several words stand for."""
    return {word: tuple(long.split()) for word, long in _short_forms() if " " in long}


@knowledge.derived
@lru_cache(maxsize=1)
def _irregular() -> dict[str, tuple[str, ...]]:
    """Return how the words begin for which a short form stands that is no beginning of them."""
    rows = knowledge.rows("venue_words")
    return {word: tuple(map(fold, stems.split())) for word, kind, stems in rows if kind == "cut"}


def _short_forms() -> Iterator[tuple[str, str]]:
    return ((word, long) for word, kind, long in knowledge.rows("venue_words") if kind == "short")


def _written(word: str) -> tuple[str, ...]:
    return _phrases().get(word) or (_spelt().get(word, word),)


@knowledge.derived
@lru_cache(maxsize=1)
def _societies() -> frozenset[str]:
    return knowledge.words("venue_words", "society")


def year_of(words: tuple[str, ...]) -> int | None:
    """Return the year that the words name: the most frequent, the first of equals; else None."""
    years = [word for word in words if _YEAR.fullmatch(word)]
    return int(max(years, key=years.count)) if years else None


def without_lead(name: str) -> str:
    """Return the name without "In", "to appear in", "accepted at" in front."""
    return _LEAD.sub("", name, count=1)


def without_volume(name: str) -> str:
    """Return the name without a tail of publisher, volume, number or pages."""
    return _VOLUME_TAIL.sub("", without_publisher(name))


def without_publisher(name: str) -> str:
    """Return the name without a publisher behind; "Comm. ACM" has none behind."""
    tail = _PUBLISHER_TAIL.search(name)
    if tail is None or (
        tail[1] in {"ACM", "IEEE"} and not is_meeting(tokens(name[: tail.start()]))
    ):
        return name
    return name[: tail.start()]


def segments(name: str) -> list[str]:
    """Return the parts of a name between commas, colons, brackets, "@" and "at"."""
    return [part.strip() for part in _SEPARATOR.split(name) if part and part.strip()]


def is_meeting(words: tuple[str, ...]) -> bool:
    """Whether the words speak of a meeting or its proceedings, not of a journal."""
    return any(_spelt().get(word, word) in _MEETING for word in words)


def core(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return what tells one venue from another: no articles; for meetings no numbers either.

    Idempotent. For a meeting, years, ordinals, "annual", "proceedings of" and societies in front
    go, and the usual abbreviations ("Int. Conf.") are written out. Journals keep all words
    but articles.
    """
    kept = [word for word in words if word != "the"]
    if not is_meeting(tuple(kept)):
        return tuple(kept)
    kept = [part for word in kept for part in _written(word)]
    kept = [word for word in _uncounted(kept) if word not in {"annual", "biennial"}]
    previous = None
    while kept != previous:
        previous = kept
        kept = _without_front(kept)
    return tuple(kept)


def bare(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words without filler on either side: "Proc. ICML 2021 (Poster)" is "icml"."""
    kept = [_spelt().get(word, word) for word in words if word != "the"]
    kept = list(_uncounted(kept))
    while kept and _is_filler(kept[0]):
        kept = kept[1:]
    while kept and _is_filler(kept[-1]):
        kept = kept[:-1]
    return tuple(kept)


def uncounted(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words that are neither years nor ordinals."""
    return tuple(_uncounted(list(words)))


def forms(words: tuple[str, ...]) -> Iterator[str]:
    """Yield the spellings under which a name is looked up, the most literal first."""
    yield " ".join(words)
    yield " ".join(uncounted(words))
    yield " ".join(core(words))
    yield " ".join(bare(words))


def whole_forms(words: tuple[str, ...]) -> Iterator[str]:
    """Yield the spellings under which a name is looked up that must be a venue's as a whole."""
    yield " ".join(words)
    yield " ".join(word for word in words if not _YEAR.fullmatch(word))
    yield " ".join(core(words))


def acronyms(name: str) -> list[str]:
    """Return the words of `name` written like acronyms, folded ("NeurIPS", "CVPR", "S&P")."""
    written = re.findall(r"[A-Za-z][A-Za-z0-9&*+]{1,14}", plain(name))
    capital = (word for word in written if sum(map(str.isupper, word)) >= _CAPITALS)
    return [" ".join(tokens(word)) for word in capital]


_CAPITALS = 2


def content(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words that carry meaning: no articles, prepositions and conjunctions."""
    return tuple(word for word in words if word not in STOP_WORDS)


def abbreviates(short: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """Whether `short` is `full` with words cut short, as ISO 4 does ("J. Mach. Learn. Res.").

    A word must be cut or a small one left out; every other word must be there, in order, and a
    small word that `short` does have must stand in `full`.
    """
    cut_short, long = content(short), content(full)
    if len(cut_short) != len(long) or (cut_short == long and len(short) >= len(full)):
        return False
    small = set(short) & STOP_WORDS
    return small <= set(full) and all(map(cuts, cut_short, long))


def cuts(short: str, full: str) -> bool:
    """Whether a folded word is `full`, cut short, contracted or in a short form of the table."""
    if full.startswith(short):
        return True
    if _spelt().get(short) == full or _contracts(short, full):
        return True
    return full.startswith(_irregular().get(short, ("\n",)))


def _contracts(short: str, full: str) -> bool:
    """Whether letters were left out inside the word ("natl", "dept", "engrg")."""
    if len(short) < _SHORTEST_CONTRACTION or short[:2] != full[:2] or len(short) >= len(full):
        return False
    letters = iter(full)
    return all(letter in letters for letter in short)


_SHORTEST_CONTRACTION = 4

_COMPUTER_SOCIETY = frozenset({"computer society", "comput soc"})


def _full_year(found: re.Match[str]) -> str:
    digits = found.group(1)
    if len(digits) > len("91"):
        return f" {digits} "
    return f" {'19' if int(digits) >= _CENTURY else '20'}{digits} "


def _uncounted(words: list[str]) -> Iterator[str]:
    """Yield the words that are neither years nor ordinals."""
    last = len(words) - 1
    for place, word in enumerate(words):
        if _YEAR.fullmatch(word) or word in _ORDINALS:
            continue
        if word in _TENS_SET and place < last and words[place + 1] in _ORDINALS:
            continue
        if word[0].isdigit() and _NUMBERED.fullmatch(word) and not word.isdigit():
            continue
        yield word


def _without_front(words: list[str]) -> list[str]:
    if len(words) > 1 and words[0] == "in":
        return words[1:]
    if words[:2] == ["proceedings", "of"] and len(words) > 2:  # noqa: PLR2004 - the two named words
        return words[2:]
    if len(words) > 1 and words[0] in {"proceedings", "of"}:
        return words[1:]
    if " ".join(words[:2]) in _COMPUTER_SOCIETY and is_meeting(tuple(words[2:])):
        return words[2:]
    if words[0:1] and words[0] in _societies() and is_meeting(tuple(words[1:])) and len(words) > 2:  # noqa: PLR2004 - a society and a kind of meeting alone name nothing
        return words[1:]
    if words[-1:] == ["proceedings"] and is_meeting(tuple(words[:-1])):
        return words[:-1]
    return words


def _is_filler(word: str) -> bool:
    return word in _FILLER or _NUMBERED.fullmatch(word) is not None


def is_written_out(words: tuple[str, ...]) -> bool:
    """Whether the name is the title of the main proceedings, not just the meeting's name.

    "Proceedings of the 2020 Conference on Empirical Methods in Natural Language Processing
    (EMNLP)" is. "EMNLP", "Proc. EMNLP 2020" and the bare name of the conference are not: some
    catalogues file every track under it.
    """
    titled = {"proceedings", "proc", "volume"} & set(words)
    return bool(titled) and len(content(bare(words))) >= _WRITTEN_OUT_WORDS


def workshop_name(name: str) -> str:
    """Return the slug of a workshop's own name, "" where `name` names none.

    "Proceedings of the 8th Workshop on Asian Translation" is "workshop-on-asian-translation".
    """
    return slug(name) if "workshop" in name.lower() and len(core(tokens(name))) > 2 else ""  # noqa: PLR2004 - "workshop on" alone names none


def slug(name: str) -> str:
    """Return a name as an identity is made of: its core, without brackets and places."""
    text = re.sub(r"\([^()]*\)|\[[^\[\]]*\]", " ", name)
    if is_meeting(tokens(text)):
        text = re.split(r",|\s[-\u2013\u2014@]\s|@", text, maxsplit=1)[0]
    return "-".join(core(tokens(without_volume(text))))[:_LONGEST_SLUG]


_WRITTEN_OUT_WORDS = 3
_LONGEST_SLUG = 120
