"""The view “Why (not) merged?”: the viewer chooses two neighbours and reads why they were merged or not."""

import hashlib
from functools import partial

import streamlit as st

from bpe import Trace
from bpe.encoding.encoders import DEFAULT_ENCODER
from ui.components.boundary_picker import boundaries_of, boundary_picker
from ui.encode.controls import Setting
from ui.encode.encoded_text import Encoded, beginning
from ui.sidebar.sidebar import Choice
from ui.work.full_memory import fragment


def why_view(trace: Trace, choice: Choice, setting: Setting, encoded: Encoded) -> None:
    """Draw the text's boundaries, and the explanation for the chosen one."""
    if setting.typed or not setting.tokenizer.merges:
        st.info("There are no merges to explain here. The tokens come straight from the vocabulary.")
        return
    _boundaries(setting, beginning(encoded.text, setting))


@fragment
def _boundaries(setting: Setting, text: str) -> None:
    tokenizer = setting.tokenizer
    boundaries = boundaries_of(tokenizer, text)
    if not boundaries.kinds:
        st.caption("The text is a single symbol, so there is nothing to merge.")
        return
    caption = (
        "Click a gap to see why the symbols beside it were, or were not, merged. Dashed: not merged. Dotted: merged. "
        "Solid: the text was split here before training, so no merge may cross."
    )
    if setting.encoder.slug != DEFAULT_ENCODER:
        caption += " The answer is about the encoder “Lowest rank first”, the usual one for learned merges."
    st.caption(caption)
    digest = hashlib.sha256(repr((setting.cache_key[:2], text)).encode("utf-8", "surrogatepass")).hexdigest()[
        :16
    ]
    explain = partial(tokenizer.explain, text)
    boundary_picker(boundaries, explain, tokenizer, key=f"why-{digest}")
