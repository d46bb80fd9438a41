"""The grid's feed on Watch, and the link to the step at which the grid rests."""

import streamlit as st

from bpe import Trace
from bpe.text.display import merge_name
from film.feed import TrainingFeed
from film.training_feed import MOST_FURTHER, training_feed
from ui.choices import link, picks, text_link
from ui.choices import link as linked_step
from ui.choices.choices import Choice
from ui.choices.recipe import signature
from ui.components.token_grid import Pick
from ui.show.tables import pair_text
from ui.show.text import in_markdown
from ui.work.byte_cache import ByteCache


def grid_feed(trace: Trace, choice: Choice, start: int) -> TrainingFeed:
    """Return the feed of the training, with a window of the text from character `start` on."""
    name = f"{signature(choice.corpus, choice.recipe)} {len(trace.steps)} {trace.stopped}"
    text = choice.corpus.training_text
    return _FEEDS.get(
        f"{name} {start}",
        lambda: training_feed(trace, text, start=start, picks=not trace.replayed, further=MOST_FURTHER),
    )


_FEEDS: ByteCache[TrainingFeed] = ByteCache(8_000_000)


def link_to_step(choice: Choice, step: int) -> None:
    """Draw a link to this step, or why there is none."""
    with st.popover("Link to this step", icon=":material/link:"):
        text_link.link_code(link.current() | {"step": str(step)}, fragment=choice.fragment)


# The step at which Watch first shows a training. Afterwards the grid remembers its step.


def start_step(trace: Trace, choice: Choice) -> int:
    """Return the link's step, else 0: the first tie is best seen before anything is merged."""
    return min(linked_step.step_of(choice.base) or 0, len(trace.steps))


# Pairs picked by hand on Watch, in the grid's headline or the pair table: each has a button that undoes it.


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
