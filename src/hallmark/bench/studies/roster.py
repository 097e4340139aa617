"""Which systems does the paper evaluate, and under which names are their results released?"""

import msgspec


class System(msgspec.Struct, frozen=True):
    """One system of the paper and the names of its released files.

    Attributes:
        name: Name in the printed tables.
        tool: The authors' name of the tool: stem of its result file in `aggregates/`, and of its
            predictions on the splits outside the core.
        stems: Names of its prediction files in `predictions/dev_public` and `.../test_public`,
            tried in this order before `tool`.
        coverage: Its key in `aggregates/coverage_reporting.json`, where that differs from `tool`.
        temporal: Name of its file in `predictions/temporal`.
        chatgpt: Name of its file in `predictions/supplement_chatgpt_citations`.
        matched: Name of its file in `predictions/test_crossdomain_matched`, where that differs.
        matrix: Its column in the correctness matrix of the development split.
        forced: Whether its printed row scores a label forced on every entry.
        model: Its name in the table of language models, where it is a model asked once.
    """

    name: str
    tool: str
    stems: tuple[str, ...] = ()
    coverage: str | None = None
    temporal: str | None = None
    chatgpt: str | None = None
    matched: str | None = None
    matrix: str | None = None
    forced: bool = False
    model: str = ""

    @property
    def prediction_names(self) -> tuple[str, ...]:
        """Names under which predictions on a core split may lie."""
        return (*self.stems, self.tool)


_OPUS = "llm_openrouter_claude_opus_4_7"
_SONNET = "llm_openrouter_claude_sonnet_4_6"

SYSTEMS: tuple[System, ...] = (
    System("DOI-only", "doi_only"),
    System(
        "Gemini 2.5 Pro",
        "llm_openrouter_gemini_pro",
        ("gemini_2_5_pro",),
        temporal="llm_openrouter_gemini_pro_temporal_supplement",
        model="gemini-2.5-pro",
    ),
    System(
        "Claude Opus 4.7",
        _OPUS,
        temporal=f"{_OPUS}_temporal_supplement",
        matrix=_OPUS,
        model="claude-opus-4.7",
    ),
    System(
        "Gemini 2.5 Flash",
        "llm_openrouter_gemini_flash",
        temporal="llm_openrouter_gemini_flash_temporal",
        chatgpt="gemini_flash",
        model="gemini-2.5-flash",
    ),
    System(
        "Claude Sonnet 4.6",
        _SONNET,
        temporal=f"{_SONNET}_temporal_supplement",
        chatgpt="sonnet46",
        matrix=_SONNET,
        model="claude-sonnet-4.6",
    ),
    System(
        "Llama 4 Maverick",
        "llm_openrouter_llama_4_maverick",
        ("llama_4_maverick",),
        temporal="llm_openrouter_llama_4_maverick_temporal_supplement",
        model="llama-4-maverick",
    ),
    System(
        "GPT-5.4",
        "llm_openai_gpt54",
        ("gpt_5_4",),
        coverage="llm_openai_gpt_5_4",
        temporal="gpt_5_4_verdicts",
        model="gpt-5.4",
    ),
    System(
        "Mistral Large",
        "llm_openrouter_mistral",
        temporal="llm_openrouter_mistral_temporal",
        model="mistral-large-2512",
    ),
    System(
        "GPT-5.1", "llm_openai", temporal="llm_openai_temporal", chatgpt="gpt51", model="gpt-5.1"
    ),
    System(
        "Qwen3-235B",
        "llm_openrouter_qwen",
        temporal="llm_openrouter_qwen_temporal",
        chatgpt="qwen",
        model="qwen3-235b",
    ),
    System(
        "Qwen3-VL-235B",
        "llm_openrouter_qwen_max",
        ("qwen3_vl_235b",),
        temporal="llm_openrouter_qwen_max_temporal_supplement",
        model="qwen3-vl-235b",
    ),
    System(
        "DeepSeek-R1",
        "llm_openrouter_deepseek_r1",
        temporal="llm_openrouter_deepseek_r1_temporal",
        model="deepseek-r1",
    ),
    System(
        "DeepSeek-V3.2",
        "llm_openrouter_deepseek_v3",
        temporal="llm_openrouter_deepseek_v3_temporal",
        model="deepseek-v3.2",
    ),
    System(
        "GPT-5.1 + CrossRef/OpenAlex/arXiv",
        "llm_agentic_openai",
        ("gpt_5_1_agentic_multi_source",),
    ),
    System(
        "GPT-5.1 + bibtex-updater (agentic)",
        "llm_agentic_btu_openai",
        ("gpt_5_1_agentic_bibtex_updater",),
        chatgpt="agentic_btu",
    ),
    System("Sonnet 4.6 + bibtex-updater (agentic)", "llm_agentic_btu_sonnet_4_6"),
    System(
        "bibtex-updater",
        "bibtexupdater",
        ("bibtex_updater_1_2_0_verdicts", "bibtexupdater_per_entry"),
        chatgpt="bibtex_updater_raw",
        matched="bibtexupdater_matched_per_entry",
        forced=True,
    ),
    System("GPT-5.1 + bibtex-updater (always-call)", "llm_tool_augmented"),
)

CASCADE = System(
    "Cascade", "cascade_db_diagnosis", ("cascade_per_entry",), matched="cascade_matched_per_entry"
)
"""The two-stage cascade of Table 4, which is compared by rows of its own."""

_BY_NAME = {system.name: system for system in SYSTEMS}


def system(name: str) -> System:
    """The system with this printed name.

    Raises:
        KeyError: If the roster lacks it.
    """
    return _BY_NAME[name]
