"""How do people write DOIs?"""

from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.noise.interface import Facts, noise
from hallmark.bench.perturb.drafts import with_fields
from hallmark.bench.perturb.interface import Inapplicable

_FRONTS = ("https://doi.org/", "http://dx.doi.org/", "doi:", "DOI: ", "https://www.doi.org/")


@noise("doi-as-url")
def doi_as_url(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Write the DOI as an address, in its own field or in that of the address."""
    doi = entry.fields.get("doi")
    if doi is None:
        return Inapplicable("has no DOI")
    if rng.random() < 0.3:  # noqa: PLR2004 - about one in three
        return with_fields(entry, {"doi": None, "url": f"https://doi.org/{doi}"})
    return with_fields(entry, {"doi": rng.choice(_FRONTS) + doi})


@noise("doi-capitals")
def doi_capitals(entry: Entry, facts: Facts, rng: Random) -> Entry | Inapplicable:  # noqa: ARG001
    """Write the DOI in capitals, as DBLP does."""
    doi = entry.fields.get("doi")
    return Inapplicable("has no DOI") if doi is None else with_fields(entry, {"doi": doi.upper()})
