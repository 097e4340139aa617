"""Which entries stem from the same paper?

A perturbed entry and the record it was made from are not independent draws: a tool that knows the
paper gets both right. Entries whose titles have the same key are taken for such twins; where the
title itself was perturbed, a twin goes unnoticed.
"""

from collections.abc import Sequence

import numpy as np

from hallmark.bench.align import Ints
from hallmark.bench.entry import Entry
from hallmark.text.titles import key as title_key


def clusters(entries: Sequence[Entry]) -> Ints:
    """Number the source papers from 0; twins share a number. An entry without title is alone."""
    keys = [title_key(e.fields.get("title", "")) or f"\0{e.bibtex_key}" for e in entries]
    numbers = {key: i for i, key in enumerate(sorted(set(keys)))}
    return np.array([numbers[key] for key in keys], dtype=np.int64)
