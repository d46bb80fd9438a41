"""The result of an encoding: tokens, ids, measures, and what a round trip through ids loses."""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import streamlit as st

from bpe import Symbol, Variant
from bpe.analysis.compression import Measure, measure
from bpe.checkpoints import checkpoints
from bpe.encoding.encoders import Encoder
from bpe.encoding.tokenizer import UNKNOWN_ID, Tokenizer
from bpe.text.counting import next_safe_cut, split_into_chunks
from bpe.text.display import characters_in, counted
from bpe.text.normalizing import NORMALIZATIONS
from ui.encode.controls import Setting
from ui.show.text import in_markdown
from ui.visit import Slot, large, nothing

MOST_IN_ROWS = 240  # characters


@dataclass(frozen=True, slots=True)
class Encoded:
    """The tokens and ids of the whole text; of its beginning if the encoding was stopped."""

    cache_key: object  # equal for the same text, tokenizer and encoder
    typed: str  # the text as it was typed; if the encoding was stopped, the beginning in normal form
    text: str  # in the tokenizer's normal form
    tokens: Sequence[Symbol]
    ids: Sequence[int]
    unknown: int  # number of characters without a token
    measure: Measure
    returns: bool  # whether the ids decode to the typed text


def encoded_text(
    tokenizer: Tokenizer, typed: str, text: str, tokens: Sequence[Symbol], cache_key: object
) -> Encoded:
    """Return the result for a text whose normal form has these tokens."""
    ids = ids_of(tokenizer, tokens)
    unknown = sum(characters_in(token) for token in tokens if token not in tokenizer.ids)
    returns = tokenizer.decode(ids) == typed
    return Encoded(cache_key, typed, text, tokens, ids, unknown, measure(text, len(tokens)), returns)


def ids_of(tokenizer: Tokenizer, tokens: Sequence[Symbol]) -> list[int]:
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


def plain_measures(encoded: Encoded) -> tuple[Measure, Measure]:
    """Return the measures of two plain tokenizations: one token per character, and one per word between white space."""
    now = encoded.measure
    return replace(now, tokens=now.characters), replace(now, tokens=now.words)


def losses(tokenizer: Tokenizer, encoded: Encoded) -> str:
    """Return what a round trip through ids loses of this text, as far as the tokenizer can tell."""
    reasons = []
    if encoded.unknown:
        reasons.append(counted(encoded.unknown, "unknown character"))
    if encoded.text != encoded.typed:
        form = tokenizer.normalization
        name = NORMALIZATIONS[form].name if form else "the tokenizer's normalizer"
        reasons.append(f"what {name} changed before encoding")
    if tokenizer.variant.loses:
        reasons.append(tokenizer.variant.loses)
    return "; and ".join(reasons)


def beginning(text: str, setting: Setting) -> str:
    """Return the part of the text that is drawn in rows. It ends between two pre-tokens unless these are too long."""
    end = next_safe_cut(text, setting.tokenizer.variant, MOST_IN_ROWS)
    return text[: end if end <= 2 * MOST_IN_ROWS else MOST_IN_ROWS]


# The work limit. A word can be too long for encoders that look up tokens of every length at every position.

PART = 40_000  # characters that are split at a time
# Positions of one word times lengths of tokens: ten seconds of work, which slow all other visitors down.
MOST_LOOKUPS = 20_000_000


def refusal(tokenizer: Tokenizer, encoder: Encoder, text: str, most: int = MOST_LOOKUPS) -> str | None:
    """Return why the text is too much work for an encoder; None if it is not.

    Only the longest word counts, since the work can be stopped between two words.
    """
    if encoder.needs_merges:
        return None
    sizes = set(map(len, tokenizer.ids))
    if len(text.encode()) * len(sizes) <= most:
        return None
    positions = longest_word(text, tokenizer.variant)
    lengths = sum(size <= positions for size in sizes)
    if positions * lengths <= most:
        return None
    other = "choose “Lowest rank first”, shorter words" if tokenizer.merges else "choose shorter words"
    return (
        f"This takes too long: the longest word has {positions:,} {tokenizer.variant.unit}, and this encoder tries "
        f"{counted(lengths, 'token length')} at each of them. Try this: {other}, or a variant that splits into words."
    )


def longest_word(text: str, variant: Variant) -> int:
    """Return the length of the longest pre-token, in the variant's unit: bytes or characters.

    >>> from merge_by_merge.bpe.text.variants import VARIANTS
    >>> longest_word("né lower", VARIANTS["bytes"]), longest_word("né lower", VARIANTS["char-eow"])
    (9, 5)
    """
    words = (word for part in split_into_chunks(text, variant, PART) for word in variant.split(part))
    return max((len(word.encode() if variant.unit == "bytes" else word) for word in words), default=0)


