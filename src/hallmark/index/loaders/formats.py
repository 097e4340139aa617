"""Which formats are there?"""

from importlib import import_module

MODULES = ("dblp", "acl", "rebiber", "openalex", "arxiv", "crossref", "jsonl", "csl", "bibtex")
"""The modules of the loaders, in the order in which a file is offered to them."""


def load_all() -> None:
    """Import all loaders, so that they are registered."""
    for name in MODULES:
        import_module(f"hallmark.index.loaders.{name}")
