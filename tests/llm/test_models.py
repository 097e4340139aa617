"""Names, addresses and files of models."""

import re
from pathlib import Path

import pytest
from msgspec import structs

from hallmark.errors import InputError, UnknownName
from hallmark.llm.interface import ModelSpec
from hallmark.llm.models import find, for_agents, rows_of, table

# Table 11 of the paper, with the cutoffs of its Table 24: name, id, cutoff, disclosed.
TABLE_11 = [
    ("gpt-5.1", "gpt-5.1", "2024-09", True),
    ("gpt-5.4", "gpt-5.4-2026-03-05", "2025-08", True),
    ("claude-sonnet-4.6", "anthropic/claude-sonnet-4.6", "2025-08", False),
    ("claude-opus-4.7", "anthropic/claude-opus-4.7", "2025-10", False),
    ("deepseek-r1", "deepseek/deepseek-r1", "2024-07", True),
    ("deepseek-v3.2", "deepseek/deepseek-v3.2", "2024-10", False),
    ("qwen3-235b", "qwen/qwen3-235b-a22b-2507", "2025-06", True),
    ("qwen3-vl-235b", "qwen/qwen3-vl-235b-a22b-instruct", "2025-06", False),
    ("mistral-large-2512", "mistralai/mistral-large-2512", "2025-06", False),
    ("gemini-2.5-flash", "google/gemini-2.5-flash", "2025-01", True),
    ("gemini-2.5-pro", "google/gemini-2.5-pro", "2025-01", True),
    ("llama-4-maverick", "meta-llama/llama-4-maverick", "2024-08", False),
]
LATER = ["gpt-5.5", "gemini-3.1-pro", "gemini-3.1-flash-lite", "deepseek-v4-pro",
         "deepseek-v4-flash", "qwen3.5-397b", "qwen3.5-122b"]  # fmt: skip


@pytest.mark.parametrize(("name", "model", "cutoff", "disclosed"), TABLE_11)
def test_the_models_of_table_11_are_there_as_the_paper_ran_them(
    name: str, model: str, cutoff: str, disclosed: bool
) -> None:
    spec = find(name)
    assert (spec.id, spec.cutoff, spec.cutoff_disclosed) == (model, cutoff, disclosed)
    assert (spec.temperature, spec.seeded, spec.max_tokens) == (0.0, True, 1024)
    assert spec.limit == "max_completion_tokens"
    assert spec.timeout_s == 120.0
    openrouter = "/" in model
    assert spec.base_url == ("https://openrouter.ai/api/v1" if openrouter else "")
    assert spec.key == ("OPENROUTER_API_KEY" if openrouter else "OPENAI_API_KEY")


@pytest.mark.parametrize("name", ["claude-sonnet-4.6-native", "claude-opus-4.7-native"])
def test_anthropics_own_end_point_gets_256_tokens_and_no_seed(name: str) -> None:
    spec = find(name)
    assert (spec.provider, spec.max_tokens, spec.limit, spec.seeded) == (
        "anthropic", 256, "max_tokens", False,
    )  # fmt: skip


@pytest.mark.parametrize(("name", "spec"), list(table().items()))
def test_every_turn_of_an_agent_has_the_1024_tokens_of_the_paper_or_more(
    name: str, spec: ModelSpec
) -> None:
    assert for_agents(spec).max_tokens == max(1024, find(name).max_tokens)


@pytest.mark.parametrize("name", LATER)
def test_the_later_models_of_appendix_f_are_there(name: str) -> None:
    assert find(name).name == name


def test_the_forced_exception_is_sent_a_temperature_of_one() -> None:
    assert find("gpt-5.5").temperature == 1.0


def test_a_cutoff_after_the_models_release_is_no_more_than_a_bound() -> None:
    """Table 29: May 2026, of a model of April 2026."""
    assert (find("gpt-5.5").cutoff, find("gpt-5.5").cutoff_disclosed) == ("2026-05", False)


