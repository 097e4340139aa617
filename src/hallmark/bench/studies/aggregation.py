"""Table 20: what does the rule that joins several sources do to recall and false alarms?

The paper's evidence was not released. The rows of the three rules are recomputed from the
predictions of our resolver systems, which apply the same rules to the sources of a local index;
make them with `hallmark bench run resolver-any-miss --out DIR/resolver-any-miss.jsonl ...` and so
on, and name the folder with `--own DIR`. They are a twin of the printed rows, not the same
experiment. Where recorded answers of live sources were scored by the same rules
(`recorded-any-miss` and so on), their rows stand beside them.
"""

from hallmark.bench.align import Stance
from hallmark.bench.studies.cells import Computed, Sheet, Study
from hallmark.bench.studies.folder import Folder
from hallmark.bench.studies.results import joined, named, needed, result, scored
from hallmark.bench.studies.roster import system

SPLIT = "dev_public"
_COLUMNS = {"DR": "detection_rate", "FPR": "false_positive_rate"}
_RULES = {
    "any-no-match": "resolver-any-miss",
    "majority": "resolver-majority",
    "consensus": "resolver-consensus",
}
_PAIRED = "consensus and contradiction"
_TWIN = "(our index)"
_RECORDED = "(recorded sources)"


def _table(folder: Folder) -> Computed:
    sheet = Sheet()
    for row, name in _RULES.items():
        sheet.lacks(row, _COLUMNS, "the authors' evidence from CrossRef, OpenAlex and arXiv")
        _twins(sheet, folder, row, name)
    tool = system("bibtex-updater")
    found = result(folder, tool, SPLIT)
    if found is None:
        sheet.lacks(_PAIRED, _COLUMNS, needed(tool, SPLIT))
    else:
        sheet.row(_PAIRED, named(found, _COLUMNS), found.origin, stance=found.stance)
    _twins(sheet, folder, _PAIRED, "resolver-contradiction")
    sheet.note("Rows of our index show the same rules on other evidence; read their order.")
    return sheet.done()


def _twins(sheet: Sheet, folder: Folder, row: str, name: str) -> None:
    """Add the rows of the same rule over our index, and over recorded answers of live sources."""
    _twin(sheet, folder, f"{row} {_TWIN}", name)
    _twin(sheet, folder, f"{row} {_RECORDED}", name.replace("resolver-", "recorded-"))


def _twin(sheet: Sheet, folder: Folder, row: str, name: str) -> None:
    """Add a row of our own resolver, which has no printed counterpart."""
    entries, predictions = folder.entries(SPLIT), folder.own_predictions(name)
    pairs = joined(folder, entries, predictions, f"{name}.jsonl")
    if pairs is None:
        return
    found = scored(pairs, Stance.CONSERVATIVE)
    sheet.row(row, named(found, _COLUMNS), found.origin, stance=found.stance)


STUDIES = (Study(20, "Rules that join several sources", _table),)
