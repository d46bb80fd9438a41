"""The controls of Encode: the text, the vocabulary with its step, and the encoder. The link holds their values."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import bpe
from bpe import BPEError, Trace
from bpe.encoding.encoders import ENCODERS, Encoder, EncoderSetting, parts_of
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import counted
from ui.choices import choices, text_link
from ui.choices.choices import Choice
from ui.shown import step_slider
from ui.trainings.corpus import MOST_PASTED, MOST_TYPED, beginning, refuse_too_long, sample_of
from ui.view import visit
from ui.view.menus import menu, segments
from ui.view.origin import words_of
from ui.view.text import in_markdown, shortened
from ui.view.text_field import page_field, suggest, suggested
from ui.view.text_field import text_field as typed_field
from ui.view.visit import TYPED_VARIANT

_TOKENS, _VARIANT = "encode_tokens", "encode_variant"
_MOST_CHARACTERS = 20_000

# Lei Mao, Byte Pair Encoding: a vocabulary and a sentence as an example for his encoder.
_WORKED_TOKENS = "errrr</w> tain</w> moun est</w> high the</w> a</w>"
_WORKED_TEXT = "the highest mountain"
_VOCABULARY_LINK = {
    "tokens": (_TOKENS, visit.short_text),
    "tokens_variant": (_VARIANT, visit.slug(*bpe.VARIANTS)),
}

TEXT, _ENCODER, _SOURCE = "encode_text", "encode_encoder", "encode_source"
_SOURCES = {"learned": "Learned merges", "typed": "Typed by hand"}
_MOST_WHOLE = (
    100_000  # characters of an own text that is there as it is; a longer one takes a while to encode
)
_MOST_NAMED = 2  # new words of the example, in the sentence about it


@dataclass(frozen=True, slots=True)
class Setting:
    """What to encode, and how."""

    text: str
    encoder: Encoder
    tokenizer: Tokenizer
    step: int
    cache_key: tuple[object, ...]  # equal for equal tokenizers and encoders
    typed: bool  # the vocabulary was typed by hand


def text_field(trace: Trace, choice: Choice) -> None:
    """Draw the field for the text, with a few words about a text in it that the viewer has not typed there."""
    _suggest_text(choice)
    page_field(
        "Text to encode",
        key=TEXT,
        most=MOST_TYPED,
        placeholder="Type some words from the training text, and some new ones",
        says="Encoded half a second after you stop typing.",
        plays=True,
        note=_note(trace, choice),
        suggestion=suggested(TEXT),
    )


def encode_controls(trace: Trace, choice: Choice, problems: DeltaGenerator) -> Setting | None:
    """Draw the menu of encoder, vocabulary and step, and return the setting; None after drawing a problem below."""
    with choices.menu("encoder", _menu_title(trace)):
        typed = _choose_source(trace) == "typed"
        encoder = _choose_encoder(VOCABULARY_ENCODERS if typed else tuple(ENCODERS))
        if typed:
            step = len(trace.steps)
            _choose_variant()
            tokenizer = _typed_tokenizer(problems)
        else:
            step = step_slider.at_step(trace)
            tokenizer = step_slider.tokenizer(trace, choice, step)
        if tokenizer is not None and (missing := _left_out_by(encoder, tokenizer)):
            st.caption(missing)
    visit.write(_linked(typed) | _linked_settings(encoder) | step_slider.linked(trace, step))
    _link_texts(typed)
    if tokenizer is None:
        return None
    vocabulary_key = (
        (st.session_state[_TOKENS], st.session_state[_VARIANT])
        if typed
        else step_slider.cache_key(trace, choice, step)
    )
    text = str(st.session_state[TEXT] or "")
    try:
        refuse_too_long(text, "Shorten it.")
    except BPEError as error:
        problems.error(in_markdown(str(error), 300))
        return None
    return Setting(
        text=text,
        encoder=encoder,
        tokenizer=tokenizer,
        step=step,
        cache_key=(typed, vocabulary_key, encoder.slug, encoder.values),
        typed=typed,
    )


def _name(slug: str, setting: EncoderSetting) -> str:
    """Return the link's parameter for a setting of an encoder. The link holds those that differ from the default."""
    return f"{slug}_{setting.name}"


def _key(slug: str, setting: EncoderSetting) -> str:
    return f"encode_{_name(slug, setting)}"


def _reader(setting: EncoderSetting) -> visit.Read:
    if isinstance(setting.step, int):
        return visit.whole_number(int(setting.least), int(setting.most))
    return visit.decimal(setting.least, setting.most)


