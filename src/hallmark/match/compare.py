"""How does a reference stand to every record that may describe its work?"""

from collections.abc import Sequence

from hallmark.match.authors import compare_authors
from hallmark.match.cluster import cluster
from hallmark.match.identifier import compare_arxiv, compare_doi
from hallmark.match.title import compare_title
from hallmark.match.venue import compare_venue
from hallmark.match.year import compare_year
from hallmark.records.evidence import Compared, ComparedWork
from hallmark.records.reference import Reference
from hallmark.records.work import Version
from hallmark.text.venues import VenueClaim


def compare_works(
    reference: Reference, versions: Sequence[Version], claim: VenueClaim
) -> tuple[ComparedWork, ...]:
    """Group versions into works and compare each version with the reference, field by field."""
    return tuple(
        ComparedWork(tuple(compare(reference, version, claim) for version in group))
        for group in cluster(versions)
    )


def compare(reference: Reference, version: Version, claim: VenueClaim) -> Compared:
    """Compare one version with the reference."""
    return Compared(
        version=version,
        title=compare_title(reference, version),
        authors=compare_authors(reference, version),
        venue=compare_venue(claim, reference, version),
        year=compare_year(reference, version),
        doi=compare_doi(reference, version),
        arxiv=compare_arxiv(reference, version),
    )
