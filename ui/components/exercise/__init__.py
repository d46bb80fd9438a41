"""A question about one step, as a card beside a grid: the controls, the verdict, and the answer once it is open."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from ui.components import component as message
from ui.components.component import component

_COMPONENT = component("asked_step", Path(__file__).parent)


def asked_step(
    data: Mapping[str, Any], *, key: str, receive: Callable[[object], None], leave: Callable[[], None]
) -> None:
    """Draw the card. Call `receive` with each answer, or None if the viewer opens it, and `leave` at the end.

    data: {name, group, marker, question, exercise, verdict, solution}, as `main.js` types it.
    """

    def answered() -> None:
        sent = st.session_state.get(key)
        reply = sent.get("answer") if isinstance(sent, Mapping) else None
        if isinstance(reply, Mapping) and "answer" in reply:
            receive(reply["answer"])

    result = _COMPONENT(
        key=key, data=dict(data), on_answer_change=answered, on_leave_change=lambda: None, height="content"
    )
    if message.read(result, "leave", _is_true):
        leave()


def _is_true(value: object) -> bool | None:
    return True if value is True else None
