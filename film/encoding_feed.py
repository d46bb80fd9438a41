"""The grid's feed for encoding: a boundary closes at the encoder's step, which names the rule's rank or the token."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bpe import Symbol
from bpe.encoding.encode_steps import EncodeStep
from bpe.encoding.offsets import pre_token_starts
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.safe_cuts import next_safe_cut
from film.packing import packed
from film.training_feed import Feed

WINDOW = 4_000  # characters: enough to read, and encoded step by step within a moment


@dataclass(frozen=True, slots=True)
class Window:
    """Characters [start, end) of a text; no pre-token is cut at its ends, if the variant has pre-tokens."""

    text: str
    start: int
    end: int
    total: int
    digest: str  # of the whole text


def encoding_window(text: str, tokenizer: Tokenizer, start: int = 0, size: int = WINDOW) -> Window:
    """The part of the text that is drawn: from the first place at or behind `start` where no pre-token is cut."""
    text = tokenizer.normalise(text)
    begin = next_safe_cut(text, tokenizer.variant, start) if 0 < start < len(text) else 0
    if begin >= len(text):  # no such place: a variant without pre-tokens is cut anywhere
        begin = min(start, max(0, len(text) - 1))
    end = next_safe_cut(text, tokenizer.variant, begin + size)
    if end - begin > 2 * size:
        end = begin + size
    return Window(text[begin:end], begin, end, len(text), _digest(text))


def encoding_feed(tokenizer: Tokenizer, window: Window, encoder: str) -> tuple[Feed, list[EncodeStep]]:
    """The window's encoding as a film for the grid, and all its steps. Unknown characters are symbols without an id.

    A step that takes a token of one symbol moves nothing and is left out of the film.
    """
    closings, all_steps = tokenizer.encode_boundaries(window.text, encoder)
    steps = [step for step in all_steps if step.closes]
    number_of = {step.number: number for number, step in enumerate(steps)}
    ids = tokenizer.ids
    pre_tokens = tokenizer.variant.split(window.text)
    numbers: dict[str, int] = {}
    places = [numbers.setdefault(pre_token, len(numbers)) for pre_token in pre_tokens]
    used: dict[Symbol, int] = {}
    lengths: list[int] = []
    symbols: list[int] = []
    closes: list[int] = []
    at = 0
    for pre_token, number in zip(pre_tokens, places, strict=True):
        word = tokenizer.variant.spell(pre_token)
        if number == len(lengths):
            lengths.append(len(word))
            symbols += (used.setdefault(symbol, len(used)) for symbol in word)
            closes += (number_of.get(closing, -1) + 1 for closing in closings[at : at + len(word) - 1])
            closes.append(0)
        at += len(word)
    occurrences = Counter(places)
    taken = any(step.pair is None for step in steps)
    feed: Feed = {
        "unit": tokenizer.variant.unit,
        "marker": tokenizer.variant.marker.hex() if tokenizer.variant.marker else "",
        "marker_text": tokenizer.variant.marker_text,
        "training": False,
        "taken": taken,  # tokens taken from the vocabulary, not pairs merged
        "last": len(steps),
        "rule": "",
        "picks": False,
        "ending": _ending(closings, used, ids),
        "steps": _steps(steps, ids, taken),
        "ties": None,
        "names": {step.token.hex(): ids.get(step.token, -1) for step in steps},
        "symbols": {
            "hex": " ".join(symbol.hex() for symbol in used),
            "ids": packed([ids.get(symbol, -1) + 1 for symbol in used]),
            "counts": packed([0] * len(used)),
            "others": {str(ids[step.token]): step.token.hex() for step in steps} if taken else {},
        },
        "words": {
            "lengths": packed(lengths),
            "symbols": packed(symbols),
            "closes": packed(closes),
            "frequencies": packed([occurrences[number] for number in range(len(lengths))]),
        },
        "text": {
            "words": packed(places),
            "breaks": packed(_breaks(window.text, pre_tokens, tokenizer)),
            "start": window.start,
            "end": window.end,
            "total": window.total,
        },
        "rows": True,
    }
    cells = _digest(repr(feed))
    family = _digest(
        repr((tokenizer.variant.slug, tokenizer.vocabulary, tokenizer.merges, encoder, window.digest))
    )
    return {**feed, "family": family, "cells": cells, "id": _digest(family + cells)}, all_steps


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _ending(closings: Sequence[int], used: Mapping[Symbol, int], ids: Mapping[Symbol, int]) -> str:
    unknown = sum(symbol not in ids for symbol in used)
    if not unknown:
        return "no rule applies any more" if closings else "nothing to encode"
    return f"{unknown} {'character' if unknown == 1 else 'characters'} no token stands for"


def _steps(steps: Sequence[EncodeStep], ids: Mapping[Symbol, int], taken: bool) -> Feed:
    counts = packed([len(step.places) for step in steps])
    pairs = [step.pair or (step.token, step.token) for step in steps]
    columns = {
        "left": packed([ids.get(left, 0) for left, _ in pairs]),
        "right": packed([ids.get(right, 0) for _, right in pairs]),
        "count": counts,
        "tied": packed([1] * len(steps)),
        "differs": packed([]),
        "replaced": packed([]),
        "ids": packed([ids.get(step.token, 0) for step in steps]),
        "first": 0,
    }
    return columns if taken else columns | {"ranks": packed([step.rank or 0 for step in steps])}


def _breaks(text: str, pre_tokens: Sequence[str], tokenizer: Tokenizer) -> list[int]:
    """The pre-tokens before which a line ended, in white space that no pre-token holds."""
    breaks: list[int] = []
    end = 0
    for place, start in enumerate(pre_token_starts(text, pre_tokens, tokenizer.variant)):
        if "\n" in text[end : max(end, start)]:
            breaks.append(place)
        end = max(0, start) + len(pre_tokens[place])
    return breaks
