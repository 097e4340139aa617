"""What does an auditor's note say of a reference?

A note is read clause by clause: what it is about (the work, its DOI, title, authors, venue, year)
and whether it speaks well or ill of it. What is not understood says nothing.
"""

import re
from enum import StrEnum


class Claim(StrEnum):
    """What a note may say; those that end in "_right" speak for the reference."""

    NO_WORK = "no such work"
    WORK_RIGHT = "the work is real"
    DEAD_DOI = "the DOI does not resolve"
    OTHER_DOI = "the DOI is another work's"
    DOI_RIGHT = "the DOI is right"
    TITLE = "the title is wrong"
    TITLE_RIGHT = "the title is right"
    AUTHORS = "the authors are wrong"
    PLACEHOLDERS = "the authors are stand-ins"
    AUTHORS_RIGHT = "the authors are right"
    NO_VENUE = "no such venue"
    VENUE = "the venue is wrong"
    VENUE_RIGHT = "the venue is right"
    YEAR = "the year is wrong"
    YEAR_RIGHT = "the year is right"


_BOTH = frozenset({Claim.NO_WORK, Claim.WORK_RIGHT})
"""A note that says both speaks of two works; which of them is cited, it does not tell."""
_CLAUSE = re.compile(
    r"[.;:,\n]+|\b(?:but|and|while|although|though|however|yet|whereas)\b|\s[-–—]\s", re.IGNORECASE
)
_SUBJECTS = (
    ("doi", re.compile(r"\bdoi\b|\bidentifier\b|\barxiv id\b", re.IGNORECASE)),
    ("authors", re.compile(r"\bauthors?(?:hip)?\b|\bnames?\b|\bco-?authors?\b", re.IGNORECASE)),
    ("title", re.compile(r"\btitles?\b", re.IGNORECASE)),
    (
        "venue",
        re.compile(
            r"\b(?:venue|conference|journal|proceedings|publication venue)\b", re.IGNORECASE
        ),
    ),
    ("year", re.compile(r"\b(?:year|date)\b", re.IGNORECASE)),
    (
        "work",
        re.compile(
            r"\b(?:paper|work|article|reference|citation|publication|source|entry|it|match|"
            r"record|trace)\b",
            re.IGNORECASE,
        ),
    ),
)
_ABSENT = re.compile(
    r"\b(?:(?:does|do|did)(?: not|n['’]t) (?:\w+ )?(?:exist|appear)|non-?existent|no such|"
    r"not found|(?:can|could)(?:not| not|n['’]t) be (?:found|located|verified)|untraceable|"
    r"no (?:match|record|trace|results?|evidence)\b|"
    r"never (?:existed|published|written))|\bnot exist",
    re.IGNORECASE,
)
_INVENTED = re.compile(
    r"\b(?:fabricated|invented|fictitious|fictional|made[- ]?up|hallucinated|fake|bogus|phantom)\b",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"\b(?:wrong|incorrect|mismatch\w*|different|differs?|altered|changed|misattributed|"
    r"not match\w*|n['’]t match|do(?:es)? not (?:match|agree)|inaccurate|false|swapped|replaced|"
    r"missing|substituted|misstated|inconsistent)\b",
    re.IGNORECASE,
)
_DEAD = re.compile(
    r"\b(?:(?:does|do)(?: not|n['’]t) (?:resolve|work|exist)|invalid|dead|broken|unresolvable|"
    r"not registered|404|fails? to resolve|not found)\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:another|unrelated|different|other|wrong|mismatch\w*)\b", re.IGNORECASE
)
_RIGHT = re.compile(
    r"\b(?:real(?!-world)|exists?|correct|right|matches|accurate|genuine|valid|resolves|legitimate|true)\b",
    re.IGNORECASE,
)
_WORK_IS_REAL = re.compile(
    r"\b(?:exists|is (?:a )?(?:real|genuine)|(?:real|genuine) "
    r"(?:paper|work|article|publication))\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?<!\w)['‘“\"][^'‘’“”\"]{3,300}['’”\"](?!\w)")
_PLACEHOLDER = re.compile(r"\bplace-?holders?\b|\bdummy\b|\bstand-?ins?\b", re.IGNORECASE)
_LONGEST = 5000


def claims(note: str) -> frozenset[Claim]:
    """Return what a note says."""
    found: set[Claim] = set()
    waiting: list[str] = []
    for clause in _CLAUSE.split(_QUOTED.sub("", note[:_LONGEST])):
        named = [name for name, pattern in _SUBJECTS if pattern.search(clause)]
        parts = [name for name in named if name != "work"] or named
        waiting = [*waiting, *parts]
        heard = [claim for one in waiting or ["work"] if (claim := _of(one, clause))]
        if heard:
            found.update(heard)
            waiting = []
    return frozenset(found - _BOTH if found >= _BOTH else found)


def _of(subject: str, clause: str) -> Claim | None:
    bad = bool(_ABSENT.search(clause) or _INVENTED.search(clause))
    wrong = bool(_WRONG.search(clause))
    right = bool(_RIGHT.search(clause)) and not bad and not wrong
    match subject:
        case "doi":
            return _of_doi(clause, right=right)
        case "title":
            return Claim.TITLE if bad or wrong else Claim.TITLE_RIGHT if right else None
        case "authors":
            if _PLACEHOLDER.search(clause):
                return Claim.PLACEHOLDERS
            return Claim.AUTHORS if bad or wrong else Claim.AUTHORS_RIGHT if right else None
        case "venue":
            if bad:
                return Claim.NO_VENUE
            return Claim.VENUE if wrong else Claim.VENUE_RIGHT if right else None
        case "year":
            return Claim.YEAR if bad or wrong else Claim.YEAR_RIGHT if right else None
        case _:
            real = right and _WORK_IS_REAL.search(clause)
            return Claim.NO_WORK if bad else Claim.WORK_RIGHT if real else None


def _of_doi(clause: str, *, right: bool) -> Claim | None:
    if _ELSEWHERE.search(clause):
        return Claim.OTHER_DOI
    if _DEAD.search(clause) or _ABSENT.search(clause) or _INVENTED.search(clause):
        return Claim.DEAD_DOI
    return Claim.DOI_RIGHT if right else None
