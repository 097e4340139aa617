"""Results made by hand, one of each sort, for the tests of reports."""

from msgspec import structs

from hallmark.records.finding import Finding, Safety, Severity
from hallmark.records.queue import Pick, Queue
from hallmark.records.reference import Location
from hallmark.records.verdict import (
    SUBTESTS,
    Contradicted,
    Grounds,
    NotChecked,
    NotFound,
    Result,
    SourceStatus,
    Suggestion,
    Unresolved,
    Verdict,
    Verified,
)
from hallmark.records.work import Version
from hallmark.text.venues import VenueKind

NAMES = {
    "HM301": "title-altered",
    "HM402": "missing-authors",
    "HM506": "venue-variant",
    "HM602": "year-off-by-one",
    "HM701": "not-listed",
}
_INDEX = SourceStatus("index", "found", "2021-09-07")
_ATTENTION = "Attention is All you Need"


def result(
    key: str,
    line: int,
    verdict: Verdict,
    title: str = "",
    outcome: str = "",
    grounds: Grounds | None = None,
) -> Result:
    source = SourceStatus("index", outcome, "2021-09-07") if outcome else _INDEX
    return Result(key, Location("paper.bib", line), verdict, (source,), title, grounds)


def grounds(
    venue: str = "ICLR", year: int = 2019, *, known: bool = True, complete: bool = True
) -> Grounds:
    """What the index holds of a venue; an unknown one is held by nobody."""
    return Grounds(
        venue=venue,
        kind=VenueKind.VENUE if known else VenueKind.UNKNOWN,
        venue_id=venue.lower() if known else "",
        year=year,
        known=known,
        complete=complete and known,
        found=known,
    )


def queue() -> Queue:
    """A queue of two, one of them hostile."""
    first = Pick(
        key="doe2019tangents",
        file="paper.bib",
        line=47,
        title="Neural Tangents of Forgetful Graphs",
        status="not_found",
        type="plausible_fabrication",
        probability=0.4217,
        precision=0.4217,
        harm="fabricated work",
        harm_weight=1.0,
        action="open the DOI",
        minutes=2.5,
        value=0.16868,
    )
    text = hostile().title
    second = structs.replace(
        first, key=text, file=text, title=text, probability=0.0033, precision=0.2125, value=0.001
    )
    return Queue(
        prevalence=0.02,
        asked=2,
        open=6,
        confirmed=3,
        out_of_scope=1,
        unreadable=1,
        precision=0.2125,
        expected_bad=0.425,
        minutes=5.0,
        known_share=0.46,
        picks=(first, second),
    )


def near_miss() -> Result:
    finding = Finding(
        code="HM301",
        severity=Severity.PROBLEM,
        message=f"The records call it “{_ATTENTION}”.",
        field="title",
        claimed="Attention Is All You Require",
        found=_ATTENTION,
        sources=("dblp", "acl"),
        suggestion=_ATTENTION,
        safety=Safety.UNSAFE,
    )
    verdict = Contradicted(
        probability=0.9821,
        reason=finding.message,
        type="near_miss_title",
        subtests={name: name != "title_exists" for name in SUBTESTS},
        findings=(finding,),
        work=Version(collection="dblp", title=_ATTENTION, authors=("Ashish Vaswani",), year=2017),
        suggestion=Suggestion({"title": _ATTENTION}, Safety.SAFE),
    )
    return result("vaswani2017require", 12, verdict, "Attention Is All You Require")


def missing_authors() -> Result:
    finding = Finding(
        code="HM402",
        severity=Severity.PROBLEM,
        message="Missing from the entry: Kenton Lee; Kristina Toutanova.",
        field="author",
        claimed="Jacob Devlin, Ming-Wei Chang",
        found="Jacob Devlin, Ming-Wei Chang, Kenton Lee, Kristina Toutanova",
        sources=("acl",),
    )
    title = "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding"
    verdict = Contradicted(
        probability=0.91, reason=finding.message, type="partial_author_list", findings=(finding,)
    )
    return result("devlin2019bert", 31, verdict, title)


def invented() -> Result:
    finding = Finding(
        code="HM701",
        severity=Severity.PROBLEM,
        message="The complete list of ICLR 2019 (502 works) lacks it.",
        claimed="Neural Tangents of Forgetful Graphs",
        sources=("dblp",),
    )
    verdict = NotFound(
        probability=0.97,
        reason=finding.message,
        type="plausible_fabrication",
        findings=(finding,),
    )
    return result(
        "doe2019tangents", 47, verdict, "Neural Tangents of Forgetful Graphs", "absent", grounds()
    )


def verified(key: str = "he2016deep", line: int = 60) -> Result:
    note = Finding(
        code="HM506",
        severity=Severity.NOTE,
        message="The venue is written otherwise.",
        field="venue",
        claimed="CVPR",
        found="IEEE Conference on Computer Vision and Pattern Recognition",
    )
    verdict = Verified(probability=0.01, reason="All fields agree.", findings=(note,))
    return result(
        key,
        line,
        verdict,
        "Deep Residual Learning for Image Recognition",
        grounds=grounds("CVPR", 2016),
    )


def warned() -> Result:
    finding = Finding(
        code="HM602",
        severity=Severity.WARNING,
        message="The year is one beside the record's (2015).",
        field="year",
        claimed="2016",
        found="2015",
    )
    verdict = Verified(probability=0.04, reason="All fields agree.", findings=(finding,))
    return result("kingma2016adam", 71, verdict, "Adam: A Method for Stochastic Optimization")


def unresolved() -> Result:
    verdict = Unresolved(
        probability=0.5, reason="No record was found, and no source that was asked had to have it."
    )
    return result(
        "smith2020obscure",
        83,
        verdict,
        "An Obscure Study of Rare Events",
        "absent",
        grounds("Gut", 2020, known=False),
    )


def failed() -> Result:
    verdict = Unresolved(probability=0.4, reason="The index did not answer.", source_failed=True)
    status = SourceStatus("index", "unavailable", "", "No index was given.")
    return Result("lost2020", Location("paper.bib", 90), verdict, (status,), "A Lost Work")


def web_page() -> Result:
    verdict = NotChecked(probability=0.18, reason="Sources do not list things of this kind: web.")
    return result("pytorch", 95, verdict, "PyTorch documentation", "absent")


def unreadable() -> Result:
    verdict = NotChecked(probability=0.5, reason="The braces are never closed.", unreadable=True)
    return Result("", Location("paper.bib", 101), verdict)


def hostile() -> Result:
    """A result in which every text from outside tries something."""
    text = (
        "\x1b[31mred\x1b[0m <script>alert(1)</script> | **b** `c` \u202eesrever\u200b @all #1\n# h"
    )
    finding = Finding(
        code="HM301",
        severity=Severity.PROBLEM,
        message=f"It is {text}",
        field=text,
        claimed=text,
        found=f"{text} x",
        sources=(text,),
    )
    verdict = Contradicted(
        probability=0.9,
        reason=text,
        findings=(finding,),
        work=Version(collection=text, title=text, authors=(text,)),
        suggestion=Suggestion({text: text}, Safety.UNSAFE),
    )
    status = SourceStatus(text, "unavailable", text, text)
    return Result(text, Location(text, 1), verdict, (status,), text)


def every_sort() -> list[Result]:
    """One of each sort, in an order that no section has."""
    return [
        verified(),
        near_miss(),
        unresolved(),
        missing_authors(),
        warned(),
        failed(),
        invented(),
        web_page(),
        unreadable(),
        verified("vaswani2017attention", 110),
        verified("brown2020language", 121),
    ]
