"""How does a worker process end when the process that started it does?

A worker waits for its next piece of work. Where its parent was killed, none ever comes, and the
worker would wait for good; so it watches for its parent's end.
"""

import multiprocessing
import os
import signal
import threading
from multiprocessing.process import BaseProcess

_DESERTED = 1


def follow_parent() -> None:
    """Leave Ctrl-C to the parent of this worker process, and end as soon as the parent has."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(_DESERTED)
