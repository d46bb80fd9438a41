"""Inspector: a Components v2 component to point at two neighbours; Python answers why they (did not) merge."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from bpe.encoding.explain import Explanation
from bpe.encoding.tokenizer import Tokenizer
from ui.components.component import component

TITLES = {
    "merged": "Merged",
    "wall": "A wall stands between",
    "unknown": "Unknown",
    "no rule": "No rule",
    "taken first": "Taken first",
    "never together": "Never side by side",
    "unreachable": "Unreachable",
}

_COMPONENT = component("inspector", Path(__file__).parent)


@dataclass(frozen=True, slots=True)
class Places:
    """A text's initial symbols as one points at them."""

    symbols: Sequence[tuple[str, int]]  # (label, id of the token that holds it in the end or −1)
    boundaries: Sequence[str]  # after each symbol but the last: "merged" | "open" | "wall"

    @property
    def first(self) -> int:
        """Boundary to ask about first: the first open one, which is where the question comes up."""
        return self.boundaries.index("open") if "open" in self.boundaries else 0


def places_of(tokenizer: Tokenizer, text: str) -> Places:
    """Return the text's symbols and boundaries under the encoder `rank`."""
    closings, _ = tokenizer.encode_boundaries(text)
    words = [tokenizer.variant.spell(pre_token) for pre_token in tokenizer.variant.split(text)]
    spelled = [symbol for word in words for symbol in word]
    kinds = ["open" if closing < 0 else "merged" for closing in closings]
    at = -1
    for word in words[:-1]:
        at += len(word)
        kinds[at] = "wall"
    ids: list[int] = []
    for token in tokenizer.tokens(text):
        size = 0
        while size < len(token):
            size += len(spelled[len(ids)])
            ids.append(tokenizer.ids.get(token, -1))
    label = tokenizer.variant.label
    return Places([(label(symbol), number) for symbol, number in zip(spelled, ids, strict=True)], kinds)


def inspector(places: Places, explain: Any, tokenizer: Tokenizer, *, key: str) -> int:
    """Draw the picker and return the boundary chosen. `explain` explains one. Call it inside a fragment."""
    state = st.session_state.get(key) or {}
    chosen = state.get("place")
    place = chosen if isinstance(chosen, int) and 0 <= chosen < len(places.boundaries) else places.first
    _COMPONENT(
        key=key,
        data={
            "symbols": [list(symbol) for symbol in places.symbols],
            "boundaries": list(places.boundaries),
            "answer": _answer(place, explain(place), tokenizer),
        },
        on_place_change=lambda: None,
        height="content",
    )
    return place


def _answer(place: int, explanation: Explanation, tokenizer: Tokenizer) -> dict[str, Any]:
    label, ids = tokenizer.variant.label, tokenizer.ids

    def chip(symbol: bytes) -> list[str | int]:
        return [label(symbol), ids.get(symbol, -1)]

    pairs = [(rank, tokenizer.merges[rank]) for rank in explanation.ranks]
    return {
        "place": place,
        "kind": explanation.kind,
        "title": TITLES[explanation.kind],
        "sentence": explanation.sentence,
        "left": chip(explanation.left),
        "right": chip(explanation.right),
        "merges": [[rank, chip(left), chip(right), chip(left + right)] for rank, (left, right) in pairs],
    }
