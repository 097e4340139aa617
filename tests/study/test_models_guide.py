"""The page on language models says what the code does."""

from pathlib import Path

from hallmark.llm.interface import ModelSpec
from hallmark.llm.models import find, table
from hallmark.study.document import as_markdown
from hallmark.study.models_guide import EXAMPLE, page


def test_every_model_and_every_field_of_a_row_is_told() -> None:
    text = as_markdown(page()).replace("\\_", "_")
    for name in (*table().names(), *ModelSpec.__struct_fields__):
        assert f"\n| {name} | " in text


def test_the_example_of_a_file_is_one(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(EXAMPLE)
    assert find(f"{path}#deepseek-v4-pro").id == find("deepseek-v4-pro").id
    spec = find(f"{path}#gpt-oss")
    assert (spec.name, spec.base_url, spec.input_price) == (
        "gpt-oss", "https://openrouter.ai/api/v1", 0.1,
    )  # fmt: skip
