"""Who is named, and could two names mean the same person?"""

from msgspec import Struct


class PersonName(Struct, frozen=True):
    """A name in parts, in Unicode; `literal` is set instead for groups and consortia.

    `split_known` tells whether the source itself said which part is the family name
    ("Lovelace, Ada"), rather than our guess from "Ada Lovelace".
    """

    given: str = ""
    family: str = ""
    particle: str = ""
    suffix: str = ""
    literal: str = ""
    split_known: bool = False

    @property
    def display(self) -> str:
        """The name as people write it: "Ludwig van Beethoven Jr."."""
        if self.literal:
            return self.literal
        return " ".join(p for p in (self.given, self.particle, self.family, self.suffix) if p)
