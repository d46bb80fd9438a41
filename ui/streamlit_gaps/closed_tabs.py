"""Ends the sessions whose browser tab is closed, when memory is short.

Streamlit keeps a session, with all that it has stored and uploaded, for two minutes after its tab is closed, in case
the connection was only lost for a moment. Streamlit lacks a way to end it before
(https://github.com/streamlit/streamlit/issues/8545). This file can go when there is one. Where the names below are
gone, the sessions stay for their two minutes.
"""

import gc
import threading
from typing import Any

from streamlit import runtime

from ui.streamlit_gaps.put_before import log_missing

PATIENCE = 2.0  # seconds for the server to end them


def end_closed() -> None:
    """End every session whose tab is closed. Somebody whose connection was lost begins anew, with the tab's texts."""
    if not runtime.exists():
        return
    try:
        server = runtime.get_instance()
        sessions: Any = server._session_mgr
        loop = server._get_async_objs().eventloop
        stored = [one.session.id for one in sessions._session_storage.list()]
    except AttributeError as error:
        log_missing("a way to end sessions", error)
        return
    ended = threading.Event()

    def end() -> None:
        for session in stored:
            if not server.is_active_session(session):
                sessions.close_session(session)
        gc.collect()
        ended.set()

    if stored:
        loop.call_soon_threadsafe(end)
        ended.wait(PATIENCE)
