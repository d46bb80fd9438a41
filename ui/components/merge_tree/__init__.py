"""Merge tree: a Components v2 component that draws a token's merges as an icicle, and the tokens built from it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from bpe import Symbol, Trace
from bpe.analysis.vocabulary import Node, merge_rank
from film.feed import ChipLabel
from film.labels import short_chip_label
from ui.components import component as message
from ui.components.component import component

LARGEST_ID = 1 << 31

_COMPONENT = component("merge_tree", Path(__file__).parent)


def merge_tree(
    trace: Trace, tree: Node, built: Sequence[Symbol], more: int, *, key: str, choose: Callable[[int], None]
) -> None:
    """Draw the tree and the tokens built from its root; `more` are not drawn. `choose` gets the id of a click."""
    rank_of = merge_rank(trace)

    def label(symbol: Symbol) -> ChipLabel:
        return short_chip_label(trace.variant, symbol)

    def nested(node: Node) -> list[Any]:
        return [
            trace.id_of(node.symbol),
            label(node.symbol),
            None if node.rank is None else rank_of(node.symbol),
            [nested(part) for part in node.parts],
        ]

    def chosen() -> None:
        number = message.read(st.session_state.get(key), "chosen", message.whole_number(0, LARGEST_ID))
        if number is not None:
            choose(number)

    _COMPONENT(
        key=key,
        data={
            "tree": nested(tree),
            "built": [[trace.id_of(symbol), label(symbol), rank_of(symbol)] for symbol in built],
            "more": more,
        },
        on_chosen_change=chosen,
        height="content",
    )
