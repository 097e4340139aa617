"""What does `hallmark study` offer?

Commands are imported when they are called, as in `hallmark.cli.main`.
"""

from hallmark.cli.lazy import Lazy, LazyGroup, lazy_app

COMMANDS = {
    "errors": Lazy(
        "hallmark.cli.study.errors", "errors", "Show every false alarm, miss and abstention."
    ),
    "ablation": Lazy(
        "hallmark.cli.study.ablation", "ablation", "Take rules and sources away, measure again."
    ),
    "noise": Lazy(
        "hallmark.cli.study.noise",
        "noise",
        "Write works sloppily, and falsely; count the verdicts.",
    ),
    "policies": Lazy(
        "hallmark.cli.study.policies", "policies", "Compare the policies on gold files."
    ),
    "labels": Lazy(
        "hallmark.cli.study.labels", "labels", "List the labels that the evidence disputes."
    ),
    "triage": Lazy(
        "hallmark.cli.study.triage", "triage", "Compare what queues state with the labels."
    ),
    "llm-weights": Lazy(
        "hallmark.cli.study.llm_weights", "llm_weights", "Fit what a model's vote is worth."
    ),
    "report": Lazy("hallmark.cli.study.report", "report", "Write the page on accuracy."),
}
"""Every command of the group; a study is added by one row."""


class StudyCommands(LazyGroup):
    """The group of the studies, none of which is imported for the help."""

    rows = COMMANDS


app = lazy_app(StudyCommands)


@app.callback()
def study() -> None:
    """Study the verifier itself: where it errs and why, and what each part of it brings.

    Exit codes: 0 done, 2 misuse or input that cannot be used.
    """
