"""What can be looked at below the result, one at a time: a registry of views."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from bpe import Trace
from ui import page_link
from ui.encode import decode_view, encoders_view, variants_view, why_view, words_view
from ui.encode.controls import Setting
from ui.encode.encoded_text import Encoded
from ui.sidebar.sidebar import Choice

KEY = "encode_view"


@dataclass(frozen=True, slots=True)
class View:
    """One view; `draw` is called with all there is to look at."""

    title: str
    draw: Callable[[Trace, Choice, Setting, Encoded], None]


VIEWS = {
    "why": View("Why (not) merged?", why_view.draw),
    "encoders": View("Encoders side by side", encoders_view.draw),
    "decode": View("Decode", decode_view.draw),
    "words": View("Known words", words_view.draw),
    "variants": View("All variants", variants_view.draw),
}
LINK = {"view": (KEY, page_link.slug(*VIEWS))}


def draw(trace: Trace, choice: Choice, setting: Setting, made: Encoded) -> None:
    """The choice of a view, and the view."""
    if st.session_state.get(KEY) not in VIEWS:
        st.session_state[KEY] = "why"
    view = str(
        st.segmented_control(
            "Look closer",
            tuple(VIEWS),
            key=KEY,
            format_func=lambda slug: VIEWS[slug].title,
            required=True,
            persist_state="session",
        )
    )
    page_link.write({"view": None if view == "why" else view})
    VIEWS[view].draw(trace, choice, setting, made)
