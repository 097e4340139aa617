"""In which words is an author told of a finding: neutral ones, that leave both sides open?"""

from msgspec import Struct


class Words(Struct, frozen=True):
    """The heading of a finding in a letter, and a sentence about it that accuses nobody."""

    heading: str
    sentence: str


_BOTH = "Our records say otherwise."

WORDS = {
    "HM101": Words("Year", "The year lies ahead of us."),
    "HM102": Words("Authors", "The names look like placeholders that were left in a draft."),
    "HM103": Words("Authors", "One name stands twice in the list."),
    "HM104": Words("Title", "The entry has no title, so that we could not look it up."),
    "HM105": Words("Form", "We could not read the entry."),
    "HM106": Words("Form", "The entry has a slip of form, which other programs may take amiss."),
    "HM107": Words("Kind of work", "The sources that we ask do not list works of this kind."),
    "HM201": Words("DOI", "In our records the DOI stands for another work."),
    "HM202": Words("arXiv id", "In our records the arXiv id stands for another work."),
    "HM203": Words("DOI", "We could not match the DOI with this work."),
    "HM204": Words("DOI", "Our records give another DOI."),
    "HM205": Words("DOI", "The field holds no DOI."),
    "HM206": Words("DOI", "The DOI is of a form that stands for another venue or year."),
    "HM207": Words("arXiv id", "Our records give another arXiv id."),
    "HM208": Words("DOI", "The resolver of DOIs does not know this one."),
    "HM209": Words("DOI", "You give no DOI; our records have one."),
    "HM301": Words("Title", "Our records word the title a little differently."),
    "HM302": Words("Title", "Our records of this identifier carry another title."),
    "HM303": Words("Title", "Our records carry another title; it may have been changed later."),
    "HM304": Words("Title", "Our records write the title in another way, which means the same."),
    "HM305": Words("Retraction", "There is a notice that the work was retracted."),
    "HM306": Words("Expression of concern", "There is an expression of concern about the work."),
    "HM307": Words("Correction", "A correction of the work was published."),
    "HM308": Words("Withdrawal", "The work is marked as withdrawn."),
    "HM309": Words("Notice", "The DOI is that of a notice about another work."),
    "HM401": Words("Authors", "Our records of this work name other people."),
    "HM402": Words("Authors", "Our records name further authors."),
    "HM403": Words("Authors", "Our records give the authors in another order."),
    "HM404": Words("Authors", "Our records give another given name, or another spelling."),
    "HM405": Words("Authors", "Our records write a name in another way, which means the same."),
    "HM406": Words("Authors", "Two records of this work name different people, and you name both."),
    "HM501": Words("Venue", "Our records place the work elsewhere."),
    "HM502": Words("Venue", "We know no venue of this name; our records place the work elsewhere."),
    "HM503": Words("Venue", "We know of a preprint only."),
    "HM504": Words("Venue", "As far as we know, the meeting was not held in that year."),
    "HM505": Words("Venue", "Our records place the work in another track of the same event."),
    "HM506": Words("Venue", "Our records name the venue in another way, which means the same."),
    "HM507": Words("Venue", "You cite a preprint; there is a published version, too."),
    "HM508": Words(
        "Venue", "Our records hold the conference paper; the journal may hold a longer version."
    ),
    "HM509": Words(
        "Record", "You cite a preprint; our records hold the published paper only, which differs."
    ),
    "HM601": Words("Year", "Our records give another year."),
    "HM602": Words("Year", "Our records give the year beside yours."),
    "HM603": Words("Year", "The first version of the preprint is older."),
    "HM701": Words(
        "Record", "The list of that venue and year that we hold does not have the work."
    ),
    "HM702": Words(
        "Record", "We found no record; none of the sources that we asked had to have one."
    ),
    "HM703": Words("Venue", "None of our records confirms the venue, and none would have to."),
    "HM704": Words("Record", "None of the sources that we asked has a record of the work."),
    "HM705": Words("Record", "We found no record; the work may be too new for our sources."),
    "HM801": Words("The check", "A language model was asked as well; what it says is no record."),
    "HM802": Words("The check", "A language model doubts the entry; no record contradicts it."),
    "HM803": Words("The check", "A language model was asked as well, and gave no usable answer."),
    "HM901": Words("The check", "A source that we needed did not answer."),
    "HM902": Words("The check", "The check of this entry failed; the fault is ours."),
    "HM903": Words("The check", "Our sources disagree among themselves."),
}
"""What a letter says, by the code of the finding."""

OTHERWISE = Words("Remark", _BOTH)
"""For a code that is not in the table."""

OPENING = {
    "verified": "We compared this reference with the records that we hold. They confirm it.",
    "contradicted": (
        "We compared this reference with the records that we hold. They differ in what stands "
        "below. Records have mistakes, too: please look at both sides, and at the work itself."
    ),
    "not_found": (
        "We looked for this work and have not found it where we expected it. Our sources have "
        "gaps: a link, a DOI or a copy of the work would settle the matter."
    ),
    "unresolved": (
        "We looked for this work in the records that we hold, and they do not settle all of its "
        "details. This says nothing against the reference."
    ),
    "not_checked": (
        "We did not check this reference against records: our sources do not list works of its "
        "kind, or we could not read the entry. This says nothing against it."
    ),
}
"""The first paragraph of a letter, by the verdict's status."""

CLOSING = (
    "If your details are right, please tell us what we overlooked; we will gladly correct our "
    "records."
)
