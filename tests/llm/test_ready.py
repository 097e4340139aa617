"""What can be told of a model before anything is sent?"""

import pytest

from hallmark.errors import InputError
from hallmark.llm.models import find
from hallmark.llm.ready import must_be_ready, why_not


def test_a_key_that_is_not_set_is_told_with_its_variable() -> None:
    spec = find("gpt-5.1")
    for environ in ({}, {"OPENAI_API_KEY": ""}, {"OPENAI_API_KEY": "  "}):
        assert why_not(spec, environ) == "OPENAI_API_KEY is not set"
        with pytest.raises(InputError, match="cannot be asked: OPENAI_API_KEY is not set"):
            must_be_ready(spec, environ)
    must_be_ready(spec, {"OPENAI_API_KEY": "some"})


def test_a_server_of_ones_own_needs_no_key() -> None:
    must_be_ready(find("openai:m@http://127.0.0.1:8000/v1"), {})
