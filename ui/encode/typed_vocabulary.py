"""A vocabulary typed by hand in place of learned merges: its two fields and the tokenizer made from them."""

import streamlit as st

import bpe
from bpe import BPEError
from bpe.encoding.tokenizer import Tokenizer
from ui.show.text import in_markdown
from ui.visit import page_link
from ui.visit.first_visit import TYPED_VARIANT

TOKENS, VARIANT = "encode_tokens", "encode_variant"
MOST_CHARACTERS = 20_000
# Lei Mao, Byte Pair Encoding: a vocabulary and a sentence as an example for his encoder.
WORKED_TOKENS = "errrr</w> tain</w> moun est</w> high the</w> a</w>"
WORKED_TEXT = "the highest mountain"
LINK = {
    "tokens": (TOKENS, page_link.short_text),
    "tokens_variant": (VARIANT, page_link.slug(*bpe.VARIANTS)),
}


def choose_variant() -> None:
    """Draw the choice of the variant, which decides how the tokens spell markers."""
    st.session_state.setdefault(VARIANT, TYPED_VARIANT)
    st.selectbox(
        "Spelled as",
        [slug for slug, row in bpe.VARIANTS.items() if row.configure is None],
        key=VARIANT,
        format_func=lambda slug: bpe.VARIANTS[slug].title,
        persist_state="session",
    )


def typed_tokenizer() -> Tokenizer | None:
    """Draw the field for the tokens and return their tokenizer; None after drawing why they cannot be read."""
    st.session_state.setdefault(TOKENS, WORKED_TOKENS)
    st.session_state.setdefault(VARIANT, TYPED_VARIANT)
    st.text_area(
        "Your tokens, separated by spaces",
        key=TOKENS,
        height=96,
        max_chars=MOST_CHARACTERS,
        placeholder=WORKED_TOKENS,
        persist_state="session",
    )
    marker = bpe.VARIANTS[st.session_state[VARIANT]].marker_text
    if marker:
        st.caption(
            in_markdown(
                f"Include the marker {marker} where a token has one. Anything not in the list becomes <unk> (id 0).",
                200,
            )
        )
    try:
        return Tokenizer.from_vocabulary(st.session_state[TOKENS], st.session_state[VARIANT])
    except BPEError as error:
        st.error(in_markdown(str(error), 400))
        return None


def cache_key() -> tuple[str, str]:
    """Return a cache key for the vocabulary."""
    return st.session_state[TOKENS], st.session_state[VARIANT]


def restore(texts: dict[str, str]) -> None:
    """Restore the tokens that the browser stored before a reload, unless others have been typed since."""
    if TOKENS in texts and st.session_state.get(TOKENS) in (WORKED_TOKENS, "", None):
        st.session_state[TOKENS] = texts[TOKENS]


def linked(*, typed: bool) -> dict[str, str | int | None]:
    """Return the link parameters of the vocabulary; empty for the example and for learned merges."""
    tokens, variant = st.session_state.get(TOKENS), st.session_state.get(VARIANT)
    return {
        "tokens": tokens if typed and tokens != WORKED_TOKENS else None,
        "tokens_variant": variant if typed and variant != TYPED_VARIANT else None,
    }
