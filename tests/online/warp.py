"""An event loop on which time passes only when nothing else is left to do."""

import asyncio
import selectors
from collections.abc import Mapping
from typing import Any


class _Selector(selectors.BaseSelector):
    """Never waits: it lets the time of its loop pass instead."""

    def __init__(self) -> None:
        self._real = selectors.DefaultSelector()
        self.passed_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready now; if nothing is, let the time pass that may be waited."""
        ready = self._real.select(0 if timeout is not None else None)
        if not ready and timeout is not None:
            self.passed_s += max(0.0, timeout)
        return ready

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """Watch a file."""
        return self._real.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        """Watch it no longer."""
        return self._real.unregister(fileobj)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """Watch it for something else."""
        return self._real.modify(fileobj, events, data)

    def close(self) -> None:
        """Watch nothing."""
        self._real.close()

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        """Return what is watched."""
        return self._real.get_map()


class WarpLoop(asyncio.SelectorEventLoop):
    """The loop; `time` is the virtual time in seconds."""

    def __init__(self) -> None:
        self._virtual = _Selector()
        super().__init__(self._virtual)

    def time(self) -> float:
        """Return the seconds that have passed."""
        return self._virtual.passed_s
