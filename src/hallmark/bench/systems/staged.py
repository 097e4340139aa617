"""How are the systems made that put a model behind our verifier?"""

from pathlib import Path

from msgspec import structs

from hallmark.assist.question import prompt
from hallmark.assist.weights import EMPTY, Table, load_table
from hallmark.bench.dataset import digest
from hallmark.bench.systems.asking import model_settings
from hallmark.bench.systems.cascade import (
    Assisted,
    Cascade,
    Commit,
    Voter,
    votes_of_model,
    votes_of_system,
)
from hallmark.bench.systems.interface import Setting, System
from hallmark.bench.systems.llm_specs import LLM_SYSTEMS
from hallmark.bench.systems.opening import opener
from hallmark.bench.systems.replay import replay
from hallmark.bench.systems.spec import Options, Request, read_options
from hallmark.bench.systems.stages import FirstStage, first_stage
from hallmark.errors import InputError
from hallmark.llm.models import find


def cascade_system(
    request: Request, options: Options, *, aggressive: bool = False, careful: bool = False
) -> Cascade:
    """Return the cascade that a run asks for; answers of --from stand in for the second stage.

    Raises:
        InputError: there is neither a model nor a file, or an option cannot be used.
        UnknownName: there is no such model or system.
    """
    first = _first(request, options)
    if request.files:
        second: System = replay(_only_file(request), repeated="first")
    else:
        second = _second(request, options.text("second"))
    return Cascade(first, second, aggressive=aggressive, careful=careful)


def assisted_system(request: Request, options: Options) -> Assisted:
    """Return the verifier that hears a model; the answers of --from stand in for asking it.

    Raises:
        InputError: there is no model, or the weights or another option cannot be used.
        UnknownName: there is no such model.
    """
    _need_model(request)
    spec = find(request.model)
    told: dict[str, Setting] = {**model_settings(spec), "prompt_sha256": prompt().digest}
    voter: Voter = votes_of_model(spec, opener(request, spec))
    if request.files:
        path = _only_file(request)
        voter = votes_of_system(replay(path, repeated="first"), spec.name)
        told = {"model": spec.name, "votes": path.name}
    table, named = _table(options.text("weights"))
    commit = Commit(
        flag=_share(options, "flag"),
        accept=_share(options, "accept"),
        prevalence=_share(options, "prevalence") or None,
    )
    asked = None if request.files else spec
    return Assisted(_first(request, options), voter, table, commit, {**told, **named}, asked)


def _first(request: Request, options: Options) -> FirstStage:
    evidence = options.text("evidence")
    return first_stage(
        request,
        today=options.text("today") or request.today,
        evidence=Path(evidence) if evidence else None,
    )


def _second(request: Request, name: str) -> System:
    rows = {one.name: one for one in LLM_SYSTEMS}
    if name not in rows:
        raise InputError(f"The option second is {name[:80]!r}; give one of {', '.join(rows)}.")
    _need_model(request)
    options = read_options(name, rows[name].options, {})
    return rows[name].make(structs.replace(request, options={}, files=()), options)


def _need_model(request: Request) -> None:
    if not request.model:
        raise InputError("This system needs --model NAME; `hallmark bench models` lists them.")


def _table(name: str) -> tuple[Table, dict[str, Setting]]:
    if not name:
        return EMPTY, {"weights": ""}
    path = Path(name)
    return load_table(path), {"weights": path.name, "weights_sha256": digest(path)}


def _only_file(request: Request) -> Path:
    if len(request.files) != 1:
        raise InputError(f"This system takes one --from FILE; got {len(request.files)}.")
    return request.files[0]


def _share(options: Options, name: str) -> float:
    share = options.number(name)
    if not 0.0 <= share <= 1.0:
        raise InputError(f"The option {name} is {share:g}; give a share from 0 to 1.")
    return share
