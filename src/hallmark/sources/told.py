"""What do the headers of a reply say about when to ask again, and how often?"""

from collections.abc import Mapping

from hallmark.sources.interface import Rate

SLOWEST_S = 60.0
"""Seconds between two requests beyond which a stated rate is not believed."""
_UNITS_S = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


def allowed_rate(headers: Mapping[str, str], rate: Rate) -> Rate:
    """Return the rate at which a host may be asked: ours, or less where it says so.

    Crossref states its own in `X-Rate-Limit-Limit` (requests) and `X-Rate-Limit-Interval` ("1s").
    More than ours is not made use of; what cannot be read, or is absurdly slow, says nothing.
    """
    requests = _number(headers.get("x-rate-limit-limit", ""))
    interval = headers.get("x-rate-limit-interval", "").strip().lower()
    per_s = _number(interval.rstrip("smh")) * _UNITS_S.get(interval.lstrip("0123456789."), 0.0)
    if requests <= 0 or per_s <= 0 or per_s / requests > SLOWEST_S:
        return rate
    if per_s / requests <= rate.per_s / rate.requests:
        return rate
    return Rate(requests, per_s, rate.connections)


def _number(text: str) -> float:
    """Return a number as headers have it, 0.0 for anything else."""
    plain = text.strip()
    if not plain.isascii() or not plain.replace(".", "", 1).isdigit():
        return 0.0
    return float(plain[:12])
