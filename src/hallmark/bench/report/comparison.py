"""A comparison of tools for a terminal."""

from hallmark.bench.compare import Comparison, Versus
from hallmark.bench.lines import printable
from hallmark.bench.report.as_text import table
from hallmark.bench.report.cells import UNDEFINED, number


def render(comparison: Comparison) -> str:
    """Return the comparison as plain text."""
    c = comparison
    names = list(next(iter(c.tools.values())))
    tools = [[printable(tool), *(number(m[name]) for name in names)] for tool, m in c.tools.items()]
    parts = [
        f"{len(c.tools)} tools on {printable(c.gold)}, {c.n} entries, {c.stance} stance",
        table(["", *names], tools),
        *(_versus(versus) for versus in c.pairs),
        _foot(c),
    ]
    return "\n\n".join(parts) + "\n"


def _versus(v: Versus) -> str:
    rows = []
    for name, d in v.differences.items():
        ci = f"[{d.ci.low:+.3f}, {d.ci.high:+.3f}]" if d.ci else ""
        effect = v.cohens_h.get(name)
        rows.append(
            [
                name,
                UNDEFINED if d.value is None else f"{d.value:+.3f}",
                ci,
                _p(d.p),
                _p(v.holm_p[name]),
                "" if effect is None else f"{effect:+.2f}",
            ]
        )
    m = v.mcnemar
    agreement = (
        f"right on entries the other got wrong: {m.only_first} and {m.only_second}; "
        f"exact McNemar p {equals(m.p)}, Holm {_p(v.mcnemar_holm_p)}; "
        f"agreement of labels: kappa {number(v.kappa)}"
    )
    lines = [
        f"{printable(v.first)} minus {printable(v.second)}",
        table(["", "difference", "interval", "p", "p (Holm)", "Cohen's h"], rows),
        agreement,
    ]
    if v.equivalence is not None:
        verdict = "equivalent" if v.equivalence.equivalent else "not shown to be equivalent"
        lines.append(f"within +-{v.equivalence.margin:g}: {verdict} (p {equals(v.equivalence.p)})")
    return "\n".join(lines)


def equals(p: float | None) -> str:
    """Return a p-value behind its sign: "= 0.012", or "< 0.001"."""
    text = _p(p)
    return text if text.startswith("<") else f"= {text or UNDEFINED}"


def _p(p: float | None) -> str:
    if p is None:
        return ""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"  # noqa: PLR2004


def _foot(c: Comparison) -> str:
    union = ", ".join(f"{k}: {number(value)}" for k, value in c.detect_at_k.items())
    known = {name: size for name, size in c.detectable.items() if size is not None}
    sizes = ", ".join(f"{name} {size:.3f}" for name, size in known.items())
    inverse = ", ".join(
        f"{printable(t)} {number(x)}" for t, x in c.tier_weighted_f1_inverse.items()
    )
    return "\n".join(
        [
            f"detect@k (some of k tools flags a hallucinated entry): {union}",
            f"agreement of all labels: Fleiss' kappa {number(c.fleiss_kappa)}",
            f"F1, tiers weighted by inverse difficulty for these tools: {inverse}",
            f"smallest difference that 80 % of such samples show (one sample): {sizes}",
            *_costs(c),
        ]
    )


def _costs(c: Comparison) -> list[str]:
    if not c.costs:
        return []
    s = c.setting
    listed = ", ".join(f"{printable(p.tool)} {p.cost.expected:.3f}" for p in c.costs)
    where = (
        f"{s.prevalence:.1%} are bad, a miss costs {s.cost_ratio:g} false alarms and reviewers "
        f"read {s.capacity:.0%}"
    )
    return [
        f"expected cost per entry where {where}: {listed}",
        f"regime (Table 6): {s.regime}; cheapest here: {printable(c.costs[0].tool)}",
    ]
