"""The menu of lanes, and branches: lanes with pairs picked by hand, which are added, named and undone here."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import bpe
from bpe import Trace
from bpe.comparison.lanes import FEWEST, MOST, rules
from bpe.text.display import merge_name
from published.rows import PUBLISHED
from ui.choices import choices, text_link, tie_menu
from ui.choices.choices import Choice
from ui.gaps.first_frame import later
from ui.page_parts.compare import held_out_text, lanes
from ui.page_parts.compare.comparison import PageComparison
from ui.page_parts.compare.lanes import (
    KEY,
    ChosenLane,
    branch_names,
    draw_upload,
    file_slugs,
    forget_warnings,
    is_branch,
    is_lane,
    open_upload,
    put_lanes,
    request_lanes,
    set_scope,
    warnings,
)
from ui.shown.every_way import WatchedTraining
from ui.trainings import tokenizer_files
from ui.trainings.picks import Picks
from ui.trainings.recipe import Recipe
from ui.view import visit
from ui.view.tables import distinct_names, pair_text
from ui.view.text import in_markdown, shortened
from ui.view.token_grid import Pick
from ui.view.visit import COMPARED_TOKENIZERS, COMPARED_TRAINERS, Slot, nothing

_LONGEST_NAME = 40  # characters


def add_picked(comparison: PageComparison, number: int, pick: Pick) -> None:
    """Add a branch for the tied pair that the viewer picked in the grid of a lane, and run the page again."""
    lane, trace = comparison.lanes[number], comparison.traces[number]
    if pick.rank >= len(trace.steps) or not trace.origin.breaks_ties:
        return
    pair = (pick.left, pick.right)
    tied = trace.tied_pairs(pick.rank)
    if pair in tied and pair != trace.steps[pick.rank].pair:
        held_out_text.keep(comparison.held_out)
        branch = lanes.branch_slug(lane, pick.rank, tied.index(pair))
        request_lanes(_with_branch(comparison.lanes, lane, branch))
        st.rerun()


def take_lane(comparison: PageComparison, training: WatchedTraining, picks: Picks) -> Callable[[], None]:
    """Add a branch with these picks of the lane that a training belongs to, and return what brings the lanes back."""
    lane = next(one for one in comparison.lanes if one.title == training.title)
    held_out_text.keep(comparison.held_out)
    request_lanes(_with_branch(comparison.lanes, lane, lanes.with_picks(lane.slug, picks)))
    before = [one.slug for one in comparison.lanes]
    return lambda: request_lanes(before)


def _with_branch(chosen: Sequence[ChosenLane], lane: ChosenLane, branch: str) -> list[str]:
    """Return the slugs, with a branch of `lane` added.

    The branch follows its lane. It replaces the lane if that is a branch itself, or if no more lanes fit.
    """
    slugs = [other.slug for other in chosen]
    index = slugs.index(lane.slug)
    if lane.recipe.picks or len(slugs) >= MOST:
        slugs[index] = branch
    else:
        slugs.insert(index + 1, branch)
    return slugs


def with_names(chosen: Sequence[ChosenLane], traces: Sequence[Trace]) -> list[ChosenLane]:
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


def _title_by_picks(lane: ChosenLane, trace: Trace) -> str:
    ranks = [rank for rank, _ in lane.recipe.picks if rank < len(trace.steps)]
    if not ranks:
        return lane.title
    base = lane.title.partition(", by hand")[0]
    pair = shortened(pair_text(trace, trace.steps[ranks[-1]].pair), 24)
    more = f" and {len(ranks) - 1} before" if len(ranks) > 1 else ""
    return f"{base}, {pair} at {merge_name(ranks[-1])}{more}"


def _short_name(text: str) -> str:
    """Return a typed name as it is stored. Names hold no ~, since the link joins them by it.

    >>> _short_name(" mine ~ yours ")
    'mine - yours'
    """
    return shortened(text.replace("~", "-").strip(), _LONGEST_NAME)


def branch_controls(chosen: Sequence[ChosenLane], traces: Sequence[Trace]) -> None:
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
            max_chars=_LONGEST_NAME,
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
    branch_names()[slug] = _short_name(str(st.session_state[key]))


def _undo(slugs: list[str], lane: ChosenLane, rank: int) -> None:
    """Replace the lane by one without this pick and the later ones, or remove it if that lane is there already."""
    earlier = tuple(pick for pick in lane.recipe.picks if pick[0] < rank)
    shorter = lanes.with_picks(lane.slug, earlier)
    put_lanes([shorter if slug == lane.slug else slug for slug in slugs])


# The lanes that were suggested last
_LANES_SUGGESTED: Slot[list[str] | None] = Slot("_lanes_suggested", nothing)


def choose_lanes(choice: Choice, place: DeltaGenerator) -> list[ChosenLane]:
    """Draw the button Lanes, whose menu opens over the page, and return the lanes chosen in it."""
    shared = choice.recipe
    opened = open_upload()
    _begin(choice)
    if opened:
        _add(opened, shared)
    for sentence in warnings():
        st.warning(in_markdown(sentence, most=300))
    slugs: list[str] = st.session_state[KEY]
    if (
        names := visit.linked_text("names")
    ) is not None:  # the browser sends it when the lanes are chosen already
        _name(slugs, names, shared)
    offered = dict.fromkeys((*rules(), *bpe.PRESETS, *lanes.first_lanes(shared), *file_slugs(), *slugs))
    titles = {slug: lanes.title_of(slug, shared) for slug in offered}
    with place:
        opened_menu = choices.menu(choices.LANES, ", ".join(titles[slug] for slug in slugs))
    with later(), opened_menu:
        st.multiselect(
            f"Compare {FEWEST} to {MOST} of these",
            list(offered),
            key=KEY,
            format_func=lambda slug: shortened(titles[slug], 60) if slug in titles else slug,
            max_selections=MOST,
            on_change=forget_warnings,
            placeholder="Add a rule, a trainer or a published tokenizer",
            persist_state="session",
            wrap=True,
        )
        st.button("The real trainers", key="real_trainers", on_click=partial(put_lanes, COMPARED_TRAINERS))
        st.caption("Hugging Face, subword-nmt, minbpe, tiktoken's educational code, SentencePiece and CS336.")
        tokenizers = list(map(tokenizer_files.named, COMPARED_TOKENIZERS))
        names = " and ".join(PUBLISHED[slug].name for slug in COMPARED_TOKENIZERS)
        st.button(names, key="published_lanes", on_click=partial(put_lanes, tokenizers))
        st.caption("Two published tokenizers: how each splits your text.")
        draw_upload()
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
    st.session_state[KEY] = [*slugs[: MOST - 1], slug]
    for dropped in slugs[MOST - 1 :]:
        old, new = (shortened(lanes.title_of(lane, shared), 60) for lane in (dropped, slug))
        warnings().append(f"“{old}” was dropped for “{new}”: no more than {MOST} lanes fit.")


def _write_link(shared: Recipe) -> None:
    slugs: list[str] = st.session_state[KEY]
    link = lanes.write_link(slugs)
    if slugs == lanes.first_lanes(shared):
        st.query_params.pop(KEY, None)
    elif st.query_params.get(KEY) != link:
        st.query_params[KEY] = link
    names = branch_names()
    text_link.write_texts("compare", {"names": "~".join(names.get(slug, "") for slug in slugs).rstrip("~")})


def _begin(choice: Choice) -> None:
    """Set the lanes: those of the link in a session's first run, then suggested ones until the viewer chooses.

    A branch belongs to one corpus and variant. Elsewhere its picked pairs may not be tied, so it is left out.
    """
    shared = choice.recipe
    suggested = lanes.first_lanes(shared)
    before = _LANES_SUGGESTED.read()
    scope_changed = set_scope((choice.corpus.digest, *shared.words))
    if wanted := tie_menu.take_wanted_rules():
        put_lanes(wanted)
    if KEY not in st.session_state:
        _read_link(shared, suggested)
    elif st.session_state[KEY] == before:
        st.session_state[KEY] = suggested
    if scope_changed:
        rest = [slug for slug in st.session_state[KEY] if not is_branch(slug, shared)]
        st.session_state[KEY] = rest if len(rest) >= FEWEST else suggested
    known = [slug for slug in st.session_state[KEY] if is_lane(slug, shared)]
    st.session_state[KEY] = known[:MOST]
    if len(known) > MOST:  # no control offers so many
        warnings().append(f"No more than {MOST} lanes fit: the first {MOST} are shown.")
    _LANES_SUGGESTED.write(suggested)


def _read_link(shared: Recipe, suggested: list[str]) -> None:
    text = st.query_params.get(KEY, "")
    linked, ignored = lanes.read_link(text, shared)
    warnings().extend(ignored)
    st.session_state[KEY] = linked or suggested
    _name(text.split("~") if text else suggested, st.query_params.get("names", ""), shared)


def _name(slugs: Sequence[str], text: str, shared: Recipe) -> None:
    """Give branches the names of a link."""
    names = visit.short_text(text) or ""
    branch_names().update(
        (slug, _short_name(name))
        for slug, name in zip(slugs, names.split("~"), strict=False)
        if name.strip() and is_branch(slug, shared)  # a rule keeps its own name
    )
