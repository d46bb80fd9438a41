"""Which session and which page a run belongs to, and whether the session's browser tab is still open.

Streamlit lacks a public way to ask (https://github.com/streamlit/streamlit/issues/680), and one to end a session before
its two minutes are over (https://github.com/streamlit/streamlit/issues/8545). Where the names below are gone, nobody is
known to have left, every page counts as the first one, and the sessions stay. It can go when `st.context` says as much.
"""

import gc
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

from streamlit import runtime

from ui.gaps.put_before import log_missing

_PATIENCE = 2.0  # seconds for the server to end sessions


def session_id() -> str:
    """Return the id of the session that runs now; "" for none."""
    return str(getattr(_run(), "session_id", ""))


def page_hash() -> str:
    """Return the hash by which Streamlit knows the page that runs now; "" for none."""
    return str(getattr(_run(), "page_script_hash", ""))


def came_by_history() -> bool:
    """Return whether Back or Forward has asked for this run."""
    return getattr(_run(), "is_history_navigation", False) is True


def runs_part() -> bool:
    """Return whether a part of the page runs alone, a fragment."""
    return bool(getattr(_run(), "fragment_ids_this_run", None))


def drawn_fragment() -> str:
    """Return the id of the part that is drawn now, a fragment; "" outside of one."""
    try:
        from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

        return ThreadState.get().fragment_id or ""
    except (ImportError, AttributeError, RuntimeError) as error:
        _log_once(str(error))
        return ""


def is_connected(session: str) -> bool:
    """Return whether the browser tab of a session is open. Without a server, as in a test, it is."""
    try:
        return not session or not runtime.exists() or runtime.get_instance().is_active_session(session)
    except AttributeError as error:
        _log_once(str(error))
        return True


def number_closed() -> int:
    """Return how many sessions are kept for two minutes because their tabs are closed."""
    return len(_closed()[0])


def end_closed() -> None:
    """End every session whose tab is closed. Somebody whose connection was lost begins anew, with the tab's texts."""
    closed, server = _closed()
    ended = threading.Event()

    def end() -> None:
        for session in closed:
            if not server.is_active_session(session):
                server._session_mgr.close_session(session)
        gc.collect()
        ended.set()

    if closed:
        _call(server, end)
        ended.wait(_PATIENCE)


def end_forgotten() -> None:
    """End the sessions whose two minutes are over. Streamlit itself does it when the next tab is closed."""
    _, server = _closed()

    def end() -> None:
        stored = server._session_mgr._session_storage._cache
        known = {one.session.id for one in stored.values()}
        forgotten = [one for one in list(stored._data.values()) if one.session.id not in known]
        stored.expire()
        for one in forgotten:
            one.session.shutdown()

    if server is not None:
        _call(server, end)


def _closed() -> tuple[list[str], Any]:
    """Return the ids of the sessions whose tabs are closed, and the server; None for none that runs."""
    if not runtime.exists():
        return [], None
    try:
        server: Any = runtime.get_instance()
        server._get_async_objs()  # which ends them
        stored = [one.session.id for one in server._session_mgr._session_storage.list()]
        return [session for session in stored if not server.is_active_session(session)], server
    except AttributeError as error:
        log_missing("a way to end sessions", error)
        return [], None
    except RuntimeError:  # the server has ended meanwhile
        return [], None


def _call(server: Any, end: Callable[[], None]) -> None:
    """Call a function in the thread of the server, which may end sessions."""
    server._get_async_objs().eventloop.call_soon_threadsafe(end)


def _run() -> Any:
    """Return what Streamlit knows of the run; None outside of one."""
    try:
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        return get_script_run_ctx(suppress_warning=True)
    except (ImportError, TypeError) as error:
        _log_once(str(error))
        return None


@cache
def _log_once(problem: str) -> None:
    log_missing("knowing who is still there", AttributeError(problem))
