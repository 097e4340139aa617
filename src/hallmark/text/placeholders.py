"""Is this a stand-in for a name, rather than the name of a person?"""

import re
from functools import lru_cache

from hallmark.text import knowledge
from hallmark.text.name_folding import words

_NOT_WORDS = re.compile(r"[\s.?*_\-\u2013\u2014#]*")


def is_placeholder(name: str) -> bool:
    """Whether a name, as displayed, is a stand-in on its own ("John Doe", "A. Author", "???")."""
    if _NOT_WORDS.fullmatch(name):
        return True
    return " ".join(words(name)) in _stand_ins("always") or names_nobody(name)


def names_nobody(name: str) -> bool:
    """Whether a stand-in says that the authors are not known ("Anonymous"), as catalogues do."""
    return " ".join(words(name)) in _stand_ins("unnamed")


def is_suspect(name: str) -> bool:
    """Whether a name is a stand-in where it stands beside another one ("John Smith")."""
    return " ".join(words(name)) in _stand_ins("together")


def select_placeholders(names: list[str]) -> tuple[str, ...]:
    """Return those of the displayed names that are stand-ins, in order.

    Names that real people bear count only beside a certain stand-in or beside two of their kind.
    """
    certain = [is_placeholder(name) for name in names]
    suspect = [is_suspect(name) for name in names]
    together = any(certain) or sum(suspect) > 1
    return tuple(
        name
        for name, sure, doubted in zip(names, certain, suspect, strict=True)
        if sure or (doubted and together)
    )


@knowledge.derived
@lru_cache(maxsize=3)
def _stand_ins(when: str) -> frozenset[str]:
    return knowledge.words("placeholders", when)
