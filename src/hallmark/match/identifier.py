"""Do the claimed identifiers belong to this version?

EQUAL: the same DOI or arXiv id. VARIANT `arxiv-doi`: the DOI that DataCite registers for the
version's arXiv id. CONFLICT `other-identifier`: both sides name one, and they differ; the judge
looks whether another version of the same work has it. Else SILENT.
"""

from hallmark.records.evidence import Comparison, Field, Nuance, Relation
from hallmark.records.reference import Reference
from hallmark.records.work import Version
from hallmark.text.identifiers import arxiv_of_doi


def compare_doi(reference: Reference, version: Version) -> Comparison:
    """Compare the claimed DOI with a version's DOI, or with its arXiv id."""
    claimed, found = reference.doi, version.doi
    if claimed is not None and version.arxiv and arxiv_of_doi(claimed) == version.arxiv:
        nuances = () if found == claimed else (Nuance("arxiv-doi", claimed, version.arxiv),)
        relation = Relation.VARIANT if nuances else Relation.EQUAL
        return Comparison(Field.DOI, relation, claimed, found or version.arxiv, nuances)
    return _compare(Field.DOI, claimed, found)


def compare_arxiv(reference: Reference, version: Version) -> Comparison:
    """Compare the claimed arXiv id with a version's."""
    return _compare(Field.ARXIV, reference.arxiv, version.arxiv)


def _compare(field: Field, claimed: str | None, found: str | None) -> Comparison:
    if claimed is None or found is None:
        return Comparison(field, Relation.SILENT, claimed or "", found or "")
    if claimed == found:
        return Comparison(field, Relation.EQUAL, claimed, found)
    nuance = Nuance("other-identifier", claimed, found)
    return Comparison(field, Relation.CONFLICT, claimed, found, (nuance,))