_SETTINGS_LINK: dict[str, tuple[str, visit.Read]] = {
    _name(slug, setting): (_key(slug, setting), _reader(setting))
    for slug, row in ENCODERS.items()
    for setting in row.settings
}
VOCABULARY_ENCODERS = tuple(
    slug for slug, row in ENCODERS.items() if not (row.needs_merges or row.needs_counts)
)
LINK = (
    {
        "text": (TEXT, visit.short_text),
        "encoder": (_ENCODER, visit.slug(*ENCODERS)),
        "source": (_SOURCE, visit.slug(*_SOURCES)),
    }
    | _SETTINGS_LINK
    | _VOCABULARY_LINK
    | step_slider.LINK
)


def _choose_settings(row: Encoder) -> Encoder:
    """Draw a field for each setting of the encoder, and return the encoder with the values."""
    if not row.settings:
        return row
    fields = st.columns(len(row.settings), gap="small")
    values = {}
    for setting, field in zip(row.settings, fields, strict=True):
        key = _key(row.slug, setting)
        st.session_state.setdefault(key, setting.default)
        with field:
            values[setting.name] = st.number_input(
                setting.title,
                min_value=setting.least,
                max_value=setting.most,
                step=setting.step,
                key=key,
                help=setting.about,
                persist_state="session",
            )
    # A value between two steps could be so close to 1 that encoding takes minutes.
    rounded = {
        setting.name: round(round(values[setting.name] / setting.step) * setting.step, 6)
        for setting in row.settings
    }
    return row.using(**{name: value for name, value in rounded.items() if value != row.value_of[name]})


def _left_out_by(row: Encoder, tokenizer: Tokenizer) -> str:
    """Return how many merged tokens the encoder leaves out, as a sentence; empty for one that uses them all.

    >>> import bpe
    >>> _left_out_by(ENCODERS["trimmed"], bpe.train("low low lower", merges=5).tokenizer())
    '4 of 5 merged tokens are left out.'
    """
    if not row.needs_counts or not tokenizer.frequencies:
        return ""
    merged = {left + right for left, right in tokenizer.merges}
    least = int(row.value_of.get("threshold", 1))  # without a threshold, a token must be in use
    rare = parts_of(tokenizer.merges, tokenizer.frequencies, least)
    return f"{len(rare):,} of {counted(len(merged), 'merged token')} {'is' if len(merged) == 1 else 'are'} left out."


def _linked_settings(row: Encoder) -> dict[str, str | int | None]:
    """Return the link parameters of all encoders' settings; None for those of other encoders and for defaults."""
    changed = dict(row.values)
    return {
        _name(slug, setting): f"{changed[setting.name]:.12g}"
        if slug == row.slug and setting.name in changed
        else None
        for slug, other in ENCODERS.items()
        for setting in other.settings
    }


def _choose_variant() -> None:
    """Draw the choice of the variant, which decides how the tokens spell markers."""
    titles = {slug: row.title for slug, row in bpe.VARIANTS.items() if row.configure is None}
    menu("Spelled as", titles, _VARIANT, TYPED_VARIANT)


def _typed_tokenizer(problems: DeltaGenerator) -> Tokenizer | None:
    """Draw the field for the tokens and return their tokenizer; None after drawing there why they cannot be read."""
    st.session_state.setdefault(_TOKENS, _WORKED_TOKENS)
    st.session_state.setdefault(_VARIANT, TYPED_VARIANT)
    marker = bpe.VARIANTS[st.session_state[_VARIANT]].marker_text
    include = f"Include the marker {marker} where a token has one. " if marker else ""
    typed_field(
        "Your tokens, separated by spaces",
        key=_TOKENS,
        most=_MOST_CHARACTERS,
        placeholder=_WORKED_TOKENS,
        says=f"{include}Anything not in the list becomes <unk> (id 0).",
        suggestion=_WORKED_TOKENS,
    )
    try:
        return Tokenizer.from_vocabulary(st.session_state[_TOKENS], st.session_state[_VARIANT])
    except BPEError as error:
        problems.error(in_markdown(str(error), 400))
        return None


def _note(trace: Trace, choice: Choice) -> str:
    """Return a sentence about the example that is in the field; "" if the viewer has typed the text."""
    text = st.session_state[TEXT]
    if not text or text != suggested(TEXT):
        return ""
    if st.session_state.get(_SOURCE) == "typed":
        return "An example from the article that lists these tokens."
    if choice.source != "sample" and choice.corpus.frequencies is not None:
        return "Each word of the list on Watch, once."
    if choice.source != "sample":
        return _same_text_note(len(text), len(choice.corpus.reading_text))
    return "" if trace.origin.replays else _example_note(choice.corpus.reading_text, text)


