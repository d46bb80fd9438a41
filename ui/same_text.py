"""Open the text of a page on another one: train on a text that is encoded, or encode a training text."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from ui import bytes_page, navigation, tokenizers_page
from ui.choices import corpus_controls
from ui.choices.corpus import MOST_PASTED
from ui.encode import controls


@dataclass(frozen=True, slots=True)
class _Door:
    """A page that takes a text."""

    page: str
    label: str
    put: Callable[[str], None]  # puts the text there, before that page is drawn
    most: int  # characters that it takes


TRAIN = _Door(
    "watch", "Train on this text", lambda text: corpus_controls.put_text("paste", text), MOST_PASTED
)
ENCODE = _Door("encode", "Encode this text", controls.set_text, MOST_PASTED)
TOKENIZERS = _Door("tokenizers", "See how GPT-4o and others read it", tokenizers_page.set_text, MOST_PASTED)
BYTES = _Door("bytes", "See its bytes", bytes_page.set_text, bytes_page.MOST_CHARACTERS)


def draw(text: str, *doors: _Door) -> None:
    """Draw a button for each page that can take the text; it opens the page with the text."""
    with st.container(key="same_text", horizontal=True):
        for door in doors:
            if text.strip() and len(text) <= door.most:
                key = f"same_text_{door.page}"
                st.button(f"{door.label} →", key=key, type="tertiary", on_click=_open, args=(door, text))


def _open(door: _Door, text: str) -> None:
    door.put(text)
    navigation.go_to(door.page)
