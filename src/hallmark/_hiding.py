"""How is a secret kept out of every text, however it is spelled there?"""

import html
import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote

HIDDEN = "[hidden]"
SHORTEST = 4
"""Characters from which a value is searched for in texts: shorter ones would hide other words."""
_CODED = re.compile("%[0-9A-F]{2}")


def hide(text: str, secrets: Iterable[str]) -> str:
    """Return a text without any of the secrets."""
    for value in _spellings(secrets):
        text = text.replace(value, HIDDEN)
    return text


def hide_bytes(body: bytes, secrets: Iterable[str]) -> bytes:
    """Return a body without any of the secrets: some services repeat the whole request."""
    for value in _spellings(secrets):
        body = body.replace(value.encode(), HIDDEN.encode())
    return body


def _spellings(secrets: Iterable[str]) -> Iterator[str]:
    """Yield every secret as it is, and as it stands in an address, in JSON and in a page."""
    for value in secrets:
        if len(value) >= SHORTEST:
            coded = (quote(value), quote(value, safe=""))
            lower = tuple(_CODED.sub(lambda found: found[0].lower(), one) for one in coded)
            quoted = json.dumps(value)[1:-1]
            slashed = quoted.replace("/", "\\/")
            pages = (html.escape(value), html.escape(value, quote=False))
            yield from dict.fromkeys((value, *coded, *lower, quoted, slashed, *pages))
