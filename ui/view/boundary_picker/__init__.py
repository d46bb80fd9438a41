"""Boundary picker: a Components v2 component for choosing two neighbours. Python explains why they did (not) merge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import streamlit as st

from bpe import Word
from bpe.encoding.explain import Explanation
from bpe.encoding.tokenizer import Tokenizer
from film.feed import ChipLabel
from film.labels import chip_label
from ui.view import component as message
from ui.view.component import component

TITLES = {
    "merged": "Merged",
    "wall": "A wall in between",
    "unknown": "Unknown",
    "no rule": "No such merge",
    "taken first": "Another merge came first",
    "never together": "Never side by side",
    "unreachable": "Out of reach",
}
_COMPONENT = component("inspector", Path(__file__).parent)


def boundary_picker(
    boundaries: _Boundaries, explain: Callable[[int], Explanation], tokenizer: Tokenizer, *, key: str
) -> None:
    """Draw the boundaries, and below them the explanation of the chosen one. Call this inside a fragment."""
    known = message.whole_number(0, len(boundaries.kinds) - 1)
    asked = message.read(st.session_state.get(key), "place", known)
    boundary = boundaries.first if asked is None else asked
    _COMPONENT(
        key=key,
        data={
            "symbols": [list(symbol) for symbol in boundaries.symbols],
            "boundaries": list(boundaries.kinds),
            "answer": _answer(boundary, explain(boundary), tokenizer),
        },
        on_place_change=lambda: None,
        height="content",
    )


def boundaries_of(tokenizer: Tokenizer, words: Sequence[Word]) -> _Boundaries:
    """Return the words' symbols and boundaries under the encoder `rank`."""
    timeline, steps = tokenizer.encode_words(words)
    all_steps = list(steps)  # consuming them fills the timeline in
    spelled = [symbol for word in words for symbol in word]
    kinds = ["open" if step < 0 else "merged" for step in timeline.closing_steps]
    at = -1
    for word in words[:-1]:
        at += len(word)
        kinds[at] = "wall"
    tokens: list[ChipLabel | None] = []
    variant = tokenizer.variant
    for token in chain.from_iterable(timeline.words_at(len(all_steps))):
        size = 0
        while size < len(token):
            size += len(spelled[len(tokens)])
            tokens.append(chip_label(variant, token) if token in tokenizer.ids else None)
    return _Boundaries(
        [(chip_label(variant, symbol), token) for symbol, token in zip(spelled, tokens, strict=True)], kinds
    )


@dataclass(frozen=True, slots=True)
class _Boundaries:
    """A text's initial symbols and the boundaries between them."""

    # (label, that of the token that holds it in the end, or None if the vocabulary lacks that)
    symbols: Sequence[tuple[ChipLabel, ChipLabel | None]]
    kinds: Sequence[str]  # of the boundary after each symbol but the last: "merged" | "open" | "wall"

    @property
    def first(self) -> int:
        """The boundary to explain at first: the first open one, or boundary 0."""
        return self.kinds.index("open") if "open" in self.kinds else 0


def _answer(boundary: int, explanation: Explanation, tokenizer: Tokenizer) -> dict[str, Any]:
    def chip(symbol: bytes) -> list[Any]:
        return [chip_label(tokenizer.variant, symbol), symbol in tokenizer.ids]

    pairs = [(rank, tokenizer.merges[rank]) for rank in explanation.ranks]
    return {
        "place": boundary,
        "kind": explanation.kind,
        "title": TITLES[explanation.kind],
        "sentence": explanation.sentence,
        "left": chip(explanation.left),
        "right": chip(explanation.right),
        "merges": [[rank, chip(left), chip(right), chip(left + right)] for rank, (left, right) in pairs],
    }
