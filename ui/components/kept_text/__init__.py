"""Typed text that survives a reload: the browser tab stores it and returns it to the next session."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import streamlit as st

from ui import session
from ui.components import message
from ui.components.component import component

MOST_CHARACTERS = 5_000_000  # what a tab's storage holds

_COMPONENT = component("kept_text", Path(__file__).parent)


def kept_text(
    fields: Mapping[str, str], names: Sequence[str], *, key: str, restore: Callable[[dict[str, str]], None]
) -> None:
    """Store each widget's text in the browser tab, and call `restore` once a session with {name: text}.

    fields: {name: widget key}.
    names: the names of all texts that may be stored, drawn or not.
    Call it after the widgets are drawn.
    """

    def received() -> None:
        session.RESTORED_FIELDS.read().add(key)
        texts = message.read(st.session_state.get(key), "restored", message.texts(names, MOST_CHARACTERS))
        if texts:
            restore(texts)

    drawn = [
        {"name": name, "key": widget, "length": _browser_length(st.session_state.get(widget) or "")}
        for name, widget in fields.items()
    ]
    _COMPONENT(
        key=key,
        data={"fields": drawn, "names": list(names), "fresh": key not in session.RESTORED_FIELDS.read()},
        on_restored_change=received,
        height=1,
    )


def _browser_length(text: str) -> int:
    """Return the length of a text as JavaScript counts it, in UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
