"""A check of when a browser's message arrives: a fragment of a page that is being left is not run any more.

A browser reports what happens on a page until the answer to its request for another page arrives. Streamlit runs the
fragment of such a late report after the new page, under the name of the old one: the browser then clears the screen,
and it stays empty.

Streamlit lacks this check; no issue reports it yet. It can go when `tests/ui/test_streamlit_gaps.py`
passes without it.
"""

import time
from weakref import WeakKeyDictionary

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession

from ui.streamlit_gaps.put_before import GoneError, put_before

LATEST_ANSWER = 10  # seconds after which a request for a page counts as answered

# {session: (the page it asks for, the page it was on, when)}
_requests: WeakKeyDictionary[AppSession, tuple[str, str, float]] = WeakKeyDictionary()


def check_late_messages() -> None:
    """Let Streamlit ignore the late fragments of pages that were left. Raises GoneError if that is impossible."""
    if not {"fragment_id", "page_script_hash"} <= set(ClientState.DESCRIPTOR.fields_by_name):
        raise GoneError("a message names its page and its fragment in another way")
    if not hasattr(AppSession, "page_script_hash"):
        raise GoneError("AppSession.page_script_hash does not exist")
    put_before(AppSession, "request_rerun", ["client_state"], _in_time)


def _in_time(session: AppSession, message: ClientState | None) -> tuple[ClientState | None] | None:
    """Return the message of a browser's request to run the page or one of its fragments; None if it comes too late."""
    if message and not message.fragment_id:
        _requests[session] = message.page_script_hash, session.page_script_hash, time.monotonic()
    elif message and message.page_script_hash not in ("", _page(session)):
        return None
    return (message,)


def _page(session: AppSession) -> str:
    """Return the page that the session asks for or is on; "" for the first one."""
    asked, before, when = _requests.get(session, ("", "", 0))
    waits = session.page_script_hash == before and time.monotonic() - when < LATEST_ANSWER
    return asked if asked and waits else session.page_script_hash
