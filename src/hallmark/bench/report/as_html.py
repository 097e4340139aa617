"""An evaluation as one HTML file that needs nothing else: tables and plots."""

from collections.abc import Sequence
from html import escape

from hallmark.bench.evaluation import Evaluation
from hallmark.bench.lines import printable
from hallmark.bench.measures.groups import Group
from hallmark.bench.report import svg
from hallmark.bench.report.cells import both, group_tables, headline_rows

STYLE = """
body{font:15px/1.45 system-ui,sans-serif;max-width:1100px;margin:2rem auto;padding:0 1rem;
color:#1b1b1b;background:#fff}h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
td,th{padding:.25rem .7rem;border-bottom:1px solid #ddd;text-align:left}
.wide{overflow-x:auto}td+td{white-space:nowrap}.plots{display:flex;flex-wrap:wrap;gap:1.5rem}
svg text{font-size:11px;fill:#333}svg .axis{fill:none;stroke:#555}
svg .line{fill:none;stroke:#1f5fa8;stroke-width:1.8}svg .even{fill:none;stroke:#bbb;
stroke-dasharray:4 3}svg circle{fill:#1f5fa8}svg rect{fill:#8fb4dc}svg .ci{stroke:#222}
.note{background:#fff6dd;padding:.4rem .8rem}footer{color:#555;margin-top:2rem}
"""


def render(evaluation: Evaluation) -> str:
    """Return the report as an HTML page without scripts or links to other files."""
    e = evaluation
    title = _text(f"{e.system} on {e.gold.name}")
    body = [
        f"<h1>{title}</h1>",
        _summary(e),
        *(f'<p class="note">{_text(note, 400)}</p>' for note in e.notes),
        _main(e),
        f'<h2>Plots</h2><div class="plots">{_reliability(e)}{_risk(e)}</div>{_types(e)}',
        *(_groups(name, groups) for name, groups in group_tables(e) if groups),
        _footer(e),
    ]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style></head><body>{''.join(body)}</body></html>\n"
    )


def _text(text: str, limit: int = 80) -> str:
    return escape(printable(text, limit))


def _summary(e: Evaluation) -> str:
    missing = f", {e.missing} without prediction" if e.missing else ""
    return (
        f"<p>{e.gold.n} entries: {e.gold.hallucinated} hallucinated, {e.gold.valid} valid{missing}."
        f" Coverage {both(e.coverage)}, error rate {both(e.error_rate)}.</p>"
    )


def _main(e: Evaluation) -> str:
    stances = list(e.stances)
    rows = [
        [row.title, *(both(row.estimates[s]) if s in row.estimates else "" for s in stances)]
        for row in headline_rows(e)
    ]
    return "<h2>Measures by stance</h2>" + _table(["measure", *stances], rows)


def _groups(title: str, groups: dict[str, Group]) -> str:
    stances = list(next(iter(groups.values())).stances)
    names = {"detection_rate": "DR", "false_positive_rate": "FPR"}
    header = [title, "hallucinated", "valid"]
    header += [f"{short} {stance}" for stance in stances for short in names.values()]
    rows = []
    for name, group in groups.items():
        rates = [group.stances[stance][measure] for stance in stances for measure in names]
        cells = ["" if rate.value is None else both(rate) for rate in rates]
        rows.append([name, str(group.hallucinated), str(group.valid), *cells])
    filled = [at for at in range(len(header)) if any(row[at] for row in rows)]
    kept = [[row[at] for at in filled] for row in [header, *rows]]
    return f"<h2>{_text(title)}</h2>" + _table(kept[0], kept[1:])


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{_text(cell)}</th>" for cell in header)
    lines = ["".join(f"<td>{_text(cell)}</td>" for cell in row) for row in rows]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<div class="wide"><table><tr>{head}</tr>{body}</table></div>'


def _reliability(e: Evaluation) -> str:
    points = [
        (bar.confidence, bar.accuracy, bar.n)
        for bar in e.reliability
        if bar.confidence is not None and bar.accuracy is not None
    ]
    body = [
        svg.line([(0, 0), (1, 1)], "even"),
        svg.line([(x, y) for x, y, _ in points]),
        *(svg.dot(x, y, f"{n} entries: confidence {x:.3f}, right {y:.3f}") for x, y, n in points),
    ]
    return svg.frame("Reliability", "confidence (conservative)", "share right", body)


def _risk(e: Evaluation) -> str:
    top = max((point.error_rate for point in e.risk_coverage), default=0.0) or 1.0
    points = [(point.coverage, point.error_rate / top) for point in e.risk_coverage]
    return svg.frame(
        "Risk and coverage", "coverage, most certain first", "error rate", [svg.line(points)], top
    )


def _types(e: Evaluation) -> str:
    rows = []
    for name, group in e.per_type.items():
        rate = group.stances["conservative"]["detection_rate"]
        if rate.value is not None and rate.ci is not None:
            rows.append((name, rate.value, *rate.ci))
    return svg.bars(rows)


def _footer(e: Evaluation) -> str:
    facts = [f"{name}: {value}" for name, value in e.provenance.items() if value not in (None, "")]
    facts.append(f"gold SHA-256: {e.gold.sha256}")
    return f"<footer>{'<br>'.join(_text(fact, 200) for fact in facts)}</footer>"
