"""The feed of an encoding: the words of a window, the step that closes each of their boundaries, and all steps."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from bpe import Pair, Symbol, Word
from bpe.checks import look_up
from bpe.encoding.encode_steps import EncodeStep, EncodingTimeline
from bpe.encoding.encoders import ENCODERS, Encoder
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import characters_in, merge_number
from film.feed import EncodingFeed, EncodingSteps, EncodingSymbols, Hex, Packed, Words
from film.labels import chip_label
from film.packing import feed_digest, packed
from film.windows import PreTokenSlice, Window, cut_window, special_characters, spell_slice

__all__ = [
    "MOST_LISTED",
    "EncodingWindow",
    "encoding_feed",
    "encoding_window",
    "learned_rail",
    "staged_rail",
]

# Characters. So many are enough to read, and are encoded step by step in a moment.
WINDOW = 4_000

# Why there is no further step. A page that encodes by itself says the same.
UNKNOWN = "{count} character is not in the vocabulary"
UNKNOWNS = "{count} characters are not in the vocabulary"
NO_STEP = "no further step is possible"
NOTHING = "nothing to encode"

# Each lights up when a step of the encoding uses it. If there are many, only those that the encoding uses are listed,
# and each of them stays hidden until its step, so that nothing is given away.
MOST_LISTED = 12  # merges


@dataclass(frozen=True, slots=True)
class EncodingWindow:
    """The part of a text whose encoding is shown. If an edge cuts a pre-token, only the part inside is encoded."""

    window: Window
    digest: str  # names the whole text


def encoding_feed(
    tokenizer: Tokenizer, encoded: EncodingWindow, encoder: str | Encoder
) -> tuple[EncodingFeed, list[EncodeStep]]:
    """Return the feed of the window's encoding, and all steps of the encoder.

    The feed leaves out the steps that close no boundary, in which a token of one symbol is looked up.
    """
    window, variant, ids = encoded.window, tokenizer.variant, tokenizer.ids
    spelled = {piece: spell_slice(variant, piece) for piece in window.slices}
    reading = [spelled[piece] for piece in window.slices]
    timeline, steps = tokenizer.encode_words(reading, encoder)
    all_steps = list(steps)
    visible_steps = [step for step in all_steps if step.closes]
    from_vocabulary = any(step.pair is None for step in visible_steps)
    number_of = {piece: number for number, piece in enumerate(spelled)}
    symbols = list(dict.fromkeys(symbol for word in spelled.values() for symbol in word))
    feed: EncodingFeed = {
        "training": False,
        "family": _family(tokenizer, encoded, encoder),
        "cells": "",
        "id": "",
        "unit": variant.unit,
        "marker": Hex((variant.marker or b"").hex()),
        "marker_text": variant.marker_text,
        "characters": special_characters(
            {piece.pre_token for piece in spelled}, [step.token for step in visible_steps]
        ),
        "last": len(visible_steps),
        "ending": _ending(timeline, len(all_steps), ids),
        "rows": True,
        "words": _words(window, spelled, symbols, timeline, visible_steps),
        "text": {
            "words": packed([number_of[piece] for piece in window.slices]),
            "breaks": packed(window.breaks),
            "start": window.start,
            "end": window.end,
            "total": window.total,
        },
        "symbols": _symbols(symbols, visible_steps if from_vocabulary else (), ids),
        "steps": _steps(visible_steps, ids, from_vocabulary),
        "taken": from_vocabulary,
        "names": {Hex(step.token.hex()): ids.get(step.token, -1) for step in visible_steps},
    }
    words, text, symbols_hex = feed["words"], feed["text"], feed["symbols"]["hex"]
    feed["cells"] = feed_digest(words, text, symbols_hex, feed["steps"], list(feed["names"].items()))
    feed["id"] = feed_digest(feed["family"], feed["cells"])
    return feed, all_steps


def encoding_window(text: str, tokenizer: Tokenizer, start: int = 0, size: int = WINDOW) -> EncodingWindow:
    """Return the window of the normalised text that starts at a character; see `film.windows.cut_window`.

    Only pre-tokens of more than `size` characters are cut, so a window has fewer than twice as many.
    """
    text = tokenizer.normalise(text).text
    return EncodingWindow(cut_window([text], tokenizer.variant, start, size, long=size), feed_digest(text))


def learned_rail(tokenizer: Tokenizer, steps: Sequence[EncodeStep]) -> dict[str, Any] | None:
    """Return the rail of a new text as data for its grid; None if nothing has been learned.

    steps: of the encoding.
    """
    ids, merges, variant = tokenizer.ids, tokenizer.merges, tokenizer.variant
    many = len(merges) > MOST_LISTED
    every = enumerate(merges or [(token,) for token in tokenizer.vocabulary])
    rows = [
        {
            "parts": [chip_label(variant, part) for part in parts],
            "id": ids[b"".join(parts)],
            "name": merge_number(rank) if many else "",
        }
        for rank, parts in (_used(merges, steps) if many else every)
        if b"".join(parts) in ids and ids.keys() >= {*parts}
    ]
    title = f"Learned: {len(merges):,} merges" if many else "Learned" if merges else "Tokens"
    return {"title": title, "rows": rows, "hides": many} if rows else None


def staged_rail(tokenizer: Tokenizer, steps: Sequence[EncodeStep]) -> dict[str, Any] | None:
    """Return the rail of the presenter view; None if nothing has been learned, or if there is no room for it.

    steps: of the encoding.
    """
    used = {step.token for step in steps}
    size = len(tokenizer.merges) and len(used)
    # So many merges have room below a text in the presenter view.
    rail = learned_rail(tokenizer, steps) if 0 < size <= 24 else None
    return {**rail, "staged": True} if rail else None


def _used(merges: Sequence[Pair], steps: Sequence[EncodeStep]) -> list[tuple[int, Pair]]:
    """Return the merges that make the tokens of the steps, each with its rank. A looked-up token needs a search."""
    looked_up = {step.token for step in steps if step.rank is None}
    ranks = {step.rank for step in steps if step.rank is not None}
    if looked_up:
        ranks |= {rank for rank, pair in enumerate(merges) if b"".join(pair) in looked_up}
    return [(rank, merges[rank]) for rank in sorted(ranks)]


def _words(
    window: Window,
    spelled: Mapping[PreTokenSlice, Word],
    symbols: Sequence[Symbol],
    timeline: EncodingTimeline,
    visible_steps: Sequence[EncodeStep],
) -> Words:
    closing_step = {step.number: number for number, step in enumerate(visible_steps, start=1)}
    # Reversed, so that the first occurrence of a slice decides.
    starts = dict(zip(reversed(window.slices), reversed(timeline.starts), strict=True))
    closes: list[int] = []
    for piece, word in spelled.items():
        boundaries = timeline.closing_steps[starts[piece] : starts[piece] + len(word) - 1]
        closes += [closing_step.get(number, 0) for number in boundaries]
        closes.append(0)
    frequencies = Counter(window.slices)
    position_of = {symbol: position for position, symbol in enumerate(symbols)}
    return {
        "lengths": packed([len(word) for word in spelled.values()]),
        "symbols": packed([position_of[symbol] for word in spelled.values() for symbol in word]),
        "closes": packed(closes),
        "frequencies": packed([frequencies[piece] for piece in spelled]),
    }


def _symbols(
    symbols: Sequence[Symbol], taking: Sequence[EncodeStep], ids: Mapping[Symbol, int]
) -> EncodingSymbols:
    return {
        "hex": " ".join(symbol.hex() for symbol in symbols),
        "ids": packed([ids.get(symbol, -1) + 1 for symbol in symbols]),
        "others": {str(ids[step.token]): Hex(step.token.hex()) for step in taking},
    }


def _steps(steps: Sequence[EncodeStep], ids: Mapping[Symbol, int], from_vocabulary: bool) -> EncodingSteps:
    pairs = [step.pair or (step.token, step.token) for step in steps]
    return {
        "left": packed([ids.get(left, 0) for left, _ in pairs]),
        "right": packed([ids.get(right, 0) for _, right in pairs]),
        "count": packed([len(step.places) for step in steps]),
        "ids": packed([ids.get(step.token, 0) for step in steps]),
        "ranks": Packed("") if from_vocabulary else packed([step.rank or 0 for step in steps]),
    }


def _ending(timeline: EncodingTimeline, steps: int, ids: Mapping[Symbol, int]) -> str:
    """Return what the headline says after all steps. A vocabulary typed by hand may lack the letters of its tokens."""
    tokens = (token for word in timeline.words_at(steps) for token in word)
    unknown = sum(characters_in(token) for token in tokens if token not in ids)
    if unknown:
        return (UNKNOWN if unknown == 1 else UNKNOWNS).format(count=f"{unknown:,}")
    return NO_STEP if timeline.closing_steps else NOTHING


def _family(tokenizer: Tokenizer, encoded: EncodingWindow, encoder: str | Encoder) -> str:
    """Return a name of the text, the tokenizer and the encoder."""
    variant, row = tokenizer.variant, look_up("encoder", ENCODERS, encoder)
    learned = _NAMES.get(tokenizer)
    if learned is None:
        pairs = [symbol for pair in tokenizer.merges for symbol in pair]
        learned = _NAMES[tokenizer] = feed_digest(*_joined(tokenizer.vocabulary), *_joined(pairs))
    return feed_digest(variant.slug, variant.pattern, learned, row.slug, row.values, encoded.digest)


# What names the vocabulary and merges of a tokenizer. For GPT-4o it takes 0.1 s, and each typed text needs it.
_NAMES: WeakKeyDictionary[Tokenizer, str] = WeakKeyDictionary()


def _joined(symbols: Sequence[Symbol]) -> tuple[bytes, Packed]:
    """Return symbols as two values that name them: of 200,000, a list of its own for each would take 0.3 s."""
    return b"".join(symbols), packed([len(symbol) for symbol in symbols])
