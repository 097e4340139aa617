"""A verifier of one's own: flags a reference by what can be seen without looking anything up."""

import re

THIS_YEAR = 2026
PLACEHOLDERS = {"john doe", "jane doe", "a. author", "first last"}


def check(entry):
    """Return P(hallucinated), from 0 to 1, for one blind entry."""
    authors = [name.strip().lower() for name in entry.fields.get("author", "").split(" and ")]
    year = entry.fields.get("year", "")
    doi = entry.fields.get("doi", "")
    if PLACEHOLDERS & set(authors):
        return 0.95
    if year.isdigit() and int(year) > THIS_YEAR:
        return 0.95
    if re.match(r"10\.9\d{4}/", doi):
        return 0.9
    return 0.4 if doi else 0.45
