"""Which entry is it, whatever its key, its label and the order of its fields?"""

import hashlib
import json

from hallmark.bench.entry import BlindEntry, Entry


def content(entry: Entry | BlindEntry) -> str:
    """Return the SHA-256, in hexadecimal, of what a tool may see of an entry, without its key.

    White space and the order of fields do not matter; every other difference does.
    """
    shown = entry.blind()
    fields = {name: " ".join(text.split()) for name, text in sorted(shown.fields.items())}
    text = json.dumps([shown.bibtex_type.lower(), fields], ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
