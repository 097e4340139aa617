"""In which formats can an evaluation be written?

Each format is a function from an `Evaluation` to text, registered under its name.
"""

from collections.abc import Callable
from typing import TypeAlias

from hallmark._registry import Registry
from hallmark.bench.evaluation import Evaluation
from hallmark.bench.report import as_html, as_json, as_table, as_text

Format: TypeAlias = Callable[[Evaluation], str]

FORMATS: Registry[Format] = Registry("report format")
FORMATS.add("text", as_text.render)
FORMATS.add("json", as_json.render)
FORMATS.add("csv", as_table.render_csv)
FORMATS.add("latex", as_table.render_latex)
FORMATS.add("markdown", as_table.render_markdown)
FORMATS.add("html", as_html.render)
