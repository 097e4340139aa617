"""Which tables of knowledge are there, and which cells does a row of each have?"""

from msgspec import Struct


class Column(Struct, frozen=True):
    """One cell of every row: its name, what it means, and the form that it must have.

    `form` is a regular expression for the whole cell; an empty cell is written ".".
    """

    name: str
    meaning: str
    form: str = r"[^\t]*"


class Table(Struct, frozen=True):
    """One table: its columns, and how many of the first ones are the key of a row.

    Where `key` is 0, rows are only ever added.
    """

    name: str
    columns: tuple[Column, ...]
    key: int = 1

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.name}.tsv"


_ID = r"[A-Za-z0-9][A-Za-z0-9:-]*"
_YEARS = r"(?:\??\d{4}(?:-(?:\d{4})?)?(?:/\d)?(?:,(?!$)|$))*"
_WORD = r"[a-z0-9]+"
_PREFIX = r"10\.\d{4,9}(?:\.\d+)*"

TABLES = {
    table.name: table
    for table in (
        Table(
            "venues",
            (
                Column("id", "the identity, by which other tables name the venue", _ID),
                Column(
                    "type",
                    "conference, journal, preprint (a server) or container (no venue of its own)",
                    "conference|journal|preprint|container",
                ),
                Column("years", "when it was held: 1987,1990-2010/2,?2011-2012,2013-", _YEARS),
                Column(
                    "prefixes",
                    "DOI prefixes of its papers; - where papers appear without a DOI",
                    rf"(?:(?:{_PREFIX}|-)(?: |$))*",
                ),
                Column("codes", "acronyms inside DOIs and Anthology ids"),
                Column("names", "the full name, acronyms, former names, parted by |", ".*\\S.*"),
            ),
        ),
        Table(
            "venue_aliases",
            (Column("id", "an identity of venues", _ID), Column("name", "a name", ".*\\S.*")),
            key=0,
        ),
        Table(
            "venue_links",
            (
                Column("first", "an identity", _ID),
                Column("second", "another identity", _ID),
                Column(
                    "reason",
                    "why one may stand for the other",
                    "joint-conference|journal-of-conference|renamed|co-located|same-series",
                ),
                Column("years", "the years in which it holds; . is always", _YEARS),
            ),
            key=2,
        ),
        Table(
            "venue_words",
            (
                Column("word", "a word, or the words in front of a name", r"[a-z0-9 ]+"),
                Column(
                    "kind",
                    "society, publishing, short, cut, preprint, series, publisher or word",
                    "society|publishing|short|cut|preprint|series|publisher|word",
                ),
                Column("meaning", "what a short form or a server's name stands for"),
            ),
            key=2,
        ),
        Table(
            "tracks",
            (
                Column(
                    "track",
                    "which track",
                    "findings|workshops|datasets|companion|abstracts|student|demo|industry|"
                    "tutorials|journal",
                ),
                Column("words", "folded words that speak of it", r"[a-z]+(?: [a-z]+)*"),
            ),
            key=2,
        ),
        Table(
            "doi_prefixes",
            (
                Column("prefix", "a DOI prefix", _PREFIX),
                Column("owner", "who registered it", ".*\\S.*"),
                Column(
                    "kind",
                    "anywhere: a server, repository or archive where any paper may lie",
                    "anywhere|",
                ),
            ),
        ),
        Table(
            "example_dois",
            (
                Column("doi", "a DOI, or a prefix with its slash", r"10\.\d{4,9}/\S*"),
                Column("why", "where it stands as an example"),
            ),
        ),
        Table(
            "doi_volumes",
            (
                Column("code", "the series as it stands in DOIs", _WORD),
                Column("zero", "the year of volume 0", r"\d{4}"),
            ),
        ),
        Table(
            "anthology_letters",
            (Column("letter", "first letter of an id", "[a-z]"), Column("id", "the venue", _ID)),
        ),
        Table("arxiv_archives", (Column("archive", "as ids begin", r"[a-z-]+"),)),
        Table(
            "given_names",
            (Column("forms", "names that stand for one another", r"[a-z]+(?: [a-z]+)+"),),
            key=0,
        ),
        Table(
            "family_names",
            (Column("spellings", "romanisations of one name", r"[a-z]+(?: [a-z]+)+"),),
            key=0,
        ),
        Table(
            "name_words",
            (
                Column("word", "a folded word", _WORD),
                Column("kind", "group, particle, suffix or title", "group|particle|suffix|title"),
            ),
            key=2,
        ),
        Table(
            "placeholders",
            (
                Column("name", "a folded name", r"[a-z0-9]+(?: [a-z0-9]+)*"),
                Column(
                    "when",
                    "always, together (beside another) or unnamed",
                    "always|together|unnamed",
                ),
            ),
        ),
        Table(
            "spellings",
            (
                Column("kind", "rule or kept", "rule|kept"),
                Column("word", "a pattern, or a word that only looks British", r"\S+"),
                Column("american", "what the pattern becomes"),
            ),
            key=2,
        ),
    )
}
