"""Is this a stand-in for a name, rather than the name of a person?"""

import re

from hallmark.text.name_folding import words

_ALWAYS = frozenset(
    "john doe|jane doe|jon doe|doe john|doe jane|jane smith|smith jane|joe bloggs|max mustermann|"
    "erika mustermann|juan perez perez|mario rossi rossi|fulano de tal|jane q public|john q public|"
    "a author|an author|author a|author b|b author|c author|author name|author names|first author|"
    "second author|third author|fourth author|last author|author one|author two|author three|"
    "author 1|author 2|author 3|author1|author2|author3|authora|authorb|first last|first name|"
    "last name|firstname lastname|lastname firstname|first name last name|first middle last|"
    "given family|given name|family name|name surname|surname name|your name|full name|my name|"
    "some author|some authors|various authors|unknown author|unknown authors|test author|"
    "example author|sample author|placeholder author|author|authors|the authors|et al|al et|"
    "anonymous|anonymous author|anonymous authors|author anonymous|authors anonymous|anon|"
    "unknown|placeholder|todo|tbd|tba|na|n a|none|null|undefined|nobody|foo bar|bar foo|foo|bar|"
    "lorem ipsum|xxx|xx|x x|xxx xxx|x y z|aaa|aaa bbb|a a|a b c|abc|abc def|abc xyz|test|test test|"
    "asdf|doe|doe j|j doe|author et al|name|names|no author|no authors|author unknown|insert name|"
    "insert authors|collaborators|coauthor|co author|co authors".split("|")
)
_ONLY_TOGETHER = frozenset(
    "john smith|smith john|alice smith|bob smith|bob jones|bob johnson|alice johnson|alice bob|"
    "robert smith|mary smith|john johnson|jane johnson|mike johnson|jane roe|richard roe|"
    "bob brown|alice brown|jane jones|john jones|emily johnson|michael johnson|alice doe|bob doe|"
    "j smith|smith j|a smith|b jones|c brown|a b|x y|a n other".split("|")
)
_NOT_WORDS = re.compile(r"[\s.?*_\-\u2013\u2014#]*")


def is_placeholder(name: str) -> bool:
    """Whether a name, as displayed, is a stand-in on its own ("John Doe", "A. Author", "???")."""
    if _NOT_WORDS.fullmatch(name):
        return True
    return " ".join(words(name)) in _ALWAYS


def is_suspect(name: str) -> bool:
    """Whether a name is a stand-in where it stands beside another one ("John Smith")."""
    return " ".join(words(name)) in _ONLY_TOGETHER


def select_placeholders(names: list[str]) -> tuple[str, ...]:
    """Return those of the displayed names that are stand-ins, in order.

    Names that real people bear count only beside a certain stand-in or beside two of their kind.
    """
    certain = [is_placeholder(name) for name in names]
    suspect = [is_suspect(name) for name in names]
    together = any(certain) or sum(suspect) > 1
    return tuple(
        name
        for name, sure, doubted in zip(names, certain, suspect, strict=True)
        if sure or (doubted and together)
    )
