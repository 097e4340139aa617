"""An evaluation as a table for another program or a paper: CSV, LaTeX, Markdown."""

import csv
import io

from hallmark.bench.evaluation import Evaluation
from hallmark.bench.lines import no_formula, printable
from hallmark.bench.measures.groups import Estimate
from hallmark.bench.report.cells import bounds, headline_rows, number

_LATEX = str.maketrans(
    {
        "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
        "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}",
    }
)  # fmt: skip


def render_csv(evaluation: Evaluation) -> str:
    """Return every measure and group rate on a line of its own; undefined values are empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["system", "gold", "group", "stance", "measure", "value", "low", "high"])
    where = (_safe(evaluation.system), _safe(evaluation.gold.name))
    for name in ("coverage", "error_rate"):
        writer.writerow([*where, "all", "", name, *_numbers(getattr(evaluation, name))])
    for stance, measures in evaluation.stances.items():
        for name, estimate in measures.items():
            writer.writerow([*where, "all", stance, name, *_numbers(estimate)])
    for kind in ("type", "tier", "method", "segment", "year", "source"):
        for group, content in getattr(evaluation, f"per_{kind}").items():
            for stance, rates in content.stances.items():
                for name, estimate in rates.items():
                    row = [f"{kind}={_safe(group)}", stance, name, *_numbers(estimate)]
                    writer.writerow([*where, *row])
    return out.getvalue()


def _numbers(estimate: Estimate) -> list[str]:
    low, high = estimate.ci or (None, None)
    return ["" if x is None else repr(x) for x in (estimate.value, low, high)]


def _safe(text: str) -> str:
    """Keep a spreadsheet from taking a name from outside for a formula."""
    return no_formula(printable(text))


def render_latex(evaluation: Evaluation) -> str:
    """Return the main table for LaTeX with booktabs."""
    stances = list(evaluation.stances)
    e = evaluation
    lines = [
        f"% {printable(e.system)} on {printable(e.gold.name)}, n = {e.gold.n}",
        rf"\begin{{tabular}}{{l{'r' * len(stances)}}}",
        r"\toprule",
        f"{_tex(evaluation.system)} & {' & '.join(stances)} \\\\",
        r"\midrule",
    ]
    for row in headline_rows(e):
        cells = [_tex_cell(row.estimates[s]) if s in row.estimates else "" for s in stances]
        lines.append(f"{_tex(row.title)} & {' & '.join(cells)} \\\\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _tex_cell(estimate: Estimate) -> str:
    if estimate.value is None:
        return "--"
    return f"{number(estimate.value)} {{\\scriptsize {bounds(estimate)}}}"


def _tex(text: str) -> str:
    return printable(text).translate(_LATEX)


def render_markdown(evaluation: Evaluation) -> str:
    """Return the main table and the detection rates by type for Markdown."""
    e, stances = evaluation, list(evaluation.stances)
    lines = [
        f"## {_md(e.system)} on {_md(e.gold.name)}",
        "",
        _md_summary(e),
        "",
        *_md_head(["measure", *stances]),
    ]
    lines += [
        _md_row([row.title, *(_md_cell(row.estimates.get(s)) for s in stances)])
        for row in headline_rows(e)
    ]
    lines += ["", *_md_head(["type", "n", *stances])]
    for name, group in e.per_type.items():
        cells = [_md_cell(group.stances[s]["detection_rate"]) for s in stances]
        lines.append(_md_row([_md(name), str(group.n), *cells]))
    return "\n".join([*lines, ""])


def _md_summary(e: Evaluation) -> str:
    return (
        f"{e.gold.n} entries, {e.gold.hallucinated} hallucinated, {e.gold.valid} valid; "
        f"coverage {number(e.coverage.value)}, error rate {number(e.error_rate.value)}."
    )


def _md_head(cells: list[str]) -> list[str]:
    return [_md_row(cells), _md_row(["---"] * len(cells))]


def _md_row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _md_cell(estimate: Estimate | None) -> str:
    return "" if estimate is None else f"{number(estimate.value)} {bounds(estimate)}".rstrip()


def _md(text: str) -> str:
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|" else c for c in printable(text))
