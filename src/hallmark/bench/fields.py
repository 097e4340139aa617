"""Does a JSON value fit the field of an entry or a prediction that it stands in?

Each function returns the value in its type, or notes the problem with its line and returns a
stand-in, so that one pass finds every problem of a file.
"""

from collections.abc import Iterable
from typing import Any

from hallmark.bench.lines import Problems, printable, quoted
from hallmark.bench.taxonomy import HallucinationType, Tier, parse_type
from hallmark.errors import InputError

MAX_NUMBER = 1e15
_TIERS = tuple(Tier)


def either(row: dict[str, Any], ours: str, released: str) -> Any:
    """Return the value under our name of a field, or else under the released one."""
    return row[ours] if row.get(ours) is not None else row.get(released)


def key(row: dict[str, Any], line: int, problems: Problems) -> str:
    """Return the key of the entry; it must hold more than white space."""
    value = row.get("bibtex_key")
    if isinstance(value, str) and value.strip():
        return value
    problems.add("`bibtex_key` is missing, empty or no text", line)
    return ""


def choice(
    value: Any, name: str, allowed: Iterable[str], line: int, problems: Problems
) -> str | None:
    """Return `value` where it is one of `allowed`, all of them in capitals."""
    names = list(allowed)
    if isinstance(value, str) and value in names:
        return value
    if value is None:
        problems.add(f"`{name}` is missing; give one of {', '.join(names)}", line)
    elif isinstance(value, str) and value.upper() in names:
        problems.add(f"{name} {quoted(value)} must be in capitals: {value.upper()}", line)
    else:
        problems.add(f"{name} {quoted(value)} is none of {', '.join(names)}", line)
    return None


def confidence(value: Any, line: int, problems: Problems) -> float:
    """Return a probability in [0, 1]; 0.5 stands in for what is none."""
    if value is None:
        problems.add("`confidence` is missing; give P(label is right), from 0 to 1", line)
    elif isinstance(value, bool) or not isinstance(value, int | float):
        problems.add("`confidence` is no number from 0 to 1", line)
    elif 1 < value <= 100:  # noqa: PLR2004 - percent
        problems.add("`confidence` is above 1; if it is in percent, divide it by 100", line)
    elif not 0 <= value <= 1:
        problems.add("`confidence` is outside 0 to 1", line)
    else:
        return float(value) + 0.0  # no negative zero
    return 0.5


def number(value: Any, name: str, line: int, problems: Problems) -> float | None:
    """Return a number from 0 to `MAX_NUMBER`, None where it is absent."""
    if value is None:
        return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and 0 <= value <= MAX_NUMBER:
        return float(value)
    problems.add(f"`{name}` is no number from 0 upwards", line)
    return None


def count(value: Any, name: str, line: int, problems: Problems) -> int | None:
    """Return a whole number from 0 to `MAX_NUMBER`, None where it is absent."""
    found = number(value, name, line, problems)
    if found is not None and not found.is_integer():
        problems.add(f"`{name}` is no whole number", line)
    return None if found is None else int(found)


def text(row: dict[str, Any], name: str, line: int, problems: Problems) -> str | None:
    """Return a text, None where it is absent."""
    value = row.get(name)
    if value is None or isinstance(value, str):
        return value
    problems.add(f"`{name}` is no text", line)
    return None


def texts(value: Any, name: str, line: int, problems: Problems) -> tuple[str, ...]:
    """Return a list of texts, empty where it is absent."""
    if value is None:
        return ()
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    problems.add(f"`{name}` must be a list of texts", line)
    return ()


def bibtex_fields(value: Any, line: int, problems: Problems) -> dict[str, str]:
    """Return BibTeX fields: names to texts, empty where they are absent."""
    if value is None:
        return {}
    if isinstance(value, dict) and all(isinstance(item, str) for item in value.values()):
        return value
    problems.add('`fields` must map field names to texts (a year too: "2021")', line)
    return {}


def subtests(value: Any, line: int, problems: Problems) -> dict[str, bool | None]:
    """Return sub-test results: names to true, false or null."""
    if value is None:
        return {}
    if isinstance(value, dict) and all(v is None or isinstance(v, bool) for v in value.values()):
        return value
    problems.add("sub-test results must be true, false or null", line)
    return {}


def hallucination_type(value: Any, line: int, problems: Problems) -> HallucinationType | None:
    """Return one of the 14 types, None where it is absent."""
    if value is None:
        return None
    try:
        return parse_type(str(value))
    except InputError as error:
        problems.add(printable(error, 200), line)
        return None


def tier(value: Any, line: int, problems: Problems) -> int | None:
    """Return a tier from 1 to 3, None where it is absent."""
    if value is None or (
        isinstance(value, int) and not isinstance(value, bool) and value in _TIERS
    ):
        return value
    problems.add("`difficulty_tier` is none of 1, 2, 3", line)
    return None
