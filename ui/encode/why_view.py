"""Why (not) merged?: point at two neighbours of the text, and read what stood between them."""

import hashlib

import streamlit as st

from bpe import Trace
from bpe.encoding.encoders import DEFAULT_ENCODER
from ui.components.boundary_picker import inspector, places_of
from ui.encode.controls import Setting
from ui.encode.encoded_text import Encoded
from ui.encode.encoders_view import shown_part
from ui.sidebar.sidebar import Choice


def draw(trace: Trace, choice: Choice, setting: Setting, made: Encoded) -> None:
    """The text's boundaries to choose from, and the answer."""
    if setting.typed or not setting.tokenizer.merges:
        st.info("There are no merges here to ask about: tokens are taken from the vocabulary as they are.")
        return
    _ask(setting, shown_part(made.text, setting))


@st.fragment
def _ask(setting: Setting, text: str) -> None:
    tokenizer = setting.tokenizer
    places = places_of(tokenizer, text)
    if not places.boundaries:
        st.caption("The text is one symbol: there are no neighbours in it.")
        return
    said = "Choose a boundary: dashed ones stayed open, dotted ones closed, solid ones are walls between pre-tokens."
    if setting.encoder != DEFAULT_ENCODER:
        said += (
            " The answer is about the encoder “Lowest rank first”, which is what learned merges are made for."
        )
    st.caption(said)
    name = hashlib.sha256(repr((setting.name[:2], text)).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    inspector(places, lambda place: tokenizer.explain(text, place), tokenizer, key=f"why-{name}")
