"""How long does a build take, how much memory, how large is the index, and how fast does it answer?

    python benchmarks/build_index.py --out DIR SOURCE... [--workers 2] [--sample 2000]

Builds an index, then asks it for a sample of its own titles: as they are, with one word replaced,
and with words that belong to no title. A bare loop of tantivy term look-ups over the same titles in
the same run gives the scale. Prints one JSON object. Peak memory is that of the main process plus
`workers` times that of the largest worker, which is more than was ever used at once.
"""

import argparse
import json
import random
import resource
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import tantivy

from hallmark.index import LocalIndex, open_index, schema
from hallmark.index.build import build
from hallmark.records.answer import Found
from hallmark.records.source import Question
from hallmark.text import titles


def main() -> None:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="*")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--sample", type=int, default=2000)
    options = parser.parse_args()
    figures: dict[str, object] = {}
    if options.sources:
        figures["build"] = measure_build(options.out, options.sources, options.workers)
    figures["look_up"] = measure_look_ups(options.out, options.sample)
    print(json.dumps(figures, indent=2))


def measure_build(out: Path, sources: Sequence[str], workers: int) -> dict[str, object]:
    """Return time, memory and size of a build."""
    start = time.perf_counter()
    description = build(out, sources, workers=workers)
    seconds = time.perf_counter() - start
    main, child = (
        resource.getrusage(one) for one in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    cpu = main.ru_utime + main.ru_stime + child.ru_utime + child.ru_stime
    size = sum(info.size for info in description.files.values())
    return {
        "records": description.records,
        "seconds": round(seconds, 1),
        "records_per_second": round(description.records / seconds),
        "cpu_seconds": round(cpu, 1),
        "peak_memory_mb": round((main.ru_maxrss + workers * child.ru_maxrss) / 1024),
        "index_mb": round(size / 1e6),
        "digest": description.digest,
    }


def measure_look_ups(path: Path, size: int) -> dict[str, object]:
    """Return times of look-ups in microseconds and how many changed titles were found again."""
    start = time.perf_counter()
    index = open_index(path)
    opening = time.perf_counter() - start
    rng = random.Random(1)
    sample = sample_titles(path, index, rng, size)
    words = [word for title in sample for word in title.split()]
    replaced = [replace_word(title, rng, words) for title in sample]
    unrelated = [" ".join(rng.sample(words, 8)) for _ in sample]
    bare = time_each(bare_look_up(path, index), sample)
    exact = time_each(lambda title: index.look_up(Question(title=title)), sample)
    near = time_each(lambda title: index.look_up(Question(title=title)), replaced)
    absent = time_each(lambda title: index.look_up(Question(title=title)), unrelated)
    found = [is_found(index, title, other) for title, other in zip(sample, replaced, strict=True)]
    return {
        "open_ms": round(opening * 1e3, 1),
        "bare_term_us": bare,
        "exact_title_us": exact,
        "one_word_replaced_us": near,
        "nothing_near_us": absent,
        "one_word_replaced_found": round(sum(found) / len(found), 4),
    }


def sample_titles(path: Path, index: LocalIndex, rng: random.Random, size: int) -> list[str]:
    """Return titles of records drawn at random."""
    searcher = _segments(path, index).searcher()
    hits = searcher.search(tantivy.Query.all_query(), searcher.num_docs, count=False).hits
    records = (
        searcher.doc(address).get_first(schema.RECORD) for _, address in rng.sample(hits, size)
    )
    return [msgspec.msgpack.decode(record)["title"] for record in records]


def bare_look_up(path: Path, index: LocalIndex) -> Callable[[str], object]:
    """Return tantivy's own look-up of one term, with its first document."""
    segments = _segments(path, index)
    searcher, fields = segments.searcher(), segments.schema

    def look_up(title: str) -> object:
        mark = schema.mark(schema.TITLE, titles.key(title))
        query = tantivy.Query.term_query(fields, schema.MARK, mark)
        hits = searcher.search(query, 1, count=False).hits
        return searcher.doc(hits[0][1]).get_first(schema.RECORD) if hits else None

    return look_up


def _segments(path: Path, index: LocalIndex) -> tantivy.Index:
    segments = tantivy.Index.open(str(path / index.info().data / schema.SEGMENTS))
    schema.register_tokenizer(segments)
    return segments


def replace_word(title: str, rng: random.Random, words: Sequence[str]) -> str:
    """Return the title with one word replaced by another title's."""
    parts = title.split()
    parts[rng.randrange(len(parts))] = rng.choice(words)
    return " ".join(parts)


def time_each(look_up: Callable[[str], object], sample: Sequence[str]) -> dict[str, float]:
    """Return median, 95th percentile and mean in microseconds, each title cold."""
    titles.words.cache_clear()
    times = []
    for title in sample:
        start = time.perf_counter()
        look_up(title)
        times.append((time.perf_counter() - start) * 1e6)
    times.sort()
    return {
        "median": round(times[len(times) // 2], 1),
        "p95": round(times[int(len(times) * 0.95)], 1),
        "mean": round(sum(times) / len(times), 1),
    }


def is_found(index: LocalIndex, title: str, changed: str) -> bool:
    """Whether the changed title leads to a record of the true one."""
    answer = index.look_up(Question(title=changed))
    key = titles.key(title)
    return isinstance(answer, Found) and any(
        titles.key(one.title) == key for one in answer.versions
    )


if __name__ == "__main__":
    main()
