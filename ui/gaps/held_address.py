"""The address of the first page of a visit waits until the browser can replace it.

Streamlit adds an entry to the browser's history for each change of a parameter (`listeners/page_history.js` replaces
it), also for those that the first run of a visit writes, before any script of ours is in the browser. So what that run
writes is kept here, and is sent with the run after the browser has said that it keeps the history.

Streamlit lacks a way to replace an address; no issue is known. It can go with `listeners/page_history.js`.
"""

from typing import Any
from urllib.parse import parse_qs, urlencode

import streamlit as st

from ui.gaps.put_before import put_before
from ui.gaps.run_context import page_hash
from ui.view.visit import Slot, nothing

# Parameters of Streamlit's own, by which a page stands in a frame. It keeps them, and lets nobody write them.
_OF_FRAMES = {"embed", "embed_options"}

# Whether the browser replaces an address, or no browser is there
_HISTORY_IS_KEPT: Slot[bool] = Slot("_history_is_kept", bool)
# (hash of the page, the query that its address lacks)
_HELD: Slot[tuple[str, str] | None] = Slot("_held_address", nothing)


def hold_addresses() -> None:
    """Let Streamlit send no parameters before the browser keeps the history. Raises GoneError if that is impossible."""
    from streamlit.runtime.state.query_params import QueryParams

    put_before(QueryParams, QueryParams._send_query_param_msg.__name__, [], _hold)


def _hold(parameters: Any) -> tuple[()] | None:
    """Return no arguments for Streamlit's method, or None, and remember the parameters, before the history is kept."""
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx(suppress_warning=True)
    if context is None or _HISTORY_IS_KEPT.read():
        return ()
    context.query_string = urlencode(parameters._query_params, doseq=True)
    _HELD.write((page_hash(), context.query_string))
    return None


def is_history_kept() -> bool:
    """Return whether addresses are sent."""
    return _HISTORY_IS_KEPT.read()


def keep_history() -> None:
    """Send addresses from now on: the browser replaces them. A callback."""
    _HISTORY_IS_KEPT.write(True)


def write_held() -> None:
    """Begin a run: give the page the parameters that its address lacks, and send them if the history is kept."""
    if (held := _HELD.read()) is None:
        return
    page, query = held
    parameters = {
        name: values
        for name, values in parse_qs(query, keep_blank_values=True).items()
        if name.lower() not in _OF_FRAMES
    }
    here = page_hash()
    # A page that the one before has switched to has them already, and its address lacks them all the same.
    switched = parameters == {name: st.query_params.get_all(name) for name in st.query_params}
    _HELD.forget()
    if here == page or switched:
        st.query_params.from_dict(parameters)
