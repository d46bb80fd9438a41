"""What the grid is fed with: the window's words, when each of their boundaries closes, and the merges. Pure functions.

One feed per corpus, recipe and window; no step and no time in it, so that an unchanged grid costs nothing at a rerun.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bpe import Symbol, Trace, Variant
from film.packing import packed
from film.windows import WINDOW, Piece, Window, cut_window

Feed = dict[str, Any]
Text = str | Sequence[str] | Mapping[str, int]

MOST_TIES = 400  # tied pairs sent along; those of later steps are told when the grid rests there
MOST_TIED_STEPS = 24  # each costs a recount of all pairs
MOST_ROWS = 1_500  # distinct words that can be shown beside the running text


def training_feed(
    trace: Trace,
    text: Text,
    *,
    start: int = 0,
    size: int = WINDOW,
    picks: bool = False,
    ties: bool = True,
) -> Feed:
    """A training on a window of the text: `size` characters from `start` on, or the words of a word list.

    `picks`: the viewer may take another of the tied pairs. `ties` False leaves out which pairs tied (not how many).
    """
    if isinstance(text, Mapping):
        window = None
        pieces = [Piece(pre_token, 0, len(pre_token), False) for pre_token in text]
    else:
        window = cut_window(trace.request.documents(text), trace.variant.split, start, size)
        pieces = list(window.pieces)
    closings = _Closings(trace)
    words = _words_part(trace.variant, pieces, window, closings)
    shown = len(closings.used)
    for number in sorted({*trace.log.lefts, *trace.log.rights}):
        if number < len(trace.alphabet):  # a headline may name it though the window does not hold it
            closings.used.setdefault(trace.alphabet[number], len(closings.used))
    counts = trace.token_counts(0)
    head = {
        **_variant_part(trace.variant),
        "training": True,
        "last": len(trace.steps),
        "rule": trace.tie_break.title,
        "picked": sorted(trace.request.picks),  # ranks decided by hand
        "picks": picks,
        "ending": ENDINGS.get(trace.stopped, ""),
        "steps": _steps_part(trace),
        "ties": _ties(trace) if ties else None,
        "symbols": {
            "hex": " ".join(symbol.hex() for symbol in closings.used),
            "ids": packed([closings.id_of(symbol) + 1 for symbol in closings.used]),
            "counts": packed([counts.get(symbol, 0) for symbol in closings.used]),
        },
    }
    frequencies = dict(zip(trace.pre_tokens, trace.frequencies, strict=True))
    words["words"]["frequencies"] = packed([frequencies.get(piece.pre_token, 0) for piece in closings.pieces])
    whole = {piece.pre_token for piece in closings.pieces if piece.whole}
    words["whole"] = whole.issuperset(trace.pre_tokens)  # then the browser can count pairs by itself
    return _named({**head, **words}, trace, shown)


ENDINGS = {
    "merges": "the number of merges asked for is reached",
    "vocab_size": "the vocabulary has the size asked for",
    "no pairs": "no pair is left to merge",
    "min_count": "no pair is frequent enough to merge",
    "cancelled": "training was stopped here",
}


def _variant_part(variant: Variant) -> Feed:
    return {
        "unit": variant.unit,
        "marker": variant.marker.hex() if variant.marker else "",
        "marker_text": variant.marker_text,
    }


def _steps_part(trace: Trace) -> Feed:
    steps = list(trace.steps)
    overlapping = [step for step in steps if step.replaced != step.count]
    return {
        "left": packed([trace.id_of(step.pair[0]) for step in steps]),
        "right": packed([trace.id_of(step.pair[1]) for step in steps]),
        "count": packed([step.count for step in steps]),
        "tied": packed([step.tied for step in steps]),
        "differs": packed([step.rank for step in overlapping]),
        "replaced": packed([step.replaced for step in overlapping]),
        "first": len(trace.special_tokens) + len(trace.alphabet),
    }


def _ties(trace: Trace) -> Feed:
    """The tied pairs of the first steps: how many at each, and their ids, flat."""
    sizes: list[int] = []
    ids: list[int] = []
    for step in trace.steps[:MOST_TIED_STEPS]:
        if len(ids) // 2 + step.tied > MOST_TIES:
            break
        pairs = trace.tied_pairs(step.rank) if step.tied > 1 else (step.pair,)
        sizes.append(len(pairs))
        ids += [trace.id_of(symbol) for pair in pairs for symbol in pair]
    return {"steps": len(sizes), "sizes": packed(sizes), "ids": packed(ids)}


def _words_part(
    variant: Variant, pieces: Sequence[Piece], window: Window | None, closings: "_Closings"
) -> Feed:
    """The distinct words of the pieces and, where there is a text, which word stands where."""
    numbers: dict[Piece, int] = {}
    places: list[int] = []
    breaks: list[int] = []
    for place, piece in enumerate(pieces):
        if piece.breaks:
            breaks.append(place)
        places.append(numbers.setdefault(replace(piece, breaks=False), len(numbers)))
    lengths: list[int] = []
    symbols: list[int] = []
    closes: list[int] = []
    for piece in numbers:
        spelled, closing = closings.of_piece(variant, piece)
        lengths.append(len(spelled))
        symbols += spelled
        closes += closing
    closings.pieces = list(numbers)
    text = {"start": 0, "end": 0, "total": 0, "letters": 0}
    if window is not None:
        text = {"start": window.start, "end": window.end, "total": window.total, "letters": window.letters}
    return {
        "words": {"lengths": packed(lengths), "symbols": packed(symbols), "closes": packed(closes)},
        "text": {
            "words": packed(places if window is not None else []),
            "breaks": packed(breaks),
            **text,
        },
        "rows": len(numbers) <= MOST_ROWS and all(piece.whole for piece in numbers),
    }


def _named(feed: Feed, trace: Trace, shown: int) -> Feed:
    """The feed with its names: `family` of corpus and recipe, `cells` of what is cut, `id` of all of it.

    The first `shown` symbols are those of the cells; what a headline alone may name is a lane's own.
    """
    settings = {name: value for name, value in trace.settings.items() if name != "picks"}
    family = _name(settings, trace.merges, trace.pre_tokens, trace.frequencies)
    symbols = feed["symbols"]["hex"].split(" ")[:shown]
    cells = _name(feed["words"]["lengths"], feed["words"]["symbols"], symbols, feed["text"])
    return {**feed, "family": family, "cells": cells, "id": _name(family, cells, feed["picks"])}


def _name(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


class _Closings:
    """What the words of a trace are cut into in the end, and so when each of their boundaries closes."""

    def __init__(self, trace: Trace) -> None:
        self._first = len(trace.special_tokens)
        self._alphabet = len(trace.alphabet)
        self._numbers = {symbol: number for number, symbol in enumerate(trace.symbols)}
        self._pairs = trace.merges
        self._word_of = {pre_token: number for number, pre_token in enumerate(trace.pre_tokens)}
        self._words = trace.words_at(len(trace.steps))
        self._tokenizer = trace.tokenizer()
        self._inside: dict[Symbol, list[int]] = {}
        self.used: dict[Symbol, int] = {}  # initial symbol -> its number in the feed
        self.pieces: list[Piece] = []

    def id_of(self, symbol: Symbol) -> int:
        """Id in the vocabulary; -1 for a symbol it does not hold."""
        number = self._numbers.get(symbol)
        return -1 if number is None else number + self._first

    def of_piece(self, variant: Variant, piece: Piece) -> tuple[list[int], list[int]]:
        """(the piece's symbols by number in the feed, for the boundary after each one 1 + rank of its closing or 0)."""
        spelled = variant.spell(piece.pre_token)
        closings = self._of_word(piece.pre_token)
        if not piece.whole:
            start, end = (len(variant.spell(piece.pre_token[:edge])) for edge in (piece.start, piece.end))
            spelled, closings = spelled[start:end], [*closings[start : end - 1], 0]
        return [self.used.setdefault(symbol, len(self.used)) for symbol in spelled], closings

    def _of_word(self, pre_token: str) -> list[int]:
        number = self._word_of.get(pre_token)
        tokens = self._words[number][0] if number is not None else self._tokenizer.word_tokens(pre_token)
        closings: list[int] = []
        for token in tokens:
            closings += self._of_token(token)
            closings.append(0)
        return closings

    def _of_token(self, token: Symbol) -> list[int]:
        """The token's own inner boundaries, left to right; a merge tree may be thousands deep, so no recursion."""
        if token not in self._inside:
            closings: list[int] = []
            waiting: list[Symbol | int] = [token]
            while waiting:
                part = waiting.pop()
                if isinstance(part, int):
                    closings.append(part)
                elif (rank := self._numbers.get(part, 0) - self._alphabet) >= 0:
                    left, right = self._pairs[rank]
                    waiting += (right, rank + 1, left)
            self._inside[token] = closings
        return self._inside[token]
