"""A fifteenth type is one new file and one new row: nothing else has to know of it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]

ROW = """
    DOUBLED_AUTHOR = (
        "doubled_author",
        _info(Tier.EASY, "?+-++-", "an author is named twice"),
    )

    def __new__("""

FAULT = '''
"""doubled_author: what if an author stood in the list twice?"""

from random import Random

from hallmark.bench.entry import Entry
from hallmark.bench.perturb.drafts import mark, with_fields
from hallmark.bench.perturb.interface import Knobs, Outcome, Pool, register
from hallmark.bench.taxonomy import HallucinationType


@register(HallucinationType.DOUBLED_AUTHOR, "author")
def doubled_author(entry: Entry, pool: Pool, rng: Random, knobs: Knobs) -> Outcome:
    """Name one of the authors once more, last."""
    names = entry.fields["author"]
    again = rng.choice(names.split(" and "))
    changed = with_fields(entry, {"author": f"{names} and {again}"})
    return mark(entry, changed, HallucinationType.DOUBLED_AUTHOR, f"{again} is named twice")
'''

PROGRAM = """
import json
from hallmark.bench.build.make import Maker
from hallmark.bench.build.plan import SplitPlan
from hallmark.bench.build.release import build, pack
from hallmark.bench.validate import flaws_of
from tests.bench.build.little import GROUPS, POOL, plan

asked = plan(splits={"dev": SplitPlan(valid=40, types={"doubled_author": 12, "future_date": 12})})
content = build(asked, GROUPS, POOL)
made = content.splits["dev"]
print(json.dumps({
    "types": sorted(str(one.hallucination_type) for one in made if one.hallucination_type),
    "flaws": [flaw.message for flaw in flaws_of(made) if not flaw.warning],
    "tier": [one.difficulty_tier for one in made if one.hallucination_type == "doubled_author"][0],
}))
"""


def test_a_release_holds_entries_of_a_type_that_was_added(tmp_path: Path) -> None:
    source = tmp_path / "src" / "hallmark"
    shutil.copytree(ROOT / "src" / "hallmark", source, ignore=shutil.ignore_patterns("*.pyc"))
    table = source / "bench" / "taxonomy.py"
    text = table.read_text(encoding="utf-8")
    assert text.count("\n    def __new__(") == 1
    table.write_text(text.replace("\n    def __new__(", ROW), encoding="utf-8")
    fault = source / "bench" / "perturb" / "faults" / "doubled_author.py"
    fault.write_text(FAULT.lstrip(), encoding="utf-8")
    path = os.pathsep.join((str(tmp_path / "src"), str(ROOT)))
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": path},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert found["types"] == ["doubled_author"] * 12 + ["future_date"] * 12
    assert found["flaws"] == []
    assert found["tier"] == 1
