"""How is plain text written as LaTeX, so that one set of rules reads both?

CSL-JSON and RIS hold Unicode; the rules that turn fields into a `Reference` read LaTeX.
"""

import re

_SPECIAL = re.compile(r"[\\{}$%&#_~]")
_ESCAPED = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}
_AND = re.compile(r"\sand\s|[,;]", re.IGNORECASE)


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
        escaped = latex(literal)
        return f"{{{escaped}}}" if " " in escaped else escaped
    last = latex(f"{particle} {family}".strip())
    if not given:
        return f"{{{last}}}" if " " in last or _AND.search(last) else last
    if not last:
        return latex(given)
    parts = [last, latex(suffix), latex(given)] if suffix else [last, latex(given)]
    return ", ".join(parts)
