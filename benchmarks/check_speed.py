"""How fast is `hallmark check`, against a bare look-up of the same titles?

Runs, one after the other in one run: `hallmark check` on the bibliography as a whole process, and
a loop that looks up each title key as a term in the same index and does nothing else. Reports
references per second, peak memory of the process tree, and the ratio of the two; with a truth
file (make_bibliography.py) also how many corrupted entries were reported, and how many sound ones.

    python benchmarks/check_speed.py --index DIR big.bib
"""

import argparse
import json
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import tantivy

from hallmark.index import open_index, schema
from hallmark.parse.interface import read
from hallmark.records.reference import Reference
from hallmark.text import titles


def tree_memory(root: int) -> int:
    """Return the proportional memory of a process and all its descendants, in bytes."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(stat.parent.name))
    total, open_ = 0, [root]
    while open_:
        process = open_.pop()
        open_.extend(children.get(process, []))
        try:
            rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
        except OSError:
            continue
        rows = dict(line.split(":", 1) for line in rollup.splitlines()[1:])
        total += 1024 * int(rows["Pss_Anon"].split()[0])
    return total


def run_check(bib: Path, index: Path, workers: int | None) -> tuple[float, int, Path]:
    """Run the command; return seconds, peak bytes of private memory, and the file of results."""
    out = bib.with_suffix(".results.jsonl")
    command = [sys.executable, "-m", "hallmark", "check", str(bib), "--index", str(index)]
    command += ["--format", "jsonl", "--output", str(out), "--quiet"]
    command += ["--workers", str(workers)] if workers else []
    start = time.perf_counter()
    process = subprocess.Popen(command)
    peak = 0

    def watch() -> None:
        nonlocal peak
        while process.poll() is None:
            peak = max(peak, tree_memory(process.pid))
            time.sleep(0.2)

    watcher = threading.Thread(target=watch)
    watcher.start()
    if process.wait() > 1:
        raise SystemExit(process.returncode)
    seconds = time.perf_counter() - start
    watcher.join()
    return seconds, peak, out


def run_bare(bib: Path, index: Path) -> tuple[float, int]:
    """Look every title key up and do nothing else; return seconds and the number of titles."""
    keys = [titles.key(one.title) for one in read(str(bib)) if isinstance(one, Reference)]
    description = open_index(index).info()
    bare = tantivy.Index.open(str(index / description.data / schema.SEGMENTS))
    schema.register_tokenizer(bare)
    searcher, fields = bare.searcher(), bare.schema
    start = time.perf_counter()
    for key in keys:
        mark = schema.mark(schema.TITLE, key)
        query = tantivy.Query.term_query(fields, schema.MARK, mark, index_option="basic")
        searcher.search(query, 1, count=False)
    return time.perf_counter() - start, len(keys)


def accuracy(out: Path, truth: Path) -> None:
    """Print how the results compare with the truth."""
    kinds = [json.loads(line)["corruption"] for line in truth.read_text().splitlines()]
    counts: Counter[tuple[str, str]] = Counter()
    with out.open(encoding="utf-8") as lines:
        for kind, line in zip(kinds, lines, strict=True):
            counts[kind or "sound", json.loads(line)["status"]] += 1
    for kind in sorted({kind for kind, _ in counts}):
        row = {status: n for (name, status), n in sorted(counts.items()) if name == kind}
        print(f"  {kind:16}", "  ".join(f"{status} {n}" for status, n in row.items()))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bib", type=Path)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--workers", type=int)
    options = parser.parse_args()
    seconds, peak, out = run_check(options.bib, options.index, options.workers)
    bare, count = run_bare(options.bib, options.index)
    print(f"hallmark check: {count} references in {seconds:.1f} s: {count / seconds:.0f}/s")
    print(f"peak private memory of the process tree: {peak / 2**20:.0f} MiB")
    print(f"bare term look-up: {count / bare:.0f}/s; check costs {seconds / bare:.1f} times that")
    truth = options.bib.with_suffix(".truth.jsonl")
    if truth.exists():
        accuracy(out, truth)


if __name__ == "__main__":
    main()
