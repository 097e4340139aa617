"""Which identifier of a question can be sent to a service?

Only one in its normal form: what a reference holds in its place otherwise is text that nobody
registered, and is not asked about.
"""

from hallmark.records.source import Question
from hallmark.text import identifiers

LONGEST_DOI = 1000
"""Characters of the longest DOI that is asked about; honest ones have fewer than 300."""


def doi(question: Question) -> str | None:
    """Return the DOI to ask for."""
    found = identifiers.doi(question.doi) if question.doi else None
    if found is None or found != (question.doi or "").lower():
        return None
    return found if len(found) <= LONGEST_DOI and found.isprintable() else None


def arxiv(question: Question) -> str | None:
    """Return the arXiv id to ask for, without a version."""
    found = identifiers.arxiv(question.arxiv) if question.arxiv else None
    return found.id if found else None


def arxiv_doi(question: Question) -> str | None:
    """Return the DOI that DataCite holds for the arXiv id."""
    found = arxiv(question)
    return f"10.48550/arxiv.{found}" if found else None


def arxiv_of_doi(question: Question) -> str | None:
    """Return the arXiv id in a DOI of arXiv."""
    inside = identifiers.arxiv_of_doi(doi(question) or "")
    found = identifiers.arxiv(inside) if inside else None
    return found.id if found else None


def pmid(question: Question) -> str | None:
    """Return the PubMed id to ask for."""
    return identifiers.pmid(question.pmid) if question.pmid else None


def isbn(question: Question) -> str | None:
    """Return the ISBN to ask for, as 13 digits."""
    return identifiers.isbn(question.isbn) if question.isbn else None
