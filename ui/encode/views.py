"""The views below the result: a registry, and the control that opens one of them."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from bpe import Trace
from ui.encode.controls import Setting
from ui.encode.encoded_text import Encoded
from ui.encode.result_views.decode_view import decode_view
from ui.encode.result_views.encoders_view import encoders_view
from ui.encode.result_views.published_view import LINK as PUBLISHED_LINK
from ui.encode.result_views.published_view import published_view
from ui.encode.result_views.variants_view import variants_view
from ui.encode.result_views.why_view import why_view
from ui.encode.result_views.words_view import words_view
from ui.sidebar.sidebar import Choice
from ui.visit import page_link

KEY = "encode_view"


@dataclass(frozen=True, slots=True)
class View:
    """One view and the function that draws it."""

    title: str
    draw: Callable[[Trace, Choice, Setting, Encoded], None]


VIEWS = {
    "why": View("Why (not) merged?", why_view),
    "published": View("GPT-4o, Qwen, DeepSeek, Mistral", published_view),
    "encoders": View("Encoders side by side", encoders_view),
    "decode": View("Decode", decode_view),
    "words": View("Known words", words_view),
    "variants": View("All variants", variants_view),
}
LINK = {"view": (KEY, page_link.slug(*VIEWS))} | PUBLISHED_LINK


def open_view(trace: Trace, choice: Choice, setting: Setting, encoded: Encoded) -> None:
    """Draw the control that chooses a view, and the chosen view."""
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
    VIEWS[view].draw(trace, choice, setting, encoded)
