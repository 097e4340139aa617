"""What is the answer for one reference?

Five outcomes, each with the same body: probability, type, sub-tests, findings, work, suggestion.
"""

from typing import TypeAlias

from msgspec import Struct

from hallmark.records.finding import Finding, Safety
from hallmark.records.opinion import Opinion
from hallmark.records.reference import Location
from hallmark.records.work import Version
from hallmark.text.venues import VenueKind

SUBTESTS = (
    "doi_resolves",
    "title_exists",
    "authors_match",
    "venue_correct",
    "fields_complete",
    "cross_db_agreement",
)


class Suggestion(Struct, frozen=True):
    """A corrected entry: the fields to change, by BibTeX field name, and whether that is safe.

    Values are plain text; an empty one says that the field is to be taken out.
    """

    fields: dict[str, str]
    safety: Safety


class _Body(Struct, frozen=True, kw_only=True):
    """What every outcome carries.

    `probability` is P(hallucinated) in [0, 1]. `type` is the most likely of the 14 types, None
    where nothing is wrong. `subtests` maps the six names in `SUBTESTS` to true, false or None
    (unknown). `work` is the record that the reference was matched with.
    `reason` is one sentence for people.
    """

    probability: float
    reason: str
    type: str | None = None
    subtests: dict[str, bool | None] = {}
    findings: tuple[Finding, ...] = ()
    work: Version | None = None
    suggestion: Suggestion | None = None


class Verified(_Body, frozen=True, tag_field="status", tag="verified"):
    """The work exists, and no compared field contradicts it."""


class Contradicted(_Body, frozen=True, tag_field="status", tag="contradicted"):
    """A record of this work, or of the cited identifier, contradicts at least one field."""


class NotFound(_Body, frozen=True, tag_field="status", tag="not_found"):
    """No record, and the sources that answered ought to have it."""


class Unresolved(_Body, frozen=True, tag_field="status", tag="unresolved"):
    """There is not enough evidence; `source_failed` says that a needed source did not answer."""

    source_failed: bool = False


class NotChecked(_Body, frozen=True, tag_field="status", tag="not_checked"):
    """Out of scope (web page, software, standard), or the entry could not be read."""

    unreadable: bool = False


Verdict: TypeAlias = Verified | Contradicted | NotFound | Unresolved | NotChecked


class SourceStatus(Struct, frozen=True):
    """Which source was asked about a reference, what came of it, and when an index was built.

    `outcome` is "found", "absent", "registered" (the resolver knows the DOI) or "unavailable";
    `detail` holds the reason of a failure, or the DOI's registration agency.
    """

    name: str
    outcome: str
    as_of: str = ""
    detail: str = ""


class Grounds(Struct, frozen=True, omit_defaults=True):
    """What a result takes along of its evidence, for the coverage of a run and for triage.

    `venue` is the claimed venue's name, and `kind` what it turned out to be; MISSING where the
    local index was not there to be asked. `venue_id` and `year` are the claimed place, "" and None
    where it is not certain. `known` says that the index holds records of that venue and year (or
    knows that there was no edition); `complete` that it holds the whole list; `found` that it has a
    record of the work. `works` counts the candidate works. `link` is what a person could open:
    "doi", "arxiv", "url", or "" for nothing.
    """

    venue: str = ""
    kind: VenueKind = VenueKind.MISSING
    venue_id: str = ""
    year: int | None = None
    known: bool = False
    complete: bool = False
    found: bool = False
    works: int = 0
    link: str = ""


class Result(Struct, frozen=True, omit_defaults=True):
    """One reference's row: n entries in, n results out, in order.

    `grounds` is None where nothing was gathered: the entry could not be read, or its check failed.
    `opinion` is what a language model added, None where none was asked.
    """

    key: str
    location: Location
    verdict: Verdict
    sources: tuple[SourceStatus, ...] = ()
    title: str = ""
    grounds: Grounds | None = None
    opinion: Opinion | None = None

    @property
    def status(self) -> str:
        """The verdict's tag: "verified", "contradicted", "not_found", "unresolved"..."""
        return str(self.verdict.__struct_config__.tag)
