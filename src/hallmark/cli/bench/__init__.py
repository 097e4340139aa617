"""What does `hallmark bench` offer?

Commands are imported when they are called, as in `hallmark.cli.main`.
"""

from hallmark.cli.lazy import Lazy, LazyGroup, lazy_app

_EVALUATE, _DATA = "hallmark.cli.bench.evaluate", "hallmark.cli.bench.data"
_SYSTEMS = "hallmark.cli.bench.systems"
_RUN, _STUDIES = "hallmark.cli.bench.run", "hallmark.cli.bench.studies"

COMMANDS = {
    "evaluate": Lazy(_EVALUATE, "evaluate", "Evaluate a prediction file against a gold file."),
    "compare": Lazy(_EVALUATE, "compare", "Compare tools on the same entries."),
    "leaderboard": Lazy(_EVALUATE, "leaderboard", "Rank the tools of a folder of results."),
    "score": Lazy(
        "hallmark.cli.bench.score", "score", "Score a prediction file over sealed labels."
    ),
    "run": Lazy(_RUN, "run", "Run a system over a split; can be resumed."),
    "live": Lazy("hallmark.cli.bench.live", "live", "Run a study of language models live."),
    "lookups": Lazy(
        "hallmark.cli.bench.lookups", "lookups", "Write what an agent's searches returned."
    ),
    "systems": Lazy(_SYSTEMS, "systems", "List the systems that can be run."),
    "models": Lazy(_SYSTEMS, "models", "List the language models that can be asked."),
    "conformance": Lazy(
        "hallmark.cli.bench.conformance",
        "conformance",
        "Put the tests that all should pass.",
    ),
    "tools": Lazy("hallmark.cli.bench.tools", "app", "Install and list tools of others."),
    "stats": Lazy(_DATA, "stats", "Count what a gold file holds."),
    "show": Lazy(_DATA, "show", "Show one entry."),
    "validate": Lazy(_DATA, "validate", "Check a gold or prediction file."),
    "blind": Lazy(_DATA, "blind", "Write what a tool may see of a gold file."),
    "audit": Lazy(_DATA, "audit", "Look for leaks that a cheat could use."),
    "contribute": Lazy(
        "hallmark.cli.bench.contribute", "contribute", "Bundle entries and predictions for review."
    ),
    "template": Lazy(_DATA, "template", "Write a prediction file to fill in."),
    "table": Lazy(_STUDIES, "table", "Recompute a table of the paper."),
    "reproduce": Lazy(_STUDIES, "reproduce", "Recompute all tables and report differences."),
    "plot": Lazy(_STUDIES, "plot", "Draw a figure."),
    "build": Lazy("hallmark.cli.bench.build", "app", "Make a benchmark of real records."),
    "convert": Lazy(_STUDIES, "convert", "Convert a released file into predictions."),
}


class BenchCommands(LazyGroup):
    """The group of the benchmark's commands, none of which is imported for the help."""

    rows = COMMANDS


app = lazy_app(BenchCommands)


@app.callback()
def bench() -> None:
    """Measure how good a citation checker is, and with what certainty.

    Exit codes: 0 done, 1 problems were found, 2 misuse or input that cannot be used.
    """
