"""A check of when a browser's message arrives: what a page that is being left still reports is not followed.

A browser reports what happens on a page until the answer to its request for another page arrives. Streamlit runs the
fragment of such a late report after the new page, under the name of the old one: the browser then clears the screen,
and it stays empty. If the report is of the whole page, it opens the old page again: Back seems to do nothing.

And each event of a page is heard once: its callbacks are called to their end. If the whole page is asked for again,
Streamlit stops the run of the request before, wherever it is, and a press would do nothing. An event whose callbacks
have not begun is passed on with the new request; those that have begun are not stopped.

Streamlit lacks both; docs/streamlit-faults.md describes the three faults for its issue list. It can go when
`tests/ui/test_streamlit_gaps.py` passes without it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.state.safe_session_state import SafeSessionState

from ui.gaps.put_before import put_before

_LATEST_ANSWER = 10  # seconds after which a request for a page counts as answered
_PATIENCE = 5.0  # seconds that a run waits for the callbacks of the run before

# Values that are sent once, when something happens
_TRIGGERS = {"trigger_value", "string_trigger_value", "json_trigger_value"}
_requests: WeakKeyDictionary[AppSession, _Request] = WeakKeyDictionary()
# The widgets whose values a session's last message has sent: a report sends those of all
_sent: WeakKeyDictionary[AppSession, frozenset[str]] = WeakKeyDictionary()


def check_late_messages() -> None:
    """Let Streamlit ignore the late fragments of pages that were left. Raises GoneError if that is impossible."""
    put_before(AppSession, "request_rerun", ["client_state"], _in_time)
    replays = ["replay_trigger_states", "replay_trigger_values", "is_history_navigation"]
    put_before(SafeSessionState, "on_script_will_rerun", ["fresh_widget_states", *replays], _to_their_end)


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
    return (_with_unheard(session, message),)


@dataclass(slots=True)
class _Events:
    """The events of a session whose callbacks have not begun."""

    page: str = ""  # where they happened
    unheard: dict[str, WidgetState] = field(default_factory=dict)  # by the id of what reports them
    lock: threading.Lock = field(default_factory=threading.Lock)
    calling: threading.Lock = field(default_factory=threading.Lock)  # held while a run calls callbacks


# By what a session and the runs of its pages both know
_events: WeakKeyDictionary[PagesManager, _Events] = WeakKeyDictionary()


def _with_unheard(session: AppSession, message: ClientState) -> ClientState:
    """Return a request, with the events of its page that wait for their callbacks.

    If it is for the whole page, the run that they wait for is stopped, as Streamlit is about to do.
    """
    events = _events.setdefault(session._pages_manager, _Events())
    sent = {state.id: state for state in message.widget_states.widgets}
    together = message
    with events.lock:
        if message.page_script_hash != events.page:
            events.unheard.clear()
        events.page = message.page_script_hash
        if not message.fragment_id and session._scriptrunner is not None:
            session._scriptrunner.request_stop()
            together = ClientState()
            together.CopyFrom(message)
            waiting = (state for name, state in events.unheard.items() if name not in sent)
            together.widget_states.widgets.extend(waiting)
        if not message.fragment_id or session.has_fragment(
            message.fragment_id
        ):  # else nobody would hear of them
            happen = {name: one for name, one in sent.items() if one.WhichOneof("value") in _TRIGGERS}
            events.unheard |= happen
    return together


def _to_their_end(
    state: SafeSessionState, fresh: WidgetStates | None, **replays: Any
) -> AbstractContextManager[None]:
    """Return what is around the callbacks of a run: nothing stops it there, and no other run calls some meanwhile."""
    runner: Any = state._yield_callback.__self__  # type: ignore[attr-defined] # a method of the runner
    events = _events.setdefault(runner._pages_manager, _Events())
    with events.lock:
        if runner._requests._state is ScriptRequestType.STOP:  # its events have gone with the next request
            return nullcontext()
        for one in fresh.widgets if fresh else ():
            events.unheard.pop(one.id, None)
    return _undisturbed(runner, events.calling)


@contextmanager
def _undisturbed(runner: Any, calling: threading.Lock) -> Iterator[None]:
    """Let nothing stop a run: Streamlit looks for a reason at each access to the session, and each message."""
    alone = calling.acquire(timeout=_PATIENCE)
    executing, runner._execing = runner._execing, False
    try:
        yield
    finally:
        runner._execing = executing
        if alone:
            calling.release()


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
