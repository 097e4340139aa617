"""Which studies of language models can be run live, and what does each of them vary?

A row of `STUDIES` is a study: more of them are added to the tuple. Files are named as in the
folder of released predictions, so that `bench table` reads what a study wrote.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from hallmark._registry import Registry
from hallmark.bench.dataset import Split
from hallmark.bench.entry import Entry
from hallmark.bench.live import raters, recall
from hallmark.bench.live.regimes import Regime, regimes_of
from hallmark.bench.live.sample import by_type, stratified, valid_only
from hallmark.bench.studies.domain import MATCHED, OUTSIDE
from hallmark.bench.studies.raters import GOLD
from hallmark.bench.studies.roster import SYSTEMS
from hallmark.llm.interface import Effort, ModelSpec
from hallmark.llm.prompts.entry import Shape

_SAMPLE = "prompt_sample_150"
"""The split that the replay looks a sample's entries up in, whatever the size of the sample."""
Draw = Callable[[Sequence[Entry], int, int], tuple[Entry, ...]]
"""Entries, the size of a sample and a seed -> the sample."""
Make = Callable[[Split], list[dict[str, Any]]]
"""A sample -> rows of a file that the replay needs beside the answers."""
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


class Variant(Struct, frozen=True, kw_only=True):
    """One way of asking, for every model of a study.

    `asks` says what: a verdict with `prompt`, `shape` and `without`, or what the model recalls.
    `file` lies under `predictions/`, with {model} and {run} to be filled in. `sample` tells
    repeated runs apart; None takes the number of the run. `max_tokens` of 0 leaves the model's, and
    so does an `effort` of None. `files` goes before the study's names of models in files. `split`
    is what is asked about, where that is not the study's.
    """

    name: str
    file: str
    asks: Literal["verdict", "recall"] = "verdict"
    prompt: str = "default"
    shape: Shape = "bibtex"
    without: tuple[str, ...] = ()
    sample: int | None = 0
    max_tokens: int = 0
    effort: Effort | None = None
    files: Mapping[str, str] = {}
    split: str = ""


class LiveStudy(Struct, frozen=True, kw_only=True):
    """A study: what varies, over which sample, and how its files are named.

    `split` is the name under which the sample is written; `size` the entries drawn by default, 0
    for all. `files` maps names of models to their names in files where these differ, `replay` says
    how the files are read (commands, parted by commas), and `beside` names files beside the gold
    split that the replay needs.
    `draw` draws the sample, from the splits in `golds` where the user names none; `makes` names
    files that are made from it, and what makes their rows. With `by_year`, summaries tell the rates
    by year, before and after the model's cutoff. With `regimes`, each model is asked under budgets
    that fit how it thinks, and there are no other variants.
    """

    name: str
    varies: str
    split: str
    size: int
    variants: tuple[Variant, ...]
    replay: str = ""
    files: Mapping[str, str] = {}
    beside: tuple[str, ...] = ()
    golds: tuple[str, ...] = ()
    draw: Draw = stratified
    makes: Mapping[str, Make] = {}
    by_year: bool = False
    regimes: bool = False

    def of(self, spec: ModelSpec) -> tuple[Variant, ...]:
        """Return the ways in which a model is asked."""
        return tuple(map(_budget, regimes_of(spec))) if self.regimes else self.variants

    @property
    def splits(self) -> tuple[str, ...]:
        """Names under which what is asked about is written, in order."""
        return tuple(dict.fromkeys(v.split or self.split for v in self.variants)) or (self.split,)

    @property
    def one_model(self) -> bool:
        """Whether its files have no place for the name of a model."""
        return not all("{model}" in variant.file for variant in self.variants)

    @property
    def repeated(self) -> bool:
        """Whether it is made to be run again, under another number."""
        return any(variant.sample is None for variant in self.variants)


def file_of(study: LiveStudy, variant: Variant, model: str, run: int) -> str:
    """Return where a cell's predictions lie under `predictions/`."""
    files = {**study.files, **variant.files}
    named = files.get(model, _UNSAFE.sub("_", model).strip("._"))
    return variant.file.format(model=named, run=run)


def _prompt(name: str) -> Variant:
    return Variant(name=name, prompt=name, file=f"prompt_variants/{{model}}.{name}.jsonl")


def _left_out(name: str, *without: str, shape: Shape = "fields") -> Variant:
    file = f"field_loo/{{model}}.{name}.jsonl"
    return Variant(name=name, shape=shape, without=without, file=file)


def _budget(regime: Regime) -> Variant:
    return Variant(
        name=regime.name,
        max_tokens=regime.tokens,
        effort=regime.effort,
        file=f"thinking_budget/{{model}}.{regime.letter}.jsonl",
    )


def _population(name: str, split: str, file: str, files: Mapping[str, str]) -> Variant:
    return Variant(name=name, split=split, file=f"{file}/{{model}}.jsonl", files=files)


_TOOLS = {tool.model: tool.tool for tool in SYSTEMS if tool.model}
_TEMPORAL = {tool.model: tool.temporal for tool in SYSTEMS if tool.model and tool.temporal}

_AWARE_FILES = {
    "gpt-5.1": "llm_openai",
    "gemini-2.5-flash": "llm_openrouter_gemini_flash",
    "qwen3-235b": "llm_openrouter_qwen",
    "claude-sonnet-4.6": "llm_openrouter_claude_sonnet_4_6",
}
_AWARE_FILE = "{model}_cutoff_aware_temporal.jsonl"

