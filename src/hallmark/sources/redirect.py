"""May a redirection be followed?"""

from urllib.parse import urlsplit

from hallmark.sources.interface import SourceSpec


def host_of(url: str) -> str:
    """Return the host of an address, with the port where one is given."""
    try:
        return urlsplit(url).netloc.lower().rpartition("@")[2]
    except ValueError:
        return ""


def may_follow(url: str, target: str, spec: SourceSpec) -> bool:
    """Whether a redirection stays within the service, and does not fall back to plain HTTP."""
    homes = {host_of(base) for base in (spec.base, *spec.more_bases)}
    scheme = urlsplit(target).scheme
    return host_of(target) in homes and scheme in {"https", urlsplit(url).scheme}
