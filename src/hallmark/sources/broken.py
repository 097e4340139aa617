"""What broke, when a request got no response?"""

import httpx


def reason_of(error: httpx.HTTPError) -> str:
    """Say what a failure of the network is, without the address: it may hold a key."""
    match error:
        case httpx.ConnectTimeout() | httpx.PoolTimeout():
            return "No connection could be made in time."
        case httpx.TimeoutException():
            return "It stopped answering."
        case httpx.ConnectError():
            return "No connection could be made."
        case httpx.RemoteProtocolError() | httpx.ReadError():
            return "The connection broke off."
        case _:
            return f"The connection failed ({type(error).__name__})."
