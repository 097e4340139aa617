import contextlib
import io

from hallmark.report.spool import Spool


def test_rows_come_out_in_order() -> None:
    spool, out = Spool(), io.StringIO()
    for row in ("a\n", "b\n", "c\n"):
        spool.add(row)
    spool.pour(out)
    spool.close()
    assert out.getvalue() == "a\nb\nc\n"
    assert spool.count == 3


def test_more_than_memory_should_hold_comes_out_whole() -> None:
    with contextlib.closing(Spool()) as spool:
        out = io.StringIO()
        for number in range(40_000):
            spool.add(f"{number:060}é\r\n")
        spool.pour(out)
    assert out.getvalue() == "".join(f"{number:060}é\r\n" for number in range(40_000))
