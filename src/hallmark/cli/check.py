"""How are the references of files checked?"""

from pathlib import Path
from typing import Annotated

import typer

from hallmark.cli.checking import MAX_WORKERS, Asked, run
from hallmark.cli.explain import show
from hallmark.cli.fix import DiffOption, Fixing, FixOption, UnsafeOption
from hallmark.cli.llm import (
    Llm,
    LlmDryRun,
    LlmWeights,
    LlmWish,
    MaxCalls,
    MaxCost,
    MaxTokens,
    ShowQuestion,
)
from hallmark.cli.online import (
    Budget,
    MaxRequests,
    NoCache,
    Offline,
    Online,
    OnlineWish,
    Record,
    ReplayFrom,
    Sources,
    Thorough,
)
from hallmark.cli.options import (
    CalibrationOption,
    FolderOfTables,
    Format,
    FormatOption,
    IndexOption,
    InputFormatOption,
    OnlyOption,
    OutputOption,
    PolicyOption,
    QuietOption,
    TodayOption,
)
from hallmark.cli.queue import PrevalenceOption, QueueOption

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def check(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Files to check; - is standard input.")
    ],
    *,
    index: IndexOption = None,
    tables: FolderOfTables = None,  # noqa: ARG001 - taken by its callback
    policy: PolicyOption = "default",
    form: FormatOption = Format.TERMINAL,
    output: OutputOption = None,
    only: OnlyOption = None,
    quiet: QuietOption = False,
    explain_key: Annotated[
        str | None,
        typer.Option("--explain", metavar="KEY", help="Show the whole evidence for one entry."),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            "--workers",
            min=0,
            max=MAX_WORKERS,
            help="Processes; 0: as many as there are cores.",
        ),
    ] = 0,
    store_evidence: Annotated[
        Path | None,
        typer.Option("--store-evidence", metavar="FILE", help="Keep what verdicts rest on."),
    ] = None,
    input_format: InputFormatOption = None,
    today: TodayOption = None,
    calibration: CalibrationOption = None,
    queue: QueueOption = None,
    prevalence: PrevalenceOption = None,
    online: Online = False,
    offline: Offline = False,
    sources: Sources = None,
    budget_s: Budget = None,
    max_requests: MaxRequests = None,
    record: Record = None,
    replay: ReplayFrom = None,
    no_cache: NoCache = False,
    thorough: Thorough = False,
    llm: Llm = None,
    llm_weights: LlmWeights = None,
    max_cost: MaxCost = None,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    dry_run: LlmDryRun = False,
    show_question: ShowQuestion = False,
    fix: FixOption = None,
    unsafe_fixes: UnsafeOption = False,
    diff: DiffOption = False,
) -> None:
    """Check the references of FILEs against the local index, and online where that is wished.

    A language model is heard only with --llm, about what is left open, and changes no verdict.

    Exit codes: 0 nothing to report, 1 problems found, 2 misuse or unreadable input, 3 some
    references could not be checked because a source failed.
    """
    if explain_key is not None:
        show(
            explain_key,
            files,
            index=index,
            policy=policy,
            input_format=input_format,
            today=today,
            calibration=calibration,
        )
        return
    asked = Asked(
        files=tuple(files),
        index=index,
        policy=policy,
        form=form,
        output=output,
        only=only,
        quiet=quiet,
        workers=workers,
        store_evidence=store_evidence,
        input_format=input_format,
        today=today,
        calibration=calibration,
        queue=queue,
        prevalence=prevalence,
        online=OnlineWish(
            online=online,
            offline=offline,
            sources=sources,
            budget_s=budget_s,
            max_requests=max_requests,
            record=record,
            replay=replay,
            no_cache=no_cache,
            thorough=thorough,
        ),
        llm=LlmWish(
            model=llm,
            weights=llm_weights,
            max_cost=max_cost,
            max_calls=max_calls,
            max_tokens=max_tokens,
            no_cache=no_cache,
            offline=offline,
            dry_run=dry_run,
            show_question=show_question,
        ),
        fixing=Fixing(
            files=tuple(files), out=fix, diff=diff, unsafe=unsafe_fixes, input_format=input_format
        ),
    )
    raise typer.Exit(run(asked))
