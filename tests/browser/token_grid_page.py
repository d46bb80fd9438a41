"""A page with only token grids, for browser tests. Its address holds its parameters.

?text=low+lower or ?english=10000 (characters) or ?rows=low:5,lower:2 (a word list), merges, step, window (characters),
variant, pattern and unit (of the custom variant), second_pattern and second_after (of superwords), rules and variants
(comma-separated: one lane each), pairs=1 (with a pair table), apart=1 (lanes on
their own), ties=1 (sent at every step), visit (part of the keys: another visit gets new
elements). Without a text it is empty.
"""

import json
from typing import Any

import streamlit as st

import bpe
from film.feed import TrainingFeed
from film.textbook_code import code_lines
from film.training_feed import training_feed
from film.windows import WINDOW
from tests import ROOT
from ui.view.component import COMPONENTS, browser_component, component
from ui.view.token_grid import Around, GridState, tell_ties, token_grid, window_start

# Of the custom variant and of superwords, from the address: bpe.train checks them.
Settings = dict[str, Any]


@st.cache_data
def english(characters: int) -> str:
    """Return text of this length: the license of the golden texts, repeated as often as needed."""
    apache: str = json.loads((ROOT / "tests/golden/texts.json").read_text("utf-8"))["apache"]
    return (apache * (characters // len(apache) + 1))[:characters]


@st.cache_resource
def trained(text: str, rows: str, variant: str, settings: Settings, rule: str, merges: int) -> bpe.Trace:
    return bpe.train(corpus(text, rows), variant=variant, tie_break=rule, merges=merges, **settings)


@st.cache_resource
def fed(
    _trace: bpe.Trace, text: str, rows: str, start: int, size: int, rule: str, about: str
) -> TrainingFeed:
    return training_feed(_trace, corpus(text, rows), start=start, size=size, picks=True)


def corpus(text: str, rows: str) -> str | dict[str, int]:
    pairs = (row.rsplit(":", 1) for row in rows.split(",") if row)
    return {word: int(count) for word, count in pairs} if rows else text


@st.fragment
def grids(asked: dict[str, str]) -> None:
    visit = asked.get("visit", "")
    about = {name: value for name, value in asked.items() if name != "visit"}
    text = english(int(asked["english"])) if "english" in asked else asked.get("text", "")
    listed = asked.get("rows", "")
    variants = asked.get("variants", asked.get("variant", "char-eow")).split(",")
    rules = asked.get("rules", ",".join("first" for _ in variants)).split(",")
    size = int(asked.get("window", WINDOW))
    apart = "apart" in asked
    custom: Settings = {name: asked[name] for name in ("pattern", "unit") if name in asked}
    second: Settings = {}
    if "second_pattern" in asked:
        second = {"second_pattern": asked["second_pattern"], "second_after": int(asked["second_after"])}
    traces, feeds = [], []
    for number, rule in enumerate(rules):
        variant = variants[number % len(variants)]
        merges = int(asked.get("merges", 12))
        settings = second | (custom if variant == "custom" else {})
        trace = trained(text, listed, variant, settings, rule, merges)
        traces.append(trace)
        feeds.append(
            fed(trace, text, listed, window_start(f"grid0v{visit}"), size, rule, f"{about} {number}")
        )
    state = draw_apart(asked, traces, feeds) if apart or len(rules) == 1 else draw_lanes(asked, traces, feeds)
    st.text(f"python step {state.step}")
    st.text(f"pick {state.pick}")


def draw_apart(asked: dict[str, str], traces: list[bpe.Trace], feeds: list[TrainingFeed]) -> GridState:
    """Draw a grid for each training and return the state of the first."""
    visit = asked.get("visit", "")
    nothing: dict[str, list[str]] = {"sentences": [], "picks": []}
    around = {
        "table": True,
        "count": None,
        "code": code_lines(),
        "change": nothing,
        "way": None,
        "taken": None,
    }
    states = []
    columns = st.columns(len(feeds), gap="medium")
    for number, (column, trace, feed) in enumerate(zip(columns, traces, feeds, strict=True)):
        with column:
            grid = token_grid(
                feed,
                key=f"grid{number}v{visit}",
                group=f"grid{number}" if "apart" in asked else "grid",
                step=int(asked.get("step", 0)),
                trace=trace if "ties" in asked or "pairs" in asked else None,
                around=Around(browser_component("stage"), around) if "pairs" in asked else None,
            )
        states.append(grid)
    return states[0]


LANES = component("comparison", COMPONENTS / "comparison")


def draw_lanes(asked: dict[str, str], traces: list[bpe.Trace], feeds: list[TrainingFeed]) -> GridState:
    """Draw the trainings as lanes, which share a playhead, and return their state."""
    key = f"grid0v{asked.get('visit', '')}"
    lanes = [
        {"key": str(number), "title": trace.tie_break.title, "subtitle": trace.tie_break.who, "feed": feed}
        for number, (trace, feed) in enumerate(zip(traces, feeds, strict=True))
    ]
    around = Around(LANES, {"lanes": lanes, "of": len(lanes), "below": None})
    state = token_grid(feeds[0], key=key, group="grid", step=int(asked.get("step", 0)), around=around)
    if "ties" in asked:
        tell_ties(key, "grid", list(zip(feeds, traces, strict=True)), state.step)
    return state


st.set_page_config(layout="wide")
asked_now = st.query_params.to_dict()
if {"text", "english", "rows"} & asked_now.keys():
    grids(asked_now)
    st.text_input("typing", key=f"typing{asked_now.get('visit', '')}")
    st.button("rerun")
