from pathlib import Path

import pytest

from hallmark.bench.systems.opening import opener, packages_missing
from hallmark.bench.systems.spec import Request
from hallmark.errors import InputError
from hallmark.llm.interface import Caps
from hallmark.llm.models import find

SECRET = "sk-very-secret"


def test_with_both_packages_nothing_is_missing() -> None:
    assert packages_missing({}) == ""


def test_a_model_is_opened_with_what_the_run_was_given(tmp_path: Path) -> None:
    spec = find("openai:new-model")
    request = Request(caps=Caps(cost=1.0), cache=tmp_path, environ={"OPENAI_API_KEY": SECRET})
    with pytest.raises(InputError, match="its price is not known"), opener(request, spec)():
        pass
    offline = Request(offline=True, cache=tmp_path)
    with pytest.raises(InputError, match="There are no kept replies"), opener(offline, spec)():
        pass
    with opener(Request(cache=tmp_path), spec)() as model:
        assert model.spec == spec
