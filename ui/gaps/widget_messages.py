"""A check of what browsers report of widgets: a value of the wrong kind, or a choice that was not offered, is ignored.

Streamlit reads these values before any code of the app runs. A number for a text, or JSON that cannot be read, ends the
run with an error, and since the value stays stored, every later run too. `check_widget_messages` puts a check before
two methods of its session state. An ignored value leaves the widget as it was.

Streamlit lacks a check of widgets' values on the server: https://github.com/streamlit/streamlit/issues/16203. It can go
when `tests/ui/test_forged_widgets.py` passes without it.
"""

import json
from collections.abc import Iterable
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.state.common import WidgetMetadata, unpack_widget_state_value
from streamlit.runtime.state.session_state import Serialized, SessionState
from streamlit.runtime.uploaded_file_manager import DeletedFile

from ui.gaps.put_before import put_before

_NUMBERS = {"int_value", "double_value"}  # the browser sends a whole number as either
_IDS = ("$$ID-", "$$STREAMLIT_INTERNAL_KEY_")  # of widgets, and of components' events
_JSON = {"json_value", "json_trigger_value"}
# Levels of lists and objects in one another. Ours need few. Streamlit copies an event level by level, and fails at 500.
_DEEPEST = 30
# What our components send as an event. Streamlit forgets it after one run; as a part of a state, which stays, it would
# be a new event in every run, and a page that answers with another run would run for ever.
_EVENTS = {
    *("acted", "all", "answer", "asked", "begin", "beside", "chosen"),
    *("kept", "learn", "leave", "lesson", "merge", "move", "opened"),
    *("pick", "pressed", "restored", "stage", "switch", "taken", "term", "typed", "undo", "undo_way"),
}


def check_widget_messages() -> None:
    """Let Streamlit ignore every value that does not fit its widget. Raises GoneError if that is impossible."""
    put_before(SessionState, "set_widgets_from_proto", ["widget_states"], _fitting)
    put_before(SessionState, "register_widget", ["metadata", "user_key"], _registered)


def _fits(metadata: WidgetMetadata[Any], state: WidgetState) -> bool:
    """Return whether a value is one that the widget can report."""
    kind = state.WhichOneof("value")
    if kind not in (None, metadata.value_type) and {kind, metadata.value_type} != _NUMBERS:
        return False
    if kind in _JSON and _is_too_deep(getattr(state, kind)):
        return False
    deserialize = metadata.deserializer
    try:
        unpacked = unpack_widget_state_value(state)
        if kind == "json_value" and not _is_state(unpacked):
            return False
        value = deserialize(unpacked)
    except Exception:  # whatever Streamlit raises here would end every run
        return False
    return _is_offered(metadata, state) and not _is_lost(value)


def _is_state(value: object) -> bool:
    """Return whether a component can have this state. Streamlit logs a traceback for a text that is no JSON.

    >>> _is_state({"step": 3}), _is_state({"taken": "paper"}), _is_state("step")
    (True, False, False)
    """
    return value is None or (isinstance(value, dict) and not _EVENTS & value.keys())


def _is_too_deep(text: str) -> bool:
    """Return whether lists and objects are nested in more than DEEPEST levels. For a text that is no JSON: True.

    >>> _is_too_deep("[" * 30 + "]" * 30), _is_too_deep("[" * 31 + "]" * 31), _is_too_deep('"["')
    (False, True, False)
    """
    try:
        level = _nested([json.loads(text)] if text else [])
    except (ValueError, RecursionError):
        return True
    for _ in range(_DEEPEST):
        level = _nested(
            part for value in level for part in (value.values() if isinstance(value, dict) else value)
        )
    return bool(level)


def _nested(values: Iterable[Any]) -> list[Any]:
    return [value for value in values if isinstance(value, list | dict)]


def _is_lost(value: object) -> bool:
    """Return whether a field for files reports one that the server does not have: it has no name and no content."""
    return any(isinstance(file, DeletedFile) for file in (value if isinstance(value, list) else [value]))


def _is_offered(metadata: WidgetMetadata[Any], state: WidgetState) -> bool:
    """Return whether all choices are among the options of a menu, each once, and not too many. Other widgets: True."""
    options = metadata.formatted_options
    if options is None or state.WhichOneof("value") is None:
        return True
    one = metadata.value_type == "string_value"
    chosen = [state.string_value] if one else list(state.string_array_value.data)
    most = metadata.max_array_length or len(options)
    return len(set(chosen)) == len(chosen) <= most and set(chosen) <= set(options)


def _fitting(session: SessionState, message: WidgetStates) -> tuple[WidgetStates]:
    """Return the values of a message that fit the widgets of the last run, before they are stored."""
    known = session._new_widget_state.widget_metadata
    named = [one for one in message.widgets if one.id.startswith(_IDS)]  # others would be keys of the session
    fitting = [one for one in named if one.id not in known or _fits(known[one.id], one)]
    return (message if len(fitting) == len(message.widgets) else WidgetStates(widgets=fitting),)


def _registered(
    session: SessionState, metadata: WidgetMetadata[Any], user_key: str | None
) -> tuple[WidgetMetadata[Any], str | None]:
    """Drop a value that arrived before its widget was known and does not fit it, before the widget is registered."""
    values = session._new_widget_state.states
    value = values.get(metadata.id)
    if isinstance(value, Serialized) and not _fits(metadata, value.value):
        del values[metadata.id]
    return metadata, user_key