def _same_text_note(taken: int, characters: int) -> str:
    """Return a sentence on the training text in the field, of which so many characters were taken.

    >>> _same_text_note(99_998, 200_000)
    'These are the first 99,998 of 200,000 characters. To encode all, press “Encode this text” on Watch.'
    """
    if taken == characters:
        return "The same text as on Watch."
    brings = " To encode all, press “Encode this text” on Watch." if characters <= MOST_PASTED else ""
    return f"These are the first {taken:,} of {characters:,} characters.{brings}"


def _example_note(trained_on: str, text: str) -> str:
    """Return a sentence on an example: which of its words do not occur in the training text.

    >>> _example_note("low widest", "low lowest widest")
    'An example: “lowest” is not in the training text.'
    """
    words = list(dict.fromkeys(text.split()))
    new = [f"“{shortened(word, 20)}”" for word in words if word not in trained_on]
    if not new:
        about = "all of its words are in the training text"
    elif len(new) == len(words):
        about = "none of its words is in the training text"
    elif len(new) > _MOST_NAMED:
        about = f"{new[0]} and {len(new) - 1} other words are not in the training text"
    else:
        about = f"{' and '.join(new)} {'is' if len(new) == 1 else 'are'} not in the training text"
    return f"An example: {about}."


def _suggest_text(choice: Choice) -> None:
    """Put the suggestion into the field. It follows the corpus until the viewer types.

    It is an example if the corpus is a sample, and the viewer's own text itself.
    """
    sample = sample_of(choice.corpus) if choice.source == "sample" else None
    text = sample.encode if sample else beginning(choice.corpus.reading_text, _MOST_WHOLE)
    if st.session_state.get(_SOURCE) == "typed":
        text = _WORKED_TEXT
    suggest(TEXT, text)


def _menu_title(trace: Trace) -> str:
    """Return the encoder, and what of the vocabulary is not as it is at first, before their controls are drawn."""
    typed = _chosen_source() == "typed"
    title = ENCODERS[_chosen_encoder(VOCABULARY_ENCODERS if typed else tuple(ENCODERS))].title
    step = len(trace.steps) if typed else step_slider.chosen_step(trace)
    if typed:
        return f"{title} · typed tokens"
    return title if step == len(trace.steps) else f"{title} · {counted(step, 'merge')}"


def _chosen_source() -> str:
    if st.session_state.get(_SOURCE) not in _SOURCES:
        st.session_state[_SOURCE] = "learned"
    return str(st.session_state[_SOURCE])


def _choose_source(trace: Trace) -> str:
    about = f"{words_of(trace.origin).merges}, or your own tokens, without merges."
    source = segments("Vocabulary", _SOURCES, _SOURCE, help=about)
    if not trace.origin.is_own and trace.special_tokens and source != "typed":
        st.caption("Special tokens in your text are read as plain text.")
    return source


def _chosen_encoder(slugs: tuple[str, ...]) -> str:
    if st.session_state.get(_ENCODER) not in slugs:
        st.session_state[_ENCODER] = slugs[0]
    return str(st.session_state[_ENCODER])


def _choose_encoder(slugs: tuple[str, ...]) -> Encoder:
    rows = [ENCODERS[slug] for slug in slugs]
    about = "\n\n".join(in_markdown(f"{row.title}: {row.about} Used by {row.who}.", 500) for row in rows)
    slug = menu("Encoder", {row.slug: row.title for row in rows}, _ENCODER, help=about)
    return _choose_settings(ENCODERS[slug])


def _linked(typed: bool) -> dict[str, str | int | None]:
    encoder, variant = st.session_state[_ENCODER], st.session_state.get(_VARIANT)
    default_encoder = VOCABULARY_ENCODERS[0] if typed else next(iter(ENCODERS))
    return {
        "encoder": encoder if encoder != default_encoder else None,
        "source": "typed" if typed else None,
        "tokens_variant": variant if typed and variant != TYPED_VARIANT else None,
    }


def _link_texts(typed: bool) -> None:
    text, tokens = st.session_state[TEXT], st.session_state.get(_TOKENS)
    text_link.write_texts(
        "encode",
        {
            "text": text if text != suggested(TEXT) else None,
            "tokens": tokens if typed and tokens != _WORKED_TOKENS else None,
        },
    )
