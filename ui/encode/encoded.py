"""Encoding for the page: whole texts with progress, the last result kept, and what it measures."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from bpe import Symbol
from bpe.metrics import Measure, measure
from bpe.parts import parts
from bpe.tokenizer import UNKNOWN_ID, Tokenizer
from ui.encode.controls import BY_VOCABULARY, Setting
from ui.last_made import last_made

PART = 40_000  # characters between two looks at the progress
LONG = 100_000  # characters of a text that is shown its progress
MOST_LOOKS = (
    20_000_000  # places times lengths of tokens, in one word that an encoder by vocabulary cuts: seconds
)
STOPPED = "_encode_stopped"  # the name of what is not to be encoded as a whole


@dataclass(frozen=True, slots=True)
class Encoded:
    """The whole text's tokens and ids."""

    name: object  # equal for the same text, tokenizer and encoder
    text: str  # in the tokenizer's normal form
    tokens: Sequence[Symbol]
    ids: Sequence[int]
    unknown: int  # how many characters no token stands for
    measure: Measure
    returns: bool  # decoded again, the ids give the typed text back


def encoded(setting: Setting) -> Encoded | None:
    """The result, kept for the next rerun; None after saying why, where there is none."""
    digest = hashlib.sha256(setting.text.encode("utf-8", "surrogatepass")).hexdigest()
    name = (setting.name, digest)
    if st.session_state.get(STOPPED) == name:
        row = st.container(horizontal=True, vertical_alignment="center")
        row.warning("Stopped: only the part in the grid is encoded.")
        row.button("Encode all of it", key="encode_go_on", on_click=_set_stopped, args=(None,))
        return None
    text = setting.tokenizer.normalise(setting.text)
    lengths = len(set(map(len, setting.tokenizer.ids)))
    one_word = setting.tokenizer.variant.cut is None and setting.encoder in BY_VOCABULARY
    if one_word and len(text) * lengths > MOST_LOOKS:
        st.error(
            f"This variant makes one word of the whole text, {len(text):,} characters, and this encoder looks at each "
            f"of its places for tokens of {lengths:,} lengths, which takes too long: choose “Lowest rank first”, or a "
            "variant that cuts words."
        )
        return None
    return last_made("_encoded", name, lambda: _encode(setting, text, name))


def _encode(setting: Setting, text: str, name: object) -> Encoded:
    tokens = _tokens(setting, text, name)
    ids = ids_of(setting.tokenizer, tokens)
    known = setting.tokenizer.ids
    unknown = sum(token not in known for token in tokens)
    returns = setting.tokenizer.decode(ids) == setting.text
    return Encoded(name, text, tokens, ids, unknown, measure(text, len(tokens)), returns)


def _tokens(setting: Setting, text: str, name: object) -> list[Symbol]:
    """The tokens, part by part, with progress and Stop for a long text."""
    tokenizer, encoder = setting.tokenizer, setting.encoder
    if len(text) <= LONG:
        return tokenizer.tokens(text, encoder)
    place = st.empty()
    row = place.container(horizontal=True, vertical_alignment="center")
    bar = row.progress(0.0, text="Encoding …")
    # Drawn before the work: pressed, it ends this run of the page at the next look at the progress.
    row.button("Stop", key="encode_stop", on_click=_set_stopped, args=(name,))
    tokens: list[Symbol] = []
    done = 0
    for part in parts(text, tokenizer.variant, PART):
        tokens += tokenizer.tokens(part, encoder)
        done += len(part)
        bar.progress(done / len(text), text=f"Encoding: {done:,} of {len(text):,} characters.")
    place.empty()
    return tokens


def _set_stopped(name: object) -> None:
    st.session_state[STOPPED] = name


def ids_of(tokenizer: Tokenizer, tokens: Sequence[Symbol]) -> list[int]:
    """The tokens' ids; the unknown token's, or −1, for what no token stands for."""
    unknown = UNKNOWN_ID if tokenizer.unknown is None else tokenizer.unknown
    known = tokenizer.ids
    return [known.get(token, unknown) for token in tokens]


def plain_measures(made: Encoded) -> tuple[Measure, Measure]:
    """The text cut into characters only, and into words only (between white space)."""
    return replace(made.measure, tokens=made.measure.characters), replace(
        made.measure, tokens=made.measure.words
    )


def losses(setting: Setting, made: Encoded) -> str:
    """What the way to ids and back loses of this text, as far as the tokenizer can say."""
    reasons = []
    if made.unknown:
        one = made.unknown == 1
        reasons.append(
            f"{made.unknown:,} unknown {'character' if one else 'characters'}, "
            f"whose {'id says' if one else 'ids say'} only that something stood there"
        )
    if made.text != setting.text:
        reasons.append(f"what {setting.tokenizer.normalization} changed first")
    if setting.tokenizer.variant.loses:
        reasons.append(setting.tokenizer.variant.loses)
    return "; and ".join(reasons)
