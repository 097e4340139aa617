"""How does a worker process end when the process that started it does?

A worker waits for its next piece of work. Where its parent was killed, none ever comes, and the
worker would wait for good; so it watches for its parent's end.
"""

import multiprocessing
import os
import signal
import threading
from multiprocessing.process import BaseProcess
from pathlib import Path

from hallmark.text import knowledge

_DESERTED = 1


def follow_parent(tables: Path | None = None) -> None:
    """Leave Ctrl-C to the parent of this worker process, and end as soon as the parent has.

    Args:
        tables: the folder of the user's tables that the parent uses (`knowledge.chosen`).
    """
    if tables is not None:
        knowledge.use(tables)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(_DESERTED)
