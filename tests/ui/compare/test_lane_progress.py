"""Lanes while they are trained: each one's state, the grids of those that can be played, and one Stop for all."""

import json
from collections.abc import Callable
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.app import LONGEST_RUN, run
from tests.ui.gate import LONG_TEXT, Gate, ended, press
from ui.sidebar.corpus import Corpus
from ui.trainings.running_training import Pace, Steps

RULES = ("first", "last", "pair-max", "pair-min", "shortest")


def page(corpus: "Corpus", pace: "Pace", begin: "Callable[..., Steps]") -> None:
    """Draw the lanes as Compare does, until all are ready. Streamlit runs its source alone."""
    import streamlit as st

    from ui.compare import lane_grids, lanes
    from ui.sidebar.recipe import Recipe
    from ui.sidebar.settings import FREE
    from ui.trainings import training

    shared = Recipe(FREE, "char-eow", "first", st.session_state["merges"])
    chosen = [lanes.read_lane(slug, shared) for slug in st.session_state["asked"]]
    progress = training.progress_of(corpus, [lane.recipe for lane in chosen], pace, begin)
    traces = lane_grids.finished(corpus, chosen, progress)
    if traces:
        st.metric("merges", " ".join(str(len(trace.steps)) for trace in traces))


def asked(gate: Gate, merges: int, preview: float = 1000.0) -> AppTest:
    """Return the page when two trainings pause at the gate. The first merges can be played after `preview` seconds."""
    kwargs = {"corpus": LONG_TEXT, "pace": Pace(wait=0.2, preview=preview), "begin": gate.begin}
    app = AppTest.from_function(page, default_timeout=LONGEST_RUN, kwargs=kwargs)
    app.session_state["asked"], app.session_state["merges"] = RULES, merges
    run(app)
    gate.wait_for(merges, merges)
    return run(app)


def parts(app: AppTest) -> list[dict[str, Any]]:
    """Return the data of the components on the page."""
    sent = (element.proto for element in app.get("bidi_component"))
    return [json.loads(one.json) for one in sent if one.json]


def states(app: AppTest) -> list[str]:
    (stage,) = (part for part in parts(app) if "states" in part)
    return [state["text"] for state in stage["states"]]


def grids(app: AppTest) -> list[int]:
    """Return the places of the lanes that have a grid."""
    return [part["lane"]["index"] for part in parts(app) if part.get("lane")]


def test_each_lane_says_how_far_it_is_and_the_ready_ones_can_be_played(gate: Gate) -> None:
    app = asked(gate, 41)
    assert states(app) == ["merge 20 of 41"] * 2 + ["waiting"] * 3
    assert app.progress[0].text == "Training: 0 of 5 lanes are ready."
    assert grids(app) == []
    assert not app.metric  # and so no verdict
    gate.wide_open.set()
    assert ended(app).metric[0].value == "41 41 41 41 41"


def test_the_first_merges_of_a_long_training_can_be_played(gate: Gate) -> None:
    app = run(asked(gate, 42, preview=-1.0))
    assert grids(app) == [0, 1]
    assert states(app)[:3] == ["merge 20 of 42", "merge 20 of 42", "waiting"]


def test_stop_ends_all_lanes_and_go_on_trains_the_rest(gate: Gate) -> None:
    app = run(asked(gate, 43))
    ended(press(app, "lanes_stop"))
    assert app.warning[0].value == (
        "Stopped. 0 of 5 lanes are ready. The answer needs all of them: go on, or remove the others."
    )
    assert states(app) == ["stopped at merge 21 of 43"] * 2 + ["stopped at merge 0 of 43"] * 3
    assert grids(app) == [0, 1]  # what was learned can be played
    gate.wide_open.set()
    assert ended(press(app, "lanes_go_on")).metric[0].value == "43 43 43 43 43"


def test_one_stop_ends_a_lane_that_was_added_before_the_page_was_drawn_again(gate: Gate) -> None:
    """Until then the page's Stop belongs to the lanes before, whether or not the new one has begun."""
    app = asked(gate, 44)
    app.session_state["asked"] = RULES[:2]
    run(app)
    app.session_state["asked"] = RULES[:3]
    ended(press(app, "lanes_stop"))
    assert states(app) == ["stopped at merge 21 of 44"] * 2 + ["stopped at merge 0 of 44"]
    gate.wide_open.set()
    assert ended(press(app, "lanes_go_on")).metric[0].value == "44 44 44"