@pytest.mark.parametrize(
    ("name", "tokens", "share", "effort"),
    [("gemini-3.1-pro", 2048, 0.5, "medium"), ("deepseek-v4-pro", 4096, 0.0, "low")],
)
def test_models_that_think_are_asked_under_regime_a_of_table_29(
    name: str, tokens: int, share: float, effort: str
) -> None:
    spec = find(name)
    assert (spec.max_tokens, spec.thinking_share, spec.effort) == (tokens, share, effort)


@pytest.mark.parametrize(("name", "spec"), list(table().items()))
def test_every_price_has_a_date_and_every_cutoff_is_a_month(name: str, spec: ModelSpec) -> None:
    assert spec.name == name
    assert (spec.input_price is None) == (spec.output_price is None) == (spec.priced == "")
    assert re.fullmatch(r"20\d\d-[01]\d-[0-3]\d|", spec.priced)
    assert re.fullmatch(r"20\d\d-(0\d|1[0-2])|", spec.cutoff)


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"Did you mean `gpt-5\.1`"):
        find("gpt5.1")


@pytest.mark.parametrize(
    ("text", "model", "address"),
    [
        (
            "openai:llama3.1:8b@http://127.0.0.1:11434/v1",
            "llama3.1:8b",
            "http://127.0.0.1:11434/v1",
        ),
        ("openai:Qwen/Qwen3-8B@http://[::1]:8000/v1/", "Qwen/Qwen3-8B", "http://[::1]:8000/v1"),
        ("openai:a@b@https://h/v1", "a@b", "https://h/v1"),
        ("anthropic:claude-x@https://proxy.example/", "claude-x", "https://proxy.example"),
    ],
)
def test_an_address_makes_a_model_of_any_server(text: str, model: str, address: str) -> None:
    spec = find(text)
    assert (spec.name, spec.id, spec.base_url) == (text, model, address)
    assert spec.key == "HALLMARK_LLM_KEY"  # the vendors' keys go nowhere else
    assert spec.limit == "max_tokens"
    assert spec.input_price is None


