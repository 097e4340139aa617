"""Which live sources are there, and how is one opened?

The table of our own, and those that other packages bring: an entry point of the group
"hallmark.sources" whose name is the source's and whose object is a factory. A factory takes the
spec to use, None for its own, and returns the source; its own spec is that of `factory(None)`.
"""

from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import TypeAlias

import msgspec

from hallmark._registry import Registry
from hallmark.errors import SourceProblem
from hallmark.sources import (
    acl,
    arxiv,
    biorxiv,
    crossref,
    datacite,
    dblp,
    doi_org,
    europepmc,
    googlebooks,
    openalex,
    openlibrary,
    openreview,
    pubmed,
    semanticscholar,
)
from hallmark.sources.interface import LiveSource, SourceSpec

GROUP = "hallmark.sources"
"""The group of entry points by which other packages bring sources."""

Factory: TypeAlias = Callable[[SourceSpec | None], LiveSource]

SOURCES: Registry[Factory] = Registry("live source")
"""Our own sources, by name, the registries first."""

SOURCES.add("crossref", lambda spec: crossref.Crossref(spec or crossref.SPEC))
SOURCES.add("datacite", lambda spec: datacite.DataCite(spec or datacite.SPEC))
SOURCES.add("doi_org", lambda spec: doi_org.DoiOrg(spec or doi_org.SPEC))
SOURCES.add("dblp", lambda spec: dblp.Dblp(spec or dblp.SPEC))
SOURCES.add("acl", lambda spec: acl.AclAnthology(spec or acl.SPEC))
SOURCES.add("openreview", lambda spec: openreview.OpenReview(spec or openreview.SPEC))
SOURCES.add("arxiv", lambda spec: arxiv.Arxiv(spec or arxiv.SPEC))
SOURCES.add("openalex", lambda spec: openalex.OpenAlex(spec or openalex.SPEC))
SOURCES.add(
    "semanticscholar",
    lambda spec: semanticscholar.SemanticScholar(spec or semanticscholar.SPEC),
)
SOURCES.add("europepmc", lambda spec: europepmc.EuropePmc(spec or europepmc.SPEC))
SOURCES.add("pubmed", lambda spec: pubmed.PubMed(spec or pubmed.SPEC))
SOURCES.add("biorxiv", lambda spec: biorxiv.Biorxiv(spec or biorxiv.SPEC))
SOURCES.add("openlibrary", lambda spec: openlibrary.OpenLibrary(spec or openlibrary.SPEC))
SOURCES.add("googlebooks", lambda spec: googlebooks.GoogleBooks(spec or googlebooks.SPEC))


def with_plugins(found: Iterable[EntryPoint] | None = None) -> Registry[Factory]:
    """Return our own sources and those of other packages.

    Args:
        found: the entry points to load; by default, those of the installed packages.

    Raises:
        SourceProblem: an entry point cannot be loaded, or its name is taken.
    """
    everything: Registry[Factory] = Registry("live source")
    for name, factory in SOURCES.items():
        everything.add(name, factory)
    for point in entry_points(group=GROUP) if found is None else found:
        if point.name in everything:
            raise SourceProblem(
                f"The entry point `{point.name}` ({point.value}) bears the name of another live "
                "source. Give it a name of its own, or remove the package."
            )
        everything.add(point.name, _loaded(point))
    return everything


def _loaded(point: EntryPoint) -> Factory:
    """Import what an entry point names; it is code of others, and may fail in any way."""
    try:
        factory: Factory = point.load()
    except Exception as error:
        raise SourceProblem(
            f"The live source `{point.name}` ({point.value}) cannot be loaded ({error}). "
            "Repair or remove the package that brings it."
        ) from error
    return factory


def relocated(spec: SourceSpec, address: str) -> SourceSpec:
    """Return the spec of the same source at another address, for mirrors and tests.

    The service is expected under `address/NAME`, its further ones under `address/NAME-2` and so on.
    """
    here = f"{address.rstrip('/')}/{spec.name}"
    more = tuple(f"{here}-{number}" for number in range(2, len(spec.more_bases) + 2))
    return msgspec.structs.replace(spec, base=here, more_bases=more)
