"""Encoding for the page: whole texts with progress, the last result kept, and what it measures."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from bpe import Symbol
from bpe.metrics import Measure, measure
from bpe.parts import parts
from bpe.tokenizer import UNKNOWN_ID, Tokenizer
from ui.encode.controls import Setting

PART = 40_000  # characters between two looks at the progress
LONG = 100_000  # characters of a text that is shown its progress
MOST_UNCUT = (
    200_000  # characters of one word that are encoded by vocabulary: those encoders look at every length
)


@dataclass(frozen=True, slots=True)
class Encoded:
    """The whole text's tokens and ids."""

    text: str  # in the tokenizer's normal form
    tokens: Sequence[Symbol]
    ids: Sequence[int]
    unknown: int  # how many characters no token stands for
    measure: Measure
    returns: bool  # decoded again, the ids give the typed text back


def encoded(setting: Setting) -> Encoded | None:
    """The result, kept for the next rerun; None after saying why, where the text cannot be encoded here."""
    digest = hashlib.sha256(setting.text.encode("utf-8", "surrogatepass")).hexdigest()
    name = (setting.name, digest)
    kept = st.session_state.get("_encoded")
    if kept is not None and kept[0] == name:
        assert isinstance(kept[1], Encoded)
        return kept[1]
    text = setting.tokenizer.normalise(setting.text)
    if (
        setting.tokenizer.variant.cut is None
        and setting.encoder not in ("rank", "rules")
        and len(text) > MOST_UNCUT
    ):
        st.error(
            f"This variant makes one word of the whole text, and this encoder takes too long on a word of more than "
            f"{MOST_UNCUT:,} characters: choose “Lowest rank first”, or a variant that cuts words."
        )
        return None
    tokens = _tokens(setting.tokenizer, text, setting.encoder)
    ids = ids_of(setting.tokenizer, tokens)
    known = setting.tokenizer.ids
    unknown = sum(token not in known for token in tokens)
    returns = setting.tokenizer.decode(ids) == setting.text
    made = Encoded(text, tokens, ids, unknown, measure(text, len(tokens)), returns)
    st.session_state["_encoded"] = (name, made)
    return made


def _tokens(tokenizer: Tokenizer, text: str, encoder: str) -> list[Symbol]:
    """The tokens, part by part, with progress for a long text."""
    if len(text) <= LONG:
        return tokenizer.tokens(text, encoder)
    bar = st.progress(0.0, text="Encoding …")
    tokens: list[Symbol] = []
    done = 0
    for part in parts(text, tokenizer.variant, PART):
        tokens += tokenizer.tokens(part, encoder)
        done += len(part)
        bar.progress(done / len(text), text=f"Encoding: {done:,} of {len(text):,} characters.")
    bar.empty()
    return tokens


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
