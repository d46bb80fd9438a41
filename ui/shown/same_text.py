"""Open the text of a page on another one: train on a text that is encoded, or encode a training text."""

from dataclasses import dataclass

import streamlit as st

from ui.choices import corpus_controls
from ui.shown import navigation
from ui.trainings.corpus import MOST_IN_BYTES, MOST_PASTED
from ui.view.text_field import put


@dataclass(frozen=True, slots=True)
class _Door:
    """A page that takes a text."""

    page: str
    label: str
    most: int = MOST_PASTED  # characters that it takes


TRAIN = _Door("watch", "Train on this text")
ENCODE = _Door("encode", "Encode this text")
TOKENIZERS = _Door("tokenizers", "See how GPT-4o and others read it")
BYTES = _Door("bytes", "See its bytes", MOST_IN_BYTES)


def draw(text: str, *doors: _Door) -> None:
    """Draw a button for each page that can take the text; it opens the page with the text."""
    with st.container(key="same_text", horizontal=True):
        for door in doors:
            if text.strip() and len(text) <= door.most:
                key = f"same_text_{door.page}"
                st.button(
                    f"{door.label} →", key=key, type="tertiary", on_click=open_page, args=(door.page, text)
                )


def open_page(page: str, text: str) -> None:
    """Open this page with this text in its field. A callback."""
    if page == "watch":
        corpus_controls.put_text("paste", text)
    else:
        put(f"{page}_text", text)  # the key of the page's own field
    navigation.go_to(page)