# Encode the text of the page. A long text shows progress and can be stopped, and its encoding can be resumed.

POLLING = 0.25  # seconds between two looks at Stop
LONG = 100_000  # a text of more characters shows its progress


@dataclass(frozen=True, slots=True)
class Begun:
    """The part of a text that is encoded so far: its number of characters and its tokens."""

    cache_key: object = None
    characters: int = 0
    tokens: tuple[Symbol, ...] = ()


# The encoding that was stopped
STOPPED_ENCODING: Slot[object] = Slot("_encode_stopped", nothing)
# The last one and how far it has come
BEGUN_ENCODING: Slot[Begun | None] = large(Slot("_encode_begun", nothing))


@dataclass(slots=True)
class Progress:
    """The progress of an encoding. Drawing it is where Streamlit ends the run after a click on Stop."""

    show: Callable[[float, str], object]  # (share that is done, sentence)
    characters: int  # of the text
    done: int = 0
    began: float = field(default_factory=time.monotonic)
    drawn: float = 0.0

    def draw(self) -> None:
        """Draw how far it is, some times a second. Of a text in one part only the time shows that it goes on."""
        now = time.monotonic()
        if now - self.drawn > POLLING:
            self.drawn = now
            sentence = (
                f"Encoding: {self.done:,} of {self.characters:,} characters after {now - self.began:.0f} s."
            )
            self.show(self.done / self.characters, sentence)


def encode(setting: Setting) -> Encoded | None:
    """Return the encoded text; None after drawing why there is none."""
    digest = hashlib.sha256(setting.text.encode("utf-8", "surrogatepass")).hexdigest()
    key = (setting.cache_key, digest)
    text = setting.tokenizer.normalise(setting.text)
    if STOPPED_ENCODING.read() == key and _begun(key).characters < len(text):
        return _stopped(setting, text, key)
    reason = refusal(setting.tokenizer, setting.encoder, text)
    if reason is not None:
        st.error(in_markdown(reason, 400))
        return None
    return _encoded(key, setting, setting.text, text, _tokens(setting, text, key))


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _encoded(key: object, _setting: Setting, _typed: str, _text: str, _tokens: Sequence[Symbol]) -> Encoded:
    return encoded_text(_setting.tokenizer, _typed, _text, _tokens, key)


def _begun(key: object) -> Begun:
    """Return the part encoded so far under this key. The session remembers one encoding."""
    begun = BEGUN_ENCODING.read()
    return begun if begun is not None and begun.cache_key == key else Begun(key)


def _stopped(setting: Setting, text: str, key: object) -> Encoded | None:
    """Draw that the encoding was stopped, and return the encoded part; None if it is empty."""
    begun = _begun(key)
    done = begun.characters
    message = (
        f"Stopped after {done:,} of {len(text):,} characters. Everything below is about this part."
        if done
        else "Stopped. Only the part in the grid is encoded. Go on, or encode a shorter text."
    )
    row = st.container(horizontal=True, vertical_alignment="center")
    row.warning(message)
    row.button("Go on encoding", key="encode_go_on", on_click=STOPPED_ENCODING.forget)
    beginning = text[:done]
    return _encoded((key, done), setting, beginning, beginning, begun.tokens) if done else None


def _tokens(setting: Setting, text: str, key: object) -> Sequence[Symbol]:
    """Return the tokens: those of the last run if nothing has changed, else newly encoded in parts."""
    tokenizer, encoder = setting.tokenizer, setting.encoder
    begun = _begun(key)
    if begun.characters == len(text):
        return begun.tokens
    if len(text) <= LONG:
        begun = Begun(key, len(text), tuple(tokenizer.normalised_tokens(text, encoder)))
        BEGUN_ENCODING.write(begun)
        return begun.tokens
    area = st.empty()
    row = area.container(horizontal=True, vertical_alignment="center")
    bar = row.progress(0.0, text="Encoding …")
    # Drawn before the work begins: a click ends this run of the page when the progress is drawn next.
    row.button("Stop", key="encode_stop", on_click=STOPPED_ENCODING.write, args=(key,))
    done, tokens = begun.characters, list(begun.tokens)
    progress = Progress(bar.progress, len(text), begun.characters)
    with checkpoints(progress.draw):
        while done < len(text):
            end = next_safe_cut(text, tokenizer.variant, done + PART)
            part = (
                text[done:end] if done or end < len(text) else text
            )  # a slice does not know its added tokens
            tokens += tokenizer.normalised_tokens(part, encoder)
            done = end
            BEGUN_ENCODING.write(Begun(key, done, tuple(tokens)))
            progress.done = done
    area.empty()
    return _begun(key).tokens
