"""What do tests of commands that ask language models share?"""

from collections.abc import Callable

import pytest
from tests.llm.live import KEYS
from tests.llm.server import Server


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[Server], None]:
    """Let every end-point be a server on loopback."""

    def point(server: Server) -> None:
        monkeypatch.setenv("HALLMARK_LLM_AT", server.url)
        for name in KEYS:
            monkeypatch.setenv(name, "sk-loopback")

    return point
