"""Which tables of the paper can be recomputed?"""

from hallmark.bench.studies import (
    aggregation,
    agreement,
    budget,
    cascade,
    chatgpt,
    domain,
    main_results,
    per_type,
    power,
    ppv,
    prompts,
    recall_probe,
    selective,
    splits,
    strata,
    temporal,
    thresholds,
    weights,
)
from hallmark.bench.studies.cells import Study
from hallmark.errors import UnknownName

_MODULES = (
    aggregation, agreement, budget, cascade, chatgpt, domain, main_results, per_type, power, ppv,
    prompts, recall_probe, selective, splits, strata, temporal, thresholds, weights,
)  # fmt: skip

STUDIES: dict[int, Study] = {
    study.number: study
    for study in sorted(
        (study for module in _MODULES for study in module.STUDIES), key=lambda s: s.number
    )
}


def study_of(number: int) -> Study:
    """The study behind table `number`.

    Raises:
        UnknownName: If that table is not among the studies.
    """
    if number not in STUDIES:
        known = ", ".join(str(n) for n in STUDIES)
        raise UnknownName(f"There is no study of table {number}. There are: {known}.")
    return STUDIES[number]
