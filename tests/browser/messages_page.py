"""A page with texts that something could interpret, each in every kind of message that the app writes."""

from collections.abc import Callable

import streamlit as st

from tests.material.hostile_texts import payloads
from ui.view.text import in_markdown

CHANNELS: dict[str, Callable[[str], object]] = {
    "error": st.error,
    "caption": st.caption,
    "markdown": st.markdown,
}

for number, text in enumerate(payloads()):
    for channel, draw in CHANNELS.items():
        with st.container(key=f"{channel}_{number}"):
            draw(in_markdown(text, 200))
    with st.container(key=f"button_{number}"):
        st.button(in_markdown(text, 200), key=f"press_{number}")
