"""Pairs picked by hand on Watch, in the grid's headline or the pair table: each has a button that undoes it."""

import streamlit as st

from bpe import Trace
from bpe.text.display import merge_name
from ui.components.token_grid import Pick
from ui.show.tables import pair_text
from ui.show.text import in_markdown
from ui.sidebar.recipes import picks
from ui.sidebar.sidebar import Choice


def take(trace: Trace, choice: Choice, pick: Pick | None) -> None:
    """Train again with the tied pair that the viewer picked in the grid or the pair table, if any."""
    if pick is None or pick.rank >= len(trace.steps) or trace.replayed:
        return
    tied, pair = trace.tied_pairs(pick.rank), (pick.left, pick.right)
    if pair in tied and pair != trace.steps[pick.rank].pair:
        picks.pick(choice.base, pick.rank, tied.index(pair))
        st.rerun()


def draw_picks(trace: Trace, choice: Choice) -> None:
    """Draw the merges picked by hand, each with a button that undoes it."""
    if not choice.recipe.picks:
        return
    row = st.container(horizontal=True, vertical_alignment="center", key="picks")
    row.caption("Your picks; all later merges follow from them:", width="content")
    for rank, _ in choice.recipe.picks:
        if rank < len(trace.steps):
            text = in_markdown(pair_text(trace, trace.steps[rank].pair))
            row.button(
                f"Undo {merge_name(rank)}: {text}",
                key=f"undo_{rank}",
                on_click=_undo,
                args=(choice.base, rank),
                icon=":material/undo:",
                help="Lets the rule decide this merge again. Your later picks are removed too.",
            )


def _undo(base: str, rank: int) -> None:
    picks.undo(base, rank)
    st.rerun()
