"""The result of an encoding: tokens, ids, measures, and what a round trip through ids loses."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from bpe import Symbol, Variant, uncovered
from bpe.analysis.compression import Measure, measure
from bpe.encoding.encoders import Encoder
from bpe.encoding.tokenizer import UNKNOWN_ID, Tokenizer
from bpe.text.counting import next_safe_cut, split_into_chunks
from bpe.text.display import characters_in, counted
from bpe.text.normalizing import NORMALIZATIONS, Normalised, Span
from ui.page_parts.encode.controls import Setting
from ui.trainings import long_work
from ui.trainings.byte_cache import digest_of
from ui.trainings.long_work import Says, SharedWork, asked
from ui.view.text import in_markdown

MOST_IN_ROWS = 240  # characters


@dataclass(frozen=True, slots=True)
class Encoded:
    """The tokens and ids of the whole text; of its beginning if the encoding was stopped."""

    cache_key: object  # equal for the same text, tokenizer and encoder
    typed: str  # as it was typed
    normalised: Normalised  # as the tokenizer changed it
    tokens: Sequence[Symbol]
    ids: Sequence[int]
    unknown: int  # number of characters without a token
    measure: Measure
    returns: bool  # whether the ids decode to the typed text


def _encoded_text(
    tokenizer: Tokenizer, typed: str, normalised: Normalised, tokens: Sequence[Symbol], cache_key: object
) -> Encoded:
    """Return the result for a typed text that the tokenizer changed to the normalised one, which has these tokens."""
    ids = _ids_of(tokenizer, tokens)
    unknown = sum(characters_in(token) for token in tokens if token not in tokenizer.ids)
    returns = tokenizer.decode(ids) == typed
    return Encoded(cache_key, typed, normalised, tokens, ids, unknown, measure(typed, len(tokens)), returns)


def _ids_of(tokenizer: Tokenizer, tokens: Sequence[Symbol]) -> list[int]:
    """Return the ids of the tokens. A symbol without an id gets that of the unknown token, or −1 if there is none."""
    unknown = UNKNOWN_ID if tokenizer.unknown is None else tokenizer.unknown
    known = tokenizer.ids
    return [known.get(token, unknown) for token in tokens]


def segmentations(
    pre_tokens: Iterable[str], encoded: Encoded, variant: Variant
) -> Iterator[Sequence[Symbol]]:
    """Yield the tokens of each pre-token. They are derived from the result, since encoding a long word is slow."""
    position = 0
    for pre_token in pre_tokens:
        size, first = sum(map(len, variant.spell(pre_token))), position
        while size > 0:
            size -= len(encoded.tokens[position])
            position += 1
        yield encoded.tokens[first:position]


def losses(tokenizer: Tokenizer, encoded: Encoded) -> str:
    """Return what a round trip through ids loses of this text, as far as the tokenizer can tell."""
    reasons = []
    if encoded.unknown:
        reasons.append(counted(encoded.unknown, "unknown character"))
    if encoded.normalised.text != encoded.typed:
        form = tokenizer.normalization
        name = NORMALIZATIONS[form].name if form else "the tokenizer's normalizer"
        reasons.append(f"what {name} changed before encoding")
    variant = tokenizer.variant
    if variant.loses and (not variant.pattern or uncovered(variant, encoded.normalised.text)):
        reasons.append(variant.loses)
    return "; and ".join(reasons)


def beginning(text: str, setting: Setting) -> int:
    """Return where the part of the text ends that is drawn in rows: between two pre-tokens, if these are not long."""
    end = next_safe_cut(text, setting.tokenizer.variant, MOST_IN_ROWS)
    return end if end <= 2 * MOST_IN_ROWS else MOST_IN_ROWS


def typed_part(tokenizer: Tokenizer, typed: str, normalised: Normalised, end: int) -> str:
    """Return the beginning of a typed text that the first `end` characters of the normalised one come from."""
    if end >= len(normalised):
        return typed
    spans = origins(tokenizer, typed, normalised, end)
    return typed[:end] if spans is None else typed[: spans[end - 1][1]] if end else ""


def origins(tokenizer: Tokenizer, typed: str, normalised: Normalised, end: int) -> Sequence[Span] | None:
    """Return what the first `end` characters of the normalised text come from; None if they are the typed ones.

    Of a long text only a beginning is aligned, if that is normalised in the same way.
    """
    if typed == normalised.text:
        return None
    near = 2 * end + MOST_IN_ROWS
    if near < len(typed):
        part, spans = tokenizer.aligned(typed[:near])
        if len(part) > end and part.text[:end] == normalised.text[:end]:
            return spans
    return tokenizer.aligned(typed)[1]


_PART = 40_000  # characters that are split at a time
# Positions of one word times lengths of tokens: ten seconds of work, which slow all other visitors down.
_MOST_LOOKUPS = 20_000_000


def refusal(tokenizer: Tokenizer, encoder: Encoder, text: str, most: int = _MOST_LOOKUPS) -> str | None:
    """Return why the text is too much work for an encoder; None if it is not.

    Encoders that look up tokens of every length at every position take long for a long word. Only the longest one
    counts, since the work can be stopped between two words.
    """
    if encoder.needs_merges:
        return None
    sizes = set(map(len, tokenizer.ids))
    if len(text.encode()) * len(sizes) <= most:
        return None
    positions = _longest_word(text, tokenizer.variant)
    lengths = sum(size <= positions for size in sizes)
    if positions * lengths <= most:
        return None
    other = "choose “Lowest rank first”, shorter words" if tokenizer.merges else "choose shorter words"
    return (
        f"This takes too long: the longest word has {positions:,} {tokenizer.variant.unit}, and this encoder tries "
        f"{counted(lengths, 'token length')} at each of them. Try this: {other}, or a variant that splits into words."
    )


def _longest_word(text: str, variant: Variant) -> int:
    """Return the length of the longest pre-token, in the variant's unit: bytes or characters.

    >>> from bpe.text.variants import VARIANTS
    >>> _longest_word("né lower", VARIANTS["bytes"]), _longest_word("né lower", VARIANTS["char-eow"])
    (9, 5)
    """
    words = (word for part in split_into_chunks(text, variant, _PART) for word in variant.split(part))
    return max(
        (len(variant.bytes_of(word) if variant.unit == "bytes" else word) for word in words), default=0
    )


_PLACE = "encode"
_LONG = 100_000  # a text of more characters shows its progress
_SHORT = 4_000  # characters that are encoded while the first screen waits: some milliseconds
_FEW_LOOKUPS = 400_000  # as `refusal` counts them


@dataclass(frozen=True, slots=True)
class _Begun:
    """The part of a text that is encoded so far: its number of characters and its tokens."""

    characters: int = 0
    tokens: tuple[Symbol, ...] = ()


def key_of(setting: Setting) -> tuple[object, str]:
    """Return a key that is equal for the same text, tokenizer and encoder."""
    return setting.cache_key, digest_of(setting.text)


def encoded_at_once(setting: Setting) -> Encoded | None:
    """Return the encoded text if it is short and little work; else None."""
    if len(setting.text) > _SHORT:
        return None
    text = setting.tokenizer.normalise(setting.text)
    if refusal(setting.tokenizer, setting.encoder, text.text, _FEW_LOOKUPS) is not None:
        return None
    return _encoded(key_of(setting), setting, setting.text, text, None)


def encode(setting: Setting) -> Encoded | None:
    """Return the encoded text, of a stopped encoding its beginning; None after drawing why there is none."""
    text = setting.tokenizer.normalise(setting.text)
    key = key_of(setting)
    reason = refusal(setting.tokenizer, setting.encoder, text.text)
    if reason is not None:
        st.error(in_markdown(reason, 400))
        return None
    if len(text) <= _LONG:
        return _encoded(key, setting, setting.text, text, None)
    work = asked(_PLACE, digest_of("encode", *key), partial(_encode_parts, setting, text))
    begun = work.result or _Begun()
    done = begun.characters
    long_work.draw_state(_PLACE, work, _says(work.work, done, len(text)))
    if work.work.is_complete:
        return _encoded(key, setting, setting.text, text, begun.tokens)
    if work.is_running or not done:
        return None
    typed = typed_part(setting.tokenizer, setting.text, text, done)
    return _encoded((key, done), setting, typed, text[:done], begun.tokens)


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _encoded(
    key: object, _setting: Setting, _typed: str, _text: Normalised, _tokens: Sequence[Symbol] | None
) -> Encoded:
    tokens = _setting.tokenizer.normalised_tokens(_text, _setting.encoder) if _tokens is None else _tokens
    return _encoded_text(_setting.tokenizer, _typed, _text, tokens, key)


def _encode_parts(setting: Setting, text: Normalised, work: SharedWork[_Begun]) -> None:
    """Encode a text in parts, from where it was stopped."""
    begun = work.result or _Begun()
    done, tokens = begun.characters, list(begun.tokens)
    while done < len(text):
        end = next_safe_cut(text.text, setting.tokenizer.variant, done + _PART)
        part = text[done:end] if done or end < len(text) else text  # a slice does not know its added tokens
        tokens += setting.tokenizer.normalised_tokens(part, setting.encoder)
        done = end
        work.report(done / len(text), _Begun(done, tuple(tokens)))


def _says(work: SharedWork[_Begun], done: int, characters: int) -> Says:
    """Return what the page says about an encoding of which so many characters were done when the page was drawn."""

    def doing() -> str:
        now = work.result or _Begun()
        return f"Encoding: {now.characters:,} of {characters:,} characters after {work.seconds:.0f} s."

    stopped = "Stopped. Only the part in the grid is encoded. Go on, or encode a shorter text."
    if done:
        stopped = f"Stopped after {done:,} of {characters:,} characters. Everything below is about this part."
    return Says(doing, stopped, "Go on encoding")
