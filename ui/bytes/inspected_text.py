"""The text looked at: typed or an example, in the normal form asked for, kept over pages, reload and link."""

import unicodedata
from typing import Literal, cast

import streamlit as st

from bpe.analysis.alignment import graphemes
from ui import page_link
from ui.components.kept_text import kept_text
from ui.show.text import in_markdown

KEY, FORM = "bytes_text", "bytes_form"
MOST_CHARACTERS = 20_000
MOST_SHOWN = 80  # graphemes in the rows at a time
FIRST = "A😊"
EXAMPLES = {  # what it shows -> the text
    "An emoji": FIRST,
    "é, twice": "é e\u0301",
    "A family": "👨‍👩‍👧",
    "Hindi": "नमस्ते",
    "Ligature": "ﬁne",
    "Spaces": "a b\u00a0c\td",
    "Chinese": "标记",
    "Flags": "🇳🇵🇨🇭",
}
FORMS = {
    "typed": "As typed",
    "NFC": "NFC",
    "NFD": "NFD",
    "NFKC": "NFKC",
    "NFKD": "NFKD",
}
ABOUT = {
    "typed": "The text as it was typed: two texts that look alike may be different bytes.",
    "NFC": "NFC composes: e and a combining accent become the one code point é.",
    "NFD": "NFD decomposes: é becomes e and a combining accent.",
    "NFKC": "NFKC composes, and writes look-alikes plainly: the ligature ﬁ becomes f and i, a no-break space a space.",
    "NFKD": "NFKD decomposes, and writes look-alikes plainly.",
}
LINK = {"text": (KEY, page_link.short_text), "form": (FORM, page_link.slug(*FORMS))}

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


def draw() -> str:
    """The text field and its examples; the text as typed."""
    st.session_state.setdefault(KEY, FIRST)
    st.text_area(
        "Text",
        key=KEY,
        height=96,
        max_chars=MOST_CHARACTERS,
        placeholder="Type a word in any script, or an emoji",
        persist_state="session",
    )
    with st.container(horizontal=True, gap="small"):
        for title, text in EXAMPLES.items():
            st.button(title, key=f"bytes_example_{title}", on_click=_take, args=(text,), type="tertiary")
    kept_text({KEY: KEY}, (KEY,), key="_kept_bytes", restore=_restore)
    return str(st.session_state[KEY] or "")


def choose_form() -> str:
    """The normal form to look at the text in."""
    if st.session_state.get(FORM) not in FORMS:
        st.session_state[FORM] = "typed"
    form = st.segmented_control(
        "Normalization",
        tuple(FORMS),
        key=FORM,
        format_func=FORMS.__getitem__,
        required=True,
        persist_state="session",
    )
    st.caption(ABOUT[str(form)])
    return str(form)


def in_form(text: str, form: str) -> str:
    """The text in a normal form; as it is for "typed"."""
    return text if form == "typed" else unicodedata.normalize(cast(Form, form), text)


def _take(text: str) -> None:
    st.session_state[KEY] = text


def _restore(texts: dict[str, str]) -> None:
    if KEY in texts and st.session_state.get(KEY, FIRST) == FIRST:
        st.session_state[KEY] = texts[KEY]


def window(text: str) -> str:
    """The graphemes that the rows show, and the way to move on where there are more."""
    clusters = graphemes(text)
    if len(clusters) <= MOST_SHOWN:
        return text
    last = len(clusters) - 1
    start = st.slider("The rows begin at character", 0, last, step=MOST_SHOWN // 2, key="bytes_from")
    end = min(start + MOST_SHOWN, len(clusters))
    st.caption(
        in_markdown(
            f"Characters {start:,} to {end:,} of {len(clusters):,}, cut into tokens on their own.", 200
        )
    )
    return "".join(clusters[start:end])


def linked() -> dict[str, str | int | None]:
    """What the link says: nothing for the first example as typed."""
    text, form = st.session_state[KEY], st.session_state[FORM]
    return {"text": None if text == FIRST else text, "form": None if form == "typed" else form}
