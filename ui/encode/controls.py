"""What is encoded and how: the text, the tokenizer at a step or typed by hand, the encoder; kept and linked."""

from dataclasses import dataclass

import streamlit as st

import bpe
from bpe import BPEError, Trace
from bpe.analysis.spectrum import corpus_words
from bpe.encoding.encoders import ENCODERS
from bpe.encoding.tokenizer import Tokenizer
from ui import page_link, session, step_slider
from ui.components.kept_text import kept_text
from ui.first_visit import TYPED_VARIANT
from ui.show.text import in_markdown
from ui.sidebar.corpus import MOST_PASTED
from ui.sidebar.sidebar import Choice

TEXT, ENCODER, SOURCE, TOKENS, VARIANT = (
    "encode_text",
    "encode_encoder",
    "encode_source",
    "encode_tokens",
    "encode_variant",
)
SOURCES = {"learned": "Learned merges", "typed": "Typed by hand"}
BY_VOCABULARY = tuple(slug for slug, row in ENCODERS.items() if not row.needs_merges)
FEW_WORDS = 12
MOST_TOKENS = 20_000  # characters of a typed vocabulary
# Lei Mao, Byte Pair Encoding: a vocabulary and a sentence to try the prose of his encoder on.
WORKED_TOKENS = "errrr</w> tain</w> moun est</w> high the</w> a</w>"
WORKED_TEXT = "the highest mountain"
LINK = {
    "text": (TEXT, page_link.short_text),
    "encoder": (ENCODER, page_link.slug(*ENCODERS)),
    "source": (SOURCE, page_link.slug(*SOURCES)),
    "tokens": (TOKENS, page_link.short_text),
    "tokens_variant": (VARIANT, page_link.slug(*bpe.VARIANTS)),
} | step_slider.LINK


@dataclass(frozen=True, slots=True)
class Setting:
    """What the controls say."""

    text: str
    encoder: str  # slug
    tokenizer: Tokenizer
    step: int
    name: tuple[object, ...]  # of tokenizer and encoder: equal for equal ones
    typed: bool  # the vocabulary was typed by hand
    example: bool  # the text is still the one suggested


def suggested(trace: Trace) -> str:
    """A text to begin with: words of the corpus and one it never saw, made of their parts."""
    found = [word[:40] for word in corpus_words(trace)]
    words = [word for word in found if any(map(str.isalpha, word))] or found  # "of", before a dash on its own
    if not words:
        return "lower"
    if len(words) <= FEW_WORDS:
        first, last = words[0], words[-1]
        return f"{first} {first}{last[-3:]} {last}"
    return " ".join([*words[:7], "unbelievable"])


def draw(trace: Trace, choice: Choice) -> Setting | None:
    """The controls; None after saying why, where a typed vocabulary cannot be read."""
    _suggest(trace)
    st.text_area(
        "Text to encode",
        key=TEXT,
        height=96,
        max_chars=MOST_PASTED,
        placeholder="Type words the corpus knows, and some it never saw",
        persist_state="session",
    )
    left, middle, right = st.columns(3, gap="medium")
    with left:
        typed = _source() == "typed"
    with middle:
        encoder = _encoder(typed)
    with right:
        step = len(trace.steps) if typed else step_slider.at_step(trace)
        if typed:
            _variant()
    tokenizer = _typed_vocabulary() if typed else step_slider.tokenizer(trace, choice, step)
    fields = {TEXT: TEXT} | ({TOKENS: TOKENS} if typed else {})
    kept_text(fields, (TEXT, TOKENS), key="_kept_encode", restore=_restore)
    page_link.write(_linked(trace, step, typed))
    if tokenizer is None:
        return None
    given = (
        (st.session_state[TOKENS], st.session_state[VARIANT])
        if typed
        else step_slider.cache_key(trace, choice, step)
    )
    text = str(st.session_state[TEXT] or "")
    example = text == session.SUGGESTED_TEXT.read()
    return Setting(text, encoder, tokenizer, step, (typed, given, encoder), typed, example)


def _suggest(trace: Trace) -> None:
    """The suggestion follows the corpus until the viewer types."""
    text = WORKED_TEXT if st.session_state.get(SOURCE) == "typed" else suggested(trace)
    before = session.SUGGESTED_TEXT.read()
    if st.session_state.get(TEXT, before) == before:
        st.session_state[TEXT] = text
    session.SUGGESTED_TEXT.write(text)


def _source() -> str:
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
    st.caption(
        "Tokens of your own, without merges." if source == "typed" else "What the sidebar's recipe learned."
    )
    return str(source)


def _encoder(typed: bool) -> str:
    offered = BY_VOCABULARY if typed else tuple(ENCODERS)
    if st.session_state.get(ENCODER) not in offered:
        st.session_state[ENCODER] = offered[0]
    slug = str(
        st.selectbox(
            "Encoder",
            offered,
            key=ENCODER,
            format_func=lambda slug: ENCODERS[slug].title,
            persist_state="session",
        )
    )
    row = ENCODERS[slug]
    st.caption(in_markdown(f"{row.about} Used by {row.who}.", 400))
    return slug


def _variant() -> None:
    st.session_state.setdefault(VARIANT, TYPED_VARIANT)
    st.selectbox(
        "Spelled as",
        [slug for slug, row in bpe.VARIANTS.items() if row.configure is None],
        key=VARIANT,
        format_func=lambda slug: bpe.VARIANTS[slug].title,
        persist_state="session",
    )


def _typed_vocabulary() -> Tokenizer | None:
    st.session_state.setdefault(TOKENS, WORKED_TOKENS)
    st.session_state.setdefault(VARIANT, TYPED_VARIANT)
    st.text_area(
        "Tokens, with spaces between",
        key=TOKENS,
        height=96,
        max_chars=MOST_TOKENS,
        placeholder=WORKED_TOKENS,
        persist_state="session",
    )
    marker = bpe.VARIANTS[st.session_state[VARIANT]].marker_text
    if marker:
        st.caption(
            in_markdown(
                f"Write {marker} where a token carries the marker. What no token stands for is <unk>, id 0.",
                200,
            )
        )
    try:
        return Tokenizer.from_vocabulary(st.session_state[TOKENS], st.session_state[VARIANT])
    except BPEError as error:
        st.error(in_markdown(str(error), 400))
        return None


def _restore(texts: dict[str, str]) -> None:
    if TEXT in texts and st.session_state.get(TEXT) == session.SUGGESTED_TEXT.read():
        st.session_state[TEXT] = texts[TEXT]
    if TOKENS in texts and st.session_state.get(TOKENS, WORKED_TOKENS) == WORKED_TOKENS:
        st.session_state[TOKENS] = texts[TOKENS]


def _linked(trace: Trace, step: int, typed: bool) -> dict[str, str | int | None]:
    text, tokens = st.session_state[TEXT], st.session_state.get(TOKENS)
    own = text if text != session.SUGGESTED_TEXT.read() else None
    first = BY_VOCABULARY[0] if typed else next(iter(ENCODERS))
    encoder = st.session_state[ENCODER]
    variant = st.session_state.get(VARIANT)
    return {
        "text": own,
        "encoder": encoder if encoder != first else None,
        "source": "typed" if typed else None,
        "tokens": tokens if typed and tokens != WORKED_TOKENS else None,
        "tokens_variant": variant if typed and variant != TYPED_VARIANT else None,
    } | step_slider.linked(trace, step)
