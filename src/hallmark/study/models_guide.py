"""What does the page on language models say?"""

import inspect
import re
from collections.abc import Iterator

from hallmark.llm.attempt import LARGEST
from hallmark.llm.calls import Patience
from hallmark.llm.interface import ModelSpec
from hallmark.llm.models import OWN_KEY, table
from hallmark.study.document import Section, Table


def page() -> list[Section]:
    """Return the page."""
    return [
        Section("Language models", (_MADE, _WHAT, _NAMES), level=1),
        Section("Models that have a name", (_ROWS, _models())),
        Section("A file of your own", (_OWN, f"```toml\n{EXAMPLE}```", _fields())),
        Section("What a run may cost", (_CAPS,)),
        Section("Replies are kept", (_KEPT,)),
        Section("When a service does not answer", (_calls(Patience()),)),
        Section("Servers that were tried", (_TRIED,)),
        Section("Keys, and what leaves the machine", (_KEYS,)),
    ]


_MADE = (
    "Generated from the table in `src/hallmark/llm/models.toml` and the code beside it by `make "
    "docs`; do not edit."
)
_WHAT = (
    "Nothing here is needed to check references: a language model is asked only where you name "
    "one. It needs the vendors' packages, `pip install '.[llm]'` in the folder of Hallmark's "
    "sources, which are loaded when the first question leaves."
)
_NAMES = (
    "A model is named in one of three ways: by a name of the table below; as "
    "`openai:ID@BASE_URL` or `anthropic:ID@BASE_URL` for any other server that speaks one of the "
    "two formats (vLLM, llama.cpp, Ollama, a proxy), such as "
    "`openai:llama3.1:8b@http://127.0.0.1:11434/v1`; or as `FILE.toml#NAME` for a row of a file "
    "of your own."
)
_ROWS = (
    "Ids, decoding and cutoffs are those of the HALLMARK paper (Tables 11, 24 and 29). A cutoff "
    "marked <= is an upper bound that nobody published; prices are US dollars per million tokens "
    "in and out, as they were last seen on the list of whoever is asked, on the date beside them. "
    "OpenRouter lists the price of one provider of an open model, changes it often, and may route "
    "a question to a dearer one: look at the current price, and give it in a row of your own where "
    "it differs. Two things differ from the paper where our own prompts are used: OpenAI and "
    "Anthropic are held to the form of the answer, and questions go with a system's part."
)
_OWN = (
    "A row has the fields below; only `name` and `id` are needed. `endpoint` takes over what the "
    "rows of one end-point share: `openai`, `openrouter` or `anthropic`, or one that the file "
    "itself gives. `like` takes over all that the row does not say from a model of the table, or "
    "from an address such as `openai:ID@BASE_URL`; so the second row gives nothing but prices, "
    'also for `--max-cost`. `temperature = "none"` sends none.'
)
EXAMPLE = """\
[[model]]
name = "gpt-oss"
id = "openai/gpt-oss-120b"
endpoint = "openrouter"
cutoff = "2024-06"
max_tokens = 4096
effort = "low"
input_price = 0.10
output_price = 0.50
priced = "2026-12-01"

[[model]]
like = "deepseek-v4-pro"
input_price = 1.32
output_price = 3.96
priced = "2026-12-01"
"""
_CAPS = (
    "Money, tokens and requests of a run can be capped. Before a request leaves, the most that it "
    "can cost is set aside: a token for each byte of the prompt, and the whole budget of the "
    "answer; afterwards what it did cost is booked. So requests that are under way together never "
    "exceed a cap together, and a run may stop with some of it left. Only a service that writes "
    "more than it was asked for, or charges more than the row says, can overrun a cap, by the "
    "excess of the replies under way (at most `at_once` of them); nothing is asked after that. A "
    "request that timed out or broke off may be on the bill, and counts in full. Money is counted "
    "at the prices of the row, or at what OpenRouter says it was charged where that is more, and "
    "cannot be capped for a model without a price. Prompt tokens that a service had kept are "
    "counted at the full price, so that the bill may be lower than what is told. A run that is "
    "stopped and gone on with is one run: what each request took is written down at once beside "
    "its answers, and counts in later sittings. `check --llm` has one sitting."
)
_KEPT = (
    "Every reply is kept at once in `replies.sqlite`, under the SHA-256 of all that can change it: "
    "provider, address, id, temperature, seed, budget, effort, form, and the whole conversation. "
    "The same question is then never paid for twice, whether a run is repeated, was stopped with "
    "Ctrl-C, or killed. Ctrl-C waits up to half a minute for requests under way; a second one does "
    "not. Failures are not kept. With `--offline` only kept replies count, and a question without "
    "one stops the run. Several processes may use the file; a damaged one is never overwritten."
)
_KEYS = (
    "Keys are read from the environment, are sent to the end-point of their row and to no other, "
    f"and are written nowhere; what a service repeats of them is hidden. `{OWN_KEY}` is the key of "
    "an end-point that you name by its address; without it none is sent. Redirections are not "
    "followed, and variables with which the vendors' packages add headers have no effect on other "
    f"end-points. Replies of more than {LARGEST // 2**20} MB, and packed ones, are not read. What "
    "leaves the machine is the question: for the systems of the benchmark the entry as it stands, "
    "for `check --llm` the fields of a reference that evidence left open, and that evidence."
)


