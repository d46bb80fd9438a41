"""Branches: lanes with pairs picked by hand. The functions here add, name and undo them."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from bpe import Trace
from bpe.text.display import merge_name
from ui.compare.choice import lanes
from ui.compare.choice.lane_state import branch_names, put_lanes, request_lanes
from ui.compare.choice.lanes import Lane
from ui.compare.measures import held_out_text
from ui.compare.measures.comparison import Comparison
from ui.components.token_grid import Pick
from ui.show.tables import distinct_names, pair_text
from ui.show.text import in_markdown, shortened

LONGEST_NAME = 40  # characters


def add_picked(comparison: Comparison, picks: Sequence[Pick | None]) -> None:
    """Add a branch for the tied pair that the viewer picked in a lane's grid, and run the page again."""
    for lane, trace, pick in zip(comparison.lanes, comparison.traces, picks, strict=True):
        if pick is None or pick.rank >= len(trace.steps) or trace.replayed:
            continue
        pair = (pick.left, pick.right)
        tied = trace.tied_pairs(pick.rank)
        if pair in tied and pair != trace.steps[pick.rank].pair:
            held_out_text.keep(comparison.held_out)
            request_lanes(with_branch(comparison.lanes, lane, pick.rank, tied.index(pair)))
            st.rerun()


def with_branch(chosen: Sequence[Lane], lane: Lane, rank: int, number: int) -> list[str]:
    """Return the slugs, with a branch of `lane` added that picks tied pair `number` at merge `rank`.

    The branch follows its lane. It replaces the lane if that is a branch itself, or if no more lanes fit.
    """
    slugs = [other.slug for other in chosen]
    branch = lanes.branch_slug(lane, rank, number)
    index = slugs.index(lane.slug)
    if lane.recipe.picks or len(slugs) >= lanes.MOST:
        slugs[index] = branch
    else:
        slugs.insert(index + 1, branch)
    return slugs


def with_names(chosen: Sequence[Lane], traces: Sequence[Trace]) -> list[Lane]:
    """Return the lanes; a branch has its given name, or a title that names its last pick. No title occurs twice."""
    names = branch_names()
    titles = {
        lane.slug: names.get(lane.slug) or _title_by_picks(lane, trace)
        for lane, trace in zip(chosen, traces, strict=True)
    }
    rules_first = sorted(chosen, key=lambda lane: bool(lane.recipe.picks))  # a rule keeps its own name
    distinct = distinct_names([titles[lane.slug] for lane in rules_first])
    titles = {lane.slug: title for lane, title in zip(rules_first, distinct, strict=True)}
    return [replace(lane, title=titles[lane.slug]) for lane in chosen]


def _title_by_picks(lane: Lane, trace: Trace) -> str:
    ranks = [rank for rank, _ in lane.recipe.picks if rank < len(trace.steps)]
    if not ranks:
        return lane.title
    base = lane.title.partition(", by hand")[0]
    pair = shortened(pair_text(trace, trace.steps[ranks[-1]].pair), 24)
    more = f" and {len(ranks) - 1} before" if len(ranks) > 1 else ""
    return f"{base}, {pair} at {merge_name(ranks[-1])}{more}"


def short_name(text: str) -> str:
    """Return a typed name as it is stored. Names hold no ~, since the link joins them by it.

    >>> short_name(" mine ~ yours ")
    'mine - yours'
    """
    return shortened(text.replace("~", "-").strip(), LONGEST_NAME)


def branch_controls(chosen: Sequence[Lane], traces: Sequence[Trace]) -> None:
    """Draw a row for each branch: a field for its name, and a button to undo each pick."""
    for lane, trace in zip(chosen, traces, strict=True):
        if not lane.recipe.picks:
            continue
        row = st.container(horizontal=True, vertical_alignment="center", key=f"branch_{lane.slug}")
        row.caption("Branch:", width="content")
        row.text_input(
            "Name of the branch",
            key=(key := f"name_{lane.slug}"),
            placeholder=lane.title,
            max_chars=LONGEST_NAME,
            label_visibility="collapsed",
            width=280,
            on_change=_rename,
            args=(lane.slug, key),
        )
        for rank, _ in lane.recipe.picks:
            if rank < len(trace.steps):
                pair = in_markdown(pair_text(trace, trace.steps[rank].pair))
                row.button(
                    f"Undo {pair} at {merge_name(rank)}",
                    key=f"undo_{lane.slug}_{rank}",
                    type="tertiary",
                    on_click=_undo,
                    args=([other.slug for other in chosen], lane, rank),
                )


def _rename(slug: str, key: str) -> None:
    branch_names()[slug] = short_name(str(st.session_state[key]))


def _undo(slugs: list[str], lane: Lane, rank: int) -> None:
    """Replace the lane by one without this pick and the later ones, or remove it if that lane is there already."""
    earlier = tuple(pick for pick in lane.recipe.picks if pick[0] < rank)
    shorter = lanes.with_picks(lane.slug, earlier)
    put_lanes([shorter if slug == lane.slug else slug for slug in slugs])
