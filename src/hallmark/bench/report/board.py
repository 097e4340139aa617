"""A leaderboard for a terminal: a strict and a lenient value for each tool."""

from hallmark.bench.leaderboard import Board, Leaderboard, Line
from hallmark.bench.lines import printable
from hallmark.bench.report.as_text import table
from hallmark.bench.report.cells import both, number


def render(leaderboard: Leaderboard) -> str:
    """Return the leaderboard as plain text."""
    parts = [_board(board) for board in leaderboard.boards]
    if leaderboard.strengths:
        ordered = sorted(leaderboard.strengths.items(), key=lambda item: -item[1])
        rows = [[printable(tool), f"{strength:.3f}"] for tool, strength in ordered]
        parts.append("Over all gold files (Plackett-Luce)\n" + table(["tool", "strength"], rows))
    if leaderboard.skipped:
        parts.append(f"Not results: {', '.join(leaderboard.skipped)}")
    return "\n\n".join(parts) + "\n"


def _board(board: Board) -> str:
    title = f"{printable(board.gold)} ({board.n} entries), ranked by {board.measure}"
    names = ["DR", "FPR", "F1", "MCC"]
    header = ["rank", "tool", f"{board.measure}, strict", "lenient", "coverage", "errors", *names]
    lines = [title, table(header, [_row(line) for line in board.lines])]
    lines += [f"not ranked: {printable(tool)} {why}" for tool, why in board.unranked.items()]
    lines.append(
        "strict: an abstention counts as VALID, a failure against the tool; lenient: both left out"
    )
    return "\n".join(lines)


def _row(line: Line) -> list[str]:
    rank = line.rank
    place = f"{rank.rank} ({rank.low}-{rank.high})" if rank.low < rank.high else str(rank.rank)
    measures = ("detection_rate", "false_positive_rate", "f1", "mcc")
    return [
        place,
        printable(line.system),
        both(line.strict),
        number(line.lenient.value),
        number(line.coverage.value),
        number(line.error_rate.value),
        *(number(line.rates[name].value) if name in line.rates else "" for name in measures),
    ]
