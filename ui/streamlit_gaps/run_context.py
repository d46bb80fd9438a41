"""Which session and which page a run belongs to, and whether the session's browser tab is still open.

Streamlit lacks a public way to ask (https://github.com/streamlit/streamlit/issues/680). Where the names below are gone,
nobody is known to have left, and every page counts as the first one. It can go when `st.context` says as much.
"""

from functools import cache

from ui.streamlit_gaps.put_before import log_missing


def session_id() -> str:
    """Return the id of the session that runs now; "" for none."""
    return _read("session_id")


def page_hash() -> str:
    """Return the hash by which Streamlit knows the page that runs now; "" for none."""
    return _read("page_script_hash")


def is_connected(session: str) -> bool:
    """Return whether the browser tab of a session is open. Without a server, as in a test, it is."""
    try:
        from streamlit import runtime

        return not session or not runtime.exists() or runtime.get_instance().is_active_session(session)
    except (ImportError, AttributeError) as error:
        _log_once(str(error))
        return True


def _read(name: str) -> str:
    try:
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        context = get_script_run_ctx(suppress_warning=True)
        return "" if context is None else str(getattr(context, name))
    except (ImportError, AttributeError, TypeError) as error:
        _log_once(str(error))
        return ""


@cache
def _log_once(problem: str) -> None:
    log_missing("knowing who is still there", AttributeError(problem))
