"""A check of when a browser's message arrives: what a page that is being left still reports is not followed.

A browser reports what happens on a page until the answer to its request for another page arrives. Streamlit runs the
fragment of such a late report after the new page, under the name of the old one: the browser then clears the screen,
and it stays empty. If the report is of the whole page, it opens the old page again: Back seems to do nothing.

And an event that arrives just before another message is passed on with that one: Streamlit drops a request whose run
has not begun when the whole page is asked for again, and a press would do nothing.

Streamlit lacks this check; docs/streamlit-faults.md describes both faults for its issue list. It can go when
`tests/ui/test_streamlit_gaps.py` passes without it.
"""

from __future__ import annotations

import time
from typing import NamedTuple
from weakref import WeakKeyDictionary

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType

from ui.streamlit_gaps.put_before import put_before

_LATEST_ANSWER = 10  # seconds after which a request for a page counts as answered

# Values that are sent once, when something happens
_TRIGGERS = {"trigger_value", "string_trigger_value", "json_trigger_value"}
_requests: WeakKeyDictionary[AppSession, _Request] = WeakKeyDictionary()
# The widgets whose values a session's last message has sent: a report sends those of all
_sent: WeakKeyDictionary[AppSession, frozenset[str]] = WeakKeyDictionary()


def check_late_messages() -> None:
    """Let Streamlit ignore the late fragments of pages that were left. Raises GoneError if that is impossible."""
    put_before(AppSession, "request_rerun", ["client_state"], _in_time)


class _Request(NamedTuple):
    """What a session has asked for last."""

    asked: str = ""  # the page
    before: str = ""  # the page that it was on
    when: float = 0  # on the monotonic clock
    # Whose values it sent: for another page, those around every page only
    widgets: frozenset[str] = frozenset()
    # Those of the page before: their values were sent there, and not with this request
    own: frozenset[str] = frozenset()


def _in_time(session: AppSession, message: ClientState | None) -> tuple[ClientState | None] | None:
    """Return the message of a browser's request to run the page or one of its fragments; None if it comes too late."""
    if message is None:
        return (message,)
    widgets = frozenset(state.id for state in message.widget_states.widgets)
    if not message.fragment_id:
        if _is_of_the_page_before(session, message):
            return None
        asked, before, now = message.page_script_hash, session.page_script_hash, time.monotonic()
        _requests[session] = _Request(asked, before, now, widgets, _sent.get(session, frozenset()) - widgets)
    elif message.page_script_hash not in ("", _page(session)):
        return None
    elif session in _requests and message.page_script_hash == _requests[session].asked:
        del _requests[session]  # the browser has the page that it asked for
    _sent[session] = widgets
    runner = session._scriptrunner
    return (message if message.fragment_id or runner is None else _with_waiting(runner._requests, message),)


def _with_waiting(requests: ScriptRequests, message: ClientState) -> ClientState:
    """Return a request for a whole page, with the events that wait for a run of that page which has not begun.

    That run is ended, as Streamlit is about to do, so that no event happens twice.
    """
    with requests._lock:
        waiting = requests._rerun_data
        if requests._state is not ScriptRequestType.RERUN or waiting.widget_states is None:
            return message
        if waiting.page_script_hash != message.page_script_hash:
            return message
        requests._state = ScriptRequestType.STOP
    sent = {state.id for state in message.widget_states.widgets}
    together = ClientState()
    together.CopyFrom(message)
    together.widget_states.widgets.extend(
        state
        for state in waiting.widget_states.widgets
        if state.WhichOneof("value") in _TRIGGERS and state.id not in sent
    )
    return together


def _is_of_the_page_before(session: AppSession, message: ClientState) -> bool:
    """Return whether a widget of the page that the session was on reports, instead of the visitor going back there."""
    request = _requests.get(session, _Request())
    if (
        message.is_history_navigation
        or message.page_script_hash in ("", request.asked)
        or message.page_script_hash != request.before
        or time.monotonic() - request.when >= _LATEST_ANSWER
    ):
        return False
    states = message.widget_states.widgets
    happens = any(state.WhichOneof("value") in _TRIGGERS for state in states)
    answered = session.page_script_hash == request.asked  # then widgets around the pages can be new
    return happens or any(
        state.id in request.own or (not answered and state.id not in request.widgets) for state in states
    )


def _page(session: AppSession) -> str:
    """Return the page that the session asks for or is on; "" for the first one."""
    request = _requests.get(session, _Request())
    waits = session.page_script_hash == request.before and time.monotonic() - request.when < _LATEST_ANSWER
    return request.asked if request.asked and waits else session.page_script_hash
