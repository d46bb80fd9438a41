"""The controls of Compare: which lanes, the trainers in one click, branches and their undoing, a text to test with."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

import bpe
from bpe import BPEError, Trace
from ui import page_link, session
from ui.compare import lanes, tables
from ui.compare.lanes import Lane
from ui.components.token_grid import Pick
from ui.first_visit import COMPARED_TRAINERS
from ui.show.tables import pair_text
from ui.show.text import in_markdown, shortened
from ui.sidebar.recipe import Recipe
from ui.sidebar.sidebar import Choice

TEST_TEXT = "the newest towers are lower than the widest and highest hills, and the lowest is the oldest"
MOST_TESTED = 20_000  # characters
LONGEST_NAME = 40  # characters of a branch's name


def chosen(choice: Choice) -> list[Lane]:
    """The lanes to compare, below the controls that choose them; kept over pages and in the link."""
    shared = choice.recipe
    _begin(choice)
    slugs: list[str] = st.session_state["lanes"]
    offered = dict.fromkeys((*lanes.rules(), *bpe.PRESETS, *lanes.first_lanes(shared), *slugs))
    titles = {slug: lanes.read_lane(slug, shared).title for slug in offered}
    row = st.container(horizontal=True, vertical_alignment="bottom", key="lane_controls")
    with row:
        st.multiselect(
            "Compare",
            list(offered),
            key="lanes",
            format_func=lambda slug: shortened(titles[slug], 60) if slug in titles else slug,
            max_selections=max(lanes.MOST, len(slugs)),
            placeholder="Add a rule or a trainer",
            persist_state="session",
            wrap=True,
            help=f"{lanes.FEWEST} to {lanes.MOST} rules, trainers or branches of your own.",
        )
        st.button(
            "What would the real trainers do?",
            key="real_trainers",
            on_click=partial(_put, COMPARED_TRAINERS),
            help="Hugging Face, subword-nmt, minbpe, tiktoken's lesson code, SentencePiece and CS336 on this text.",
        )
        rest = [slug for slug in slugs if not _picks_of(slug, shared)]
        if len(rest) < len(slugs):
            st.button("Leave out the branches", key="leave_out", on_click=partial(_put, rest))
    slugs = st.session_state["lanes"]
    link = lanes.write_link(slugs)
    if slugs == lanes.first_lanes(shared):
        st.query_params.pop("lanes", None)
    elif st.query_params.get("lanes") != link:
        st.query_params["lanes"] = link
    names = _names()
    page_link.write({"names": "~".join(names.get(slug, "") for slug in slugs).rstrip("~") or None})
    return [lanes.read_lane(slug, shared) for slug in slugs]


def _begin(choice: Choice) -> None:
    """Lanes to begin with, once a session; they follow the sidebar until the viewer chooses some.

    A branch is a branch of one corpus and variant: with another, its picks may tie no longer.
    """
    shared = choice.recipe
    suggested = lanes.first_lanes(shared)
    before = session.LANES_SUGGESTED.read()
    scope = (choice.corpus.digest, *shared.words)
    moved = session.LANES_SCOPE.read() not in ((), scope)
    session.LANES_SCOPE.write(scope)
    if "lanes" not in st.session_state:
        said = st.query_params.get("lanes", "")
        linked, ignored = lanes.read_link(said, shared)
        session.LANES_WARNINGS.write(ignored)
        st.session_state["lanes"] = linked or suggested
        names = page_link.short_text(st.query_params.get("names", "")) or ""
        slugs = said.split("~") if said else suggested
        _names().update(
            (slug, shortened(name.strip(), LONGEST_NAME))
            for slug, name in zip(slugs, names.split("~"), strict=False)
            if name.strip() and _picks_of(slug, shared)  # a rule keeps its own name
        )
    elif st.session_state["lanes"] == before:
        st.session_state["lanes"] = suggested
    if moved:
        kept = [slug for slug in st.session_state["lanes"] if not _picks_of(slug, shared)]
        st.session_state["lanes"] = kept if len(kept) >= lanes.FEWEST else suggested
    st.session_state["lanes"] = [slug for slug in st.session_state["lanes"] if _holds(slug, shared)]
    session.LANES_SUGGESTED.write(suggested)
    for sentence in session.LANES_WARNINGS.read():
        st.warning(in_markdown(sentence, most=300))


def _holds(slug: object, shared: Recipe) -> bool:
    try:
        return bool(lanes.read_lane(str(slug), shared))
    except BPEError:
        return False


def _picks_of(slug: str, shared: Recipe) -> bool:
    return _holds(slug, shared) and bool(lanes.read_lane(slug, shared).recipe.picks)


def _put(slugs: Sequence[str]) -> None:
    st.session_state["lanes"] = list(dict.fromkeys(slugs))
    session.LANES_WARNINGS.forget()


# The text to test with


def ask_test_text() -> None:
    """The held-out text, typed here; kept while another tab or page is shown."""
    st.text_area(
        "Your test text",
        key="test_text",
        height=90,
        max_chars=MOST_TESTED,
        placeholder=TEST_TEXT,
        persist_state="session",
    )
    st.caption(
        "Not trained on. Ctrl+Enter takes it; left empty, the sentence shown is used. It stays in this browser tab and "
        "on the machine that runs this app."
    )


def test_text() -> str:
    """The held-out text: the viewer's, or ours."""
    typed = st.session_state.get("test_text") or ""
    return typed if typed.strip() else TEST_TEXT


