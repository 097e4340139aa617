"""Which works must every fake service hold, so that it is not taken for a broken one?"""

from hallmark.online.health import PROBES
from hallmark.records.work import Version


def probed_works() -> list[Version]:
    """Return the works that sources are probed for, as their services hold them."""
    return [
        Version(
            collection="world",
            title=probe.question.title,
            authors=tuple(author.display for author in probe.question.authors),
            venue="arXiv"
            if _is_preprint(probe.question.arxiv, probe.question.doi)
            else "J. Probes",
            year=2017,
            doi=probe.question.doi,
            arxiv=probe.question.arxiv,
            preprint=_is_preprint(probe.question.arxiv, probe.question.doi),
            kind="book" if name == "openlibrary" else "article",
        )
        for name, probe in PROBES.items()
    ]


def _is_preprint(arxiv: str | None, doi: str | None) -> bool:
    return arxiv is not None or (doi or "").startswith("10.48550/")
