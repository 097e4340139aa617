"""The contract of `bench.systems.interface`, kept by systems that ask a model.

The model is a pure function of the question, so that what the contract says of order, of going on
and of repeating can be tested without a service.
"""

import hashlib
import json
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

import pytest
from hypothesis import given, settings

from hallmark.bench.entry import BlindEntry, Prediction
from hallmark.bench.systems.interface import System
from hallmark.bench.systems.zero_shot import ZeroShot, ready_for
from hallmark.llm.interface import Failure, Reply, Request, Stop, Trouble, Usage
from hallmark.llm.prompts.catalogue import VARIANTS, variant
from hallmark.llm.prompts.entry import SHAPES, Shape
from tests.bench.systems.conftest import HOSTILE
from tests.bench.systems.test_conformance import check_contract, entries, timeless
from tests.llm.scripted import SPEC, Scripted

LABELS = ("VALID", "HALLUCINATED", "UNCERTAIN")


def moody(request: Request) -> Reply | Failure:
    """Answer by the digest of the question: every form of reply, good and bad."""
    text = request.messages[-1].text
    byte = hashlib.sha256(f"{text}{request.sample}".encode()).digest()
    answer = {"label": LABELS[byte[1] % 3], "confidence": byte[2] / 255, "reason": text[:50]}
    usage = Usage(len(text), 0, 9, 0)
    match byte[0] % 6:
        case 0 | 1 | 2:
            return Reply(text=json.dumps(answer), usage=usage, model=SPEC.id, seconds=0.1)
        case 3:
            return Reply(text=f"Well:\n```json\n{json.dumps(answer)}\n```", usage=usage)
        case 4:
            return Reply(text=text, stop=Stop.LENGTH)
        case _:
            return Reply(text=text)


def make(name: str, shape: Shape = "bibtex") -> System:
    prompt = ready_for(variant(name), SPEC, "2026-01-01")
    return ZeroShot(SPEC, lambda: nullcontext(Scripted(moody)), prompt, shape=shape)


MAKERS: dict[str, Callable[[], System]] = {
    f"{name}-{shape}": partial(make, name, shape) for name in VARIANTS for shape in SHAPES
}


@pytest.mark.parametrize("name", MAKERS)
def test_every_hostile_entry_gets_one_answer_in_order(name: str) -> None:
    check_contract(list(HOSTILE), list(MAKERS[name]().predict(HOSTILE)))


@pytest.mark.parametrize("name", MAKERS)
def test_no_entries_get_no_answers_and_open_no_model(name: str) -> None:
    assert list(MAKERS[name]().predict([])) == []


@pytest.mark.parametrize("name", MAKERS)
def test_the_same_questions_give_the_same_answers(name: str) -> None:
    first, second = MAKERS[name](), MAKERS[name]()
    assert list(first.predict(HOSTILE)) == list(second.predict(HOSTILE))
    assert first.settings == second.settings


@pytest.mark.parametrize("name", list(MAKERS)[:2])
def test_going_on_at_any_row_gives_what_a_whole_run_gives(name: str) -> None:
    system = MAKERS[name]()
    whole = timeless(list(system.predict(HOSTILE)))
    for row in range(len(HOSTILE) + 1):
        assert timeless(list(system.predict(HOSTILE[row:]))) == whole[row:]


@settings(max_examples=30)
@given(entries)
def test_any_entries_get_answers_within_the_contract(given_entries: list[BlindEntry]) -> None:
    check_contract(given_entries, list(make("default").predict(given_entries)))


def test_a_run_that_is_given_up_closes_its_model() -> None:
    model = Scripted(moody, delay_s=0.01)
    prompt = ready_for(variant("terse"), SPEC, "")
    rows = iter(ZeroShot(SPEC, lambda: nullcontext(model), prompt).predict(HOSTILE))
    assert isinstance(next(rows), Prediction)
    rows.close()  # type: ignore[attr-defined]
    assert model.under_way == 0


@pytest.mark.parametrize("trouble", list(Trouble))
def test_one_failure_is_one_error(trouble: Trouble) -> None:
    def once(request: Request) -> Reply | Failure:
        hit = "On a" in request.messages[0].text
        return (
            Failure(trouble, "broken") if hit else Reply(text='{"label": "VALID", "confidence": 1}')
        )

    prompt = ready_for(variant("terse"), SPEC, "")
    asked = [BlindEntry("a", "misc", {"title": "On a"}), BlindEntry("b", "misc", {"title": "On b"})]
    rows = list(ZeroShot(SPEC, lambda: nullcontext(Scripted(once)), prompt).predict(asked))
    assert [row.extra.get("error") for row in rows] == [trouble.value, None]
