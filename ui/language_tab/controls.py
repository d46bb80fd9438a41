"""The controls of the tab “Languages”: metric, training, base text, highlighted texts and step."""

from collections.abc import Sequence

import streamlit as st

from bpe.analysis.language_metrics import METRICS, Metric
from bpe.analysis.languages import DocumentCurves
from ui.language_tab.curves import Lane
from ui.language_tab.digest import digest_of
from ui.language_tab.figures import MOST_HIGHLIGHTED

STEP = "languages_step"


def choose_metric() -> Metric:
    """Draw the menu of the metrics and return the choice."""
    return METRICS[
        str(
            st.selectbox(
                "Metric",
                tuple(METRICS),
                key="languages_metric",
                format_func=lambda slug: METRICS[slug].title,
                persist_state="session",
            )
        )
    ]


def choose_lane(lanes: Sequence[Lane]) -> Lane:
    """Draw the menu of the lanes, if there are several, and return the choice."""
    if len(lanes) == 1:
        return lanes[0]
    lane_of = {lane.key: lane for lane in lanes}
    if st.session_state.get("languages_lane") not in lane_of:
        st.session_state["languages_lane"] = lanes[0].key
    chosen = st.selectbox(
        "Lane",
        tuple(lane_of),
        key="languages_lane",
        format_func=lambda key: lane_of[key].title,
        persist_state="session",
    )
    return lane_of[str(chosen)]


def choose_base(names: Sequence[str]) -> int:
    """Draw the menu of the text that others are compared with, and return its number."""
    chosen = st.selectbox(
        "Base text", tuple(names), key=f"languages_base_{_suffix(names)}", persist_state="session"
    )
    return names.index(str(chosen))


def choose_highlighted(curves: Sequence[DocumentCurves], base: int) -> set[int]:
    """Draw the choice of coloured lines, and return their numbers: at first the base, the shortest and the longest.

    Two texts are both coloured at first: one of them may be the base, and both the shortest and the longest.
    """
    names = [document.name for document in curves]
    final = [document.tokens[-1] for document in curves]
    extremes = (names[base], names[final.index(min(final))], names[final.index(max(final))])
    usual = names if len(names) == 2 else dict.fromkeys(extremes)
    chosen = st.multiselect(
        "Highlight",
        names,
        default=list(usual),
        max_selections=MOST_HIGHLIGHTED,
        key=f"languages_highlight_{_suffix(names)}",
        persist_state="session",
    )
    return {names.index(name) for name in chosen}


def choose_step(last: int) -> int:
    """Draw the slider and return the number of merges."""
    if not last:
        return 0
    st.session_state[STEP] = min(st.session_state.get(STEP, last), last)
    return int(st.slider("After … merges", 0, last, key=STEP, persist_state="session"))


def _suffix(names: Sequence[str]) -> str:
    """Return the end of the keys of widgets that offer these names: other names get other widgets."""
    return digest_of(*names)[:8]
