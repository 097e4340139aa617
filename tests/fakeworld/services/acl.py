"""What would the ACL Anthology answer?"""

from xml.sax.saxutils import escape

from tests.fakeworld.library import Holding, Library
from tests.fakeworld.wire import HTML, Answer, Call, as_text, family

PREFIX = "10.18653/v1/"
_ACCENTS = {
    "é": "{\\'e}",
    "ö": '{\\"o}',
    "ü": '{\\"u}',
    "á": "{\\'a}",
    "í": "{\\'i}",
    "ó": "{\\'o}",
}
_MISSING = as_text("<!doctype html><title>404 Page not found</title>", 404, HTML)


def answer(library: Library, call: Call) -> Answer:
    """Answer a request for `ID.bib` or `ID.xml`."""
    name, _, form = call.path.strip("/").rpartition(".")
    found = library.doi(PREFIX + name.lower())
    if not found or form not in {"bib", "xml"}:
        return _MISSING
    one = found[0]
    if form == "xml":
        return as_text(as_xml(one, name), content_type="application/xml")
    return as_text(as_bib(one, name), content_type="text/plain; charset=utf-8")


def _latex(text: str) -> str:
    return "".join(_ACCENTS.get(letter, letter) for letter in text)


def as_bib(one: Holding, name: str) -> str:
    """Return a paper as the Anthology's BibTeX."""
    people = "  and\n      ".join(
        _latex(f"{family(person)}, {person.given}".strip(", ")) for person in one.people
    )
    return f"""@inproceedings{{fake-{one.number},
    title = "{_latex(one.version.title)}",
    author = "{people}",
    booktitle = "{_latex(one.venue)}",
    month = aug,
    year = "{one.year}",
    address = "Online",
    publisher = "Association for Computational Linguistics",
    url = "https://aclanthology.org/{name}/",
    doi = "{one.version.doi}",
    pages = "1--9"
}}
"""


def as_xml(one: Holding, name: str) -> str:
    """Return a paper as the Anthology's XML."""
    people = "".join(
        f"<author><first>{escape(person.given)}</first><last>{escape(family(person))}</last></author>"
        for person in one.people
    )
    return (
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        f'<collection id="{name.partition("-")[0]}"><volume id="1"><paper id="1">'
        f"<title>{escape(one.version.title)}</title>{people}<url>{name}</url>"
        f"<doi>{escape(one.version.doi or '')}</doi></paper></volume></collection>\n"
    )
