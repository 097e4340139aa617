"""Which report formats are there?"""

from hallmark._registry import Registry
from hallmark.report.interface import MakeReport
from hallmark.report.json import JsonDocument
from hallmark.report.jsonl import JsonLines
from hallmark.report.markdown import Markdown
from hallmark.report.terminal import Terminal

FORMATS: Registry[MakeReport] = Registry("report format")
FORMATS.add("terminal", Terminal)
FORMATS.add("json", JsonDocument)
FORMATS.add("jsonl", JsonLines)
FORMATS.add("markdown", Markdown)
