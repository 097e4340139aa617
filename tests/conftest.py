"""What every test runs under: no network beyond loopback, a steady Hypothesis profile."""

import os
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("dev", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

SHARED = Path(
    os.environ.get("HALLMARK_SHARED", Path(__file__).resolve().parent.parent.parent / "shared")
)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that leaves this machine."""
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        host = address[0] if isinstance(address, tuple) else "127.0.0.1"
        if host not in {"127.0.0.1", "::1", "localhost"}:
            raise AssertionError(f"a test tried to reach {host}")
        real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The development data beside the checkout; skips where it is missing."""
    if not (SHARED / "data").is_dir():
        pytest.skip(f"the development data is not at {SHARED} (set HALLMARK_SHARED)")
    return SHARED
