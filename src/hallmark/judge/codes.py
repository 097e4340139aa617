"""Which statements can a verdict contain, and what does each mean?

One row per finding code: the page docs/findings.md is generated from this table. The hundreds
name the field: 1 the entry itself, 2 identifiers, 3 title, 4 authors, 5 venue, 6 year, 7 absence,
8 what a language model says, 9 the check itself.
"""

from msgspec import Struct

from hallmark.records.finding import Severity

_P, _W, _N = Severity.PROBLEM, Severity.WARNING, Severity.NOTE


class Code(Struct, frozen=True):
    """What a finding code means; every text is a sentence or two, for people.

    `severity` is that of the default policy. `field` is the BibTeX field it is about, or "".
    """

    code: str
    name: str
    severity: Severity
    field: str
    meaning: str
    why: str
    example: str
    when_wrong: str


_ROWS = (
    Code(
        "HM101", "future-year", _P, "year",
        "The year lies in the future, beyond what a work in press can carry.",
        "Invented references often carry a date that has not come yet.",
        "`year = {2031}` in a bibliography checked in 2026.",
        "When the clock of the machine is wrong.",
    ),
    Code(
        "HM102", "placeholder-authors", _P, "author",
        "The authors are placeholders, not people.",
        "Text generators and unfinished drafts leave such names behind.",
        "`author = {John Doe and Jane Smith}`",
        "When a person really has such a name and no record of the work is at hand.",
    ),
    Code(
        "HM103", "repeated-author", _W, "author",
        "The same person is named twice.",
        "Merged or generated author lists repeat names.",
        "`author = {Ada Lovelace and Charles Babbage and Ada Lovelace}`",
        "When two people of one name wrote the work together.",
    ),
    Code(
        "HM104", "nothing-to-check", _N, "",
        "The entry has no title: there is nothing to look up.",
        "Without a title no record can be found or ruled out.",
        "`@misc{x, note = {personal communication}}`",
        "Never.",
    ),
    Code(
        "HM105", "unreadable-entry", _W, "",
        "The entry could not be read.",
        "BibTeX may drop or garble it as well.",
        "An entry whose braces are never closed.",
        "When another program is more tolerant than this one.",
    ),
    Code(
        "HM106", "repaired-entry", _N, "",
        "The entry had a fault of form that was repaired while reading.",
        "Other programs may lose a field here.",
        "A missing comma between two fields.",
        "Never.",
    ),
    Code(
        "HM107", "out-of-scope", _N, "",
        "The entry cites a kind of thing that bibliographic sources do not list.",
        "Absence says nothing about a web page, software, a standard or a patent.",
        "`@online{x, title = {Project page}, url = {...}}`",
        "When a source does list it; then it is verified.",
    ),
    Code(
        "HM201", "doi-names-other-work", _P, "doi",
        "The DOI belongs to another work than the entry describes.",
        "A real identifier under invented metadata looks convincing and proves nothing.",
        "The DOI of one CVPR paper under the title and authors of another.",
        "When a registry has swapped two records.",
    ),
    Code(
        "HM202", "arxiv-names-other-work", _P, "eprint",
        "The arXiv id belongs to another work than the entry describes.",
        "As for DOIs: an id that exists does not verify what stands around it.",
        "`arXiv:1412.6980` under a title that is not Adam's.",
        "When the id was mistyped and the rest is right.",
    ),
    Code(
        "HM203", "doi-implausible", _P, "doi",
        "The DOI cannot be this work's: no publisher of this venue registers under its prefix, and "
        "the record of the work knows no such DOI.",
        "Fabricated DOIs use prefixes that nobody, or somebody else, has registered.",
        "`doi = {10.99999/xyz.1}` on an ICLR paper (ICLR registers no DOIs).",
        "When a repository registered a further DOI for a copy of the work.",
    ),
    Code(
        "HM204", "doi-differs", _W, "doi",
        "The DOI is not the one that the records of this work carry.",
        "Either is mistyped, or it names another copy.",
        "One wrong digit at the end of a DOI.",
        "When a work has several DOIs.",
    ),
    Code(
        "HM205", "doi-malformed", _W, "doi",
        "The DOI field holds no DOI.",
        "Nobody can follow it.",
        "`doi = {to appear}`",
        "Never.",
    ),
    Code(
        "HM206", "doi-contradicts-entry", _W, "doi",
        "The DOI's own structure names another venue or year than the entry.",
        "Many publishers write venue and year into the DOI.",
        "`10.1109/CVPR52688.2022.00001` on an entry that claims ICML 2021.",
        "When proceedings were registered under a later edition's pattern.",
    ),
    Code(
        "HM207", "arxiv-id-differs", _W, "eprint",
        "The arXiv id is not the one that the records of this work carry.",
        "It is mistyped, or names another paper.",
        "Two digits swapped in an arXiv id.",
        "When a work was submitted to arXiv twice.",
    ),
    Code(
        "HM208", "doi-unregistered", _P, "doi",
        "The DOI does not exist: its resolver says so.",
        "Generated references carry DOIs that look right and lead nowhere.",
        "`doi = {10.1145/9999999.9999999}`",
        "When the DOI was printed before it was registered, or is mistyped.",
    ),
    Code(
        "HM209", "doi-missing", _N, "doi",
        "The entry gives no DOI, and the record of the cited version has one.",
        "A DOI leads readers to the very work, and many venues ask for it.",
        "A journal article without `doi`, whose record at Crossref names one.",
        "Never: it accuses nobody. Only policies that ask for it say so.",
    ),
    Code(
        "HM301", "title-altered", _P, "title",
        "The title differs from the records' by a word or a few letters.",
        "A near miss sends readers to a paper that does not exist; generators produce them often.",
        "`Attention Is All You Require`",
        "When an earlier version carried the claimed title and no source knows it.",
    ),
    Code(
        "HM302", "title-other", _P, "title",
        "These authors' work at this place carries another title.",
        "Real authors under an invented title are a known pattern of fabrication.",
        "The authors and DOI of one paper with a title of no paper.",
        "When a paper was retitled for its final version.",
    ),
    Code(
        "HM303", "retitled", _W, "title",
        "A record of the same authors and identifier carries another title; the paper may have "
        "been retitled.",
        "Authors reword titles between preprint and proceedings.",
        "A preprint's title on the published version's DOI.",
        "When the title was made up; compare the two.",
    ),
    Code(
        "HM304", "title-variant", _N, "title",
        "The title differs from the record's only by a documented equivalence.",
        "Subtitles, formulas, spelling and spacing vary between sources.",
        "`Colour constancy` for `Color constancy`",
        "Under the strict policy spelling and spacing are problems.",
    ),
    Code(
        "HM305", "retracted", _W, "",
        "The work was retracted, says a notice of its publisher or a mark on its record.",
        "Citing it without saying so passes on what its publisher withdrew.",
        "A record titled `RETRACTED: ...`, or a DOI in the Retraction Watch table.",
        "When it is cited because it was retracted, or the notice is about another version of it.",
    ),
    Code(
        "HM306", "expression-of-concern", _W, "",
        "The publisher has published an expression of concern about the work.",
        "Its findings are in doubt until an inquiry ends.",
        "A DOI with the nature `Expression of concern` in the Retraction Watch table.",
        "When the concern was settled since, and the table does not say so.",
    ),
    Code(
        "HM307", "corrected", _N, "",
        "A correction of the work was published.",
        "Numbers that are quoted from it may have changed.",
        "An article with a corrigendum.",
        "When the correction is about a misspelt name.",
    ),
    Code(
        "HM308", "withdrawn", _W, "",
        "The work was withdrawn by its authors or by the preprint server.",
        "Preprints get no notice of retraction; only their server says that they are withdrawn.",
        "An arXiv entry with the comment `This paper has been withdrawn`.",
        "When a published version stands although the preprint was taken back.",
    ),
    Code(
        "HM309", "is-a-notice", _N, "doi",
        "The entry's DOI is that of a notice about another work, not of the work itself.",
        "A notice cited on purpose is in order; in place of the work it is a slip.",
        "The DOI of `Editorial Retraction`.",
        "When the notice carries the DOI of the work that it is about.",
    ),
    Code(
        "HM401", "foreign-authors", _P, "author",
        "Authors are named who are on no record of this work.",
        "Wrong or invented authors are the commonest fault of generated references.",
        "The title of one paper with the authors of another.",
        "When a person changed their name and the records carry the other one.",
    ),
    Code(
        "HM402", "missing-authors", _P, "author",
        "Authors are missing, and nothing says that the list is cut.",
        "Dropping co-authors denies them credit; `and others` would be honest.",
        "First and last author only, of a paper by six people.",
        "When the record lists people who joined in a later version.",
    ),
    Code(
        "HM403", "author-order", _P, "author",
        "The authors stand in another order than in the records.",
        "The order of authors carries meaning in most fields.",
        "The last author named first.",
        "When the record's order is not the paper's.",
    ),
    Code(
        "HM404", "author-name-differs", _W, "author",
        "One author's given name differs from the records'.",
        "It may be a slip, or another person of that surname.",
        "`Michael Zhang` for `Wei Zhang`",
        "When a person goes by two given names.",
    ),
    Code(
        "HM405", "author-variant", _N, "author",
        "Names are written otherwise than in the record, in a way that means the same.",
        "Initials, accents, transliteration and the order of name parts vary.",
        "`Y. LeCun` for `Yann LeCun`",
        "When two people share surname and initial.",
    ),
    Code(
        "HM406", "mixed-author-lists", _W, "author",
        "The entry joins the authors of two records of the work.",
        "Preprint and publication may differ by a few authors; one of the lists should be cited.",
        "Ten authors, of whom eight are the paper's and two are the preprint's only.",
        "When the published list was corrected later.",
    ),
    Code(
        "HM501", "venue-other", _P, "venue",
        "The work appeared elsewhere, and not at the claimed venue.",
        "A better-known venue lends a paper weight that it does not have.",
        "A NeurIPS paper cited as ICML.",
        "When it appeared at both and the index lacks one.",
    ),
    Code(
        "HM502", "venue-unknown", _P, "venue",
        "No venue of this name is known, and the work is listed elsewhere.",
        "Invented venues sound like real ones.",
        "`Symposium on Neural Scaling Methods` for an ICLR paper.",
        "When a real venue is missing from the venue table and the work also appeared there.",
    ),
    Code(
        "HM503", "preprint-as-published", _P, "venue",
        "Only a preprint is known, and the complete list of the claimed venue lacks the work.",
        "It claims a peer review that did not take place.",
        "An arXiv paper cited as `Proc. KDD`.",
        "When it was accepted after the list was made.",
    ),
    Code(
        "HM504", "venue-not-held", _P, "venue",
        "The claimed venue had no edition in the claimed year.",
        "Biennial conferences are a trap for inventions.",
        "`ECCV 2021`",
        "When the edition was held under another name.",
    ),
    Code(
        "HM505", "venue-track", _P, "venue",
        "The work appeared in another track of the same event (workshop, Findings, companion).",
        "Tracks are reviewed separately.",
        "A CVPR workshop paper cited as CVPR.",
        "When the proceedings print both together.",
    ),
    Code(
        "HM506", "venue-variant", _N, "venue",
        "The venue is written otherwise than in the record, in a way that means the same.",
        "Acronyms, abbreviations and former names vary.",
        "`NIPS` for `NeurIPS`",
        "Never.",
    ),
    Code(
        "HM507", "published-version-exists", _N, "venue",
        "The work is cited as a preprint, and a published version exists.",
        "Many venues ask for the published version.",
        "`arXiv preprint` for a NeurIPS paper.",
        "When the preprint is cited on purpose.",
    ),
    Code(
        "HM508", "journal-version", _N, "venue",
        "A journal is claimed, and only the conference paper of the same title is held.",
        "Journals print conference papers again, longer and often with more authors.",
        "A CVPR paper of 2015 cited as an article of a journal in 2017.",
        "When no such article exists.",
    ),
    Code(
        "HM509", "preprint-not-held", _N, "venue",
        "A preprint is cited, and only the published paper is held, with a small difference.",
        "Titles and authors of preprints often change until the paper is published.",
        "A preprint under its first title, where only the ICML paper is held.",
        "When the preprint had that title and these authors too.",
    ),
    Code(
        "HM601", "year-other", _P, "year",
        "The work appeared in another year.",
        "Wrong years hide which edition or version is meant.",
        "A CVPR 2019 paper dated 2022.",
        "When a source carries the date of a reprint.",
    ),
    Code(
        "HM602", "year-off-by-one", _W, "year",
        "The year is one beside the record's.",
        "Online and print dates, meeting and proceedings often differ by one.",
        "`2018` for a January 2019 journal issue.",
        "When both years are in use.",
    ),
    Code(
        "HM603", "preprint-year", _N, "year",
        "The year is that of a later version of the preprint.",
        "Every version of a preprint has its own date.",
        "A preprint of 2019, revised and cited as 2020.",
        "Never.",
    ),
    Code(
        "HM701", "not-listed", _P, "",
        "The complete list of the claimed venue and year holds no such work.",
        "If it had appeared there, the list would have it.",
        "An invented title at `ICLR 2022`.",
        "When the list is not as complete as it is said to be.",
    ),
    Code(
        "HM702", "no-record", _N, "",
        "No record was found, and no source that was asked had to have it.",
        "Absence from an incomplete source is no evidence.",
        "A biomedical article checked against an index of computer science.",
        "Never: it accuses nobody.",
    ),
    Code(
        "HM703", "venue-not-confirmed", _N, "venue",
        "The work was found, but no record places it at the claimed venue, and nothing that is "
        "held would have to.",
        "The venue stays open.",
        "A preprint cited as a journal article of a journal that is not held.",
        "Never: it accuses nobody.",
    ),
    Code(
        "HM704", "absent-everywhere", _P, "",
        "Every source that covers such works answered, and none has a record of it.",
        "One source's miss says little; that several independent ones lack it says much.",
        "A journal paper of 2019 that neither Crossref nor OpenAlex nor Semantic Scholar knows.",
        "When the work is in a language, field or form that none of these sources holds.",
    ),
    Code(
        "HM705", "too-new", _N, "",
        "No record was found, but the work may be too new for the sources.",
        "Records appear weeks to months after a publication.",
        "A paper dated this year.",
        "Never.",
    ),
    Code(
        "HM801", "model-said", _N, "",
        "A language model was asked about a reference that evidence left open, and said this.",
        "It may know the work, or a reason to doubt it; what it says is no record.",
        "`hallmark check paper.bib --llm gpt-5.1`",
        "Often: models flag what they have not read, above all what is newer than they are.",
    ),
    Code(
        "HM802", "model-suspects", _W, "",
        "A language model doubts an open reference, and its fitted weight makes it more likely "
        "than not that something is wrong.",
        "Such a reference is worth a look before others. It is not accused: no record contradicts "
        "it.",
        "An invented title at a venue that is not held, which the model takes for made up too.",
        "When the work is real, but known to neither the sources nor the model.",
    ),
    Code(
        "HM803", "model-failed", _N, "",
        "A language model was asked and gave no answer that can be read.",
        "The verdict is that of the evidence alone.",
        "A reply that was cut off, refused, or is no JSON.",
        "Never: it says nothing of the reference.",
    ),
    Code(
        "HM901", "source-failed", _W, "",
        "A source that was needed did not answer.",
        "What a source does not say is no evidence.",
        "No index was given, or it could not be opened.",
        "Never.",
    ),
    Code(
        "HM903", "sources-disagree", _N, "",
        "A source holds a record of this identifier that the other sources contradict.",
        "Sources merge works by mistake; what the others agree on counts.",
        "A DOI whose record at one source bears the title of another paper.",
        "When the lone source is the one that is right.",
    ),
    Code(
        "HM902", "internal-error", _W, "",
        "The check of this reference failed; all others were checked.",
        "Please report it.",
        "A fault of this program.",
        "Always a fault of the program, never of the reference.",
    ),
)  # fmt: skip

CODES: dict[str, Code] = {row.code: row for row in _ROWS}
"""Every finding code, by code."""
