"""The text field of Bytes with its examples. The text outlives page changes and reloads, and is part of the link."""

import streamlit as st

from bpe.analysis.text_rows.alignment import graphemes
from ui.show.text import in_markdown
from ui.streamlit_gaps.kept_text import kept_text
from ui.visit import page_link

KEY = "bytes_text"
MOST_CHARACTERS = 20_000
MOST_SHOWN = 80  # graphemes in the rows at one time
FIRST_EXAMPLE = "A😊"
# what an example shows -> its text.
EXAMPLES = {
    "An emoji": FIRST_EXAMPLE,
    "Two kinds of é": "é e\u0301",
    "A family": "👨‍👩‍👧",
    "Hindi": "नमस्ते",
    "A ligature": "ﬁne",
    "White space": "a b\u00a0c\td",
    "Chinese": "标记",
    "Flags": "🇳🇵🇨🇭",
}
LINK = {"text": (KEY, page_link.short_text)}


def text_field() -> str:
    """Draw the text field and a button for each example, and return the typed text."""
    st.session_state.setdefault(KEY, FIRST_EXAMPLE)
    st.text_area(
        "Text",
        key=KEY,
        height=96,
        max_chars=MOST_CHARACTERS,
        placeholder="Type a word in any script, or an emoji",
        persist_state="session",
    )
    with st.container(horizontal=True, key="bytes_examples"):
        for title, text in EXAMPLES.items():
            st.button(title, key=f"bytes_example_{title}", on_click=_set_text, args=(text,))
    kept_text({KEY: KEY}, (KEY,), key="_kept_bytes", restore=_restore, suggestions={KEY: FIRST_EXAMPLE})
    return str(st.session_state[KEY] or "")


def _set_text(text: str) -> None:
    st.session_state[KEY] = text


def _restore(texts: dict[str, str]) -> None:
    if KEY in texts and st.session_state.get(KEY) in (FIRST_EXAMPLE, "", None):
        st.session_state[KEY] = texts[KEY]


def window(text: str) -> str:
    """Return the part of the text that the rows show; for a long text, draw the slider that moves it."""
    clusters = graphemes(text)
    if len(clusters) <= MOST_SHOWN:
        return text
    last = len(clusters) - 1
    start = st.slider("Show the text from character", 0, last, step=MOST_SHOWN // 2, key="bytes_from")
    end = min(start + MOST_SHOWN, len(clusters))
    st.caption(
        in_markdown(
            f"Characters {start + 1:,} to {end:,} of {len(clusters):,}, split into tokens on their own.", 200
        )
    )
    return "".join(clusters[start:end])


def linked() -> dict[str, str | int | None]:
    """Return the link parameter of the text; empty for the first example."""
    text = st.session_state[KEY]
    return {"text": None if text == FIRST_EXAMPLE else text}
