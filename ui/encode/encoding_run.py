"""Encode the text of the page. A long text shows progress and can be stopped, and its encoding can be resumed."""

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import streamlit as st

from bpe import Symbol
from bpe.checkpoints import checkpoints
from bpe.text.counting import next_safe_cut
from ui.encode.controls import Setting
from ui.encode.encoded_text import Encoded, encoded_text
from ui.encode.work_limit import PART, refusal
from ui.show.text import in_markdown
from ui.visit.slot import Slot, large, nothing

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