# Branches


def take(found: Sequence[Lane], traces: Sequence[Trace], picks: Sequence[Pick | None]) -> None:
    """Add the branch that a lane's grid was asked for, beside its lane; a branch takes the pick itself."""
    for lane, trace, pick in zip(found, traces, picks, strict=True):
        if pick is None or pick.rank >= len(trace.steps):
            continue
        pair = (pick.left, pick.right)
        tied = trace.tied_pairs(pick.rank)
        if pair in tied and pair != trace.steps[pick.rank].pair:
            branch(found, lane, pick.rank, tied.index(pair))
            st.rerun()


def branch(found: Sequence[Lane], lane: Lane, rank: int, number: int) -> None:
    """Take the tied pair of this number at this merge: a lane of its own, where there is room for one more."""
    slugs = [other.slug for other in found]
    new = lanes.branch_slug(lane, rank, number)
    place = slugs.index(lane.slug)
    if lane.recipe.picks or len(slugs) >= lanes.MOST:
        slugs[place] = new
    else:
        slugs.insert(place + 1, new)
    session.NEXT_LANES.write(slugs)


def take_over() -> None:
    """Put the lanes that a grid asked for in place, before the widget that shows them is drawn."""
    slugs = session.NEXT_LANES.read()
    if slugs is not None:
        _put(slugs)
        session.NEXT_LANES.forget()


def named(found: Sequence[Lane], traces: Sequence[Trace]) -> list[Lane]:
    """The lanes, every branch by the name it was given or by what it took; no two by one name."""
    names = _names()
    titles = {
        lane.slug: names.get(lane.slug) or _by_picks(lane, trace)
        for lane, trace in zip(found, traces, strict=True)
    }
    rules_first = sorted(found, key=lambda lane: bool(lane.recipe.picks))  # a rule keeps its own name
    apart = tables.apart([titles[lane.slug] for lane in rules_first])
    titles = {lane.slug: title for lane, title in zip(rules_first, apart, strict=True)}
    return [replace(lane, title=titles[lane.slug]) for lane in found]


def _names() -> dict[str, str]:
    """{slug: name} of this corpus and variant: with others the same slug is another branch."""
    return session.BRANCH_NAMES.read().setdefault(session.LANES_SCOPE.read(), {})


def _by_picks(lane: Lane, trace: Trace) -> str:
    picks = [rank for rank, _ in lane.recipe.picks if rank < len(trace.steps)]
    base = lane.title.partition(", by hand")[0]
    if not picks:
        return lane.title
    pair = shortened(pair_text(trace, trace.steps[picks[-1]].pair), 24)
    more = f" and {len(picks) - 1} before" if len(picks) > 1 else ""
    return f"{base}, {pair} at merge {picks[-1]}{more}"


def _rename(slug: str, key: str) -> None:
    name = str(st.session_state[key]).replace("~", "-").strip()  # the link joins names by ~
    _names()[slug] = shortened(name, LONGEST_NAME)


def branches(found: Sequence[Lane], traces: Sequence[Trace]) -> None:
    """The pairs taken by hand, each with its way back; a branch can be given a name."""
    for lane, trace in zip(found, traces, strict=True):
        if not lane.recipe.picks:
            continue
        row = st.container(horizontal=True, vertical_alignment="center", key=f"branch_{lane.slug}")
        row.caption("Branch:", width="content")
        row.text_input(
            "Name of the branch",
            key=(name := f"name_{lane.slug}"),
            placeholder=lane.title,
            max_chars=LONGEST_NAME,
            label_visibility="collapsed",
            width=280,
            on_change=_rename,
            args=(lane.slug, name),
        )
        for rank, _ in lane.recipe.picks:
            if rank < len(trace.steps):
                pair = in_markdown(pair_text(trace, trace.steps[rank].pair))
                row.button(
                    f"{pair} at merge {rank}  ✕ undo",
                    key=f"undo_{lane.slug}_{rank}",
                    type="tertiary",
                    on_click=_undo,
                    args=([other.slug for other in found], lane, rank),
                )


def _undo(slugs: list[str], lane: Lane, rank: int) -> None:
    """The lane without this pick and those after it; if it is then a lane that is there already, it goes."""
    earlier = tuple(pick for pick in lane.recipe.picks if pick[0] < rank)
    before = lanes.with_picks(lane.slug, earlier)
    _put([before if slug == lane.slug else slug for slug in slugs])
