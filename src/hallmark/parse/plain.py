"""How is plain text written as LaTeX, so that one set of rules reads both?

CSL-JSON and RIS hold Unicode; the rules that turn fields into a `Reference` read LaTeX.
"""

import re
from collections.abc import Sequence

from hallmark.text.names import PersonName, parse_name

_SPECIAL = re.compile(r"[\\{}$%&#_~]")
_OTHERS = re.compile(r"\{?(?:and\s+)?(?:others|et\.?\s*al\.?)\}?", re.IGNORECASE)
_ESCAPED = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}


def latex(text: str) -> str:
    """Return text in LaTeX; `text.latex.to_unicode` gives it back."""
    if not _SPECIAL.search(text):
        return text
    return _SPECIAL.sub(lambda found: _ESCAPED.get(found.group(), "\\" + found.group()), text)


def person(
    *, family: str = "", given: str = "", particle: str = "", suffix: str = "", literal: str = ""
) -> str:
    """Return one name as BibTeX writes it; a group's name stands in braces."""
    if literal:
        return f"{{{latex(literal)}}}" if " " in literal else latex(literal)
    last = latex(f"{particle} {family}".strip())
    if not given or not last:
        return last or latex(given)
    parts = [last, latex(suffix), latex(given)] if suffix else [last, latex(given)]
    return ", ".join(parts)


def people(names: Sequence[str]) -> tuple[tuple[PersonName, ...], bool]:
    """Return people whose names stand apart already, and whether "et al." ends the list.

    Each name is one as `person` writes it; none is split further.
    """
    kept = [name for name in names if not _OTHERS.fullmatch(name)]
    parsed = (parse_name(name) for name in kept)
    return tuple(one for one in parsed if one.family or one.literal), len(kept) < len(names)