def test_a_vendors_new_model_needs_no_address() -> None:
    assert (find("openai:gpt-9").key, find("openai:gpt-9").base_url) == ("OPENAI_API_KEY", "")
    assert find("anthropic:claude-9").key == "ANTHROPIC_API_KEY"
    assert find("openai:x/y@https://openrouter.ai/api/v1").key == "OPENROUTER_API_KEY"
    assert find("openai:x/y@http://openrouter.ai/api/v1").key == "HALLMARK_LLM_KEY"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("openai:", "has no id"),
        ("openai:@http://h/v1", "has no id"),
        ("openai:x\x1b[31m@http://h/v1", "has no id"),
        ("openai:x@ftp://h", "cannot be used"),
        ("openai:x@http://", "cannot be used"),
        ("openai:x@http://h:99999/", "cannot be used"),
        ("openai:x@http://[h/", "cannot be used"),
        ("openai:x@http://h/v1?key=1", "cannot be used"),
        ("openai:x@http://me:secret@h/v1", "user name or a password"),
    ],
)
def test_an_address_that_cannot_be_used_is_told(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        find(text)
    assert "secret" not in str(caught.value)
    assert str(caught.value).isprintable()


OWN = """
[endpoint.lab]
base_url = "http://lab.example/v1"
key = "LAB_KEY"

[[model]]
name = "big"
id = "big-1"
endpoint = "lab"
temperature = "none"
input_price = 0.1
output_price = 0.2

[[model]]
name = "routed"
id = "some/model"
endpoint = "openrouter"
max_tokens = 4096
"""


def test_rows_of_ones_own_file_are_used_like_ours(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(OWN)
    big = find(f"{path}#big")
    assert (big.base_url, big.key, big.temperature, big.output_price) == (
        "http://lab.example/v1", "LAB_KEY", None, 0.2,
    )  # fmt: skip
    assert find(f"{path}#routed").base_url == "https://openrouter.ai/api/v1"
    with pytest.raises(InputError, match=r"has 2 models\. Name one: .*#big"):
        find(str(path))
    with pytest.raises(UnknownName, match="Did you mean `big`"):
        find(f"{path}#bif")


@pytest.mark.parametrize(
    "name", ["qwen3.5-122b", "claude-opus-4.7-native", "openai:llama3.1:8b@http://127.0.0.1:9/v1"]
)
def test_a_price_of_ones_own_takes_one_line_whatever_the_model(tmp_path: Path, name: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'model = [{{like = "{name}", input_price = 0.1, output_price = 2}}]')
    spec = find(str(path))
    assert (spec.input_price, spec.output_price) == (0.1, 2.0)
    assert structs.replace(spec, input_price=None, output_price=None, priced="") == structs.replace(
        find(name), input_price=None, output_price=None, priced=""
    )


def test_a_row_is_like_another_in_all_that_it_does_not_say(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[[model]]\nname = "long"\nlike = "gemini-3.1-pro"\nmax_tokens = 8192\n')
    ours = find("gemini-3.1-pro")
    assert find(str(path)) == structs.replace(ours, name="long", max_tokens=8192)
    path.write_text('[[model]]\nlike = "gemini-3.1-por"\n')
    with pytest.raises(UnknownName, match=r"Did you mean `gemini-3\.1-pro`"):
        find(str(path))


def test_a_file_with_one_row_needs_no_name(tmp_path: Path) -> None:
    path = tmp_path / "one.toml"
    path.write_text('[[model]]\nname = "x"\nid = "y"\n')
    assert find(str(path)).id == "y"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[model]]\nname = 1\nid = 'x'", "no file of models"),
        ("[[model]]\nname = 'a'\nid = 'x'\nsecret = 'x'", "secret"),
        ("[[model]]\nname = 'a'\nid = ''", "it has no id"),
        ("[[model]]\nname = 'a'\nid = 'x'\nmax_tokens = 0", "max_tokens must be at least 1"),
        ("[[model]]\nname = 'a'\nid = 'x'\nat_once = 0", "at_once"),
        ("[[model]]\nname = 'a'\nid = 'x'\nagent_tokens = -1", "agent_tokens"),
        ("[[model]]\nname = 'a'\nid = 'x'\nper_minute = -1", "per_minute"),
        ("[[model]]\nname = 'a'\nid = 'x'\ntimeout_s = inf", "timeout_s"),
        ("[[model]]\nname = 'a'\nid = 'x'\ninput_price = -1.0", "prices"),
        ("[[model]]\nname = 'a'\nid = 'x'\nthinking_share = 1.0", "thinking_share"),
        ("[[model]]\nname = 'a'\nid = 'x'\ninput_price = nan", "prices"),
        ("[[model]]\nname = 'a'\nid = 'x'\noutput_price = inf", "prices"),
        ("[[model]]\nname = 'a'\nlike = 'openai:x@ftp://h'", "cannot be used"),
        ("[[model]]\nname = 'a'\nid = 'x'\nbase_url = 'file:///x'", "cannot be used"),
        ("[[model]]\nname = 'a'\nid = 'x'\nendpoint = 'lab'", "no endpoint 'lab'"),
        ("[[model]]\nname = 'a'\nid = 'x'\n[[model]]\nname = 'a'\nid = 'y'", "registered twice"),
        ("model = []", "no \\[\\[model\\]\\]"),
        ("not toml", "no file of models"),
        ("", "no file of models"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_with_the_reason(
    tmp_path: Path, text: str, says: str
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=says):
        find(f"{path}#a")


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        find(str(tmp_path / "missing.toml"))
    (tmp_path / "latin.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not in UTF-8"):
        find(str(tmp_path / "latin.toml"))
    (tmp_path / "huge.toml").write_bytes(b"#" * (2**20 + 1))
    with pytest.raises(InputError, match="larger than one MiB"):
        find(str(tmp_path / "huge.toml"))


def test_a_file_of_models_of_endless_depth_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.toml"
    path.write_text(f"model={'[' * 100_000}")
    with pytest.raises(InputError, match="is no file of models"):
        find(str(path))


def test_all_rows_of_a_file_can_be_listed(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[[model]]\nname = "b"\nid = "x"\n[[model]]\nname = "a"\nid = "y"\n')
    assert [spec.id for spec in rows_of(path)] == ["x", "y"]
    with pytest.raises(InputError, match="cannot be read"):
        rows_of(tmp_path / "none.toml")
