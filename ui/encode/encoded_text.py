"""Encoding for the page: whole texts with progress, the last result kept, and what it measures."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from bpe import Symbol, Variant
from bpe.analysis.compression import Measure, measure
from bpe.encoding.tokenizer import UNKNOWN_ID, Tokenizer
from bpe.text.safe_cuts import next_safe_cut
from ui import session
from ui.encode.controls import Setting
from ui.encode.work_limit import PART, refusal
from ui.show.text import counted, in_markdown

LONG = 100_000  # characters of a text that is shown its progress


@dataclass(frozen=True, slots=True)
class Encoded:
    """The tokens and ids of the whole text, or of its beginning where the encoding was stopped."""

    name: object  # equal for the same text, tokenizer and encoder
    typed: str  # the text as it was typed; of one that was stopped, the beginning in normal form
    text: str  # in the tokenizer's normal form
    tokens: Sequence[Symbol]
    ids: Sequence[int]
    unknown: int  # how many characters no token stands for
    measure: Measure
    returns: bool  # decoded again, the ids give the typed text back


@dataclass(frozen=True, slots=True)
class Begun:
    """How far an encoding has come: so many characters, and their tokens."""

    name: object = None
    characters: int = 0
    tokens: tuple[Symbol, ...] = ()


def encoded(setting: Setting) -> Encoded | None:
    """Return the result; None after drawing why there is none."""
    digest = hashlib.sha256(setting.text.encode("utf-8", "surrogatepass")).hexdigest()
    name = (setting.name, digest)
    text = setting.tokenizer.normalise(setting.text)
    if session.STOPPED_ENCODING.read() == name and _begun(name).characters < len(text):
        return _stopped(setting, text, name)
    refused = refusal(setting.tokenizer, setting.encoder, text)
    if refused is not None:
        st.error(in_markdown(refused, 400))
        return None
    return _result(name, setting, setting.text, text, _tokens(setting, text, name))


def _begun(name: object) -> Begun:
    """Return how far the encoding of this name has come. The session remembers the last one."""
    begun = session.BEGUN_ENCODING.read()
    return begun if begun is not None and begun.name == name else Begun(name)


def _stopped(setting: Setting, text: str, name: object) -> Encoded | None:
    """Return what was encoded before Stop; None if that is nothing."""
    begun = _begun(name)
    done = begun.characters
    message = (
        f"Stopped: only the first {done:,} of {len(text):,} characters are encoded, all below is about them."
        if done
        else "Stopped: only the part in the grid is encoded. Go on, or encode a shorter text."
    )
    row = st.container(horizontal=True, vertical_alignment="center")
    row.warning(message)
    row.button("Go on encoding", key="encode_go_on", on_click=session.STOPPED_ENCODING.forget)
    beginning = text[:done]
    return _result((name, done), setting, beginning, beginning, begun.tokens) if done else None


@st.cache_resource(scope="session", max_entries=1, show_spinner=False)
def _result(name: object, _setting: Setting, _typed: str, _text: str, _tokens: Sequence[Symbol]) -> Encoded:
    return _measured(_setting, _typed, _text, _tokens, name)


def _measured(setting: Setting, typed: str, text: str, tokens: Sequence[Symbol], name: object) -> Encoded:
    ids = ids_of(setting.tokenizer, tokens)
    known = setting.tokenizer.ids
    unknown = sum(token not in known for token in tokens)
    returns = setting.tokenizer.decode(ids) == typed
    return Encoded(name, typed, text, tokens, ids, unknown, measure(text, len(tokens)), returns)


def _tokens(setting: Setting, text: str, name: object) -> Sequence[Symbol]:
    """Return the tokens: those of the last run, or encoded part by part, with progress and Stop for a long text."""
    tokenizer, encoder = setting.tokenizer, setting.encoder
    begun = _begun(name)
    if begun.characters == len(text):
        return begun.tokens
    if len(text) <= LONG:
        begun = Begun(name, len(text), tuple(tokenizer.tokens(text, encoder)))
        session.BEGUN_ENCODING.write(begun)
        return begun.tokens
    place = st.empty()
    row = place.container(horizontal=True, vertical_alignment="center")
    bar = row.progress(0.0, text="Encoding …")
    # Drawn before the work: pressed, it ends this run of the page at the next look at the progress.
    row.button("Stop", key="encode_stop", on_click=session.STOPPED_ENCODING.write, args=(name,))
    done, tokens = begun.characters, list(begun.tokens)  # what was made of the beginning stays as it is
    while done < len(text):
        end = next_safe_cut(text, tokenizer.variant, done + PART)
        tokens += tokenizer.tokens(text[done:end], encoder)
        done = end
        session.BEGUN_ENCODING.write(Begun(name, done, tuple(tokens)))
        bar.progress(done / len(text), text=f"Encoding: {done:,} of {len(text):,} characters.")
    place.empty()
    return _begun(name).tokens


def ids_of(tokenizer: Tokenizer, tokens: Sequence[Symbol]) -> list[int]:
    """The tokens' ids; the unknown token's, or −1, for what no token stands for."""
    unknown = UNKNOWN_ID if tokenizer.unknown is None else tokenizer.unknown
    known = tokenizer.ids
    return [known.get(token, unknown) for token in tokens]


def cuts(pre_tokens: Iterable[str], made: Encoded, variant: Variant) -> Iterator[Sequence[Symbol]]:
    """The tokens of each pre-token of the result's text, read off the result: cutting long words again takes long."""
    at = 0
    for pre_token in pre_tokens:
        size, first = sum(map(len, variant.spell(pre_token))), at
        while size > 0:
            size -= len(made.tokens[at])
            at += 1
        yield made.tokens[first:at]


def plain_measures(made: Encoded) -> tuple[Measure, Measure]:
    """The text cut into characters only, and into words only (between white space)."""
    return replace(made.measure, tokens=made.measure.characters), replace(
        made.measure, tokens=made.measure.words
    )


def losses(setting: Setting, made: Encoded) -> str:
    """What the way to ids and back loses of this text, as far as the tokenizer can say."""
    reasons = []
    if made.unknown:
        ids_say = "id says" if made.unknown == 1 else "ids say"
        reasons.append(
            f"{counted(made.unknown, 'unknown character')}, whose {ids_say} only that something stood there"
        )
    if made.text != made.typed:
        reasons.append(f"what {setting.tokenizer.normalization} changed first")
    if setting.tokenizer.variant.loses:
        reasons.append(setting.tokenizer.variant.loses)
    return "; and ".join(reasons)
