"""Which keys and which contact address are there, and how are they kept out of every text?

They come from the environment, or from a configuration file, and are added to a request at the
last moment. No report, log, cache, recording or message of an error holds them.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from hallmark._hiding import hide, hide_bytes
from hallmark.sources.interface import SourceSpec

CONTACT = "HALLMARK_CONTACT"
"""The variable of the contact address that services ask for."""


class Secrets(Struct, frozen=True):
    """Keys by the name of their source, and the contact address."""

    keys: Mapping[str, str] = {}
    contact: str = ""

    def headers(self, spec: SourceSpec) -> dict[str, str]:
        """Return the headers that carry a source's key."""
        key = self.keys.get(spec.name)
        return {spec.key_header: key} if key and spec.key_header else {}

    def params(self, spec: SourceSpec) -> list[tuple[str, str]]:
        """Return the parameters that carry a source's key and the contact address."""
        key = self.keys.get(spec.name)
        found = [(spec.key_param, key)] if key and spec.key_param else []
        if self.contact and spec.contact_param:
            found.append((spec.contact_param, self.contact))
        return found

    def hide(self, text: str) -> str:
        """Return a text without any of the secrets."""
        return hide(text, self._values())

    def hide_bytes(self, body: bytes) -> bytes:
        """Return a body without any of the secrets: some services repeat the whole request."""
        return hide_bytes(body, self._values())

    def without(self, source: str) -> "Secrets":
        """Return the secrets without the key of a source."""
        keys = {name: key for name, key in self.keys.items() if name != source}
        return Secrets(keys, self.contact)

    def _values(self) -> tuple[str, ...]:
        return (*self.keys.values(), self.contact)


def from_environment(specs: Iterable[SourceSpec], environ: Mapping[str, str]) -> Secrets:
    """Return the keys that the environment holds; a blank one counts as none."""
    keys = {
        spec.name: environ[spec.key_variable].strip()
        for spec in specs
        if spec.key_variable and environ.get(spec.key_variable, "").strip()
    }
    return Secrets(keys, environ.get(CONTACT, "").strip())
