"""A check of when a browser's message arrives: a fragment of a page that is being left is not run any more.

A browser reports what happens on a page until the answer to its request for another page arrives. Streamlit runs the
fragment of such a late report after the new page, under the name of the old one: the browser then clears the screen,
and it stays empty. Streamlit has no hook for a check, so `check_late_messages` puts one before a method of its session.
"""

import time
from collections.abc import Callable
from functools import wraps
from weakref import WeakKeyDictionary

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession

from ui.streamlit_gaps.put_before import put_before

LATEST_ANSWER = 10  # seconds after which a request for a page counts as answered

# {session: (the page it asks for, the page it was on, when)}
_requests: WeakKeyDictionary[AppSession, tuple[str, str, float]] = WeakKeyDictionary()


def check_late_messages() -> None:
    """Let Streamlit ignore the late fragments of pages that were left. Calling it again changes nothing."""
    put_before(AppSession, "request_rerun", _checked)


def _checked(request_rerun: Callable[[AppSession, ClientState | None], None]) -> Callable[..., None]:
    """Return the method that takes a browser's request to run the page or one of its fragments."""

    @wraps(request_rerun)
    def checked(session: AppSession, message: ClientState | None) -> None:
        if message and not message.fragment_id:
            _requests[session] = message.page_script_hash, session.page_script_hash, time.monotonic()
        elif message and message.page_script_hash not in ("", _page(session)):
            return
        request_rerun(session, message)

    return checked


def _page(session: AppSession) -> str:
    """Return the page that the session asks for or is on; "" for the first one."""
    asked, before, when = _requests.get(session, ("", "", 0))
    waits = session.page_script_hash == before and time.monotonic() - when < LATEST_ANSWER
    return asked if asked and waits else session.page_script_hash
