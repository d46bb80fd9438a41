"""The fragment of the link that opened the page, the part after #: the browser sends it here and clears it.

The texts of a page's own fields are written back into it.

Streamlit lacks access to it: `st.context.url` ends before it, and every change of a parameter deletes it
(https://github.com/streamlit/streamlit/issues/9664). It can go when Python can read and write it.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from ui.components import component as message
from ui.components.component import component
from ui.visit import Slot

# The random number of the last fragment received. The browser sends a fragment again until its number is here.
RECEIVED: Slot[str] = Slot("_received_fragment", str)

MOST_DIGITS = 40  # of such a number

_COMPONENT = component("link_fragment", Path(__file__).parent)


def link_fragment(names: Sequence[str], *, most: int, key: str, receive: Callable[[str], None]) -> None:
    """Call `receive` with the fragment of a link that was opened, if it begins with one of these names and "=".

    most: characters to send; of a longer one, the first `most` + 1.
    """

    def received() -> None:
        sent = (
            message.read(st.session_state.get(key), "fragment", message.texts(("id", "text"), most + 1)) or {}
        )
        if "text" in sent and sent.get("id", "") != RECEIVED.read():
            RECEIVED.write(sent.get("id", "")[:MOST_DIGITS])
            receive(sent["text"])

    data = {"names": list(names), "most": most, "received": RECEIVED.read()}
    _COMPONENT(key=key, data=data, on_fragment_change=received, height=1)


def keep_fragment(fragment: str, *, begins: str, page: str, key: str) -> None:
    """Write this fragment into the address while it is that of the page; "" removes one that begins so.

    page: the last name of the address's path. A fragment of another beginning stays, such as that of a heading.
    """
    data = {
        "names": [],
        "most": 0,
        "received": "",
        "kept": {"fragment": fragment, "begins": begins, "page": page},
    }
    _COMPONENT(key=key, data=data, on_fragment_change=lambda: None, height=1)
