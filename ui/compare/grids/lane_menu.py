"""The menu of lanes: rules, trainers and branches to compare. The choice survives page changes and is in the link."""

from functools import partial

import streamlit as st

import bpe
from ui import visit
from ui.compare.choice import lane_files, lanes
from ui.compare.choice.lane_state import (
    KEY,
    branch_names,
    forget_warnings,
    is_branch,
    is_lane,
    put_lanes,
    set_scope,
    warnings,
)
from ui.compare.choice.lanes import Lane
from ui.compare.grids.branches import short_name
from ui.show.text import in_markdown, shortened
from ui.sidebar.recipes.recipe import Recipe
from ui.sidebar.sidebar import Choice
from ui.visit import COMPARED_TRAINERS, Slot, nothing

# The lanes that were suggested last
LANES_SUGGESTED: Slot[list[str] | None] = Slot("_lanes_suggested", nothing)


def choose_lanes(choice: Choice) -> list[Lane]:
    """Draw the menu and return the lanes chosen in it."""
    shared = choice.recipe
    opened = lane_files.open_upload()
    _begin(choice)
    if opened:
        _add(opened, shared)
    for sentence in warnings():
        st.warning(in_markdown(sentence, most=300))
    slugs: list[str] = st.session_state[KEY]
    offered = dict.fromkeys(
        (*lanes.rules(), *bpe.PRESETS, *lanes.first_lanes(shared), *lane_files.slugs(), *slugs)
    )
    titles = {slug: lanes.title_of(slug, shared) for slug in offered}
    with st.container(horizontal=True, vertical_alignment="center", key="lane_controls"):
        st.multiselect(
            "Compare",
            list(offered),
            key=KEY,
            format_func=lambda slug: shortened(titles[slug], 60) if slug in titles else slug,
            max_selections=lanes.MOST,
            on_change=forget_warnings,
            placeholder="Add a rule, a trainer or a published tokenizer",
            persist_state="session",
            wrap=True,
            label_visibility="collapsed",  # the title beside it says it
            help=f"Choose {lanes.FEWEST} to {lanes.MOST} rules, trainers, tokenizers or branches of your own.",
        )
        st.button(
            "What would the real trainers do?",
            key="real_trainers",
            on_click=partial(put_lanes, COMPARED_TRAINERS),
            help="Hugging Face, subword-nmt, minbpe, tiktoken's educational code, SentencePiece and CS336.",
        )
        lane_files.draw_upload()
        rest = [slug for slug in slugs if not is_branch(slug, shared)]
        if len(rest) < len(slugs):
            st.button("Remove the branches", key="leave_out", on_click=partial(put_lanes, rest))
    _write_link(shared)
    return [lanes.read_lane(slug, shared) for slug in st.session_state[KEY]]


def _add(slug: str, shared: Recipe) -> None:
    """Add a lane. If no more lanes fit, it replaces the last one, and a sentence says so."""
    slugs: list[str] = st.session_state[KEY]
    if slug in slugs:
        return
    st.session_state[KEY] = [*slugs[: lanes.MOST - 1], slug]
    for dropped in slugs[lanes.MOST - 1 :]:
        old, new = (shortened(lanes.title_of(lane, shared), 60) for lane in (dropped, slug))
        warnings().append(f"“{old}” was dropped for “{new}”: no more than {lanes.MOST} lanes fit.")


def _write_link(shared: Recipe) -> None:
    slugs: list[str] = st.session_state[KEY]
    link = lanes.write_link(slugs)
    if slugs == lanes.first_lanes(shared):
        st.query_params.pop(KEY, None)
    elif st.query_params.get(KEY) != link:
        st.query_params[KEY] = link
    names = branch_names()
    visit.write({"names": "~".join(names.get(slug, "") for slug in slugs).rstrip("~") or None})


def _begin(choice: Choice) -> None:
    """Set the lanes: those of the link in a session's first run, then suggested ones until the viewer chooses.

    A branch belongs to one corpus and variant. Elsewhere its picked pairs may not be tied, so it is left out.
    """
    shared = choice.recipe
    suggested = lanes.first_lanes(shared)
    before = LANES_SUGGESTED.read()
    scope_changed = set_scope((choice.corpus.digest, *shared.words))
    if KEY not in st.session_state:
        _read_link(shared, suggested)
    elif st.session_state[KEY] == before:
        st.session_state[KEY] = suggested
    if scope_changed:
        rest = [slug for slug in st.session_state[KEY] if not is_branch(slug, shared)]
        st.session_state[KEY] = rest if len(rest) >= lanes.FEWEST else suggested
    known = [slug for slug in st.session_state[KEY] if is_lane(slug, shared)]
    st.session_state[KEY] = known[: lanes.MOST]
    if len(known) > lanes.MOST:  # no control offers so many
        warnings().append(f"No more than {lanes.MOST} lanes fit: the first {lanes.MOST} are shown.")
    LANES_SUGGESTED.write(suggested)


def _read_link(shared: Recipe, suggested: list[str]) -> None:
    text = st.query_params.get(KEY, "")
    linked, ignored = lanes.read_link(text, shared)
    warnings().extend(ignored)
    st.session_state[KEY] = linked or suggested
    names = visit.short_text(st.query_params.get("names", "")) or ""
    slugs = text.split("~") if text else suggested
    branch_names().update(
        (slug, short_name(name))
        for slug, name in zip(slugs, names.split("~"), strict=False)
        if name.strip() and is_branch(slug, shared)  # a rule keeps its own name
    )
