"""The controls of Encode: the text, the vocabulary with its step, and the encoder. The link holds their values."""

from dataclasses import dataclass

import streamlit as st

from bpe import BPEError, Trace
from bpe.analysis.spectrum import corpus_words
from bpe.encoding.encoders import ENCODERS, Encoder
from bpe.encoding.tokenizer import Tokenizer
from ui import page_link, session, step_slider
from ui.components.kept_text import kept_text
from ui.encode import encoder_settings, typed_vocabulary
from ui.show.text import in_markdown
from ui.sidebar.corpus import MOST_TYPED, refuse_too_long
from ui.sidebar.sidebar import Choice

TEXT, ENCODER, SOURCE = "encode_text", "encode_encoder", "encode_source"
SOURCES = {"learned": "Learned merges", "typed": "Typed by hand"}
VOCABULARY_ENCODERS = tuple(slug for slug, row in ENCODERS.items() if not row.needs_merges)
FEW_WORDS = 12
LINK = (
    {
        "text": (TEXT, page_link.short_text),
        "encoder": (ENCODER, page_link.slug(*ENCODERS)),
        "source": (SOURCE, page_link.slug(*SOURCES)),
    }
    | encoder_settings.LINK
    | typed_vocabulary.LINK
    | step_slider.LINK
)


@dataclass(frozen=True, slots=True)
class Setting:
    """What to encode, and how."""

    text: str
    encoder: Encoder
    tokenizer: Tokenizer
    step: int
    cache_key: tuple[object, ...]  # equal for equal tokenizers and encoders
    typed: bool  # the vocabulary was typed by hand


def encode_controls(trace: Trace, choice: Choice) -> Setting | None:
    """Draw the controls and return their setting; None after drawing why vocabulary or text cannot be read."""
    _suggest_text(trace)
    st.text_area(
        "Text to encode",
        key=TEXT,
        height=96,
        max_chars=MOST_TYPED,
        placeholder="Type some words from the training text, and some new ones",
        persist_state="session",
    )
    left, middle, right = st.columns(3, gap="medium")
    with left:
        typed = _choose_source(trace) == "typed"
    with middle:
        encoder = _choose_encoder(VOCABULARY_ENCODERS if typed else tuple(ENCODERS))
    with right:
        step = len(trace.steps) if typed else step_slider.at_step(trace)
        if typed:
            typed_vocabulary.choose_variant()
    tokenizer = typed_vocabulary.typed_tokenizer() if typed else step_slider.tokenizer(trace, choice, step)
    if tokenizer is not None and (left_out := encoder_settings.left_out(encoder, tokenizer)):
        middle.caption(left_out)
    fields = {TEXT: TEXT} | ({typed_vocabulary.TOKENS: typed_vocabulary.TOKENS} if typed else {})
    kept_text(fields, (TEXT, typed_vocabulary.TOKENS), key="_kept_encode", restore=_restore)
    page_link.write(_linked(typed) | encoder_settings.linked(encoder) | step_slider.linked(trace, step))
    if tokenizer is None:
        return None
    vocabulary_key = typed_vocabulary.cache_key() if typed else step_slider.cache_key(trace, choice, step)
    text = str(st.session_state[TEXT] or "")
    try:
        refuse_too_long(text, "Shorten it.")
    except BPEError as error:
        st.error(in_markdown(str(error), 300))
        return None
    return Setting(
        text=text,
        encoder=encoder,
        tokenizer=tokenizer,
        step=step,
        cache_key=(typed, vocabulary_key, encoder.slug, encoder.values),
        typed=typed,
    )


def suggested(trace: Trace) -> str:
    """Return a text to begin with: words of the corpus, and an unseen word made of their parts.

    >>> import bpe
    >>> suggested(bpe.train("low lower lowest"))
    'low lowest lowest'
    """
    short = [word[:40] for word in corpus_words(trace)]
    words = [
        word for word in short if any(map(str.isalpha, word))
    ] or short  # prefer words with letters, not a single dash
    if not words:
        return "lower"
    if len(words) <= FEW_WORDS:
        first, last = words[0], words[-1]
        return f"{first} {first}{last[-3:]} {last}"
    return " ".join([*words[:7], "unbelievable"])


def _suggest_text(trace: Trace) -> None:
    """Put the suggestion into the field. It follows the corpus until the viewer types."""
    text = typed_vocabulary.WORKED_TEXT if st.session_state.get(SOURCE) == "typed" else suggested(trace)
    before = session.SUGGESTED_TEXT.read()
    if st.session_state.get(TEXT, before) == before:
        st.session_state[TEXT] = text
    session.SUGGESTED_TEXT.write(text)


def choose_encoder(slug: str) -> None:
    """Choose this encoder and the learned merges. A callback of another page."""
    st.session_state[ENCODER] = slug
    st.session_state[SOURCE] = "learned"


def set_text(text: str) -> None:
    """Put this text into the field. A callback, so that the field is drawn afterwards."""
    st.session_state[TEXT] = text


def _choose_source(trace: Trace) -> str:
    if st.session_state.get(SOURCE) not in SOURCES:
        st.session_state[SOURCE] = "learned"
    source = st.segmented_control(
        "Vocabulary",
        tuple(SOURCES),
        key=SOURCE,
        format_func=SOURCES.__getitem__,
        required=True,
        persist_state="session",
    )
    learned = (
        f"The tokenizer from the file{', and what was learned on top' if trace.replayed.learned else ''}."
        if trace.replayed
        else "The merges learned with the sidebar's settings."
    )
    if trace.replayed and trace.special_tokens:
        learned += " Special tokens in your text are read as plain text."
    st.caption("Your own tokens, without merges." if source == "typed" else learned)
    return str(source)


def _choose_encoder(slugs: tuple[str, ...]) -> Encoder:
    if st.session_state.get(ENCODER) not in slugs:
        st.session_state[ENCODER] = slugs[0]
    slug = str(
        st.selectbox(
            "Encoder",
            slugs,
            key=ENCODER,
            format_func=lambda slug: ENCODERS[slug].title,
            persist_state="session",
        )
    )
    row = ENCODERS[slug]
    st.caption(in_markdown(f"{row.about} Used by {row.who}.", 400))
    return encoder_settings.choose_settings(row)


def _restore(texts: dict[str, str]) -> None:
    if TEXT in texts and st.session_state.get(TEXT) in (session.SUGGESTED_TEXT.read(), "", None):
        st.session_state[TEXT] = texts[TEXT]
    typed_vocabulary.restore(texts)


def _linked(typed: bool) -> dict[str, str | int | None]:
    text, encoder = st.session_state[TEXT], st.session_state[ENCODER]
    default_encoder = VOCABULARY_ENCODERS[0] if typed else next(iter(ENCODERS))
    return {
        "text": text if text != session.SUGGESTED_TEXT.read() else None,
        "encoder": encoder if encoder != default_encoder else None,
        "source": "typed" if typed else None,
    } | typed_vocabulary.linked(typed=typed)