STUDIES: Registry[LiveStudy] = Registry("live study")
for _study in (
    LiveStudy(
        name="prompt-sensitivity",
        varies="the wording of the prompt",
        split=_SAMPLE,
        size=150,
        variants=tuple(map(_prompt, ("default", "notaxo", "uncertain", "terse"))),
        replay="bench table 38",
        files={"claude-sonnet-4.6": "sonnet-4.6"},
    ),
    LiveStudy(
        name="field-leave-one-out",
        varies="which fields are shown",
        split=_SAMPLE,
        size=150,
        variants=(
            _left_out("full", shape="bibtex"),
            _left_out("structured"),
            _left_out("loo_title", "title"),
            _left_out("loo_author", "authors"),
            _left_out("loo_venue", "venue"),
            _left_out("loo_year", "year"),
            _left_out("loo_doi", "doi"),
        ),
        replay="bench table 40",
    ),
    LiveStudy(
        name="cutoff-aware",
        varies="whether the model is reminded of its cutoff, on papers after it",
        split="temporal_supplement",
        size=0,
        variants=(
            Variant(
                name="default",
                file="temporal/{model}_temporal.jsonl",
                files={"claude-sonnet-4.6": "llm_openrouter_claude_sonnet_4_6_default"},
            ),
            Variant(
                name="cutoff-aware",
                prompt="cutoff-aware",
                file=f"temporal_cutoff_aware/{_AWARE_FILE}",
            ),
        ),
        replay="bench table 26",
        files=_AWARE_FILES,
    ),
    LiveStudy(
        name="cutoff-aware-before",
        varies="the same, on papers before the cutoff",
        split="precutoff_sample",
        size=150,
        variants=(
            Variant(name="default", file="precutoff/{model}_default_temporal.jsonl"),
            Variant(name="cutoff-aware", prompt="cutoff-aware", file=f"precutoff/{_AWARE_FILE}"),
        ),
        replay="bench table 26",
        files=_AWARE_FILES,
    ),
    LiveStudy(
        name="variance",
        varies="nothing: the same is asked three times",
        split=_SAMPLE,
        size=150,
        variants=tuple(
            Variant(name=f"run{n}", sample=n, file=f"variance/run{n}.jsonl") for n in (1, 2, 3)
        ),
        replay="bench reproduce --finding variance",
        beside=("changed_keys_dev_public.json",),
    ),
    LiveStudy(
        name="thinking-budget",
        varies="the budget of tokens and, where a model has it, how hard it thinks",
        split="thinking_budget_sample",
        size=100,
        variants=(),
        replay="bench table 30, bench table 31, bench plot budget",
        draw=by_type,
        regimes=True,
    ),
    LiveStudy(
        name="domain-recency",
        varies="the papers: in and out of machine learning, before and after the cutoff",
        split="",
        size=0,
        variants=(
            _population("in-before", "dev_public", "dev_public", _TOOLS),
            _population("in-after", "temporal_supplement", "temporal", _TEMPORAL),
            _population("out-before", MATCHED, MATCHED, _TOOLS),
            _population("out-after", OUTSIDE, OUTSIDE, _TOOLS),
        ),
        replay="bench table 35",
        draw=valid_only,
        by_year=True,
    ),
    LiveStudy(
        name="late-cutoff",
        varies="the papers: before and after the model's cutoff, by year",
        split="",
        size=0,
        variants=(
            _population("after", "temporal_supplement", "temporal", _TEMPORAL),
            _population("before", "dev_public", "dev_public", _TOOLS),
        ),
        replay="bench table 27",
        golds=("temporal_supplement", "dev_public"),
        by_year=True,
    ),
    LiveStudy(
        name="late-cutoff-control",
        varies="the model, on one sample of papers after most cutoffs",
        split="temporal_superset_858",
        size=300,
        variants=(Variant(name="control", file="late_cutoff/{model}.jsonl"),),
        replay="bench reproduce --finding late-cutoff",
        files={
            "gpt-5.1": "openai_gpt-5.1",
            "claude-sonnet-4.6": "openrouter_anthropic_claude-sonnet-4.6",
            "deepseek-v4-pro": "openrouter_deepseek_deepseek-v4-pro",
        },
        golds=("temporal_superset_858",),
        by_year=True,
    ),
    LiveStudy(
        name="recall-probe",
        varies="what is asked of valid papers: whether they are, and who wrote them",
        split="recall_sample",
        size=150,
        variants=(
            Variant(name="verify", file="recall_probe/verify.{model}.jsonl"),
            Variant(name="recall", asks="recall", file="recall_probe/recall.{model}.jsonl"),
        ),
        replay="bench table 28",
        files={
            "claude-sonnet-4.6": "anthropic_claude-sonnet-4.6",
            "claude-opus-4.7": "anthropic_claude-opus-4.7",
        },
        golds=("temporal_supplement",),
        draw=recall.sample,
    ),
    LiveStudy(
        name="raters",
        varies="the model, on hallucinations of the real world and real papers once taken for some",
        split=raters.SAMPLE,
        size=0,
        variants=(Variant(name="rater", file="raters/{model}.jsonl"),),
        replay="bench table 41",
        files={
            "claude-sonnet-4.6": "claude-sonnet-4-6",
            "deepseek-v3.2": "deepseek-v3-2",
            "gemini-2.5-pro": "gemini-2-5-pro",
        },
        golds=("dev_public",),
        draw=raters.sample,
        makes={GOLD: raters.gold},
    ),
    LiveStudy(
        name="endpoint-drift",
        varies="nothing: a fixed panel is asked again under the number of --run",
        split="drift_panel",
        size=100,
        variants=(Variant(name="panel", sample=None, file="drift/{model}.run{run}.jsonl"),),
    ),
):
    STUDIES.add(_study.name, _study)
