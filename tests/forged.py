"""Forged values of widgets: what a browser may send in place of what a widget reports, for every widget of a page."""

from collections.abc import Iterator

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

DIGITS = "9" * 5_000  # more than Python reads as a number
NESTED = "[" * 700 + "]" * 700  # JSON that Python reads, but cannot copy
SELECTIONS = (
    '{"selection": 7}',
    '{"selection": {"rows": [9000000000000], "columns": [7]}}',
    '{"selection": {"rows": ["a"], "points": [{}]}, "step": "\\ud800"}',
)


def _array(kind: str, *values: object) -> WidgetState:
    state = WidgetState()
    array = getattr(state, f"{kind}_array_value")
    array.SetInParent()
    array.data.extend(values)
    return state


def lost_file() -> WidgetState:
    """Return the report of an upload that the server does not have, for example since it was started again."""
    state = WidgetState()
    file = state.file_uploader_state_value.uploaded_file_info.add()
    file.name, file.file_id, file.size = "lost.txt", "lost", 7
    file.file_urls.file_id = "lost"
    return state


def hostile_values() -> list[WidgetState]:
    """Return values of every kind that the protocol knows. Most do not fit most widgets; emptied ones come last."""
    values = [WidgetState(bool_value=True), WidgetState(bytes_value=b"\xff\0")]
    for number in (float("nan"), float("inf"), -1.0, 1.5, 1e300):
        values += [WidgetState(double_value=number), _array("double", number)]
    for whole in (-(2**63), -1, 0, 40, 2**63 - 1):
        values += [WidgetState(int_value=whole), _array("int", whole, whole)]
    for text in ("", "\0", "7", DIGITS, "no such choice", "\u202e<b>*x*"):
        values += [WidgetState(string_value=text), _array("string", text)]
    events = f'[{{"event": "step", "value": {NESTED}}}]'
    for json in ("[]", "null", "7", "{", DIGITS, NESTED, events, *SELECTIONS):
        values += [WidgetState(json_value=json), WidgetState(json_trigger_value=json)]
    values += [
        _array("string", *["a"] * 40),
        _array("string", *map(str, range(40))),
        _array("double", 1, 2, 3),
    ]
    for field in ("file_uploader_state_value", "string_trigger_value", "chat_input_value", "arrow_value"):
        state = WidgetState()
        getattr(state, field).SetInParent()
        values.append(state)
    values.append(lost_file())
    empty = [_array(kind) for kind in ("double", "int", "string")]
    return [*values, WidgetState(trigger_value=True), *empty, WidgetState()]


def widget_ids(app: AppTest) -> list[str]:
    """Return the ids of all widgets, components, tables, tabs and popovers on the page, and of components' events."""
    return list(dict.fromkeys(_ids(app)))


def widget_id(app: AppTest, key: str) -> str:
    """Return the id of the widget with this key."""
    return next(name for name in _ids(app) if name.endswith(f"-{key}"))


def _ids(app: AppTest) -> Iterator[str]:
    for node in app._tree:
        proto = getattr(node, "proto", None)
        messages = [] if proto is None else [proto, *(value for _, value in proto.ListFields())]
        for message in messages:  # a block's own id is in the part that says which block it is
            name = getattr(message, "id", "")
            if isinstance(name, str) and name.startswith("$$ID"):
                yield name
                if isinstance(message, BidiComponent):
                    yield _make_trigger_id(name, "events")


def forged(widget: str, value: WidgetState) -> WidgetState:
    """Return the value as that of a widget."""
    state = WidgetState()
    state.CopyFrom(value)
    state.id = widget
    return state
