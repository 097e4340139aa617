from pathlib import Path

import pytest

from hallmark.bench.systems.spec import Request
from hallmark.bench.systems.specs import build
from hallmark.errors import InputError, UnknownName


@pytest.mark.parametrize(
    ("name", "request_", "message"),
    [
        ("alway-valid", Request(), "Did you mean `always-valid`?"),
        ("random", Request(options={"rat": "1"}), "Did you mean `rate`?"),
        ("always-valid", Request(options={"rate": "1"}), "option"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(
    name: str, request_: Request, message: str
) -> None:
    with pytest.raises(UnknownName, match=message.replace("?", r"\?")):
        build(name, request_)


@pytest.mark.parametrize(
    ("name", "request_", "message"),
    [
        ("random", Request(options={"rate": "half"}), "must be a number, not 'half'"),
        ("hallmark", Request(), "needs --index"),
        ("majority", Request(), "needs --from"),
        ("replay", Request(files=(Path("a"), Path("b"))), "takes one --from FILE; got 2"),
        (
            "replay",
            Request(files=(Path("a"),), options={"repeated": "both"}),
            "give error, first or last",
        ),
        ("weighted", Request(files=(Path("a"),), options={"weights": "a"}), "not numbers"),
        ("exec:", Request(), "command is empty"),
        ("random", Request(model="gpt-5.1"), "`random` asks no language model"),
        ("exec:true", Request(prompt=Path("p")), "asks no language model"),
    ],
)
def test_what_is_missing_or_wrong_is_said(name: str, request_: Request, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build(name, request_)
