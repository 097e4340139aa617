from pathlib import Path

import pytest

from hallmark.study.context import Setting, judge
from hallmark.study.judged import Judged
from tests.study import little


@pytest.fixture(scope="package")
def little_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of two collections."""
    return little.built(tmp_path_factory.mktemp("little"), little.collections())


@pytest.fixture(scope="package")
def little_gold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gold file with entries of every outcome."""
    return little.gold(tmp_path_factory.mktemp("gold") / "little.jsonl")


@pytest.fixture(scope="package")
def little_setting(little_index: Path, little_gold: Path) -> Setting:
    """Both of them, with the default policy."""
    return little.setting(little_gold, little_index)


@pytest.fixture(scope="package")
def little_judged(little_setting: Setting) -> list[Judged]:
    """Every entry of the gold file, judged."""
    return judge(little_setting)
