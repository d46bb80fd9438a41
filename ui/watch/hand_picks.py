"""Pairs picked by hand on Watch: the tied pairs of the next merge as buttons, and a button that undoes each pick."""

import streamlit as st

from bpe import Trace
from bpe.text.display import merge_name
from ui.components.token_grid import Pick
from ui.show.tables import pair_text
from ui.show.text import in_markdown
from ui.sidebar.recipes import picks
from ui.sidebar.sidebar import Choice

MOST_OFFERED = 12  # tied pairs offered as buttons


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


def draw_alternatives(trace: Trace, choice: Choice, step: int) -> None:
    """Draw the other tied pairs of the next merge, each as a button that picks it instead."""
    if step >= len(trace.steps) or trace.steps[step].tied < 2 or trace.replayed:
        return
    chosen, tie = trace.steps[step].pair, trace.tie(step, MOST_OFFERED)
    row = st.container(horizontal=True, vertical_alignment="center", key="what_if")
    row.caption(
        "What if we had picked differently? All later merges are then learned again.", width="content"
    )
    for number, pair in enumerate(tie.pairs):
        if pair != chosen:
            text = in_markdown(pair_text(trace, pair))
            row.button(text, key=f"take_{step}_{number}", on_click=_take, args=(choice.base, step, number))
    if tie.size > MOST_OFFERED:
        row.caption(f"and {tie.size - MOST_OFFERED:,} more, in the table of pairs", width="content")


def _take(base: str, rank: int, number: int) -> None:
    picks.pick(base, rank, number)
    st.rerun()  # rerun the whole page: the button is inside a fragment, the training is not


def _undo(base: str, rank: int) -> None:
    picks.undo(base, rank)
    st.rerun()
