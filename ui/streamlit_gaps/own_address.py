"""The server asks nobody on the internet for its own public address.

A browser that opens a WebSocket names the page that does so (its Origin). If that page is from elsewhere, Streamlit
asks a web service for this machine's public address, in case the page has it too. Any website that somebody opens can
open such a WebSocket. It is refused, but a request has left the machine, and until it is answered the server serves
nobody: 8 seconds without a network.

Streamlit lacks an option against it (https://github.com/streamlit/streamlit/issues/7721 was closed without one). It can
go when `tests/ui/test_nothing_leaves.py` passes without it.
"""

import inspect

from streamlit import net_util
from streamlit.web.server import server_util

from ui.streamlit_gaps.put_before import GoneError

ASKS = "get_external_ip"


def ask_nobody() -> None:
    """Let Streamlit know no public address of this machine. Calling this twice changes nothing.

    Raises GoneError if Streamlit asks in another way.
    """
    names = server_util.is_url_from_allowed_origins.__code__.co_names
    if not {net_util.__name__.rpartition(".")[2], ASKS} <= {*names}:
        raise GoneError("the check of a WebSocket's origin finds the server's address in another way")
    if inspect.signature(getattr(net_util, ASKS)).parameters:
        raise GoneError(f"{net_util.__name__}.{ASKS} has parameters")
    setattr(net_util, ASKS, _no_address)


def _no_address() -> str | None:
    return None