_TRIED = (
    "Both formats were tried against two servers of others, with a toy model: that of "
    "llama.cpp (in xllamacpp 2026.10.11549) and LiteLLM's proxy 1.108.7; zero-shot, with "
    "tools, streamed, with answers held to a schema, and with all kinds of refusals. A "
    "server of your own is best named by `openai:`. llama.cpp's end-point in Anthropic's "
    'format heeds neither the form of an answer nor a `tool_choice` of "none": an agent '
    "there may call a tool where only the verdict is left to give, which is an error of "
    'kind `empty`. An address alone sends no schema; a row with `structured = "schema"` '
    "does, which llama.cpp enforces. A server that heeds the seed answers the same question "
    "alike each time, so that repeated runs show no variance. No vendor's own end-point was "
    "asked by the authors of this program: how those behave is taken from their "
    "documentation."
)


def _models() -> Table:
    head = ("name", "id", "asked at", "cutoff", "tokens", "price", "as of")
    return Table(head, tuple(_model(spec) for _, spec in table().items()))


def _model(spec: ModelSpec) -> tuple[str, ...]:
    where = "OpenRouter" if spec.base_url else {"openai": "OpenAI"}.get(spec.provider, "Anthropic")
    bound = "" if spec.cutoff_disclosed or not spec.cutoff else "<= "
    known = spec.input_price is not None and spec.output_price is not None
    price = f"{spec.input_price:g} / {spec.output_price:g}" if known else ""
    tokens = str(spec.max_tokens) + (f", effort {spec.effort}" if spec.effort else "")
    return (spec.name, spec.id, where, f"{bound}{spec.cutoff}", tokens, price, spec.priced)


def _fields() -> Table:
    return Table(("field", "what it is"), tuple(_described()))


def _described() -> Iterator[tuple[str, str]]:
    """Yield the fields of a row as their documentation says, in the order of the fields."""
    text = inspect.getdoc(ModelSpec) or ""
    told = dict(re.findall(r"^ {4}(\w+): (.+(?:\n {8}.+)*)", text, flags=re.MULTILINE))
    for name in ModelSpec.__struct_fields__:
        yield name, " ".join(told[name].split()).rstrip(".")


def _calls(patience: Patience) -> str:
    return (
        f"A question is sent up to {patience.attempts} times: after a time-out, a connection that "
        "failed, and the statuses 408, 409, 429 and 5xx, with longer and longer pauses, or as late "
        f"as Retry-After says, up to {patience.longest_pause_s:g} s. After too many requests (429) "
        "all questions wait; where no time is told, the pauses together outlast a minute. (The "
        "paper tries zero-shot questions six times, agents' four times.) A refused key, an unknown "
        "model and an empty account stop the run at once, and so do three questions in a row "
        "without an answer; what was answered is kept, and the same command goes on from there."
    )
