"""What does a prompt say once its placeholders are filled?

A prompt has a part for the system and one for the user. A placeholder is a known name in braces;
all other braces stay as they are, so that JSON and BibTeX can be shown in a prompt. What is filled
in is never searched for placeholders.
"""

import hashlib
import re
from collections.abc import Mapping
from difflib import get_close_matches

from msgspec import Struct

from hallmark.errors import InputError

OF_ENTRY: dict[str, str] = {
    "entry": "the reference as a quoted block, in the form that --option input=... names",
    "bibtex": "the reference as BibTeX, not quoted",
    "title": "its title",
    "authors": "its authors, as BibTeX separates them",
    "venue": "its conference or journal",
    "year": "its year",
    "doi": "its DOI",
    "key": "the word reference: its citation key is never shown",
    "kind": "its BibTeX type",
}
"""Placeholders that differ from reference to reference, and what they stand for."""

OF_RUN: dict[str, str] = {
    "types": "the types of hallucination with their meanings, one a line",
    "type_names": "the names of the types, separated by commas",
    "cutoff": "the last month of the model's training data, in words",
    "today": "the date of the run",
}
"""Placeholders that are the same for a whole run, and what they stand for."""

_PLACEHOLDER = re.compile(rf"\{{({'|'.join([*OF_ENTRY, *OF_RUN])})\}}")


class Prompt(Struct, frozen=True, kw_only=True):
    """A prompt: `version` rises with its words; `own` tells ours from a user's file."""

    name: str
    version: str
    user: str
    system: str = ""
    own: bool = False

    @property
    def digest(self) -> str:
        """SHA-256 of both parts."""
        text = f"{self.system}\x1e{self.user}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(text).hexdigest()

    @property
    def placeholders(self) -> frozenset[str]:
        """The names that are yet to be filled in."""
        return frozenset(_PLACEHOLDER.findall(f"{self.system}\n{self.user}"))

    def filled(self, values: Mapping[str, str]) -> "Prompt":
        """Return the prompt with these placeholders filled; others stay."""
        return Prompt(
            name=self.name,
            version=self.version,
            system=_fill(self.system, values),
            user=_fill(self.user, values),
            own=self.own,
        )


_IN_BRACES = re.compile(r"\{([A-Za-z_]{2,30})\}")
_ALIKE = 0.75
"""How alike a word in braces and a placeholder are, from which on a slip is likely."""


def misspelt(prompt: Prompt) -> dict[str, str]:
    """Return words in braces that are no placeholders, but nearly: each with the one it is like."""
    known = [*OF_ENTRY, *OF_RUN]
    words = dict.fromkeys(_IN_BRACES.findall(f"{prompt.system}\n{prompt.user}"))
    found = {
        word: get_close_matches(word.lower(), known, n=1, cutoff=_ALIKE)
        for word in words
        if word not in known
    }
    return {word: nearest[0] for word, nearest in found.items() if nearest}


def ready(prompt: Prompt, values: Mapping[str, str]) -> Prompt:
    """Return the prompt for a run: what is the same for all references is filled in.

    Args:
        prompt: any prompt.
        values: texts for names of `OF_RUN`; an empty one is unknown.

    Raises:
        InputError: it does not show the reference at all, or needs what is not known.
    """
    used = prompt.placeholders
    if not used & set(OF_ENTRY):
        raise InputError(
            f"The prompt `{prompt.name}` does not show the reference. Put {{entry}} or {{bibtex}} "
            "where it shall stand."
        )
    missing = sorted(name for name in used & set(OF_RUN) if not values.get(name))
    if missing:
        raise InputError(
            f"The prompt `{prompt.name}` uses {{{missing[0]}}} ({OF_RUN[missing[0]]}), which is "
            "not known here. Choose another prompt, or a model whose row states it."
        )
    return prompt.filled({name: values[name] for name in used & set(OF_RUN)})


def _fill(text: str, values: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), text)
